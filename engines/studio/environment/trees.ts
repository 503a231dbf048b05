import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../drawing.ts'
import { css, mix, rgb, shift } from './colour.ts'
import { type Clump, dabClump, leafTones, limb } from './foliage.ts'
import { createMarks } from './marks.ts'
import { lit } from './palette.ts'
import type { Greens } from './season.ts'
import type { Stage } from './stage.ts'

export type TreeKind =
  | 'broad'
  | 'tall'
  | 'conifer'
  | 'palm'
  | 'birch'
  | 'bare'
  | 'blossom'
  | 'bush'
  | 'cypress'
  | 'dead'
  | 'acacia'
  | 'bamboo'

/** A background tree on its own small canvas; the bottom of the trunk is in the middle of the
 *  bottom edge. */
export interface TreeSprite {
  canvas: Canvas
  /** Canvas width over canvas height. */
  aspect: number
  kind: TreeKind
}

interface Easel {
  ink: SKRSContext2D
  size: number
  random: Random
  stage: Stage
  greens: Greens
}

/** Draws a tree `size` pixels high; each call draws another individual, depending on the random
 *  generator. */
export function drawTree(stage: Stage, kind: TreeKind, greens: Greens, size: number, random: Random): TreeSprite {
  const aspect =
    kind === 'cypress' || kind === 'bamboo'
      ? 0.5
      : kind === 'conifer'
        ? 0.62
        : kind === 'bush'
          ? 1.7
          : kind === 'acacia'
            ? 1.35
            : kind === 'birch' || kind === 'tall'
              ? 0.7
              : 1.05
  const canvas = createCanvas(Math.max(4, Math.ceil(size * aspect)), Math.max(4, Math.ceil(size)))
  const ink = canvas.getContext('2d')
  ink.translate(canvas.width / 2, canvas.height)
  painters[kind]({ ink, size, random, stage, greens })
  return { canvas, aspect: canvas.width / canvas.height, kind }
}

/** Mixes a tree with a colour, in place, so that it looks distant. */
export function fadeTree({ canvas }: TreeSprite, colour: Rgb, amount: number): void {
  const ink = canvas.getContext('2d')
  ink.save()
  ink.resetTransform()
  ink.globalCompositeOperation = 'source-atop'
  ink.fillStyle = css(colour, amount)
  ink.fillRect(0, 0, canvas.width, canvas.height)
  ink.restore()
}

const barks: Record<'brown' | 'white' | 'grey', Rgb> = { brown: rgb('#6b4d38'), white: rgb('#d9d4c8'), grey: rgb('#7d7468') }

function trunk(easel: Easel, parts: { from: Limb; to: Limb; bend: number }[], bark: Rgb): void {
  const { ink, stage, size } = easel
  const side = stage.sun.side > 0 ? 1 : -1
  ink.fillStyle = css(lit(stage.palette, bark, 0.25))
  ink.beginPath()
  for (const part of parts) limb(ink, part.from, part.to, part.bend)
  ink.fill()
  ink.fillStyle = css(lit(stage.palette, shift(bark, 0.12), 0.85), 0.75)
  ink.beginPath()
  for (const part of parts) {
    const off = side * 0.24
    limb(
      ink,
      { x: part.from.x + part.from.width * off, y: part.from.y, width: part.from.width * 0.36 },
      { x: part.to.x + part.to.width * off, y: part.to.y + size * 0.004, width: part.to.width * 0.4 },
      part.bend,
    )
  }
  ink.fill()
}

interface Limb {
  x: number
  y: number
  width: number
}

function crown(easel: Easel, clumps: Clump[], colour: Rgb, dab: number, density = 1): void {
  const { ink, stage, random, greens } = easel
  const tones = leafTones(stage.palette, mix(colour, random.pick(greens.leaves), random.next() * 0.25))
  const side = stage.sun.side > 0 ? 1 : -1
  // The upper clumps are drawn before the lower ones, so that the lit edges of the lower ones stay
  // visible.
  const leaf = Math.max(dab, easel.stage.unit * 0.0027)
  for (const clump of [...clumps].sort((a, b) => a.y - b.y)) dabClump(ink, clump, tones, { dab: leaf, side, density }, random)
  if (greens.snow > 0.9)
    dabClump(
      ink,
      lowered(clumps),
      [lit(stage.palette, rgb('#c5d6ee'), 0.6), lit(stage.palette, rgb('#f6faff'), 0.95)],
      { dab: leaf, side, density: 0.35 },
      random,
    )
}

function lowered(clumps: readonly Clump[]): Clump {
  const top = clumps.reduce((a, b) => (a.y < b.y ? a : b))
  return { ...top, radiusX: top.radiusX * 1.5, radiusY: top.radiusY * 0.8 }
}

