import { flood, type Point, polygon, randomOf } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const cream = '#fdf6ec'
const plum = '#4a1d4f'

const section: Tones = {
  paper: plum,
  ink: '#ffffff',
  muted: '#f3dcea',
  accent: '#ffb3c1',
  accentFill: '#f58aa0',
  onAccent: '#2c0f30',
  panel: '#37143b',
  rule: '#7d4f80',
}

/** Template Terrazzo: coloured stone chips on cream around a free area in the middle. */
export const terrazzo: Theme = {
  id: 109,
  name: 'terrazzo',
  title: 'Terrazzo',
  category: 'creative',
  style: 'playful',
  colour: { name: 'pink', hex: '#e86a83' },
  scenes: ['workshop', 'school', 'marketing', 'food'],
  faces: { heading: 'humanist', headingWeight: 700, body: 'humanist' },
  tones: {
    title: {
      paper: cream,
      ink: plum,
      muted: '#6a4a6b',
      accent: '#b0304f',
      accentFill: '#e86a83',
      onAccent: '#2c0f30',
      panel: '#fbe7dc',
      rule: '#e6cfc6',
    },
    section,
    content: {
      paper: cream,
      ink: '#38173c',
      muted: '#6a4f69',
      accent: '#b0304f',
      accentFill: '#b0304f',
      onAccent: '#ffffff',
      panel: '#fbeadf',
      rule: '#ecd5c9',
    },
    closing: section,
  },
  series: ['#b0304f', '#4a1d4f', '#b9720f', '#2f7f79', '#5566b0', '#7c6a52'],
  look: { header: 'plain', card: 'filled', radius: 0.26, cover: 'center', bullet: '•' },
  frames: {
    title: { x: 2.7, y: 2, w: 7.933, h: 3.2 },
    section: { x: 2.7, y: 2.1, w: 7.933, h: 3 },
    closing: { x: 2.7, y: 2, w: 7.933, h: 3 },
  },
  paint(context, ground) {
    flood(context, this.tones[ground].paper)
    if (ground === 'content') {
      chips(context, { w: 13.333, h: 7.5 }, 21, (x, y) => x > 13.1 || (x > 11.9 && y < 0.1))
      return
    }
    const isFree = (x: number, y: number) => ((x - 6.667) / 5.7) ** 4 + ((y - 3.65) / 2.75) ** 4 > 1
    chips(context, { w: 13.333, h: 7.5 }, ground.length, isFree)
  },
  ornament(context, size, seed) {
    flood(context, seed % 2 === 0 ? '#f9dfd6' : '#fbe9cf', size)
    chips(context, size, seed + 40, () => true)
  },
}

const stones = ['#e86a83', '#f2b134', '#2f9c95', '#4a1d4f', '#f58f6c', '#7a8fd0', '#b4415f']

/** Paints stone chips that do not overlap, at places where `isFree` returns true. */
function chips(
  context: Parameters<Theme['paint']>[0],
  { w, h }: { w: number; h: number },
  seed: number,
  isFree: (x: number, y: number) => boolean,
): void {
  const random = randomOf(seed + 2)
  const placed: [number, number, number][] = []
  for (let k = 0; k < 1600 && placed.length < 260; k++) {
    const radius = 0.09 + random() ** 1.4 * 0.44
    const [x, y] = [random() * w, random() * h]
    if (!isFree(x, y) || placed.some(([px, py, pr]) => Math.hypot(px - x, py - y) < (pr + radius) * 1.08)) continue
    placed.push([x, y, radius])
    const corners = 4 + Math.floor(random() * 4)
    const turn = random() * 6
    const points = Array.from({ length: corners }, (_corner, c): Point => {
      const reach = radius * (0.6 + random() * 0.4)
      return [x + Math.cos(turn + (c / corners) * Math.PI * 2) * reach, y + Math.sin(turn + (c / corners) * Math.PI * 2) * reach]
    })
    polygon(context, points, stones[Math.floor(random() * stones.length)] ?? plum)
  }
}
