import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import type { Colour, Season } from '../../scene.ts'
import type { Point } from '../artwork.ts'
import { ellipse, fill } from '../brush.ts'
import { shade } from '../colour.ts'

interface FoliageOptions {
  /** Tones of the leaves, from the dark inside to the sunny edge. */
  palette: readonly string[]
  random: Random
  /** Size of one leaf and radius of one clump, in units. */
  size: number
  radius: number
  /** Height of a clump divided by its width. */
  flat?: number
  /** True for round petals instead of pointed leaves. */
  isPetal?: boolean
  /** Set for hanging blossoms: how far they hang below the clump. */
  drop?: number
  /** The pass of the drawing: `back` draws leaves that lie behind the branches, `front` those
   *  before them. */
  pass: 'back' | 'front'
}

const seasonal: Record<string, Partial<Record<Season, string>>> = {
  oak: { spring: '#8cbf45', summer: '#5f9e3a', autumn: '#d98a2b' },
  maple: { spring: '#a8c04a', summer: '#e2622b', autumn: '#e2562b' },
  cherry: { spring: '#f6b3c8', summer: '#f6b3c8', autumn: '#e8935a', winter: '#f6b3c8' },
  apple: { spring: '#f7d6dc', summer: '#68a33c', autumn: '#b9a23a' },
  orange: { spring: '#5f9a3a', summer: '#4f8f38', autumn: '#5f9434', winter: '#4f8a3c' },
  olive: { spring: '#9aab72', summer: '#8b9f66', autumn: '#8f9c62', winter: '#86966a' },
  ginkgo: { spring: '#b9c94a', summer: '#e9c234', autumn: '#f2c42e' },
  wisteria: { spring: '#b28ae0', summer: '#a57ad9', autumn: '#c99a4a' },
  acacia: { spring: '#8aa84a', summer: '#7f9c40', autumn: '#a89a44' },
  baobab: { spring: '#7fa64a', summer: '#6f9a42', autumn: '#a8963c' },
  birch: { spring: '#a9cf5a', summer: '#86b84a', autumn: '#efc23f' },
  willow: { spring: '#a4c95a', summer: '#86b04a', autumn: '#cdb347' },
  bush: { spring: '#79b04a', summer: '#4f9140', autumn: '#b9823a', winter: '#5f8a5c' },
  cypress: { summer: '#4f8a50' },
  pine: { summer: '#3f7a4a' },
}

/** Returns six tones of the leaves of a kind of tree, from dark to light. The tones are derived
 *  from the colour in the prompt, else from the usual colour in the season. */
export function leafColours(kind: string, season: Season, colour: Colour | undefined): string[] {
  const table = seasonal[kind] ?? seasonal.oak ?? {}
  const base = colour?.hex ?? table[season] ?? table.summer ?? '#5f9e3a'
  return [shade(base, -0.5), shade(base, -0.3), shade(base, -0.12), base, shade(base, 0.2), shade(base, 0.38)]
}

/** Draws clumps of leaves around the ends of the branches: first a dark shape, then leaves in
 *  lighter and lighter tones towards the light at the upper left. */
export function foliage(context: SKRSContext2D, tips: readonly Point[], options: FoliageOptions): void {
  const { random, radius, palette, pass } = options
  const flat = options.flat ?? 0.86
  const clumps = tips.map(tip => ({
    x: tip.x + random.between(-2, 2),
    y: tip.y + random.between(-2, 2),
    r: radius * random.between(0.78, 1.18),
  }))
  const middle = clumps.reduce((sum, clump) => ({ x: sum.x + clump.x / clumps.length, y: sum.y + clump.y / clumps.length }), { x: 0, y: 0 })
  if (pass === 'back') {
    for (const clump of clumps)
      fill(context, ellipse(clump.x + 0.8, clump.y + 1, clump.r * 0.86, clump.r * 0.86 * flat), palette[0] ?? '#24401c')
    for (const clump of clumps) dab(context, { ...clump, lightness: 0.12, flat }, options)
    return
  }
  const reach = Math.max(20, ...clumps.map(clump => Math.hypot(clump.x - middle.x, clump.y - middle.y)))
  const ordered = [...clumps].sort((a, b) => a.y - b.y || a.x - b.x)
  for (const clump of ordered) {
    // The lightness of a clump depends on its place in the crown, which is shaded like one large
    // sphere. `dab` then shades the clump itself like a small sphere.
    const lightness = 0.5 - ((clump.x - middle.x) * 0.45 + (clump.y - middle.y) * 0.9) / reach / 2.2
    dab(context, { ...clump, lightness: Math.max(0.08, Math.min(0.95, lightness)), flat }, options)
  }
  if (options.drop) hang(context, clumps, options)
}

