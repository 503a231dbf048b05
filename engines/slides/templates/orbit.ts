import { disc, fade, flood, glow, linear, radial, randomOf } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const space = '#090d1c'
const ice = '#8ecbff'

const cover: Tones = {
  paper: space,
  ink: '#ffffff',
  muted: '#ccd8ee',
  accent: ice,
  accentFill: '#5aa9f5',
  onAccent: space,
  panel: '#131a33',
  rule: '#364366',
}

/** Template Orbit: planets and their orbits in front of dark space. */
export const orbit: Theme = {
  id: 115,
  name: 'orbit',
  title: 'Orbit',
  category: 'science',
  style: 'dark',
  colour: { name: 'blue', hex: '#2a5bd7' },
  scenes: ['space', 'physics', 'research', 'future'],
  faces: { heading: 'humanist', headingWeight: 700, body: 'humanist' },
  tones: {
    title: cover,
    section: cover,
    content: {
      paper: '#f7f9fd',
      ink: '#131c36',
      muted: '#546081',
      accent: '#2450c0',
      accentFill: '#2450c0',
      onAccent: '#ffffff',
      panel: '#e9eefa',
      rule: '#cad4ea',
    },
    closing: cover,
  },
  series: ['#2450c0', '#c2701c', '#1f8a83', '#8a47b0', '#b03a5b', '#5a6a8a'],
  look: { header: 'bar', card: 'filled', radius: 0.14, cover: 'left', bullet: '•' },
  frames: {
    title: { x: 0.95, y: 1.8, w: 6.7, h: 3.8 },
    section: { x: 0.95, y: 1.9, w: 6.7, h: 3.5 },
    closing: { x: 0.95, y: 1.8, w: 6.7, h: 3.5 },
  },
  paint(context, ground) {
    flood(context, this.tones[ground].paper)
    if (ground === 'content') return
    if (ground === 'closing') ringed(context, { w: 13.333, h: 7.5 }, [10.6, 3.3], { radius: 1.35, seed: 5 })
    else system(context, { w: 13.333, h: 7.5 }, [11.1, 3.6], 2.9, ground.length)
  },
  ornament(context, { w, h }, seed) {
    flood(context, space, { w, h })
    const reach = Math.min(w, h)
    if (seed % 3 === 1) ringed(context, { w, h }, [w * 0.5, h * 0.42], { radius: reach * 0.27, seed })
    else if (seed % 3 === 2) horizon(context, { w, h }, seed)
    else system(context, { w, h }, [w * 0.52, h * 0.45], reach * 0.52, seed)
  },
}

const worlds = [
  ['#ffcf8a', '#c7672a'],
  ['#a7e0ff', '#2a5bd7'],
  ['#f5b3c8', '#8c3a78'],
  ['#c9f0d2', '#2f8a70'],
] as const

function system(
  context: Parameters<Theme['paint']>[0],
  { w, h }: { w: number; h: number },
  [x, y]: readonly [number, number],
  radius: number,
  seed: number,
): void {
  const random = randomOf(seed + 51)
  stars(context, { w, h }, random)
  glow(context, [x, y], radius * 1.15, fade('#2a5bd7', 0.5))
  context.save()
  context.translate(x, y)
  context.rotate(-0.42)
  for (const [k, share] of [0.42, 0.66, 0.92, 1.18].entries()) {
    context.strokeStyle = fade(ice, 0.5 - k * 0.08)
    context.lineWidth = 0.014
    context.beginPath()
    context.ellipse(0, 0, radius * share, radius * share * 0.46, 0, 0, Math.PI * 2)
    context.stroke()
    const angle = random() * Math.PI * 2
    const [px, py] = [Math.cos(angle) * radius * share, Math.sin(angle) * radius * share * 0.46]
    const size = radius * (0.035 + random() * 0.055)
    const [light, dark] = worlds[k] ?? worlds[0]
    disc(context, [px, py], size, shaded(context, px, py, size, light, dark))
  }
  context.restore()
  disc(context, [x, y], radius * 0.24, shaded(context, x, y, radius * 0.24, '#fff3c9', '#f0932a'))
}

function stars(context: Parameters<Theme['paint']>[0], { w, h }: { w: number; h: number }, random: () => number): void {
  for (let k = 0; k < w * h * 1.6; k++)
    disc(context, [random() * w, random() * h], 0.004 + random() ** 5 * 0.02, fade('#ffffff', 0.25 + random() * 0.6))
}

/** Draws a close view of a planet with rings, and a moon. */
function ringed(
  context: Parameters<Theme['paint']>[0],
  size: { w: number; h: number },
  [x, y]: readonly [number, number],
  { radius, seed }: { radius: number; seed: number },
): void {
  const random = randomOf(seed + 52)
  stars(context, size, random)
  glow(context, [x, y], radius * 2.6, fade('#2a5bd7', 0.4))
  const [light, dark] = worlds[seed % worlds.length] ?? worlds[0]
  context.save()
  context.translate(x, y)
  context.rotate(-0.38)
  const rings = (from: number, to: number) => {
    for (const [k, share] of [1.42, 1.56, 1.72, 1.8].entries()) {
      context.strokeStyle = fade(light, 0.75 - k * 0.14)
      context.lineWidth = radius * (k === 1 ? 0.1 : 0.04)
      context.beginPath()
      context.ellipse(0, 0, radius * share, radius * share * 0.3, 0, from, to)
      context.stroke()
    }
  }
  rings(Math.PI, Math.PI * 2)
  disc(context, [0, 0], radius, shaded(context, 0, 0, radius, light, dark))
  rings(0, Math.PI)
  context.restore()
  const [mx, my] = [size.w * (0.2 + random() * 0.2), size.h * (0.72 + random() * 0.1)]
  disc(context, [mx, my], radius * 0.2, shaded(context, mx, my, radius * 0.2, '#e8ecf5', '#6d7892'))
}

/** Draws the edge of a planet with the light behind it. */
function horizon(context: Parameters<Theme['paint']>[0], { w, h }: { w: number; h: number }, seed: number): void {
  const random = randomOf(seed + 53)
  stars(context, { w, h }, random)
  const radius = Math.max(w, h) * 0.95
  const [x, y] = [w * (0.3 + random() * 0.4), h * 0.62 + radius]
  glow(context, [x + w * 0.2, h * 0.62], w * 0.75, fade(ice, 0.7))
  disc(context, [x, y], radius + 0.05, fade(ice, 0.85))
  disc(
    context,
    [x, y],
    radius,
    linear(
      context,
      [0, h * 0.6],
      [0, h],
      [
        [0, '#2a5bd7'],
        [0.35, '#14306f'],
        [1, space],
      ],
    ),
  )
  const [mx, my] = [w * (0.25 + random() * 0.3), h * 0.24]
  const size = Math.min(w, h) * 0.11
  disc(context, [mx, my], size, shaded(context, mx, my, size, '#fff3c9', '#a8683a'))
}

/** Returns the fill of a ball that is lit from its upper left. */
function shaded(context: Parameters<Theme['paint']>[0], x: number, y: number, size: number, light: string, dark: string) {
  return radial(context, [x - size * 0.35, y - size * 0.35], size * 1.5, [
    [0, light],
    [0.75, dark],
    [1, '#120a1c'],
  ])
}
