import { disc, fade, flood, linear, randomOf } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const teal = '#0f7f8c'

const section: Tones = {
  paper: '#0c5f6b',
  ink: '#ffffff',
  muted: '#d8eff1',
  accent: '#8fe3d4',
  accentFill: '#6bd3c4',
  onAccent: '#07343b',
  panel: '#0a4e58',
  rule: '#4b929b',
}

/** Template Clinic: light and clean, with faint crosses as for medicine. */
export const clinic: Theme = {
  id: 111,
  name: 'clinic',
  title: 'Clinic',
  category: 'medicine',
  style: 'clean',
  colour: { name: 'teal', hex: teal },
  scenes: ['health', 'medicine', 'research'],
  faces: { heading: 'humanist', headingWeight: 700, body: 'humanist' },
  tones: {
    title: {
      paper: '#ffffff',
      ink: '#0e3a45',
      muted: '#456470',
      accent: '#0b6c78',
      accentFill: teal,
      onAccent: '#ffffff',
      panel: '#e8f5f6',
      rule: '#c3e0e3',
    },
    section,
    content: {
      paper: '#ffffff',
      ink: '#12343d',
      muted: '#526b74',
      accent: '#0b6c78',
      accentFill: '#0b6c78',
      onAccent: '#ffffff',
      panel: '#ebf6f7',
      rule: '#cbe2e5',
    },
    closing: section,
  },
  series: ['#0b6c78', '#e0705a', '#4c68b0', '#8a9a2f', '#9a5f9a', '#5c7780'],
  look: { header: 'bar', card: 'filled', radius: 0.18, cover: 'left', bullet: '•' },
  frames: {
    title: { x: 0.95, y: 1.7, w: 6.9, h: 3.7 },
    section: { x: 0.95, y: 1.9, w: 6.9, h: 3.4 },
    closing: { x: 0.95, y: 1.8, w: 6.9, h: 3.4 },
  },
  paint(context, ground) {
    flood(context, this.tones[ground].paper)
    if (ground === 'content') return
    const isLight = ground === 'title'
    context.save()
    context.beginPath()
    context.arc(13.2, 3.75, 5, 0, Math.PI * 2)
    context.clip()
    context.fillStyle = linear(
      context,
      [8.2, 0],
      [13.3, 7.5],
      isLight
        ? [
            [0, '#d3f0ee'],
            [0.5, '#58bfc2'],
            [1, teal],
          ]
        : [
            [0, '#0f7f8c'],
            [1, '#0a4e58'],
          ],
    )
    context.fillRect(8, 0, 6, 7.5)
    crosses(context, { x: 8.2, y: 0, w: 5.2, h: 7.5 }, 3, '#ffffff')
    context.restore()
    disc(context, [8.55, 6.35], 0.42, isLight ? '#e0705a' : '#6bd3c4')
    disc(context, [9.35, 7.05], 0.2, fade(isLight ? teal : '#ffffff', 0.55))
    disc(context, [8.35, 0.95], 0.16, fade(isLight ? teal : '#ffffff', 0.5))
  },
  ornament(context, { w, h }, seed) {
    context.fillStyle = linear(
      context,
      [0, 0],
      [w, h],
      [
        [0, '#bfe8e6'],
        [0.55, '#3aa5ac'],
        [1, teal],
      ],
    )
    context.fillRect(0, 0, w, h)
    crosses(context, { x: 0, y: 0, w, h }, seed, '#ffffff')
  },
}

function crosses(
  context: Parameters<Theme['paint']>[0],
  area: { x: number; y: number; w: number; h: number },
  seed: number,
  colour: string,
): void {
  const random = randomOf(seed + 8)
  const step = 0.95
  for (let y = area.y + step / 2; y < area.y + area.h + step; y += step)
    for (let x = area.x + ((Math.round(y / step) % 2) * step) / 2; x < area.x + area.w + step; x += step) {
      const size = 0.1 + random() ** 2 * 0.36
      const arm = size * 0.34
      context.fillStyle = fade(colour, 0.14 + random() * 0.3)
      context.beginPath()
      context.roundRect(x - size, y - arm, size * 2, arm * 2, arm * 0.6)
      context.roundRect(x - arm, y - size, arm * 2, size * 2, arm * 0.6)
      context.fill('nonzero')
    }
}
