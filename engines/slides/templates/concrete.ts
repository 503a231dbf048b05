import { dots, flood, grain, linear, polygon, randomOf } from '../art/paint.ts'
import type { Theme } from './theme.ts'

const yellow = '#ffd400'
const black = '#141414'

/** Template Concrete: white, black and yellow, with a wall of cast concrete on the title page. */
export const concrete: Theme = {
  id: 116,
  name: 'concrete',
  title: 'Concrete',
  category: 'business',
  style: 'minimal',
  colour: { name: 'yellow', hex: yellow },
  scenes: ['portfolio', 'architecture', 'brand', 'talk'],
  faces: { heading: 'sans', headingWeight: 700, body: 'sans' },
  tones: {
    title: {
      paper: '#ffffff',
      ink: black,
      muted: '#4b4b4b',
      accent: black,
      accentFill: yellow,
      onAccent: black,
      panel: '#f1f1ef',
      rule: '#141414',
    },
    section: {
      paper: yellow,
      ink: black,
      muted: '#3a3300',
      accent: black,
      accentFill: black,
      onAccent: yellow,
      panel: '#ebc300',
      rule: black,
    },
    content: {
      paper: '#ffffff',
      ink: black,
      muted: '#5c5c5c',
      accent: black,
      accentFill: black,
      onAccent: '#ffffff',
      panel: '#f3f3f1',
      rule: '#d4d4d0',
    },
    closing: {
      paper: black,
      ink: '#ffffff',
      muted: '#d2d2d2',
      accent: yellow,
      accentFill: yellow,
      onAccent: black,
      panel: '#252525',
      rule: '#5a5a5a',
    },
  },
  series: [black, '#a88a00', '#7a7a78', '#3f6f8f', '#a8483a', '#5d7a4f'],
  look: { header: 'plain', card: 'filled', radius: 0, cover: 'left', bullet: '–' },
  frames: {
    title: { x: 0.85, y: 2.3, w: 8, h: 3.9 },
    section: { x: 0.85, y: 2.2, w: 8.4, h: 3.8 },
    closing: { x: 0.85, y: 2.2, w: 8.4, h: 3.8 },
  },
  paint(context, ground) {
    flood(context, this.tones[ground].paper)
    if (ground === 'title') {
      slab(context, { x: 9.4, y: 0, w: 3.933, h: 7.5 }, 5)
      context.fillStyle = yellow
      context.fillRect(8.65, 0.85, 1.5, 1.5)
    }
    if (ground === 'section') {
      polygon(context, [9.9, 7.5, 13.333, 2.6, 13.333, 7.5], black)
      dots(context, { x: 10.6, y: 0.6, w: 2.2, h: 1.7 }, 0.22, 0.03, black)
    }
    if (ground === 'closing') {
      polygon(context, [9.9, 7.5, 13.333, 2.6, 13.333, 7.5], yellow)
      dots(context, { x: 10.6, y: 0.6, w: 2.2, h: 1.7 }, 0.22, 0.03, yellow)
    }
  },
  ornament(context, { w, h }, seed) {
    const random = randomOf(seed + 19)
    slab(context, { x: 0, y: 0, w, h }, seed)
    const side = Math.min(w, h) * (0.2 + random() * 0.14)
    context.fillStyle = yellow
    context.fillRect(w * (0.12 + random() * 0.4), h * (0.2 + random() * 0.4), side, side)
  },
}

/** Paints a wall of cast concrete: lighter planes, the holes of the formwork, fine grain. */
function slab(context: Parameters<Theme['paint']>[0], { x, y, w, h }: { x: number; y: number; w: number; h: number }, seed: number): void {
  const random = randomOf(seed + 2)
  context.save()
  context.beginPath()
  context.rect(x, y, w, h)
  context.clip()
  context.fillStyle = linear(
    context,
    [x, y],
    [x + w, y + h],
    [
      [0, '#cfcfcb'],
      [1, '#a9a9a5'],
    ],
  )
  context.fillRect(x, y, w, h)
  const cut = 0.35 + random() * 0.3
  polygon(context, [x, y + h * cut, x + w, y + h * (cut - 0.28), x + w, y + h, x, y + h], 'rgba(60, 60, 60, 0.28)')
  polygon(context, [x + w * 0.55, y, x + w, y, x + w, y + h * 0.62], 'rgba(255, 255, 255, 0.2)')
  context.fillStyle = 'rgba(40, 40, 40, 0.35)'
  for (let row = 0.8; row < h; row += 1.9) context.fillRect(x, y + row + 0.6, w, 0.012)
  dots(context, { x: x + 0.5, y: y + 0.65, w: Math.max(0, w - 0.9), h: h - 0.9 }, 1.45, 0.05, 'rgba(40, 40, 40, 0.5)')
  grain(context, 0.07, seed)
  context.restore()
}
