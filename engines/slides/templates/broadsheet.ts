import { disc, flood, grain, linear, mix, polygon, randomOf } from '../art/paint.ts'
import type { Theme, Tones } from './theme.ts'

const paper = '#f7f3ea'
const ink = '#1b1a18'
const red = '#b3261e'

const cover: Tones = { paper, ink, muted: '#57524a', accent: red, accentFill: red, onAccent: '#ffffff', panel: '#ece5d6', rule: '#1b1a18' }

/** Template Broadsheet: like a newspaper, with a serif typeface, thick rules and red as the only
 *  colour. */
export const broadsheet: Theme = {
  id: 102,
  name: 'broadsheet',
  title: 'Broadsheet',
  category: 'editorial',
  style: 'classic',
  colour: { name: 'red', hex: red },
  scenes: ['essay', 'history', 'book report', 'press'],
  faces: { heading: 'serif', headingWeight: 700, body: 'sans' },
  tones: {
    title: cover,
    section: {
      paper: red,
      ink: '#ffffff',
      muted: '#fbe4df',
      accent: '#ffffff',
      accentFill: '#ffffff',
      onAccent: red,
      panel: '#8f1d17',
      rule: '#ffffff',
    },
    content: { ...cover, panel: '#eee7d9', rule: '#cbc1ad' },
    closing: {
      paper: ink,
      ink: '#f7f3ea',
      muted: '#cfc8ba',
      accent: '#f0a39d',
      accentFill: red,
      onAccent: '#ffffff',
      panel: '#2b2926',
      rule: '#57524a',
    },
  },
  series: [red, '#1b1a18', '#8a6d3b', '#44687d', '#6f7f4f', '#7d5a72'],
  look: { header: 'plain', card: 'ruled', radius: 0, cover: 'left', bullet: '–' },
  frames: {
    title: { x: 0.95, y: 1.75, w: 8.2, h: 4 },
    section: { x: 0.95, y: 2, w: 9, h: 3.5 },
    closing: { x: 0.95, y: 2, w: 9, h: 3.5 },
  },
  paint(context, ground) {
    const tones = this.tones[ground]
    flood(context, tones.paper)
    if (ground === 'title') {
      context.fillStyle = ink
      context.fillRect(0.95, 0.85, 11.43, 0.1)
      context.fillRect(0.95, 1.02, 11.43, 0.025)
      context.fillRect(0.95, 6.55, 11.43, 0.025)
      halftone(context, { x: 9.5, y: 1.35, w: 2.88, h: 4.9 }, 5)
    }
    if (ground === 'section') polygon(context, [10.6, 0, 13.333, 0, 13.333, 7.5, 8.9, 7.5], '#9c1f18')
    if (ground === 'closing') {
      context.fillStyle = red
      context.fillRect(0, 6.9, 13.333, 0.6)
    }
    grain(context, 0.045, ground.length)
  },
  ornament(context, { w, h }, seed) {
    flood(context, '#ece5d6', { w, h })
    halftone(context, { x: 0, y: 0, w, h }, seed)
    grain(context, 0.05, seed, { w, h })
  },
}

/** Draws a sun over hills in halftone dots, like a printed newspaper picture. */
function halftone(context: Parameters<Theme['paint']>[0], area: { x: number; y: number; w: number; h: number }, seed: number): void {
  const random = randomOf(seed + 3)
  context.save()
  context.beginPath()
  context.rect(area.x, area.y, area.w, area.h)
  context.clip()
  context.fillStyle = linear(
    context,
    [0, area.y],
    [0, area.y + area.h],
    [
      [0, '#efe7d6'],
      [1, '#e0d5bd'],
    ],
  )
  context.fillRect(area.x, area.y, area.w, area.h)
  const sun = [area.x + area.w * (0.35 + random() * 0.3), area.y + area.h * 0.34] as const
  const radius = Math.min(area.w, area.h) * 0.27
  disc(context, sun, radius, red)
  const step = 0.085
  const phase = random() * 6
  for (let y = area.y; y < area.y + area.h; y += step)
    for (let x = area.x + ((Math.round(y / step) % 2) * step) / 2; x < area.x + area.w; x += step) {
      const crest = area.y + area.h * (0.66 + 0.09 * Math.sin((x - area.x) * 1.1 + phase) + 0.05 * Math.sin((x - area.x) * 2.7 + phase * 2))
      const depth = (y - crest) / (area.h * 0.3)
      if (depth > 0) disc(context, [x, y], Math.min(step * 0.62, step * (0.16 + depth * 0.5)), mix(ink, '#4a453d', 0.2))
    }
  context.restore()
}
