import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs, triples } from '../../pairs.ts'
import { blob, capsule, ellipse, fill, form, inside, line, polygon } from '../brush.ts'
import { shade } from '../colour.ts'

type Painter = (context: SKRSContext2D, colour?: string) => void

function eye(context: SKRSContext2D, x: number, y: number, r: number): void {
  fill(context, ellipse(x, y, r, r * 1.1), '#1d1518')
  fill(context, ellipse(x - r * 0.3, y - r * 0.35, r * 0.36, r * 0.36), '#ffffff')
}

/** Insects and small animals with unusual body plans, facing right. */
export const crawlers: Record<string, Painter> = {
  dragonfly: (context, colour = '#2f8fb8') => {
    for (const [x, y, tilt] of triples([2, -84, -1.05, -14, -80, -1.9])) {
      form(context, ellipse(x, y, 40, 9, tilt), '#cfe9f2', { depth: 1, amount: 0.08 })
      line(context, [x - Math.cos(tilt) * 30, y - Math.sin(tilt) * 30, x + Math.cos(tilt) * 36, y + Math.sin(tilt) * 36], {
        width: 0.9,
        colour: '#7fb3c4',
      })
    }
    for (let i = 0; i < 8; i++)
      form(context, ellipse(-16 - i * 13, -48 + i * 1.2, 8, 5.4 - i * 0.3), i % 2 ? shade(colour, -0.18) : colour, { depth: 1 })
    for (const [x, y, tilt] of triples([8, -16, 1.1, -10, -18, 1.9]))
      form(context, ellipse(x, y, 38, 8, tilt), '#dff1f6', { depth: 1, amount: 0.08 })
    form(context, ellipse(4, -48, 19, 12), colour, { depth: 3 })
    form(context, ellipse(28, -48, 9, 9), shade(colour, 0.1), { depth: 1.4 })
    for (const y of [-54, -43]) form(context, ellipse(33, y, 6.4, 6), '#7a3a4a', { depth: 1.2 })
  },
  mantis: (context, colour = '#7ab53a') => {
    const dark = shade(colour, -0.2)
    for (const [x, foot] of pairs([-34, -62, -10, -26, -24, 2]))
      line(context, [x, -30, (x + foot) / 2 - 6, -36, foot, -1], { width: 3, colour: dark })
    form(context, blob([-86, -20, -60, -36, -10, -42, 6, -34, -10, -24, -60, -14]), colour, { depth: 3 })
    form(context, capsule({ x: -4, y: -34 }, 7, { x: 24, y: -76 }, 5), colour, { depth: 2 })
    for (const shift of [8, 0]) {
      const tone = shift ? dark : colour
      form(context, capsule({ x: 20 + shift, y: -64 }, 5, { x: 42 + shift, y: -46 }, 6), tone, { depth: 1.4 })
      form(context, capsule({ x: 42 + shift, y: -46 }, 5, { x: 48 + shift, y: -78 }, 3), tone, { depth: 1.4 })
    }
    line(context, [30, -90, 40, -104, 52, -108], { width: 1.4, colour: dark })
    form(context, polygon([14, -92, 42, -90, 30, -74]), colour, { depth: 2 })
    for (const x of [17, 39]) form(context, ellipse(x, -90, 6, 6.6), '#e6e08a', { depth: 1.2 })
    for (const x of [18, 40]) eye(context, x, -90, 2.4)
  },
  centipede: (context, colour = '#b5502e') => {
    const at = (i: number) => ({ x: -112 + i * 18, y: -34 - Math.sin(i * 0.9) * 15 })
    for (let i = 0; i < 13; i++) {
      const { x, y } = at(i)
      for (const shift of [-4, 5])
        line(context, [x + shift, y, x + shift - 5, y + 16, x + shift - 2, y + 30], { width: 3, colour: '#e0a84a' })
    }
    for (let i = 0; i < 13; i++) {
      const { x, y } = at(i)
      form(context, ellipse(x, y, 13, 14), i % 2 ? shade(colour, -0.14) : colour, { depth: 2.4 })
    }
    const head = at(13)
    line(context, [head.x + 6, head.y - 10, head.x + 20, head.y - 34, head.x + 34, head.y - 38], {
      width: 2.4,
      colour: shade(colour, -0.3),
    })
    line(context, [head.x, head.y - 12, head.x + 6, head.y - 36, head.x + 16, head.y - 46], { width: 2.4, colour: shade(colour, -0.3) })
    form(context, ellipse(head.x, head.y, 16, 16), shade(colour, 0.1), { depth: 3 })
    eye(context, head.x + 6, head.y - 4, 3.4)
  },
  tarantula: (context, colour = '#5a4034') => {
    for (const side of [-1, 1])
      for (const [rise, reach] of pairs([-86, 70, -70, 92, -52, 92, -40, 66])) {
        line(context, [side * 10, -42, side * reach * 0.6, rise, side * reach, -2], { width: 10, colour: shade(colour, -0.12) })
        line(context, [side * reach * 0.72, rise * 0.72, side * reach * 0.8, rise * 0.54], { width: 10.4, colour: '#c9782e' })
      }
    form(context, ellipse(0, -54, 34, 30), colour, { depth: 5 })
    for (let i = 0; i < 18; i++)
      line(context, [Math.cos(i * 0.35) * 32, -54 + Math.sin(i * 0.35) * 28, Math.cos(i * 0.35) * 38, -54 + Math.sin(i * 0.35) * 34], {
        width: 1.8,
        colour,
      })
    form(context, ellipse(0, -26, 21, 18), shade(colour, 0.12), { depth: 3 })
    for (const [x, y, r] of triples([-7, -30, 4.4, 7, -30, 4.4, -13, -35, 2.4, 13, -35, 2.4])) eye(context, x, y, r)
    for (const side of [-1, 1]) form(context, blob([side * 3, -14, side * 9, -14, side * 7, -1]), '#2a1d1c', { depth: 0.8 })
  },
  armadillo: (context, colour = '#a89a8c') => {
    const dark = shade(colour, -0.22)
    line(context, [-78, -34, -110, -22, -140, -4], { width: 10, colour: dark })
    for (const x of [-36, 44]) form(context, capsule({ x, y: -24 }, 9, { x: x + 3, y: -5 }, 6), dark, { depth: 2 })
    const shell = blob([-84, -26, -78, -58, -44, -84, 0, -90, 42, -80, 66, -54, 62, -24, 0, -16])
    form(context, blob([-70, -24, 62, -24, 50, -10, -50, -10]), '#d8c2ae', { depth: 2 })
    form(context, shell, colour, { depth: 6 })
    inside(context, shell, () => {
      for (let i = 0; i < 9; i++) line(context, [-36 + i * 9, -96, -44 + i * 9.6, -54, -38 + i * 9.6, -14], { width: 2.2, colour: dark })
      for (let row = 0; row < 4; row++)
        for (const x of [-72, -58, 54, 66]) fill(context, ellipse(x + (row % 2) * 6, -72 + row * 15, 3, 3), dark)
    })
    for (const x of [66, 76]) form(context, ellipse(x, -72, 5.4, 15, 0.2), x === 66 ? '#c9a898' : '#d9b8a6', { depth: 1.4 })
    form(context, blob([58, -54, 70, -66, 88, -60, 118, -36, 122, -28, 110, -24, 80, -26, 60, -30]), '#d0baa6', { depth: 3 })
    form(context, blob([62, -62, 82, -62, 96, -50, 78, -48]), colour, { depth: 1.4 })
    eye(context, 88, -46, 3)
    fill(context, ellipse(121, -30, 3, 2.6), '#5a4038')
    for (const x of [-48, 32]) {
      form(context, capsule({ x, y: -24 }, 10, { x: x + 4, y: -6 }, 7), '#c4ae9a', { depth: 2 })
      for (const toe of [0, 7, 14]) form(context, polygon([x + toe - 2, -6, x + toe + 5, -4, x + toe + 6, 0]), '#efe6cc', { depth: 0.5 })
    }
  },
  platypus: (context, colour = '#7a553c') => {
    const dark = shade(colour, -0.2)
    form(context, blob([-62, -36, -100, -48, -130, -34, -132, -16, -100, -10, -60, -16]), dark, { depth: 3 })
    for (const x of [-38, 34]) form(context, ellipse(x + 10, -4, 17, 5), '#4a4a52', { depth: 1.4 })
    const body = blob([-78, -28, -56, -56, -10, -70, 36, -66, 72, -66, 92, -52, 90, -34, 66, -20, 10, -10, -52, -12])
    form(context, body, colour, { depth: 6 })
    inside(context, body, () => fill(context, ellipse(6, -8, 74, 13), '#b08a68'))
    form(context, blob([80, -54, 106, -48, 132, -42, 134, -34, 104, -30, 82, -34]), '#4f5560', { depth: 2.6 })
    line(context, [86, -38, 110, -37, 130, -37], { width: 1.8, colour: '#30343c' })
    fill(context, ellipse(122, -43, 2, 1.4), '#30343c')
    eye(context, 74, -53, 4)
    for (const x of [-50, 26]) {
      form(context, capsule({ x, y: -20 }, 9, { x: x + 4, y: -8 }, 7), colour, { depth: 2 })
      form(context, blob([x - 6, 0, x, -9, x + 14, -8, x + 24, -3, x + 22, 0]), '#5a5f6a', { depth: 1.4 })
    }
  },
}
