import { disc, fade, flood, glow, radial, randomOf } from '../art/paint.ts'
import type { Theme } from './theme.ts'

const space = '#090d1c'
const ice = '#8ecbff'

/** Planets and their ways. */
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
    title: {
      paper: space,
      ink: '#ffffff',
      muted: '#ccd8ee',
      accent: ice,
      accentFill: '#5aa9f5',
      onAccent: space,
      panel: '#131a33',
      rule: '#364366',
    },
    section: {
      paper: space,
      ink: '#ffffff',
      muted: '#ccd8ee',
      accent: ice,
      accentFill: '#5aa9f5',
      onAccent: space,
      panel: '#131a33',
      rule: '#364366',
    },
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
    closing: {
      paper: space,
      ink: '#ffffff',
      muted: '#ccd8ee',
      accent: ice,
      accentFill: '#5aa9f5',
      onAccent: space,
      panel: '#131a33',
      rule: '#364366',
    },
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
    system(context, { w: 13.333, h: 7.5 }, [11.1, 3.6], 2.9, ground.length)
  },
  ornament(context, { w, h }, seed) {
    flood(context, space, { w, h })
    system(context, { w, h }, [w * 0.52, h * 0.45], Math.min(w, h) * 0.52, seed)
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
  for (let k = 0; k < w * h * 1.6; k++)
    disc(context, [random() * w, random() * h], 0.004 + random() ** 5 * 0.02, fade('#ffffff', 0.25 + random() * 0.6))
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

/** A ball that is lit from its upper left. */
function shaded(context: Parameters<Theme['paint']>[0], x: number, y: number, size: number, light: string, dark: string) {
  return radial(context, [x - size * 0.35, y - size * 0.35], size * 1.5, [
    [0, light],
    [0.75, dark],
    [1, '#120a1c'],
  ])
}