function lobes(random: Random, size: number, shape: { y: number; width: number; height: number; count: number; radius: number }): Clump[] {
  return Array.from({ length: shape.count }, (_, i) => {
    const angle = (i / shape.count) * Math.PI * 2 + random.between(-0.4, 0.4)
    const reach = i === 0 ? 0 : random.between(0.55, 1)
    const radius = size * shape.radius * random.between(0.78, 1.2)
    return {
      x: Math.cos(angle) * reach * shape.width * size,
      y: -size * shape.y + Math.sin(angle) * reach * shape.height * size,
      radiusX: radius * 1.15,
      radiusY: radius * 0.92,
    }
  })
}

function broad(easel: Easel, colour: Rgb, shape = { y: 0.64, width: 0.27, height: 0.2, count: 9, radius: 0.135 }): void {
  const { size, random, greens } = easel
  const lean = random.between(-0.03, 0.03) * size
  const fork = { x: lean, y: -size * (shape.y - shape.height - 0.02), width: size * 0.04 }
  const parts = [{ from: { x: 0, y: 0, width: size * 0.07 }, to: fork, bend: lean * 0.5 }]
  const clumps = lobes(random, size, shape)
  for (const clump of clumps.slice(1, 6))
    parts.push({
      from: { ...fork },
      to: { x: clump.x * 0.8, y: clump.y + clump.radiusY * 0.2, width: size * 0.012 },
      bend: random.between(-0.03, 0.03) * size,
    })
  trunk(easel, parts, barks.brown)
  if (greens.snow > 0.6 && colour === greens.leaves[0]) return
  crown(easel, clumps, colour, size * 0.021)
}

function conifer({ ink, size, random, stage, greens }: Easel): void {
  const frost = greens.snow > 0.6 ? greens.snow * 0.8 : 0
  const white = lit(stage.palette, rgb('#f1f6fd'), 0.95)
  const tones = leafTones(stage.palette, shift(greens.conifer, random.between(-0.12, 0.1))).map((c, i) =>
    mix(c, white, i > 1 ? frost * (i === 2 ? 0.45 : 0.95) : frost * 0.08),
  )
  const side = stage.sun.side > 0 ? 1 : -1
  ink.fillStyle = css(lit(stage.palette, barks.brown, 0.3))
  ink.fillRect(-size * 0.014, -size * 0.2, size * 0.028, size * 0.2)
  const fine = size > stage.unit * 0.06
  const tiers = fine ? 17 : 11
  const half = size * random.between(0.19, 0.27)
  for (let tier = 0; tier < tiers; tier++) {
    const t = tier / (tiers - 1)
    const reach = half * (1 - t) ** 0.9 * random.between(0.86, 1.1) + size * 0.008
    const ring: Ring = {
      y: -size * (0.1 + t ** 0.94 * 0.84),
      reach,
      length: size * (0.085 - 0.045 * t) * (fine ? 1 : 1.35),
      count: Math.ceil((fine ? 20 : 11) * (0.45 + 0.55 * (1 - t))),
    }
    for (let tone = 0; tone < 4; tone++) {
      const share = 1 - tone * 0.12
      needleRing(
        ink,
        { ...ring, reach: reach * share, y: ring.y - tone * size * 0.009, length: ring.length * (1 - tone * 0.13) },
        { lean: side * reach * 0.07 * tone, style: css(tones[tone]!) },
        random,
      )
    }
  }
}

interface Ring {
  y: number
  reach: number
  length: number
  count: number
}

/** Draws a ring of hanging twigs; each has the shape of a drop that points outwards and down. */
function needleRing(ink: SKRSContext2D, ring: Ring, look: { lean: number; style: string }, random: Random): void {
  const marks = createMarks(ink)
  for (let i = 0; i < ring.count; i++) {
    const s = ((i + random.next()) / ring.count) * 2 - 1
    const x = s * ring.reach + look.lean
    const y = ring.y + Math.abs(s) ** 1.4 * ring.length * 0.7 + random.between(-0.2, 0.2) * ring.length
    const length = ring.length * random.between(0.7, 1.25)
    const wide = length * 0.34
    marks.move(x - wide, y)
    marks.quad(x - wide * 0.2, y + length * 0.7, x + s * length * 0.75, y + length)
    marks.quad(x + wide, y + length * 0.4, x + wide * 0.8, y - length * 0.12)
    marks.quad(x, y - length * 0.3, x - wide, y)
  }
  marks.fill(look.style)
}

