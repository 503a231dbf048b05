import { fade, flood, grid, randomOf, ring } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const blue = '#123f7a'
const line = '#9cc4f2'

const cover: Tones = {
  paper: blue,
  ink: '#ffffff',
  muted: '#dbe9fb',
  accent: '#ffd75e',
  accentFill: '#ffd75e',
  onAccent: '#0e2f5c',
  panel: '#0e3366',
  rule: '#5b8cc7',
}

/** Template Blueprint: technical drawings in white lines on blue. */
export const blueprint: Theme = {
  id: 106,
  name: 'blueprint',
  title: 'Blueprint',
  category: 'engineering',
  style: 'technical',
  colour: { name: 'blue', hex: blue },
  scenes: ['architecture', 'engineering', 'technical review'],
  faces: { heading: 'mono', headingWeight: 700, body: 'sans' },
  tones: {
    title: cover,
    section: cover,
    content: {
      paper: '#f6f9fd',
      ink: '#13294a',
      muted: '#50637f',
      accent: '#1a56a8',
      accentFill: '#1a56a8',
      onAccent: '#ffffff',
      panel: '#e7eff9',
      rule: '#bfd2ea',
    },
    closing: cover,
  },
  series: ['#1a56a8', '#a87200', '#2f8f83', '#b3434f', '#6a5fb0', '#5f7186'],
  look: { header: 'bar', card: 'outlined', radius: 0, cover: 'left', bullet: '–' },
  frames: {
    title: { x: 0.95, y: 1.7, w: 7.8, h: 3.6 },
    section: { x: 0.95, y: 1.9, w: 7.8, h: 3.4 },
    closing: { x: 0.95, y: 1.7, w: 7.8, h: 3.4 },
  },
  paint(context, ground) {
    flood(context, this.tones[ground].paper)
    if (ground === 'content') {
      grid(context, 0.5, 'rgba(26, 86, 168, 0.05)', 0.008)
      return
    }
    grid(context, 0.25, fade(line, 0.07), 0.006)
    grid(context, 1.25, fade(line, 0.16), 0.01)
    if (ground === 'section') arch(context, 11.05, 3.3, 1.5, ground.length)
    else if (ground === 'closing') bracket(context, 10.85, 3.7, 1.6, ground.length)
    else plan(context, 10.9, 3.5, 1.9, ground.length)
    context.strokeStyle = fade('#ffffff', 0.75)
    context.lineWidth = 0.02
    context.strokeRect(0.4, 0.4, 12.533, 6.7)
    context.strokeRect(10.2, 6.35, 2.733, 0.75)
    context.beginPath()
    context.moveTo(10.2, 6.72)
    context.lineTo(12.933, 6.72)
    context.moveTo(11.6, 6.35)
    context.lineTo(11.6, 7.1)
    context.stroke()
  },
  ornament(context, { w, h }, seed) {
    flood(context, blue, { w, h })
    grid(context, 0.25, fade(line, 0.08), 0.006, { w, h })
    const reach = Math.min(w, h)
    const [upper, lower] = drawings[seed % drawings.length] ?? [plan, plan]
    upper(context, w / 2, h * 0.38, reach * 0.36, seed)
    lower(context, w * 0.56, h * 0.83, reach * 0.22, seed + 3)
  },
}

type Drawing = (context: Parameters<Theme['paint']>[0], x: number, y: number, radius: number, seed: number) => void

const drawings: readonly (readonly [Drawing, Drawing])[] = [
  [plan, bracket],
  [bracket, arch],
  [arch, plan],
]

/** Draws a block with a bore, seen from above one of its corners. */
function bracket(context: Parameters<Theme['paint']>[0], x: number, y: number, radius: number, seed: number): void {
  const step = 0.55 + 0.15 * randomOf(seed + 6)()
  const at = (across: number, along: number, up: number) =>
    [x + (across - along) * radius * 0.62, y + (across + along) * radius * 0.36 - (up - 0.4) * radius * 0.75] as const
  const faces = [
    [at(1, 1, 0), at(1, -1, 0), at(1, -1, step), at(1, 0, step), at(1, 0, 1), at(1, 1, 1)],
    [at(1, 1, 0), at(-1, 1, 0), at(-1, 1, 1), at(1, 1, 1)],
    [at(1, 1, 1), at(-1, 1, 1), at(-1, 0, 1), at(1, 0, 1)],
    [at(1, 0, step), at(-1, 0, step), at(-1, -1, step), at(1, -1, step)],
    [at(1, 0, 1), at(-1, 0, 1), at(-1, 0, step), at(1, 0, step)],
  ]
  context.strokeStyle = fade('#ffffff', 0.85)
  context.lineWidth = 0.018
  for (const face of faces) {
    context.beginPath()
    for (const [px, py] of face) context.lineTo(px, py)
    context.closePath()
    context.stroke()
  }
  context.beginPath()
  const [bx, by] = at(0, -0.5, step)
  context.ellipse(bx, by, radius * 0.26, radius * 0.15, 0, 0, Math.PI * 2)
  context.stroke()
  dimension(context, at(-1, 1, -0.25), at(1, 1, -0.25))
}

