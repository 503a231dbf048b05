import { pairs } from '../../pairs.ts'
import { blob, ellipse, fill, form, inside, line, polygon, rectangle } from '../brush.ts'
import { shade } from '../colour.ts'
import { type PropPainter, steel, wood } from './prop-shapes.ts'

/** Functions that draw the things of a modern trade or hobby (cases, tools, boards, a bouquet) in
 *  the hand of a person. */
export const tools: Record<string, PropPainter> = {
  bouquet: (c, hand) => {
    form(c, polygon([hand.x - 4, hand.y - 4, hand.x + 5, hand.y - 4, hand.x + 1, hand.y + 6]), '#7fb06a', { depth: 0.6 })
    for (const [x, y, colour] of [
      [-4, -5, '#f6c5d4'],
      [0, -8, '#ffffff'],
      [4, -6, '#f08fb0'],
      [-1, -4.4, '#f7a8bd'],
      [3, -3.4, '#ffffff'],
      [-3, -8.4, '#f08fb0'],
    ] as const)
      form(c, ellipse(hand.x + x, hand.y + y, 2.5, 2.5), colour, { depth: 0.5, amount: 0.12 })
  },
  briefcase: (c, hand) => {
    line(c, [hand.x - 2, hand.y + 4, hand.x, hand.y + 1, hand.x + 2, hand.y + 4], { width: 0.9, colour: '#3b2417' })
    form(c, rectangle(hand.x - 8, hand.y + 4, 16, 11, 1.4), '#6b4226', { depth: 1 })
    fill(c, rectangle(hand.x - 1.4, hand.y + 8, 2.8, 2, 0.4), '#e0b340')
  },
  magnifier: (c, hand) => {
    line(c, [hand, { x: hand.x + 4, y: hand.y - 6 }], { width: 1.4, colour: wood })
    fill(c, ellipse(hand.x + 7, hand.y - 10.4, 5, 5), '#cfe9f766')
    c.strokeStyle = '#4a4a52'
    c.lineWidth = 1.1
    c.stroke(ellipse(hand.x + 7, hand.y - 10.4, 5, 5))
  },
  gavel: (c, hand) => {
    line(c, [hand, { x: hand.x + 6, y: hand.y - 8 }], { width: 1.3, colour: wood })
    form(c, rectangle(hand.x + 2, hand.y - 13, 9, 5, 1.2), shade(wood, -0.15), { depth: 0.7 })
  },
  tray: (c, hand) => {
    form(c, ellipse(hand.x + 2, hand.y - 3, 11, 1.7), steel, { depth: 0.5 })
    fill(c, polygon([hand.x - 3, hand.y - 12, hand.x + 2, hand.y - 12, hand.x + 0.6, hand.y - 4, hand.x - 1.6, hand.y - 4]), '#e9b44ccc')
    form(c, rectangle(hand.x + 4.4, hand.y - 9, 5, 5.4, 0.8), '#f7f3ea', { depth: 0.4 })
  },
  letter: (c, hand) => {
    form(c, rectangle(hand.x - 1, hand.y - 7, 11, 7, 0.4), '#fbf6ea', { depth: 0.3 })
    line(c, [hand.x - 1, hand.y - 7, hand.x + 4.5, hand.y - 3.2, hand.x + 10, hand.y - 7], { width: 0.5, colour: '#c9bda6' })
  },
  camera: (c, hand) => {
    form(c, rectangle(hand.x - 4, hand.y - 6, 11, 7.4, 1.3), '#33333d', { depth: 0.6 })
    form(c, ellipse(hand.x + 2, hand.y - 2.2, 2.9, 2.9), '#565664', { depth: 0.5 })
    fill(c, ellipse(hand.x + 2, hand.y - 2.2, 1.6, 1.6), '#8fd0f0')
  },
  laptop: (c, hand, { handA }) => {
    const x = (hand.x + handA.x) / 2 + 4
    form(c, polygon([x - 8, hand.y - 12, x + 8, hand.y - 12, x + 8, hand.y - 1, x - 8, hand.y - 1]), '#aab4c0', { depth: 0.5 })
    form(c, polygon([x - 9, hand.y - 1, x + 9, hand.y - 1, x + 10, hand.y + 1.4, x - 10, hand.y + 1.4]), '#8d97a6', { depth: 0.4 })
  },
  'hiking-stick': (c, hand) => line(c, [hand.x + 5, -0.5, hand.x, hand.y - 12], { width: 1.4, colour: wood }),
  pitchfork: (c, hand) => {
    line(c, [hand.x, -1, hand.x, hand.y - 22], { width: 1.5, colour: wood })
    for (const x of [-4, 0, 4])
      line(c, [hand.x, hand.y - 22, hand.x + x, hand.y - 25, hand.x + x, hand.y - 36], { width: 0.9, colour: '#8d97a6' })
  },
  hammer: (c, hand) => {
    line(c, [hand.x, hand.y + 4, hand.x + 3, hand.y - 10], { width: 1.4, colour: wood })
    form(c, rectangle(hand.x - 2, hand.y - 14, 10, 4.4, 1), '#7d8794', { depth: 0.6 })
  },
  wrench: (c, hand) => {
    line(c, [hand.x, hand.y + 4, hand.x + 3, hand.y - 9], { width: 1.9, colour: steel })
    c.strokeStyle = steel
    c.lineWidth = 1.8
    c.beginPath()
    c.arc(hand.x + 3.8, hand.y - 11.6, 2.8, -0.6, 4)
    c.stroke()
  },
  flask: (c, hand) => {
    fill(
      c,
      polygon([
        [hand.x - 1.2, hand.y - 11],
        [hand.x + 1.8, hand.y - 11],
        [hand.x + 1.8, hand.y - 6],
        [hand.x + 5.6, hand.y + 2],
        [hand.x - 5, hand.y + 2],
        [hand.x - 1.2, hand.y - 6],
      ]),
      '#d6f0f4b0',
    )
    fill(c, polygon([hand.x - 2.4, hand.y - 3, hand.x + 3, hand.y - 3, hand.x + 5.2, hand.y + 1.4, hand.x - 4.6, hand.y + 1.4]), '#5fd08a')
    for (const [x, y] of pairs([0, -7, 1.4, -13.5, -0.6, -16])) fill(c, ellipse(hand.x + x, hand.y + y, 0.9, 0.9), '#8fe6ac')
  },
  guitar: (c, _hand, { hips, handA, handB, build }) => {
    const body = { x: hips.x + build.hip * 0.2, y: hips.y - build.torso * 0.26 }
    const head = { x: Math.min(handA.x, handB.x) - 10, y: body.y - build.torso * 0.62 }
    line(c, [body, head], { width: 2.2, colour: '#5a3420' })
    form(
      c,
      blob([
        [body.x - 7, body.y - 5],
        [body.x + 1, body.y - 5],
        [body.x + 5, body.y - 8],
        [body.x + 13, body.y - 3],
        [body.x + 13, body.y + 6],
        [body.x + 5, body.y + 9.6],
        [body.x, body.y + 5],
        [body.x - 7, body.y + 4],
      ]),
      '#c9783a',
      { depth: 1.2 },
    )
    fill(c, ellipse(body.x + 3, body.y + 0.6, 2.4, 2.4), '#3b2417')
    line(c, [{ x: body.x + 8, y: body.y + 2.4 }, head], { width: 0.35, colour: '#f4efe6' })
    form(c, rectangle(head.x - 3, head.y - 2.4, 5, 4.6, 1), '#4a2f1c', { depth: 0.4 })
  },
  surfboard: (c, hand) => {
    const board = ellipse(hand.x + 5, hand.y - 14, 7.4, 44, 0.06)
    form(c, board, '#f2c85a', { depth: 1.4 })
    inside(c, board, () => line(c, [hand.x + 3, hand.y - 60, hand.x + 7, hand.y + 34], { width: 2.2, colour: '#e0533a' }))
  },
  sack: (c, _hand, { shoulderA, build }) => {
    form(
      c,
      blob([
        [shoulderA.x, shoulderA.y - 1],
        [shoulderA.x - 10, shoulderA.y + 2],
        [shoulderA.x - 20, shoulderA.y + 18],
        [shoulderA.x - 12, shoulderA.y + 32],
        [shoulderA.x + 2, shoulderA.y + 26],
      ]),
      '#8a5a38',
      { depth: 1.6 },
    )
    line(c, [shoulderA.x - 6, shoulderA.y + 3, shoulderA.x + 1, shoulderA.y + 7], { width: build.arm * 0.4, colour: '#e0b340' })
  },
  bow: (c, hand) => {
    line(c, [hand.x - 5, hand.y - 24, hand.x + 3, hand.y - 12, hand.x + 3, hand.y + 12, hand.x - 5, hand.y + 24], {
      width: 1.4,
      colour: wood,
    })
    line(c, [hand.x - 5, hand.y - 24, hand.x - 5, hand.y + 24], { width: 0.35, colour: '#f4efe6' })
  },
  fan: (c, hand) => {
    for (let i = 0; i < 7; i++) {
      const angle = -2.3 + i * 0.28
      form(
        c,
        polygon([
          [hand.x, hand.y],
          [hand.x + Math.cos(angle) * 12, hand.y + Math.sin(angle) * 12],
          [hand.x + Math.cos(angle + 0.3) * 12, hand.y + Math.sin(angle + 0.3) * 12],
        ]),
        i % 2 ? '#f7dfe4' : '#e8879e',
        { depth: 0.2 },
      )
    }
  },
}