function palm(easel: Easel): void {
  const { ink, size, random, stage, greens } = easel
  const lean = random.between(-0.16, 0.16) * size
  const top = { x: lean, y: -size * 0.72, width: size * 0.024 }
  trunk(easel, [{ from: { x: 0, y: 0, width: size * 0.048 }, to: top, bend: -lean * 0.35 }], barks.grey)
  const rings = createMarks(ink)
  for (let i = 1; i < 22; i++) {
    const t = i / 22
    const x = lean * t + lean * 0.18 * Math.sin(t * Math.PI) * -1
    const w = size * (0.024 - 0.011 * t)
    rings.move(x - w, -size * 0.72 * t)
    rings.quad(x, -size * 0.72 * t + size * 0.012, x + w, -size * 0.72 * t)
    rings.quad(x, -size * 0.72 * t + size * 0.006, x - w, -size * 0.72 * t)
  }
  rings.fill(css(lit(stage.palette, rgb('#4a4238'), 0.3), 0.45))
  const tones = leafTones(stage.palette, mix(rgb('#4f8f3f'), greens.leaves[0]!, 0.25))
  for (const layer of [0, 1, 2]) {
    for (let i = 0; i < 7; i++) {
      const spread = (i / 6) * 2 - 1 + random.between(-0.1, 0.1)
      const angle = -Math.PI / 2 + spread * Math.PI * (0.66 - layer * 0.1)
      frond(
        ink,
        { x: top.x, y: top.y, angle, length: size * random.between(0.26, 0.34) * (1 - layer * 0.06) },
        css(tones[layer + (i % 2) + 1]!),
      )
    }
  }
}

/** Draws a palm frond: a feathered leaf along a drooping rib. */
function frond(ink: SKRSContext2D, f: { x: number; y: number; angle: number; length: number }, style: string): void {
  const marks = createMarks(ink)
  const dirX = Math.cos(f.angle)
  const dirY = Math.sin(f.angle)
  const at = (t: number) => ({
    x: f.x + dirX * f.length * t,
    y: f.y + dirY * f.length * t + f.length * 0.62 * t * t * (0.45 + 0.55 * Math.abs(dirX)),
  })
  const leaves = 26
  for (let i = 1; i <= leaves; i++) {
    const t = i / leaves
    const p = at(t)
    const q = at(Math.min(1, t + 0.05))
    const size = f.length * 0.23 * Math.sin(Math.PI * (0.14 + 0.82 * t)) ** 0.7
    const along = Math.atan2(q.y - p.y + 1e-6, q.x - p.x)
    for (const turn of [-1, 1]) {
      const a = along + turn * 0.95
      const endX = p.x + Math.cos(a) * size
      const endY = p.y + Math.sin(a) * size + size * 0.42
      marks.move(p.x, p.y)
      marks.quad(p.x + Math.cos(a) * size * 0.6, p.y + Math.sin(a) * size * 0.6, endX, endY)
      marks.quad(p.x + Math.cos(a) * size * 0.4 + f.length * 0.02, p.y + Math.sin(a) * size * 0.4 + f.length * 0.03, q.x, q.y)
    }
  }
  marks.move(f.x, f.y - f.length * 0.015)
  const end = at(1)
  const middle = at(0.5)
  marks.quad(middle.x, middle.y - f.length * 0.01, end.x, end.y)
  marks.quad(middle.x, middle.y + f.length * 0.03, f.x, f.y + f.length * 0.03)
  marks.fill(style)
}

/** Draws bare branches that fork repeatedly. */
function bare(easel: Easel, bark: Rgb, spread = 0.55): void {
  const { size, random } = easel
  const parts: { from: Limb; to: Limb; bend: number }[] = []
  const grow = (from: Limb, angle: number, length: number, depth: number) => {
    const to = { x: from.x + Math.cos(angle) * length, y: from.y + Math.sin(angle) * length, width: from.width * 0.66 }
    parts.push({ from: { ...from }, to, bend: length * random.between(-0.1, 0.1) })
    if (depth === 0) return
    const forks = depth > 3 ? 2 : random.integer(2, 3)
    for (let i = 0; i < forks; i++)
      grow(
        to,
        angle + ((i / Math.max(1, forks - 1)) * 2 - 1) * spread * random.between(0.6, 1.2) + random.between(-0.1, 0.1),
        length * random.between(0.66, 0.84),
        depth - 1,
      )
  }
  grow({ x: 0, y: 0, width: size * 0.06 }, -Math.PI / 2 + random.between(-0.06, 0.06), size * 0.27, 5)
  trunk(easel, parts, bark)
  if (easel.greens.snow < 0.9) return
  const snow = parts
    .filter(p => p.from.width > size * 0.008)
    .map(p => ({
      from: { ...p.from, y: p.from.y - p.from.width * 0.3, width: p.from.width * 0.4 },
      to: { ...p.to, y: p.to.y - p.to.width * 0.3, width: p.to.width * 0.4 },
      bend: p.bend,
    }))
  easel.ink.fillStyle = css(lit(easel.stage.palette, rgb('#f0f5fd'), 0.9))
  easel.ink.beginPath()
  for (const part of snow.slice(1)) limb(easel.ink, part.from, part.to, part.bend)
  easel.ink.fill()
}