interface Clump {
  x: number
  y: number
  r: number
  lightness: number
  flat: number
}

/** Draws a pointed leaf, or a round petal. */
function leafPath(context: SKRSContext2D, leaf: { x: number; y: number; size: number; turn: number }, isPetal: boolean): void {
  const { x, y, size, turn } = leaf
  if (isPetal) {
    context.moveTo(x + Math.cos(turn) * size * 0.95, y + Math.sin(turn) * size * 0.95)
    context.ellipse(x, y, size * 0.95, size * 0.62, turn, 0, Math.PI * 2)
    return
  }
  const [cos, sin] = [Math.cos(turn + 0.9) * size * 1.25, Math.sin(turn + 0.9) * size * 1.25]
  context.moveTo(x - cos, y - sin)
  context.quadraticCurveTo(x - sin * 0.95, y + cos * 0.95, x + cos, y + sin)
  context.quadraticCurveTo(x + sin * 0.95, y - cos * 0.95, x - cos, y - sin)
}

function dab(context: SKRSContext2D, clump: Clump, { palette, random, size, pass, isPetal = false }: FoliageOptions): void {
  const count = Math.min(58, Math.round((clump.r / size) ** 2 * (pass === 'back' ? 0.8 : 1.2)))
  const leaves = Array.from({ length: count }, () => {
    const angle = random.between(0, Math.PI * 2)
    const distance = Math.sqrt(random.next()) * clump.r * (pass === 'back' ? 1.16 : 1.02)
    return {
      dx: Math.cos(angle) * distance,
      dy: Math.sin(angle) * distance * clump.flat,
      turn: random.between(-1.2, 1.2),
      scale: random.between(0.75, 1.3),
      noise: random.between(-0.16, 0.16),
    }
  })
  leaves.sort((a, b) => b.dy + b.dx * 0.4 - (a.dy + a.dx * 0.4))
  let last = ''
  context.beginPath()
  for (const leaf of leaves) {
    const local = -(leaf.dx * 0.5 + leaf.dy) / clump.r / 2.6
    const tone = Math.max(0, Math.min(0.999, clump.lightness * 0.72 + 0.16 + local + leaf.noise))
    const colour = palette[Math.floor(tone * palette.length)] ?? palette[0] ?? '#5f9e3a'
    // Consecutive leaves of the same tone are collected in one path, which halves the number of
    // drawing calls to the canvas.
    if (colour !== last && last !== '') {
      context.fill()
      context.beginPath()
    }
    if (colour !== last) context.fillStyle = colour
    last = colour
    leafPath(context, { x: clump.x + leaf.dx, y: clump.y + leaf.dy, size: size * leaf.scale, turn: leaf.turn }, isPetal)
  }
  context.fill()
}

function hang(
  context: SKRSContext2D,
  clumps: readonly { x: number; y: number; r: number }[],
  { palette, random, drop = 10 }: FoliageOptions,
): void {
  for (const clump of clumps) {
    for (let i = 0; i < 3; i++) {
      const x = clump.x + random.between(-1, 1) * clump.r
      const length = drop * random.between(0.6, 1.2)
      for (let k = 0; k < 9; k++)
        fill(
          context,
          ellipse(x + random.between(-1, 1) * (1 - k / 9) * 2.4, clump.y + clump.r * 0.5 + (k / 9) * length, 1.5 - k * 0.1, 1.3 - k * 0.08),
          palette[random.integer(1, 5)] ?? '#a57ad9',
        )
    }
  }
}
