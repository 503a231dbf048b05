import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs, triples } from '../../pairs.ts'
import { blob, capsule, ellipse, fill, form, inside, line, polygon } from '../brush.ts'
import { shade } from '../colour.ts'

type Painter = (context: SKRSContext2D, colour?: string) => void

/** Draws a stout leg with toes, its sole on the ground. */
function pillar(context: SKRSContext2D, { x, top, width }: { x: number; top: number; width: number }, colour: string): void {
  form(
    context,
    blob([
      x - width * 0.6,
      top,
      x + width * 0.6,
      top,
      x + width * 0.46,
      -14,
      x + width * 0.62,
      0,
      x - width * 0.56,
      0,
      x - width * 0.46,
      -14,
    ]),
    colour,
    { depth: width * 0.16 },
  )
  for (const toe of [-0.3, 0.05, 0.4]) fill(context, ellipse(x + toe * width, -2, width * 0.14, 2.6), '#efe6cc')
}

function eye(context: SKRSContext2D, x: number, y: number, r: number): void {
  fill(context, ellipse(x, y, r * 1.5, r * 1.4), '#f3d96a')
  fill(context, ellipse(x + r * 0.2, y, r * 0.7, r * 1.2), '#1d1518')
  fill(context, ellipse(x - r * 0.2, y - r * 0.5, r * 0.4, r * 0.4), '#ffffff')
}

/** Functions that draw dinosaurs, facing right and about 100 units high up to the frill or the
 *  back. */