function birch(easel: Easel): void {
  const { ink, size, random, greens, stage } = easel
  const lean = random.between(-0.04, 0.04) * size
  trunk(
    easel,
    [{ from: { x: 0, y: 0, width: size * 0.04 }, to: { x: lean, y: -size * 0.86, width: size * 0.012 }, bend: lean * 0.4 }],
    barks.white,
  )
  ink.fillStyle = css(lit(stage.palette, rgb('#4a453f'), 0.4), 0.8)
  for (let i = 0; i < 12; i++)
    ink.fillRect(
      -size * 0.016 + random.between(0, 0.014) * size + (lean * i) / 16,
      -size * (0.03 + i * 0.055),
      size * random.between(0.008, 0.02),
      size * 0.006,
    )
  if (greens.snow > 0.6) return
  crown(
    easel,
    lobes(random, size, { y: 0.66, width: 0.14, height: 0.25, count: 9, radius: 0.095 }),
    random.pick(greens.leaves),
    size * 0.017,
    0.75,
  )
}

function bush(easel: Easel): void {
  const { size, random, greens } = easel
  const clumps = Array.from({ length: 7 }, (_, i) => ({
    x: ((i / 6) * 2 - 1) * size * 0.55,
    y: -size * (0.3 + 0.26 * Math.sin((i / 6) * Math.PI) * random.between(0.7, 1.2)),
    radiusX: size * 0.26,
    radiusY: size * 0.26,
  }))
  crown(easel, clumps, greens.snow > 0.6 ? greens.conifer : random.pick(greens.leaves), size * 0.055)
}

function cypress(easel: Easel): void {
  const { size, random, greens } = easel
  const clumps = Array.from({ length: 9 }, (_, i) => ({
    x: random.between(-0.01, 0.01) * size,
    y: -size * (0.12 + i * 0.094),
    radiusX: size * 0.115 * Math.sin(0.5 + (i / 8) * 2.3),
    radiusY: size * 0.1,
  }))
  crown(easel, clumps, greens.conifer, size * 0.02)
}

function bamboo(easel: Easel): void {
  const { ink, size, random, stage } = easel
  for (let i = 0; i < 4; i++) {
    const x = random.between(-0.16, 0.16) * size
    const lean = random.between(-0.04, 0.04) * size
    const height = size * random.between(0.8, 0.98)
    trunk(
      easel,
      [{ from: { x, y: 0, width: size * 0.028 }, to: { x: x + lean, y: -height, width: size * 0.016 }, bend: 0 }],
      rgb('#8fae56'),
    )
    ink.fillStyle = css(lit(stage.palette, rgb('#5d7a3a'), 0.5))
    for (let k = 1; k < 9; k++) ink.fillRect(x + (lean * k) / 9 - size * 0.014, -(height * k) / 9, size * 0.028, size * 0.005)
    crown(
      easel,
      [
        { x: x + lean, y: -height * 0.86, radiusX: size * 0.12, radiusY: size * 0.08 },
        { x: x + lean * 0.6, y: -height * 0.6, radiusX: size * 0.09, radiusY: size * 0.05 },
      ],
      rgb('#7aa848'),
      size * 0.022,
      0.5,
    )
  }
}

const painters: Record<TreeKind, (easel: Easel) => void> = {
  broad: easel => (easel.greens.snow > 0.6 ? bare(easel, barks.brown) : broad(easel, easel.random.pick(easel.greens.leaves))),
  tall: easel =>
    easel.greens.snow > 0.6
      ? bare(easel, barks.grey, 0.4)
      : broad(easel, easel.random.pick(easel.greens.leaves), { y: 0.68, width: 0.17, height: 0.24, count: 9, radius: 0.11 }),
  blossom: easel => broad(easel, easel.random.pick([rgb('#f3b6c8'), rgb('#f7c9d6'), rgb('#eaa0ba')])),
  acacia: easel =>
    broad(easel, mix(rgb('#7f8f3f'), easel.greens.leaves[0]!, 0.3), { y: 0.8, width: 0.48, height: 0.06, count: 11, radius: 0.11 }),
  conifer,
  palm,
  birch,
  bush,
  cypress,
  bamboo,
  bare: easel => bare(easel, barks.brown),
  dead: easel => bare(easel, rgb('#5a5148'), 0.7),
}