/** Draws a bridge of one arch from the side. */
function arch(context: Parameters<Theme['paint']>[0], x: number, y: number, radius: number, seed: number): void {
  const bars = 9 + Math.floor(randomOf(seed + 7)() * 4)
  const rise = (share: number) => radius * 0.9 * (1 - (2 * share - 1) ** 2)
  const [left, foot, deck] = [x - radius * 1.15, y + radius * 0.6, y - radius * 0.42]
  const wide = radius * 2.3
  context.strokeStyle = fade('#ffffff', 0.85)
  context.lineWidth = 0.018
  for (const thick of [0, radius * 0.1]) {
    context.beginPath()
    for (let k = 0; k <= 40; k++) context.lineTo(left + (wide * k) / 40, foot - rise(k / 40) - thick)
    context.stroke()
  }
  context.strokeRect(left - radius * 0.1, deck - radius * 0.07, wide + radius * 0.2, radius * 0.09)
  context.lineWidth = 0.012
  context.beginPath()
  for (let k = 0; k <= bars; k++) {
    const at = left + (wide * k) / bars
    context.moveTo(at, deck)
    context.lineTo(at, foot - rise(k / bars))
  }
  context.stroke()
  dimension(context, [left, foot + radius * 0.3], [left + wide, foot + radius * 0.3])
}

/** Draws a dimension line from one point to another, with a stroke at each end. */
function dimension(context: Parameters<Theme['paint']>[0], from: readonly [number, number], to: readonly [number, number]): void {
  context.strokeStyle = fade('#ffd75e', 0.9)
  context.lineWidth = 0.012
  context.beginPath()
  context.moveTo(...from)
  context.lineTo(...to)
  for (const [x, y] of [from, to]) {
    context.moveTo(x - 0.07, y + 0.07)
    context.lineTo(x + 0.07, y - 0.07)
  }
  context.stroke()
}

/** Draws a machine part seen from above: concentric circles, bores, axes and a dimension line. */
function plan(context: Parameters<Theme['paint']>[0], x: number, y: number, radius: number, seed: number): void {
  const random = randomOf(seed + 4)
  const white = fade('#ffffff', 0.85)
  for (const [share, width] of [
    [1, 0.022],
    [0.86, 0.012],
    [0.5, 0.018],
    [0.34, 0.012],
    [0.12, 0.018],
  ] as const)
    ring(context, [x, y], radius * share, white, width)
  const bores = 6 + Math.floor(random() * 3)
  for (let k = 0; k < bores; k++) {
    const angle = (k / bores) * Math.PI * 2 + 0.3
    ring(context, [x + Math.cos(angle) * radius * 0.68, y + Math.sin(angle) * radius * 0.68], radius * 0.075, white, 0.015)
  }
  const teeth = 24
  context.strokeStyle = white
  context.lineWidth = 0.016
  context.beginPath()
  for (let k = 0; k < teeth; k++) {
    const angle = (k / teeth) * Math.PI * 2
    context.moveTo(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius)
    context.lineTo(x + Math.cos(angle) * radius * 1.07, y + Math.sin(angle) * radius * 1.07)
  }
  context.stroke()
  context.strokeStyle = fade('#ffd75e', 0.9)
  context.lineWidth = 0.01
  context.setLineDash([0.18, 0.06, 0.04, 0.06])
  context.beginPath()
  context.moveTo(x - radius * 1.25, y)
  context.lineTo(x + radius * 1.25, y)
  context.moveTo(x, y - radius * 1.25)
  context.lineTo(x, y + radius * 1.25)
  context.stroke()
  context.setLineDash([])
}