export const dinosaurs: Record<string, Painter> = {
  triceratops: (context, colour = '#7d8f5c') => {
    const dark = shade(colour, -0.2)
    pillar(context, { x: -34, top: -44, width: 22 }, dark)
    pillar(context, { x: 36, top: -44, width: 20 }, dark)
    const body = blob([-128, -26, -92, -44, -60, -70, -20, -82, 24, -78, 52, -62, 52, -36, 24, -22, -28, -18, -70, -26, -100, -22])
    form(context, body, colour, { depth: 7 })
    inside(context, body, () => {
      fill(context, ellipse(-6, -16, 66, 15), '#d6cf9e')
      for (const [x, y, r] of triples([-60, -58, 7, -36, -70, 8, -8, -72, 7, 16, -66, 6, -46, -46, 5, -18, -54, 5]))
        fill(context, ellipse(x, y, r, r * 0.8), dark)
    })
    pillar(context, { x: -52, top: -48, width: 25 }, colour)
    pillar(context, { x: 20, top: -46, width: 22 }, colour)
    const frill = blob([44, -96, 26, -84, 24, -60, 36, -42, 58, -38, 74, -52, 74, -78, 62, -94])
    form(context, frill, shade(colour, -0.12), { depth: 3 })
    for (const [x, y] of pairs([34, -82, 31, -64, 41, -49, 52, -88])) fill(context, ellipse(x, y, 5, 5), '#d6cf9e')
    form(context, polygon([68, -68, 78, -76, 124, -104]), '#e6dcc0', { depth: 2 })
    form(context, blob([54, -72, 72, -78, 92, -66, 112, -50, 120, -40, 110, -34, 92, -34, 70, -38, 56, -50]), colour, { depth: 5 })
    form(context, blob([106, -48, 124, -42, 122, -30, 112, -34]), '#5a5a48', { depth: 1.5 })
    form(context, polygon([60, -70, 72, -76, 112, -112]), '#f3e8d0', { depth: 2.4 })
    form(context, polygon([97, -60, 108, -52, 112, -72]), '#f3e8d0', { depth: 1.6 })
    eye(context, 80, -60, 3.4)
    line(context, [84, -42, 98, -42, 110, -38], { width: 1.8, colour: shade(colour, -0.45) })
    fill(context, ellipse(108, -47, 1.8, 1.4), shade(colour, -0.5))
  },
  stegosaurus: (context, colour = '#7a8f4a') => {
    const dark = shade(colour, -0.2)
    for (const [x, y, s] of triples([-84, -44, 11, -62, -58, 16, -34, -72, 21, -2, -76, 22, 28, -66, 18, 52, -50, 12])) {
      form(
        context,
        blob([x - s * 0.7, y + 4, x - s * 0.8, y - s * 0.8, x, y - s * 1.7, x + s * 0.8, y - s * 0.8, x + s * 0.7, y + 4]),
        '#c8703a',
        { depth: 2 },
      )
      line(context, [x, y, x, y - s * 1.2], { width: 1.4, colour: '#9a4f26' })
    }
    pillar(context, { x: -18, top: -40, width: 19 }, dark)
    pillar(context, { x: 44, top: -34, width: 15 }, dark)
    const body = blob([
      -132, -34, -92, -46, -60, -62, -22, -76, 16, -74, 48, -56, 76, -40, 96, -36, 108, -28, 96, -20, 70, -22, 40, -22, -10, -18, -52, -26,
      -96, -36,
    ])
    form(context, body, colour, { depth: 6 })
    inside(context, body, () => fill(context, ellipse(0, -14, 70, 14), '#d6d39a'))
    for (const x of [-126, -114]) form(context, polygon([x, -38, x + 7, -40, x - 4, -60]), '#efe4cc', { depth: 1 })
    pillar(context, { x: -34, top: -46, width: 24 }, colour)
    pillar(context, { x: 30, top: -38, width: 16 }, colour)
    eye(context, 92, -31, 2.4)
    line(context, [94, -23, 104, -25], { width: 1.5, colour: shade(colour, -0.45) })
  },
  ankylosaurus: (context, colour = '#9a7f54') => {
    const dark = shade(colour, -0.2)
    pillar(context, { x: -24, top: -34, width: 20 }, dark)
    pillar(context, { x: 44, top: -34, width: 18 }, dark)
    form(context, capsule({ x: -60, y: -38 }, 14, { x: -124, y: -28 }, 6), colour, { depth: 3 })
    form(context, ellipse(-132, -30, 17, 13), shade(colour, -0.14), { depth: 3 })
    const body = blob([-80, -38, -52, -70, 0, -84, 50, -70, 76, -46, 60, -24, 0, -16, -58, -22])
    form(context, body, colour, { depth: 6 })
    inside(context, body, () => {
      for (let row = 0; row < 3; row++)
        for (let i = -4; i < 5; i++)
          form(context, ellipse(i * 17 + (row % 2) * 8, -74 + row * 16, 7.6, 6.4), shade(colour, 0.14), { depth: 2 })
    })
    for (const x of [-56, -28, 2, 32, 58]) form(context, polygon([x - 7, -32, x + 7, -32, x + 2, -12]), '#efe4cc', { depth: 1.4 })
    pillar(context, { x: -42, top: -36, width: 22 }, colour)
    pillar(context, { x: 28, top: -36, width: 19 }, colour)
    form(context, blob([66, -58, 84, -64, 106, -54, 114, -40, 104, -30, 80, -30, 66, -38]), colour, { depth: 3 })
    form(context, polygon([70, -58, 80, -62, 66, -76]), '#efe4cc', { depth: 1 })
    eye(context, 92, -49, 2.8)
    line(context, [92, -37, 108, -38], { width: 1.6, colour: shade(colour, -0.45) })
  },
  pterodactyl: (context, colour = '#a8744a') => {
    const dark = shade(colour, -0.22)
    form(context, blob([0, -54, -20, -84, -70, -102, -130, -92, -104, -76, -92, -56, -60, -60, -34, -44]), dark, { depth: 3 })
    form(context, blob([-30, -40, -64, -34, -74, -26, -50, -28, -24, -30]), dark, { depth: 1 })
    form(context, blob([-42, -40, -10, -58, 26, -62, 40, -52, 22, -38, -14, -30]), colour, { depth: 4 })
    form(context, blob([14, -56, 30, -92, 88, -112, 150, -96, 120, -84, 112, -60, 78, -66, 46, -42]), colour, { depth: 4 })
    line(context, [16, -56, 32, -90, 88, -110, 148, -96], { width: 3.4, colour: dark })
    form(context, blob([30, -58, 42, -76, 50, -82, 62, -78, 60, -66, 44, -54]), colour, { depth: 2 })
    form(context, polygon([44, -78, 54, -84, 16, -102]), '#c8502e', { depth: 1.4 })
    form(context, polygon([58, -80, 60, -68, 104, -66]), '#e0b35a', { depth: 1.4 })
    eye(context, 54, -76, 2.2)
  },
  lizard: (context, colour = '#5fae4a') => crawler(context, colour),
  iguana: (context, colour = '#6a9a4c') => {
    for (let i = 0; i < 11; i++)
      form(
        context,
        polygon([
          -44 + i * 10,
          -60 - Math.sin((i / 10) * 3.1) * 10,
          -36 + i * 10,
          -60 - Math.sin((i / 10) * 3.1) * 10,
          -45 + i * 10,
          -80 - Math.sin((i / 10) * 3.1) * 12,
        ]),
        shade(colour, 0.2),
        { depth: 1 },
      )
    crawler(context, colour)
    form(context, blob([72, -46, 92, -44, 84, -22, 74, -28]), shade(colour, 0.16), { depth: 1.6 })
  },
  chameleon: (context, colour = '#4fae5c') => {
    const dark = shade(colour, -0.22)
    for (const [x, foot] of pairs([-26, -34, 34, 42])) form(context, capsule({ x, y: -40 }, 8, { x: foot, y: -8 }, 5), dark, { depth: 2 })
    line(context, [-50, -48, -82, -34, -92, -12, -74, -2, -62, -16, -74, -24], { width: 8.6, colour })
    const body = blob([-62, -44, -40, -74, 0, -86, 36, -76, 58, -62, 54, -40, 26, -26, -20, -24, -50, -34])
    form(context, body, colour, { depth: 6 })
    inside(context, body, () => {
      for (let i = 0; i < 5; i++)
        line(context, [-46 + i * 22, -90, -40 + i * 22, -54, -48 + i * 22, -20], { width: 6, colour: i % 2 ? '#e6c84a99' : '#2f8f8a99' })
    })
    for (let i = 0; i < 7; i++)
      form(
        context,
        polygon([
          -44 + i * 12,
          -72 - Math.sin((i / 6) * 3.1) * 13,
          -34 + i * 12,
          -72 - Math.sin((i / 6) * 3.1) * 13,
          -42 + i * 12,
          -82 - Math.sin((i / 6) * 3.1) * 13,
        ]),
        dark,
        { depth: 0.8 },
      )
    form(context, blob([40, -66, 42, -92, 56, -104, 74, -88, 98, -72, 104, -58, 88, -48, 60, -44]), colour, { depth: 4 })
    form(context, ellipse(72, -72, 13, 12), shade(colour, 0.2), { depth: 2 })
    fill(context, ellipse(74, -72, 5, 5), '#1d1518')
    fill(context, ellipse(72, -74, 1.6, 1.6), '#ffffff')
    line(context, [62, -54, 82, -56, 102, -60], { width: 2, colour: shade(colour, -0.5) })
    for (const [x, foot] of pairs([-40, -46, 20, 26])) {
      form(context, capsule({ x, y: -38 }, 9, { x: foot, y: -8 }, 5.4), colour, { depth: 2 })
      for (const toe of [-7, 6]) form(context, ellipse(foot + toe, -4, 7, 4.4), colour, { depth: 1 })
    }
  },
}

