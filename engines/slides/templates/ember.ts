import { fade, flood, glow, linear, mix, polygon, randomOf } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const coal = '#17161a'
const orange = '#ff7a2f'

const cover: Tones = {
  paper: coal,
  ink: '#ffffff',
  muted: '#d9d3cf',
  accent: '#ff9a5c',
  accentFill: orange,
  onAccent: coal,
  panel: '#242229',
  rule: '#4a454c',
}

/** Template Ember: glowing orange triangles on a dark background, for business pitches. */
export const ember: Theme = {
  id: 105,
  name: 'ember',
  title: 'Ember',
  category: 'business',
  style: 'bold',
  colour: { name: 'orange', hex: orange },
  scenes: ['pitch', 'startup', 'product launch'],
  faces: { heading: 'sans', headingWeight: 700, body: 'sans' },
  tones: {
    title: cover,
    section: cover,
    content: {
      paper: '#faf8f6',
      ink: '#211f24',
      muted: '#625c5f',
      accent: '#b8440a',
      accentFill: '#c24a0c',
      onAccent: '#ffffff',
      panel: '#f1ece7',
      rule: '#ddd4cc',
    },
    closing: cover,
  },
  series: ['#c24a0c', '#211f24', '#7d6b5d', '#b0812a', '#8c3b3b', '#54707a'],
  look: { header: 'block', card: 'filled', radius: 0, cover: 'left', bullet: '•' },
  frames: {
    title: { x: 0.95, y: 1.9, w: 7.5, h: 3.7 },
    section: { x: 0.95, y: 2, w: 7.5, h: 3.4 },
    closing: { x: 0.95, y: 1.9, w: 7.5, h: 3.5 },
  },
  paint(context, ground) {
    flood(context, this.tones[ground].paper)
    if (ground === 'content') return
    facets(context, { w: 13.333, h: 7.5 }, ground.length, 0.72)
    context.fillStyle = linear(
      context,
      [0, 0],
      [10.5, 0],
      [
        [0, coal],
        [0.72, fade(coal, 0.96)],
        [1, fade(coal, 0)],
      ],
    )
    context.fillRect(0, 0, 13.333, 7.5)
    glow(context, [12.6, 6.6], 3.4, fade('#ff5a1f', 0.4))
  },
  ornament(context, size, seed) {
    flood(context, coal, size)
    facets(context, size, seed, 0.55)
    glow(context, [size.w * 0.7, size.h * 0.8], size.h * 0.5, fade('#ff5a1f', 0.45))
  },
}

/** Paints glowing triangles on an irregular grid, brightest at the lower right. */
function facets(context: Parameters<Theme['paint']>[0], { w, h }: { w: number; h: number }, seed: number, from: number): void {
  const random = randomOf(seed + 17)
  const step = 1.05
  const columns = Math.ceil(w / step) + 2
  const rows = Math.ceil(h / step) + 2
  const points = Array.from({ length: rows + 1 }, (_row, r) =>
    Array.from(
      { length: columns + 1 },
      (_column, c) => [(c - 0.7 + (random() - 0.5) * 0.75) * step, (r - 0.7 + (random() - 0.5) * 0.75) * step] as const,
    ),
  )
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const [a, b, d, e] = [points[r]?.[c], points[r]?.[c + 1], points[r + 1]?.[c], points[r + 1]?.[c + 1]]
      if (!a || !b || !d || !e) continue
      for (const triangle of random() < 0.5 ? [[a, b, d] as const, [b, e, d] as const] : [[a, b, e] as const, [a, e, d] as const]) {
        const x = (triangle[0][0] + triangle[1][0] + triangle[2][0]) / 3 / w
        const y = (triangle[0][1] + triangle[1][1] + triangle[2][1]) / 3 / h
        const heat = Math.min(1, Math.max(0, (x - from) * 1.5 + y * 0.75 - 0.12 + (random() - 0.5) * 0.34))
        const colour =
          heat < 0.45
            ? mix(coal, '#6e2412', heat / 0.45)
            : heat < 0.8
              ? mix('#6e2412', '#e8561c', (heat - 0.45) / 0.35)
              : mix('#e8561c', '#ffb14a', (heat - 0.8) / 0.2)
        polygon(context, triangle, mix(colour, coal, random() * 0.2))
      }
    }
}
