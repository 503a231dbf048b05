import { fade, flood, linear, randomOf } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const green = '#0f3d2e'
const brass = '#b58a3c'

const cover: Tones = {
  paper: green,
  ink: '#fbf8ef',
  muted: '#dbe3d8',
  accent: '#e3c07a',
  accentFill: '#d0a659',
  onAccent: '#0a2a20',
  panel: '#0b3024',
  rule: '#44715f',
}

/** Template Ledger: fine curves as on bank notes, in dark green and brass. */
export const ledger: Theme = {
  id: 112,
  name: 'ledger',
  title: 'Ledger',
  category: 'finance',
  style: 'refined',
  colour: { name: 'green', hex: green },
  scenes: ['annual report', 'finance', 'law', 'board meeting'],
  faces: { heading: 'serif', headingWeight: 700, body: 'humanist' },
  tones: {
    title: cover,
    section: cover,
    content: {
      paper: '#fdfcf8',
      ink: '#1d2a25',
      muted: '#58645e',
      accent: '#7d5b17',
      accentFill: green,
      onAccent: '#ffffff',
      panel: '#f2f1e8',
      rule: '#d6d5c6',
    },
    closing: cover,
  },
  series: [green, '#a87a25', '#56718c', '#8c4a3f', '#7f8c4e', '#6a6480'],
  look: { header: 'rule', card: 'outlined', radius: 0, cover: 'left', bullet: '–' },
  frames: {
    title: { x: 1.1, y: 1.7, w: 7.2, h: 3.8 },
    section: { x: 1.1, y: 1.9, w: 7.2, h: 3.5 },
    closing: { x: 1.1, y: 1.8, w: 7.2, h: 3.5 },
  },
  paint(context, ground) {
    flood(context, this.tones[ground].paper)
    if (ground === 'content') return
    context.fillStyle = linear(
      context,
      [0, 0],
      [13.333, 7.5],
      [
        [0, green],
        [1, '#092a1f'],
      ],
    )
    context.fillRect(0, 0, 13.333, 7.5)
    context.save()
    context.beginPath()
    context.rect(8.6, 0, 4.733, 7.5)
    context.clip()
    rosette(context, 12.1, 3.75, 3.1, ground.length, fade('#d0a659', 0.6))
    rosette(context, 12.1, 3.75, 1.5, ground.length + 4, fade('#f3dfae', 0.55))
    context.restore()
    context.strokeStyle = fade('#d0a659', 0.85)
    context.lineWidth = 0.02
    context.strokeRect(0.45, 0.45, 12.433, 6.6)
    context.lineWidth = 0.008
    context.strokeRect(0.55, 0.55, 12.233, 6.4)
  },
  ornament(context, { w, h }, seed) {
    flood(context, green, { w, h })
    engraved[seed % engraved.length]?.(context, { w, h }, seed)
    context.strokeStyle = brass
    context.lineWidth = 0.02
    context.strokeRect(0.2, 0.2, w - 0.4, h - 0.4)
  },
}

type Engraving = (context: Parameters<Theme['paint']>[0], size: { w: number; h: number }, seed: number) => void

const engraved: readonly Engraving[] = [
  (context, { w, h }, seed) => {
    rosette(context, w / 2, h * 0.45, Math.min(w, h) * 0.62, seed, fade('#d0a659', 0.65))
    rosette(context, w / 2, h * 0.45, Math.min(w, h) * 0.28, seed + 3, fade('#f3dfae', 0.6))
  },
  braid,
  (context, { w, h }, seed) => {
    rosette(context, w, h, Math.min(w, h) * 1.25, seed, fade('#d0a659', 0.6))
    rosette(context, w, h, Math.min(w, h) * 0.6, seed + 3, fade('#f3dfae', 0.55))
  },
]

/** Draws 36 waves that cross one another and run down the whole panel. */
function braid(context: Parameters<Theme['paint']>[0], { w, h }: { w: number; h: number }, seed: number): void {
  const bends = 2 + (seed % 3)
  context.lineWidth = 0.009
  for (let strand = 0; strand < 36; strand++) {
    const phase = (strand / 36) * Math.PI * 2
    context.strokeStyle = strand % 3 === 0 ? fade('#f3dfae', 0.5) : fade('#d0a659', 0.6)
    context.beginPath()
    for (let k = 0; k <= 240; k++) {
      const angle = (k / 240) * Math.PI * bends + phase
      context.lineTo(w / 2 + w * 0.34 * Math.sin(angle) * (0.62 + 0.38 * Math.sin(phase * 2 + (k / 240) * Math.PI)), (k / 240) * h)
    }
    context.stroke()
  }
}

/** Draws a guilloche rosette, as on bank notes: a wavy circle, repeated with a small rotation each
 *  time. */
function rosette(context: Parameters<Theme['paint']>[0], x: number, y: number, radius: number, seed: number, colour: string): void {
  const random = randomOf(seed + 2)
  const petals = 7 + Math.floor(random() * 5)
  context.strokeStyle = colour
  context.lineWidth = 0.009
  for (let turn = 0; turn < 22; turn++) {
    const depth = 0.12 + 0.32 * (turn / 22)
    context.beginPath()
    for (let k = 0; k <= 360; k++) {
      const angle = (k / 360) * Math.PI * 2
      const reach = radius * (0.98 - depth + depth * 0.9 * Math.sin(petals * angle + turn * 0.3) * 0.55)
      const [px, py] = [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach]
      if (k === 0) context.moveTo(px, py)
      else context.lineTo(px, py)
    }
    context.stroke()
  }
}