/** Draws a lizard from the side, low on four bent legs. */
function crawler(context: SKRSContext2D, colour: string): void {
  const dark = shade(colour, -0.2)
  for (const [x, knee] of pairs([-30, -50, 44, 62])) form(context, capsule({ x, y: -34 }, 8, { x: knee, y: -20 }, 6), dark, { depth: 2 })
  form(context, blob([-46, -40, -84, -38, -120, -20, -150, -4, -110, -6, -72, -16, -40, -22]), colour, { depth: 3 })
  const body = blob([-60, -36, -32, -58, 14, -64, 50, -58, 66, -50, 62, -30, 30, -18, -24, -16, -52, -24])
  form(context, body, colour, { depth: 5 })
  inside(context, body, () => {
    fill(context, ellipse(4, -14, 62, 11), '#e8efb8')
    for (const [x, y] of pairs([-32, -44, -14, -50, 6, -54, 26, -50, 44, -46, -2, -40, 18, -38])) fill(context, ellipse(x, y, 5, 3.6), dark)
  })
  form(context, blob([50, -56, 66, -72, 92, -70, 116, -56, 120, -46, 100, -38, 66, -36]), colour, { depth: 4 })
  eye(context, 84, -61, 4.4)
  line(context, [76, -46, 98, -46, 117, -50], { width: 2, colour: shade(colour, -0.5) })
  fill(context, ellipse(113, -56, 1.6, 1.4), dark)
  for (const [x, knee, foot] of triples([-38, -58, -48, 36, 54, 46])) {
    form(context, capsule({ x, y: -32 }, 9, { x: knee, y: -20 }, 7), colour, { depth: 2 })
    form(context, capsule({ x: knee, y: -20 }, 7, { x: foot, y: -6 }, 5), colour, { depth: 2 })
    for (const toe of [-6, 2, 10]) form(context, ellipse(foot + toe, -3, 5.4, 3), colour, { depth: 0.8 })
  }
}
