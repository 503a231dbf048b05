import { disc, fade, flood, grain, hills, linear, randomOf } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const paper = '#f4f0e6'
const ink = '#22262a'
const seal = '#a8322a'

const cover: Tones = {
  paper,
  ink,
  muted: '#4c5154',
  accent: seal,
  accentFill: seal,
  onAccent: '#ffffff',
  panel: '#e7e1d2',
  rule: '#b9b3a4',
}

/** Template Ink wash: mountains in Chinese ink on rice paper, with a disc in the red of a seal. */
export const inkwash: Theme = {
  id: 108,
  name: 'inkwash',
  title: 'Ink wash',
  category: 'culture',
  style: 'Chinese ink',
  colour: { name: 'grey', hex: '#5b6367' },
  scenes: ['poetry', 'history', 'tea', 'art'],
  faces: { heading: 'serif', headingWeight: 700, body: 'sans' },
  tones: {
    title: cover,
    section: cover,
    content: {
      paper: '#f8f5ed',
      ink,
      muted: '#5a5e60',
      accent: seal,
      accentFill: '#3d4549',
      onAccent: '#ffffff',
      panel: '#ece7da',
      rule: '#cdc7b8',
    },
    closing: {
      paper: '#2a2f33',
      ink: '#f4f0e6',
      muted: '#d3cfc5',
      accent: '#e8a39c',
      accentFill: '#c2453c',
      onAccent: '#ffffff',
      panel: '#363c41',
      rule: '#5b6367',
    },
  },
  series: ['#3d4549', seal, '#7a8a7f', '#a58a4e', '#5d7f92', '#86607a'],
  look: { header: 'plain', card: 'ruled', radius: 0, cover: 'left', bullet: '•' },
  frames: {
    title: { x: 0.95, y: 0.85, w: 7.4, h: 3.2 },
    section: { x: 0.95, y: 1, w: 7.6, h: 3.1 },
    closing: { x: 0.95, y: 1, w: 7.6, h: 3.1 },
  },
  paint(context, ground) {
    flood(context, this.tones[ground].paper)
    if (ground !== 'content') {
      if (ground !== 'closing') disc(context, [10.6, 1.85], 0.75, fade(seal, 0.82))
      else disc(context, [10.6, 1.85], 0.75, fade('#f4f0e6', 0.85))
      ranges(context, { w: 13.333, h: 7.5 }, ground.length, ground === 'closing' ? '#0d1012' : ink, this.tones[ground].paper)
      birds(context, 8.9, 2.9, ground === 'closing' ? '#f4f0e6' : ink)
    }
    grain(context, 0.05, ground.length + 2)
  },
  ornament(context, size, seed) {
    flood(context, '#ece6d6', size)
    const random = randomOf(seed + 6)
    disc(context, [size.w * (0.35 + random() * 0.35), size.h * 0.22], Math.min(size.w, size.h) * 0.12, fade(seal, 0.85))
    ranges(context, size, seed, ink, '#ece6d6')
    birds(context, size.w * 0.24, size.h * 0.36, ink)
    grain(context, 0.06, seed, size)
  },
}

/** Paints mountain ranges that fade into mist at the bottom. */
function ranges(
  context: Parameters<Theme['paint']>[0],
  { w, h }: { w: number; h: number },
  seed: number,
  dark: string,
  mist: string,
): void {
  for (let k = 0; k < 4; k++) {
    const crest = h * (0.6 + k * 0.105)
    const strength = [0.2, 0.36, 0.56, 0.86][k] ?? 1
    const wash = linear(
      context,
      [0, crest - h * 0.12],
      [0, crest + h * 0.17],
      [
        [0, fade(dark, strength)],
        [0.4, fade(dark, strength * 0.7)],
        [1, fade(dark, strength * 0.12)],
      ],
    )
    hills(context, { y: crest, height: h * 0.085, waves: 0.8 + k * 0.35, roughness: 0.52, seed: seed * 5 + k, size: { w, h } }, wash)
    if (k < 3) {
      context.fillStyle = linear(
        context,
        [0, crest + h * 0.02],
        [0, crest + h * 0.2],
        [
          [0, fade(mist, 0)],
          [1, fade(mist, 0.8)],
        ],
      )
      context.fillRect(0, crest + h * 0.02, w, h)
    }
  }
}

function birds(context: Parameters<Theme['paint']>[0], x: number, y: number, colour: string): void {
  context.strokeStyle = fade(colour, 0.8)
  context.lineWidth = 0.022
  for (const [dx, dy, size] of [
    [0, 0, 0.16],
    [0.42, -0.2, 0.12],
    [0.8, 0.02, 0.1],
  ] as const) {
    context.beginPath()
    context.moveTo(x + dx - size, y + dy - size * 0.5)
    context.quadraticCurveTo(x + dx - size * 0.4, y + dy - size * 0.5, x + dx, y + dy)
    context.quadraticCurveTo(x + dx + size * 0.4, y + dy - size * 0.5, x + dx + size, y + dy - size * 0.5)
    context.stroke()
  }
}
