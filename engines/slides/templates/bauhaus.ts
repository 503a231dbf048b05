import { disc, flood, polygon, randomOf } from '../art/paint.ts'
import type { Theme } from './theme.ts'

const paper = '#f3ede0'
const black = '#191816'
const red = '#d1331f'
const blue = '#20509e'
const yellow = '#f0b41c'

/** Template Bauhaus: rows of circles, squares and triangles in red, blue, yellow and black. */
export const bauhaus: Theme = {
  id: 110,
  name: 'bauhaus',
  title: 'Bauhaus',
  category: 'creative',
  style: 'geometric',
  colour: { name: 'yellow', hex: yellow },
  scenes: ['design', 'architecture', 'art', 'exhibition'],
  faces: { heading: 'sans', headingWeight: 700, body: 'sans' },
  tones: {
    title: { paper, ink: black, muted: '#4d483f', accent: '#b02512', accentFill: red, onAccent: '#ffffff', panel: '#e6dcc7', rule: black },
    section: {
      paper: yellow,
      ink: black,
      muted: '#3b3114',
      accent: black,
      accentFill: black,
      onAccent: yellow,
      panel: '#d89f10',
      rule: black,
    },
    content: {
      paper: '#faf6ec',
      ink: black,
      muted: '#5a544a',
      accent: '#b02512',
      accentFill: black,
      onAccent: '#ffffff',
      panel: '#efe7d6',
      rule: '#cfc5b0',
    },
    closing: {
      paper: blue,
      ink: '#ffffff',
      muted: '#e3ebf8',
      accent: '#ffd25e',
      accentFill: yellow,
      onAccent: black,
      panel: '#173d7a',
      rule: '#6f93c9',
    },
  },
  series: [red, blue, '#b07d00', black, '#6d7f52', '#8a5f7f'],
  look: { header: 'block', card: 'outlined', radius: 0, cover: 'left', bullet: '•' },
  frames: {
    title: { x: 0.85, y: 1.6, w: 6.3, h: 4.2 },
    section: { x: 0.85, y: 1.9, w: 6.6, h: 3.6 },
    closing: { x: 0.85, y: 1.9, w: 6.6, h: 3.6 },
  },
  paint(context, ground) {
    flood(context, this.tones[ground].paper)
    if (ground === 'content') return
    const side = 1.875
    tiles(
      context,
      { x: 13.333 - side * 3, y: 0, columns: 3, rows: 4, side },
      ground === 'title' ? 6 : ground === 'section' ? 12 : 25,
      this.tones[ground].paper,
    )
  },
  ornament(context, { w, h }, seed) {
    flood(context, paper, { w, h })
    const columns = Math.max(2, Math.round(w / 1.3))
    const side = w / columns
    tiles(context, { x: 0, y: 0, columns, rows: Math.ceil(h / side), side }, seed + 30, paper)
  },
}

/** Paints a grid of squares with one shape in each. */
function tiles(
  context: Parameters<Theme['paint']>[0],
  field: { x: number; y: number; columns: number; rows: number; side: number },
  seed: number,
  ground: string,
): void {
  const random = randomOf(seed)
  const colours = [red, blue, yellow, black, paper, paper].filter(colour => colour !== ground || colour === paper)
  const pick = (not: string) => {
    const free = colours.filter(colour => colour !== not)
    return free[Math.floor(random() * free.length)] ?? black
  }
  for (let r = 0; r < field.rows; r++)
    for (let c = 0; c < field.columns; c++) {
      const [x, y, side] = [field.x + c * field.side, field.y + r * field.side, field.side]
      const under = pick('')
      const over = pick(under)
      context.save()
      context.beginPath()
      context.rect(x, y, side, side)
      context.clip()
      context.fillStyle = under
      context.fillRect(x, y, side + 0.01, side + 0.01)
      const figure = Math.floor(random() * 6)
      const [cx, cy] = [x + (random() < 0.5 ? 0 : side), y + (random() < 0.5 ? 0 : side)]
      if (figure === 0) disc(context, [cx, cy], side, over)
      else if (figure === 1) disc(context, [x + side / 2, y + side / 2], side * 0.4, over)
      else if (figure === 2) polygon(context, [x, y, x + side, y + side, x, y + side], over)
      else if (figure === 3) {
        disc(context, [cx, cy], side, over)
        disc(context, [cx, cy], side * 0.52, pick(over))
      } else if (figure === 4)
        for (let k = 0; k < 4; k++)
          polygon(
            context,
            [
              [x, y + (k * side) / 4],
              [x + side, y + (k * side) / 4],
              [x + side, y + ((k + 0.5) * side) / 4],
              [x, y + ((k + 0.5) * side) / 4],
            ],
            over,
          )
      else disc(context, [x + side / 2, cy], side / 2, over)
      context.restore()
    }
}
