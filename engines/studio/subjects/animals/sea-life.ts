import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { blob, ellipse, fill, form, inside, line, polygon, scaled } from '../brush.ts'
import { shade } from '../colour.ts'

type Painter = (context: SKRSContext2D, colour?: string) => void

function eye(context: SKRSContext2D, x: number, y: number, r: number): void {
  fill(context, ellipse(x, y, r * 1.5, r * 1.5), '#ffffff')
  fill(context, ellipse(x + r * 0.2, y, r, r), '#1d1518')
  fill(context, ellipse(x - r * 0.1, y - r * 0.4, r * 0.36, r * 0.36), '#ffffff')
}

interface FishLook {
  body: string
  fin: string
  belly: string
  pattern?: 'bands' | 'koi' | 'dots'
}

/** Draws a fish from the side, its belly near the ground line. */
function swimmer(context: SKRSContext2D, { body, fin, belly, pattern }: FishLook): void {
  form(context, blob([-62, -50, -96, -84, -128, -96, -118, -66, -108, -50, -120, -32, -126, -6, -94, -16]), fin, { depth: 4 })
  form(context, blob([-34, -78, -18, -110, 18, -112, 40, -84]), fin, { depth: 3 })
  form(context, blob([-14, -18, -2, 0, 20, -4, 24, -20]), fin, { depth: 2 })
  const shape = blob([-76, -50, -40, -78, 6, -90, 54, -80, 88, -52, 62, -24, 14, -12, -40, -24])
  form(context, shape, body, { depth: 6 })
  inside(context, shape, () => {
    fill(context, ellipse(6, -12, 74, 20), belly)
    if (pattern === 'bands')
      for (const [x, w] of pairs([38, 15, -12, 18, -60, 11])) {
        fill(context, blob([x - w, -100, x + w * 0.8, -100, x + w, -50, x + w * 0.7, 0, x - w, 0, x - w * 0.7, -50]), '#2a2426')
        fill(context, blob(scaled([-0.72, -100, 0.5, -100, 0.7, -50, 0.4, 0, -0.7, 0, -0.4, -50], [w, 1], [x, 0])), '#fdfbf6')
      }
    if (pattern === 'koi')
      for (const [x, y, rx, ry] of [
        [52, -74, 26, 16],
        [-4, -76, 26, 19],
        [-50, -56, 19, 15],
      ] as const)
        fill(context, ellipse(x, y, rx, ry, 0.2), '#e8542a')
    if (!pattern || pattern === 'dots')
      for (let row = 0; row < 3; row++)
        for (let i = -3; i < 3; i++)
          line(
            context,
            [i * 18 + row * 6 - 4, -68 + row * 18, i * 18 + row * 6 + 4, -62 + row * 18, i * 18 + row * 6 - 4, -56 + row * 18],
            { width: 1.8, colour: shade(body, -0.16) },
          )
  })
  form(context, blob([10, -46, -18, -42, -30, -30, -10, -26, 12, -34]), fin, { depth: 2 })
  eye(context, 60, -58, 5)
  line(context, [70, -40, 78, -42, 86, -48], { width: 2, colour: shade(body, -0.45) })
}

function coloured(look: FishLook): Painter {
  return (context, colour) =>
    swimmer(context, colour ? { ...look, body: colour, fin: shade(colour, -0.12), belly: shade(colour, 0.24) } : look)
}

export const seaLife: Record<string, Painter> = {
  goldfish: coloured({ body: '#f2862a', fin: '#f7ab4a', belly: '#fbd07a' }),
  koi: coloured({ body: '#fbf6ee', fin: '#f6d9c6', belly: '#ffffff', pattern: 'koi' }),
  clownfish: coloured({ body: '#f2772a', fin: '#e8622a', belly: '#f59a4a', pattern: 'bands' }),
  salmon: coloured({ body: '#b9897c', fin: '#9a6f66', belly: '#f0d9cc', pattern: 'dots' }),
  stingray: (context, colour = '#6f8296') => {
    line(context, [-30, -40, -80, -30, -130, -36, -160, -24], { width: 4.6, colour: shade(colour, -0.2) })
    const body = blob([70, -52, 40, -78, -14, -104, -30, -72, -46, -44, -20, -22, 0, 0, 36, -26])
    form(context, body, colour, { depth: 6 })
    inside(context, body, () => {
      for (const [x, y] of pairs([-4, -76, -10, -50, 10, -30, 18, -66])) fill(context, ellipse(x, y, 5, 4), shade(colour, 0.3))
    })
    eye(context, 46, -64, 3.4)
    eye(context, 48, -42, 3.4)
  },
  eel: (context, colour = '#5f7a4a') => {
    line(context, [-140, -30, -96, -64, -50, -30, -6, -26, 30, -56, 78, -62], { width: 24, colour: shade(colour, -0.16) })
    line(context, [-140, -32, -96, -67, -50, -34, -6, -30, 30, -60, 78, -66], { width: 18, colour })
    form(context, blob([64, -80, 96, -82, 120, -66, 112, -52, 72, -50]), colour, { depth: 3 })
    eye(context, 96, -70, 3.6)
    line(context, [94, -58, 108, -58, 118, -64], { width: 2, colour: shade(colour, -0.5) })
  },
  narwhal: (context, colour = '#8fa3b8') => {
    form(context, polygon([96, -58, 98, -50, 168, -82]), '#f3ead6', { depth: 1.4 })
    form(context, blob([-88, -44, -120, -78, -138, -74, -120, -52, -134, -34, -116, -30]), shade(colour, -0.12), { depth: 3 })
    const body = blob([-98, -46, -50, -74, 20, -88, 80, -74, 104, -48, 84, -20, 20, -8, -50, -22])
    form(context, body, colour, { depth: 6 })
    inside(context, body, () => {
      fill(context, ellipse(14, -6, 96, 22), '#eef2f5')
      for (const [x, y] of pairs([-40, -62, -14, -74, 14, -70, -62, -52, 30, -80, -20, -54]))
        fill(context, ellipse(x, y, 5, 3.4), shade(colour, -0.2))
    })
    form(context, blob([22, -22, 6, 0, -14, 2, 0, -24]), shade(colour, -0.12), { depth: 2 })
    eye(context, 72, -52, 3.4)
    line(context, [82, -34, 92, -36, 100, -42], { width: 2, colour: shade(colour, -0.45) })
  },
}
