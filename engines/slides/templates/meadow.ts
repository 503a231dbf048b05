import { fade, flood, hills, linear, mix, randomOf } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const leaf = '#2f6b3c'
const cream = '#fbfaf2'

const section: Tones = {
  paper: leaf,
  ink: '#ffffff',
  muted: '#e4f0dc',
  accent: '#f9de93',
  accentFill: '#f0c252',
  onAccent: '#1d3b25',
  panel: '#255530',
  rule: '#5f9069',
}

/** Template Meadow: leaves and hills in fresh green. */
export const meadow: Theme = {
  id: 104,
  name: 'meadow',
  title: 'Meadow',
  category: 'education',
  style: 'friendly',
  colour: { name: 'green', hex: leaf },
  scenes: ['lesson', 'nature', 'sustainability'],
  faces: { heading: 'humanist', headingWeight: 700, body: 'humanist' },
  tones: {
    title: {
      paper: cream,
      ink: '#1d3b25',
      muted: '#44604a',
      accent: leaf,
      accentFill: '#e2a72e',
      onAccent: '#1d3b25',
      panel: '#eaf1dd',
      rule: '#c9d8bd',
    },
    section,
    content: {
      paper: cream,
      ink: '#213628',
      muted: '#55675a',
      accent: leaf,
      accentFill: leaf,
      onAccent: '#ffffff',
      panel: '#edf3e2',
      rule: '#cddac2',
    },
    closing: section,
  },
  series: [leaf, '#b9761a', '#3c7d9c', '#8a4f7d', '#7a8a2e', '#5a6b60'],
  look: { header: 'dot', card: 'filled', radius: 0.22, cover: 'left', bullet: '•' },
  frames: {
    title: { x: 0.95, y: 0.95, w: 7.9, h: 3.5 },
    section: { x: 0.95, y: 1.7, w: 7.6, h: 3.4 },
    closing: { x: 0.95, y: 1.5, w: 7.6, h: 3.4 },
  },
  paint(context, ground) {
    flood(context, this.tones[ground].paper)
    if (ground === 'content') return
    const random = randomOf(ground.length * 3)
    if (ground === 'title') {
      context.fillStyle = linear(
        context,
        [0, 0],
        [0, 6],
        [
          [0, '#f3f6e2'],
          [1, cream],
        ],
      )
      context.fillRect(0, 0, 13.333, 7.5)
      const greens = ['#b7d09a', '#8fb878', '#5f9a5d', '#3d7d49', leaf]
      greens.forEach((green, k) => {
        hills(context, { y: 5.15 + k * 0.5, height: 0.5, waves: 0.7 + k * 0.22, roughness: 0.22, seed: 31 + k }, green)
      })
      for (let k = 0; k < 13; k++)
        sprig(
          context,
          9.2 + random() * 3.9,
          5.6 - random() * 1.6,
          1.3 + random() * 2.4,
          -Math.PI / 2 + (random() - 0.5) * 0.9,
          mix('#8fb878', '#2f6b3c', random()),
        )
      return
    }
    for (let k = 0; k < 16; k++)
      sprig(
        context,
        9.3 + random() * 4.2,
        7.9 - random() * 1.2,
        1.6 + random() * 2.9,
        -Math.PI / 2 + (random() - 0.5) * 1.1,
        fade(mix('#4c8f58', '#9cc98a', random()), 0.62),
      )
  },
  ornament(context, { w, h }, seed) {
    context.fillStyle = linear(
      context,
      [0, 0],
      [0, h],
      [
        [0, '#e6efd3'],
        [1, '#c3d9a8'],
      ],
    )
    context.fillRect(0, 0, w, h)
    const random = randomOf(seed + 5)
    for (let k = 0; k < 4; k++)
      hills(
        context,
        { y: h * (0.62 + k * 0.11), height: h * 0.07, waves: 0.6 + k * 0.2, roughness: 0.2, seed: seed * 9 + k, size: { w, h } },
        mix('#a5c887', leaf, k / 3),
      )
    for (let k = 0; k < 12; k++)
      sprig(
        context,
        random() * w,
        h * (1.02 - random() * 0.1),
        h * (0.18 + random() * 0.42),
        -Math.PI / 2 + (random() - 0.5) * 0.8,
        mix('#3d7d49', '#1f4f2c', random()),
      )
  },
}

/** Draws a stem with leaves on both sides. */
function sprig(context: Parameters<Theme['paint']>[0], x: number, y: number, length: number, angle: number, colour: string): void {
  context.save()
  context.translate(x, y)
  context.rotate(angle)
  context.strokeStyle = colour
  context.fillStyle = colour
  context.lineWidth = length * 0.018
  context.beginPath()
  context.moveTo(0, 0)
  context.quadraticCurveTo(length * 0.5, length * 0.06, length, 0)
  context.stroke()
  for (let k = 1; k <= 6; k++) {
    const at = (k / 6.5) * length
    const size = length * 0.24 * (1.15 - k / 9)
    for (const side of [-1, 1]) {
      context.save()
      context.translate(at, length * 0.03 * Math.sin((k / 6) * Math.PI))
      context.rotate(side * 0.75)
      context.beginPath()
      context.moveTo(0, 0)
      context.quadraticCurveTo(size * 0.5, -size * 0.3, size, 0)
      context.quadraticCurveTo(size * 0.5, size * 0.3, 0, 0)
      context.fill()
      context.restore()
    }
  }
  context.restore()
}
