import { disc, fade, flood, glow, linear, radial, randomOf, ribbon } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const night = '#0d0b1f'
const panel = '#1a1735'
const cyan = '#5eead4'
const violet = '#8b5cf6'

const cover: Tones = {
  paper: night,
  ink: '#ffffff',
  muted: '#d4d0ee',
  accent: cyan,
  accentFill: cyan,
  onAccent: night,
  panel,
  rule: '#3a3563',
}

/** Template Aurora: northern lights on a dark background, for decks that are shown on a screen. */
export const aurora: Theme = {
  id: 103,
  name: 'aurora',
  title: 'Aurora',
  category: 'technology',
  style: 'dark',
  colour: { name: 'violet', hex: violet },
  scenes: ['product launch', 'artificial intelligence', 'keynote'],
  faces: { heading: 'sans', headingWeight: 700, body: 'sans' },
  tones: {
    title: cover,
    section: cover,
    content: { ...cover, ink: '#f3f1ff', muted: '#b3add6' },
    closing: cover,
  },
  series: ['#5eead4', '#a78bfa', '#fbbf24', '#60a5fa', '#f472b6', '#a3e635'],
  look: { header: 'plain', card: 'filled', radius: 0.16, cover: 'left', bullet: '•' },
  frames: {
    title: { x: 0.95, y: 1.9, w: 8.4, h: 3.7 },
    section: { x: 0.95, y: 1.9, w: 8.8, h: 3.4 },
    closing: { x: 0.95, y: 1.9, w: 8.4, h: 3.4 },
  },
  paint(context, ground) {
    flood(context, night)
    if (ground === 'content') {
      glow(context, [13.2, 0.2], 3.4, fade(violet, 0.24))
      glow(context, [12.2, -0.6], 2.4, fade(cyan, 0.14))
      return
    }
    lights(context, { w: 13.333, h: 7.5 }, ground.length, 0.62)
    context.fillStyle = linear(
      context,
      [0, 0],
      [10, 0],
      [
        [0, fade(night, 0.92)],
        [0.55, fade(night, 0.72)],
        [1, fade(night, 0)],
      ],
    )
    context.fillRect(0, 0, 13.333, 7.5)
    stars(context, { w: 13.333, h: 7.5 }, ground.length)
  },
  ornament(context, size, seed) {
    flood(context, night, size)
    lights(context, size, seed, 0.4)
    stars(context, size, seed + 2)
  },
}

function lights(context: Parameters<Theme['paint']>[0], { w, h }: { w: number; h: number }, seed: number, from: number): void {
  const random = randomOf(seed + 21)
  glow(context, [w * (from + 0.22), h * 0.25], h * 0.75, fade(violet, 0.55))
  glow(context, [w * (from + 0.1), h * 0.75], h * 0.6, fade('#0ea5e9', 0.4))
  glow(context, [w * 0.95, h * 0.85], h * 0.65, fade(cyan, 0.35))
  for (let k = 0; k < 3; k++) {
    const y = h * (0.18 + k * 0.24 + random() * 0.08)
    ribbon(
      context,
      { from: [w * (from - 0.35), y + h * 0.5], bend: [w * (from + 0.15), y], to: [w * 1.03, y + h * (random() * 0.3 - 0.1)] },
      {
        count: 34,
        spread: [w * 0.05, h * 0.09],
        colour: at => fade(k === 1 ? cyan : k === 0 ? '#c4b5fd' : '#38bdf8', 0.34 * (1 - at) + 0.03),
        width: 0.012,
      },
    )
  }
}

function stars(context: Parameters<Theme['paint']>[0], { w, h }: { w: number; h: number }, seed: number): void {
  const random = randomOf(seed + 77)
  for (let k = 0; k < (w * h) / 1.1; k++) {
    const at = [random() * w, random() * h] as const
    const size = 0.006 + random() ** 4 * 0.018
    disc(
      context,
      at,
      size * 2.4,
      radial(context, at, size * 2.4, [
        [0, fade('#ffffff', 0.35)],
        [1, fade('#ffffff', 0)],
      ]),
    )
    disc(context, at, size, fade('#ffffff', 0.3 + random() * 0.5))
  }
}
