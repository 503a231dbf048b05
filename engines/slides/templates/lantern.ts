import { disc, fade, flood, glow, linear, radial, randomOf, ring } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const red = '#8e1420'
const deep = '#5e0a14'
const gold = '#e7bf6a'

const cover: Tones = {
  paper: red,
  ink: '#fff4dc',
  muted: '#f6dcb0',
  accent: gold,
  accentFill: gold,
  onAccent: deep,
  panel: deep,
  rule: '#b8585a',
}

/** Template Lantern: a Chinese festival in red and gold, with lanterns and clouds. */
export const lantern: Theme = {
  id: 107,
  name: 'lantern',
  title: 'Lantern',
  category: 'culture',
  style: 'festive',
  colour: { name: 'red', hex: red },
  scenes: ['festival', 'Chinese culture', 'celebration'],
  faces: { heading: 'serif', headingWeight: 700, body: 'sans' },
  tones: {
    title: cover,
    section: { paper: deep, ink: '#fff4dc', muted: '#f2d3a4', accent: gold, accentFill: gold, onAccent: deep, panel: red, rule: '#93404a' },
    content: {
      paper: '#fffaf0',
      ink: '#3a1a16',
      muted: '#73564c',
      accent: '#a01a26',
      accentFill: '#a01a26',
      onAccent: '#ffffff',
      panel: '#fbefd9',
      rule: '#e8d3ad',
    },
    closing: cover,
  },
  series: ['#a01a26', '#b57a16', '#3f5f4d', '#6b4a86', '#2f6d86', '#6f5a4e'],
  look: { header: 'rule', card: 'filled', radius: 0.08, cover: 'center', bullet: '•' },
  frames: {
    title: { x: 2.4, y: 1.75, w: 8.533, h: 3.1 },
    section: { x: 3.1, y: 2, w: 7.133, h: 3 },
    closing: { x: 2.4, y: 1.8, w: 8.533, h: 3 },
  },
  paint(context, ground) {
    flood(context, this.tones[ground].paper)
    if (ground === 'content') {
      clouds(context, { x: 10.4, y: 7.35, size: 0.42, count: 5 }, fade('#b57a16', 0.16), ground.length)
      return
    }
    context.fillStyle = radial(context, [6.667, 3.4], 8, [
      [0, ground === 'section' ? '#77111d' : '#9c1826'],
      [1, ground === 'section' ? '#43060d' : '#6d0d18'],
    ])
    context.fillRect(0, 0, 13.333, 7.5)
    ring(context, [6.667, 3.3], 3.9, fade(gold, 0.28), 0.02)
    ring(context, [6.667, 3.3], 4.05, fade(gold, 0.16), 0.012)
    for (const [x, y, size] of [
      [1.45, 1.95, 0.72],
      [2.6, 1.1, 0.46],
      [11.9, 1.95, 0.72],
      [10.75, 1.1, 0.46],
    ] as const)
      hang(context, x, y, size)
    clouds(context, { x: 0.6, y: 7.3, size: 0.72, count: 4 }, fade(gold, 0.55), 3)
    clouds(context, { x: 9.4, y: 7.3, size: 0.72, count: 4 }, fade(gold, 0.55), 8)
  },
  ornament(context, { w, h }, seed) {
    context.fillStyle = linear(
      context,
      [0, 0],
      [0, h],
      [
        [0, deep],
        [1, red],
      ],
    )
    context.fillRect(0, 0, w, h)
    const random = randomOf(seed + 1)
    const moon = [w * (0.55 + random() * 0.2), h * 0.24] as const
    glow(context, moon, h * 0.35, fade(gold, 0.5))
    disc(context, moon, Math.min(w, h) * 0.16, '#fbe3ac')
    hang(context, w * (0.22 + random() * 0.12), h * 0.36, Math.min(w, h) * 0.12)
    hang(context, w * (0.6 + random() * 0.2), h * 0.58, Math.min(w, h) * 0.085)
    const size = w * 0.12
    for (let k = 0; k < 4; k++)
      clouds(context, { x: -size + random() * size, y: h * (0.8 + k * 0.075), size, count: 5 }, fade(gold, 0.35 + k * 0.12), seed + k)
  },
}

/** Draws a lantern that hangs on a cord. */
function hang(context: Parameters<Theme['paint']>[0], x: number, y: number, size: number): void {
  context.strokeStyle = fade(gold, 0.8)
  context.lineWidth = 0.018
  context.beginPath()
  context.moveTo(x, 0)
  context.lineTo(x, y - size * 0.8)
  context.stroke()
  glow(context, [x, y], size * 2.1, 'rgba(255, 190, 90, 0.34)')
  context.fillStyle = radial(context, [x, y], size * 1.1, [
    [0, '#ff8a4a'],
    [0.6, '#e2332f'],
    [1, '#b51a24'],
  ])
  context.beginPath()
  context.ellipse(x, y, size, size * 0.78, 0, 0, Math.PI * 2)
  context.fill()
  context.strokeStyle = fade(gold, 0.75)
  for (const share of [0.36, 0.72, 1]) {
    context.beginPath()
    context.ellipse(x, y, size * share, size * 0.78, 0, 0, Math.PI * 2)
    context.stroke()
  }
  context.fillStyle = gold
  context.fillRect(x - size * 0.36, y - size * 0.88, size * 0.72, size * 0.14)
  context.fillRect(x - size * 0.36, y + size * 0.74, size * 0.72, size * 0.14)
  context.beginPath()
  for (let k = -3; k <= 3; k++) {
    context.moveTo(x + k * size * 0.09, y + size * 0.88)
    context.lineTo(x + k * size * 0.07, y + size * 1.5)
  }
  context.stroke()
}

/** Draws a row of clouds made of concentric rings, as in Chinese carvings and embroideries. */
function clouds(
  context: Parameters<Theme['paint']>[0],
  row: { x: number; y: number; size: number; count: number },
  colour: string,
  seed: number,
): void {
  const random = randomOf(seed + 9)
  for (let k = 0; k < row.count; k++) {
    const at = [row.x + k * row.size * 1.55, row.y - random() * row.size * 0.5] as const
    for (const share of [1, 0.72, 0.44]) {
      context.strokeStyle = colour
      context.lineWidth = row.size * 0.055
      context.beginPath()
      context.arc(at[0], at[1], row.size * share, Math.PI, Math.PI * 2)
      context.stroke()
    }
  }
}
