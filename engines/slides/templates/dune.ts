import { disc, fade, flood, glow, hills, linear, mix, randomOf } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const sand = '#f7e7d0'
const clay = '#a8482a'
const dusk = '#4b2440'

const section: Tones = {
  paper: dusk,
  ink: '#fff3e2',
  muted: '#f1d9cb',
  accent: '#ffb98a',
  accentFill: '#f08a4f',
  onAccent: '#2c1226',
  panel: '#391a31',
  rule: '#80536f',
}

/** Template Dune: sand dunes in the colours of clay, under an evening sky. */
export const dune: Theme = {
  id: 114,
  name: 'dune',
  title: 'Dune',
  category: 'travel',
  style: 'warm',
  colour: { name: 'orange', hex: clay },
  scenes: ['travel', 'geography', 'photography', 'story'],
  faces: { heading: 'serif', headingWeight: 700, body: 'humanist' },
  tones: {
    title: {
      paper: sand,
      ink: '#3c1c2f',
      muted: '#5f3a44',
      accent: '#93381c',
      accentFill: clay,
      onAccent: '#ffffff',
      panel: '#f0d8b8',
      rule: '#dcbd97',
    },
    section,
    content: {
      paper: '#fdf8f0',
      ink: '#3a2028',
      muted: '#6f565a',
      accent: '#93381c',
      accentFill: '#93381c',
      onAccent: '#ffffff',
      panel: '#f8ebd9',
      rule: '#e6d2b8',
    },
    closing: section,
  },
  series: ['#93381c', dusk, '#b07a1e', '#3f7a78', '#7a6f3a', '#9a5a78'],
  look: { header: 'dot', card: 'filled', radius: 0.1, cover: 'left', bullet: '•' },
  frames: {
    title: { x: 0.95, y: 0.75, w: 8, h: 3.1 },
    section: { x: 0.95, y: 0.9, w: 8, h: 3 },
    closing: { x: 0.95, y: 0.9, w: 8, h: 3 },
  },
  paint(context, ground) {
    if (ground === 'content') {
      flood(context, this.tones.content.paper)
      return
    }
    desert(context, { w: 13.333, h: 7.5 }, ground.length, ground === 'title', [10.9, 2.9])
  },
  ornament(context, size, seed) {
    const random = randomOf(seed + 14)
    desert(context, size, seed, seed % 2 === 0, [size.w * (0.35 + random() * 0.35), size.h * 0.32])
  },
}

function desert(
  context: Parameters<Theme['paint']>[0],
  { w, h }: { w: number; h: number },
  seed: number,
  isDay: boolean,
  sun: readonly [number, number],
): void {
  context.fillStyle = linear(
    context,
    [0, 0],
    [0, h * 0.75],
    isDay
      ? [
          [0, '#fbeed9'],
          [0.6, '#f8e0c0'],
          [1, '#f3c291'],
        ]
      : [
          [0, '#331630'],
          [0.6, '#55284a'],
          [1, '#a3503f'],
        ],
  )
  context.fillRect(0, 0, w, h)
  glow(context, sun, Math.min(w, h) * 0.42, isDay ? fade('#ffb066', 0.5) : fade('#ffcf8a', 0.42))
  disc(context, sun, Math.min(w, h) * 0.1, isDay ? '#e8703a' : '#ffe0b0')
  const shades = isDay ? ['#eab887', '#dc945f', '#c46c40', clay, '#7c2f24'] : ['#7d3a48', '#63293d', '#4a1d33', '#331328', '#210b1b']
  shades.forEach((shade, k) => {
    const y = h * (0.62 + k * 0.085)
    hills(
      context,
      { y, height: h * 0.06, waves: 0.55 + k * 0.12, roughness: 0.28, seed: seed * 3 + k, size: { w, h } },
      linear(
        context,
        [0, y],
        [w, y + h * 0.2],
        [
          [0, shade],
          [0.55, mix(shade, isDay ? '#fff0d8' : '#c06a50', 0.14)],
          [1, mix(shade, '#1d0a14', 0.18)],
        ],
      ),
    )
  })
}
