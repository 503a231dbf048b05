import { sketches } from '../art/chalk.ts'
import { fade, flood, grain, radial, randomOf } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const board = '#22382f'

const cover: Tones = {
  paper: board,
  ink: '#fbfaf3',
  muted: '#e0e6dc',
  accent: '#ffe08a',
  accentFill: '#ffd666',
  onAccent: '#1b2d26',
  panel: '#1b2e26',
  rule: '#5f7a6d',
}

/** Template Chalkboard: a blackboard with chalk drawings. */
export const chalkboard: Theme = {
  id: 113,
  name: 'chalkboard',
  title: 'Chalkboard',
  category: 'education',
  style: 'hand-drawn',
  colour: { name: 'green', hex: board },
  scenes: ['school', 'mathematics', 'training'],
  faces: { heading: 'humanist', headingWeight: 700, body: 'humanist' },
  tones: {
    title: cover,
    section: cover,
    content: {
      paper: board,
      ink: '#f7f6ee',
      muted: '#c3d0c6',
      accent: '#ffe08a',
      accentFill: '#ffd666',
      onAccent: '#1b2d26',
      panel: '#1b2e26',
      rule: '#557065',
    },
    closing: cover,
  },
  series: ['#ffd666', '#8fd3e8', '#f5a3a3', '#b9e08c', '#d6b4f0', '#f2c08a'],
  look: { header: 'rule', card: 'outlined', radius: 0.12, cover: 'left', bullet: '•' },
  frames: {
    title: { x: 1, y: 1.6, w: 7.6, h: 3.8 },
    section: { x: 1, y: 1.8, w: 7.6, h: 3.5 },
    closing: { x: 1, y: 1.7, w: 7.6, h: 3.5 },
  },
  paint(context, ground) {
    slate(context, { w: 13.333, h: 7.5 }, ground.length, ground === 'content' ? 0.35 : 1)
    if (ground === 'content') return
    // The number of letters in the word is the seed, so each kind of page gets different sketches.
    // "section" and "closing" have the same length, so "closing" gets the seed 3.
    sketches(context, { x: 9, y: 0.7, w: 3.7, h: 6 }, ground === 'closing' ? 3 : ground.length)
    context.strokeStyle = '#8a5f36'
    context.lineWidth = 0.34
    context.strokeRect(0.05, 0.05, 13.233, 7.4)
    context.strokeStyle = fade('#5f3f20', 0.9)
    context.lineWidth = 0.03
    context.strokeRect(0.22, 0.22, 12.893, 7.06)
  },
  ornament(context, size, seed) {
    slate(context, size, seed, 1)
    sketches(context, { x: size.w * 0.1, y: size.h * 0.06, w: size.w * 0.8, h: size.h * 0.88 }, seed)
  },
}

/** Paints the blackboard surface with wide wiping marks. */
function slate(context: Parameters<Theme['paint']>[0], size: { w: number; h: number }, seed: number, dust: number): void {
  flood(context, board, size)
  const random = randomOf(seed + 12)
  for (let k = 0; k < 14; k++) {
    const at = [random() * size.w, random() * size.h] as const
    const radius = 1 + random() * 2.4
    context.fillStyle = radial(context, at, radius, [
      [0, fade('#ffffff', 0.035 * dust)],
      [1, fade('#ffffff', 0)],
    ])
    context.fillRect(at[0] - radius, at[1] - radius, radius * 2, radius * 2)
  }
  grain(context, 0.035, seed, size)
}
