import { disc, fade, flood, glow, hills, linear, mix, randomOf } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const navy = '#0b2545'
const deep = '#071a33'
const teal = '#13a89e'
const foam = '#eef6f6'

const cover: Tones = {
  paper: deep,
  ink: '#ffffff',
  muted: '#c4d8e2',
  accent: '#4fd6c8',
  accentFill: teal,
  onAccent: deep,
  panel: navy,
  rule: '#2b4a6b',
}

/** Template Harbour: layered waves under a pale sun in dark blue, for company reports. */
export const harbour: Theme = {
  id: 101,
  name: 'harbour',
  title: 'Harbour',
  category: 'business',
  style: 'corporate',
  colour: { name: 'blue', hex: navy },
  scenes: ['company report', 'strategy', 'consulting'],
  faces: { heading: 'sans', headingWeight: 700, body: 'sans' },
  tones: {
    title: cover,
    section: { ...cover, paper: navy, panel: deep },
    content: {
      paper: '#ffffff',
      ink: '#12263f',
      muted: '#566779',
      accent: '#0a7a73',
      accentFill: '#0a7a73',
      onAccent: '#ffffff',
      panel: foam,
      rule: '#cfdde0',
    },
    closing: cover,
  },
  series: ['#0a7a73', '#0b2545', '#c46f1c', '#4a7fb5', '#8a5a9e', '#5c6f82'],
  look: { header: 'bar', card: 'filled', radius: 0.1, cover: 'left', bullet: '•' },
  frames: {
    title: { x: 0.95, y: 1.1, w: 8.6, h: 3.6 },
    section: { x: 0.95, y: 1.3, w: 9.2, h: 3.3 },
    closing: { x: 0.95, y: 1.1, w: 8.6, h: 3.4 },
  },
  paint(context, ground) {
    if (ground === 'content') {
      flood(context, '#ffffff')
      return
    }
    context.fillStyle = linear(
      context,
      [0, 0],
      [13.333, 7.5],
      [
        [0, deep],
        [0.65, navy],
        [1, '#10406b'],
      ],
    )
    context.fillRect(0, 0, 13.333, 7.5)
    glow(context, [11.6, 1.5], 4.6, fade(teal, 0.5))
    disc(context, [11.35, 1.75], 0.62, fade('#ffffff', 0.9))
    sea(context, ground === 'section' ? 5.7 : 5.2, ground.length)
  },
  ornament(context, { w, h }, seed) {
    context.fillStyle = linear(
      context,
      [0, 0],
      [0, h],
      [
        [0, navy],
        [1, '#15507a'],
      ],
    )
    context.fillRect(0, 0, w, h)
    const random = randomOf(seed + 11)
    const sun = [w * (0.3 + random() * 0.4), h * (0.22 + random() * 0.12)] as const
    glow(context, sun, Math.max(w, h) * 0.45, fade(teal, 0.6))
    disc(context, sun, Math.min(w, h) * 0.09, '#f3fbfa')
    for (let k = 0; k < 5; k++) {
      const y = h * (0.52 + k * 0.11)
      hills(
        context,
        { y, height: h * 0.05, waves: 1.1 + k * 0.3, roughness: 0.35, seed: seed * 7 + k, size: { w, h } },
        mix('#1b6d86', deep, k / 4.6),
      )
    }
  },
}

function sea(context: Parameters<Theme['paint']>[0], y: number, seed: number): void {
  const tones = ['#17607c', '#12506f', '#0e3f60', '#0a2f4f', '#071f3b']
  tones.forEach((tone, k) => {
    hills(
      context,
      { y: y + k * 0.48, height: 0.34, waves: 1.2 + k * 0.35, roughness: 0.32, seed: seed + k * 5 },
      linear(
        context,
        [0, 0],
        [13.333, 0],
        [
          [0, mix(tone, deep, 0.45)],
          [1, tone],
        ],
      ),
    )
  })
}
