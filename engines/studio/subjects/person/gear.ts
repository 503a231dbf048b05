import { triples } from '../../pairs.ts'
import { blob, ellipse, fill, form, glow, line, polygon, rectangle, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import { type PropPainter, starShape, steel, wood } from './prop-shapes.ts'

/** Functions that draw things for a pose (a book, a fishing rod, a pan) or for a traditional role
 *  (a sword, a wand), in the hand of a person. */
export const gear: Record<string, PropPainter> = {
  book: (c, hand, { handA, build, stance }) => {
    const x = stance.eyes === 'down' ? (hand.x + handA.x) / 2 + 2 : hand.x + 1
    const y = Math.min(hand.y, handA.y) - build.arm * 1.1
    const size = build.arm * 2.5
    form(c, polygon(scaled([-1.35, -0.8, 0, -0.55, 1.35, -0.8, 1.35, 0.55, 0, 0.82, -1.35, 0.55], [size, size], [x, y])), '#a8432f', {
      depth: 0.4,
    })
    for (const side of [-1, 1]) {
      const page = blob(scaled([0, -0.5, 0.6, -0.78, 1.2, -0.72, 1.2, 0.42, 0.6, 0.4, 0, 0.68], [side * size, size], [x, y]))
      fill(c, page, '#fbf6ea')
      for (const row of [-0.4, -0.16, 0.08])
        line(c, [x + side * size * 0.24, y + size * (row + 0.06), x + side * size * 0.98, y + size * row], {
          width: 0.35,
          colour: '#b9ae9c',
        })
    }
  },
  'fishing-rod': (c, hand, { build }) => {
    const tip = { x: hand.x + 52, y: hand.y - 40 }
    line(c, [{ x: hand.x - 12, y: hand.y + 7 }, hand, { x: hand.x + 28, y: hand.y - 25 }, tip], { width: 1.1, colour: wood })
    line(c, [tip, { x: tip.x + 3, y: -24 }], { width: 0.35, colour: '#f4f6f8' })
    form(c, ellipse(tip.x + 3, -25, 1.6, 1.9), '#d8342b', { depth: 0.4 })
    fill(c, ellipse(hand.x + 2, hand.y + 2.4, build.arm * 0.6, build.arm * 0.6), '#3a3a44')
  },
  pan: (c, hand) => {
    line(c, [hand, { x: hand.x + 9, y: hand.y - 1 }], { width: 1.6, colour: '#3b2a22' })
    form(c, blob([hand.x + 8, hand.y - 3, hand.x + 27, hand.y - 3, hand.x + 24, hand.y + 2.4, hand.x + 11, hand.y + 2.4]), '#4a4d57', {
      depth: 0.8,
    })
    for (const [x, y, colour] of [
      [13, -4.4, '#e2703a'],
      [17, -5.2, '#7fb84a'],
      [21, -4.4, '#f2c230'],
      [16, -3.6, '#d8433a'],
    ] as const)
      form(c, ellipse(hand.x + x, hand.y + y, 2.3, 1.6), colour, { depth: 0.3 })
    for (const x of [13, 18, 23])
      line(c, [hand.x + x, hand.y - 9, hand.x + x + 1.6, hand.y - 13, hand.x + x - 0.6, hand.y - 17], { width: 1.1, colour: '#ffffff70' })
  },
  ladle: (c, hand) => {
    line(c, [hand.x, hand.y + 5, hand.x + 3, hand.y - 17], { width: 1.3, colour: wood })
    form(c, ellipse(hand.x + 3.4, hand.y - 19, 3, 3.8), shade(wood, 0.2), { depth: 0.6 })
  },
  brush: (c, hand, { handA, build }) => {
    line(c, [hand.x - 4, hand.y + 3, hand.x + 9, hand.y - 6], { width: 0.9, colour: wood })
    form(c, blob([hand.x + 8, hand.y - 6.6, hand.x + 12.6, hand.y - 8.6, hand.x + 9.6, hand.y - 4.8]), '#3f8fd0', { depth: 0.2 })
    const palette = ellipse(handA.x + 4, handA.y - 1, build.arm * 3, build.arm * 1.7, -0.3)
    form(c, palette, '#c9995c', { depth: 0.5 })
    for (const [x, y, colour] of [
      [-2, -1.6, '#d8433a'],
      [2, -3.4, '#f2c230'],
      [6, -3.6, '#3f8fd0'],
      [9, -2.2, '#4a9b5f'],
    ] as const)
      fill(c, ellipse(handA.x + x, handA.y + y, 1.4, 0.9, -0.3), colour)
  },
  'bubble-wand': (c, hand) => {
    line(c, [hand, { x: hand.x + 5, y: hand.y - 8 }], { width: 1.2, colour: '#e0507a' })
    c.strokeStyle = '#e0507a'
    c.lineWidth = 1.1
    c.stroke(ellipse(hand.x + 7, hand.y - 11, 2.8, 3.6, 0.5))
  },
  teapot: (c, hand, { handA }) => {
    const x = hand.x - 5
    const y = hand.y - 2
    const spout = { x: x - 12, y: y - 1 }
    line(c, [spout, { x: (spout.x + handA.x) / 2 + 1, y: spout.y + 3 }, { x: handA.x + 3, y: handA.y - 7 }], {
      width: 1.2,
      colour: '#b9702e',
    })
    line(c, [{ x: x - 4, y: y + 1.4 }, { x: x - 8.6, y: y - 1 }, spout], { width: 2.2, colour: '#e3eaf1' })
    line(c, [x + 5, y - 3, x + 10, y - 2, x + 9, y + 3, x + 5, y + 3], { width: 1.3, colour: '#d5dee7' })
    form(c, ellipse(x, y, 6.6, 5.8), '#f4f7fa', { depth: 1.2 })
    fill(c, ellipse(x - 0.6, y + 0.4, 2.4, 2), '#5b8fc0')
    form(c, ellipse(x, y - 5.2, 3.4, 1.3), '#e3eaf1', { depth: 0.4 })
    fill(c, ellipse(x, y - 6.8, 1, 1), '#5b8fc0')
  },
  mop: (c, hand) => {
    line(c, [{ x: hand.x - 8, y: hand.y - 26 }, hand, { x: hand.x + 11, y: -3 }], { width: 1.5, colour: wood })
    for (const x of [-6, -3.6, -1.2, 1.2, 3.6, 6, 8.4])
      line(c, [hand.x + 11, -5, hand.x + 11 + x * 0.7, -3, hand.x + 11 + x, -0.4], {
        width: 1.9,
        colour: x > 3 ? '#d9dee4' : '#f1f3f5',
      })
  },
  basketball: (c, hand, { handA, build }) => {
    const x = (hand.x + handA.x) / 2
    const y = Math.min(hand.y, handA.y) - build.arm * 1.4
    form(c, ellipse(x, y, 7.4, 7.4), '#e07a2c', { depth: 1.2 })
    for (const points of [
      [
        [-7.4, 0],
        [0, 0.8],
        [7.4, 0],
      ],
      [
        [0, -7.4],
        [-0.6, 0],
        [0, 7.4],
      ],
      [
        [-5, -5.4],
        [-1.8, 0],
        [-5, 5.4],
      ],
      [
        [5, -5.4],
        [1.8, 0],
        [5, 5.4],
      ],
    ] as const)
      line(
        c,
        points.map(([dx, dy]) => ({ x: x + dx, y: y + dy })),
        { width: 0.6, colour: '#5a2c14' },
      )
  },
  pipe: (c, hand, { head, build }) => {
    const lips = { x: head.x + build.headWidth * 0.2, y: head.y + build.headHeight * 0.3 }
    const bowl = { x: lips.x + build.headWidth * 0.52, y: lips.y + 2.6 }
    line(c, [lips, { x: (lips.x + bowl.x) / 2, y: lips.y + 2.6 }, { x: bowl.x, y: bowl.y + 1 }], { width: 1.3, colour: '#2a1c14' })
    form(
      c,
      blob([
        bowl.x - 2.6,
        bowl.y - 4.4,
        bowl.x + 2.6,
        bowl.y - 4.4,
        bowl.x + 2.3,
        bowl.y + 2,
        bowl.x,
        bowl.y + 3,
        bowl.x - 2.3,
        bowl.y + 2,
      ]),
      '#7a4526',
      { depth: 0.8 },
    )
    fill(c, ellipse(bowl.x, bowl.y - 4.4, 2.4, 0.8), '#e0703a')
    for (const [x, y, radius] of triples([1, -9, 2, 3, -14, 2.8, 1.4, -20, 3.6, 5, -26, 4.2]))
      fill(c, ellipse(bowl.x + x, bowl.y + y, radius, radius * 0.8), '#f1f1f4b0')
    void hand
  },
  chalk: (c, hand) => line(c, [hand, { x: hand.x + 2.6, y: hand.y - 4.4 }], { width: 1.4, colour: '#fbfaf4' }),
  microphone: (c, hand) => {
    line(c, [hand.x - 0.6, hand.y + 4, hand.x - 1, hand.y - 3], { width: 1.7, colour: '#33333d' })
    form(c, ellipse(hand.x - 1.2, hand.y - 4.6, 2.1, 2.3), '#8d97a6', { depth: 0.6 })
  },
  apple: (c, hand) => {
    form(c, ellipse(hand.x + 1.4, hand.y - 2.6, 2.9, 2.8), '#d8342b', { depth: 0.7 })
    line(c, [hand.x + 1.4, hand.y - 5, hand.x + 2.2, hand.y - 6.8], { width: 0.5, colour: wood })
  },
  sword: (c, hand) => {
    form(
      c,
      polygon([
        hand.x - 1.3,
        hand.y - 4,
        hand.x + 1.3,
        hand.y - 4,
        hand.x + 1.1,
        hand.y - 36,
        hand.x,
        hand.y - 40,
        hand.x - 1.1,
        hand.y - 36,
      ]),
      '#dfe6ee',
      { depth: 0.9 },
    )
    form(c, rectangle(hand.x - 5, hand.y - 5, 10, 2, 1), '#e0b340', { depth: 0.4 })
    line(c, [hand.x, hand.y - 3, hand.x, hand.y + 4], { width: 1.7, colour: '#5a3420' })
    fill(c, ellipse(hand.x, hand.y + 5, 1.5, 1.5), '#e0b340')
  },
  katana: (c, hand) => {
    line(c, [hand.x, hand.y - 4, hand.x + 5, hand.y - 22, hand.x + 13, hand.y - 38], { width: 1.5, colour: '#e3e9f0' })
    fill(c, ellipse(hand.x, hand.y - 3.6, 2.6, 1), '#e0b340')
    line(c, [hand.x, hand.y - 3, hand.x - 1.5, hand.y + 6], { width: 1.7, colour: '#2a2228' })
  },
  axe: (c, hand) => {
    line(c, [hand.x, hand.y + 14, hand.x, hand.y - 22], { width: 1.7, colour: wood })
    for (const side of [-1, 1]) form(c, blob(scaled([1, -21, 9, -26, 10, -11, 1, -15], [side, 1], [hand.x, hand.y])), steel, { depth: 0.7 })
  },
  staff: (c, hand, { hips }) => {
    line(c, [hand.x - 1, Math.min(0, hips.y + 44), hand.x, hand.y, hand.x + 1, hand.y - 44], { width: 1.9, colour: wood })
    glow(c, { x: hand.x + 1, y: hand.y - 47 }, 9, '#7fd8ff', 0.8)
    form(c, ellipse(hand.x + 1, hand.y - 47, 3.2, 3.6), '#6fc8f4', { depth: 1 })
  },
  scepter: (c, hand) => {
    line(c, [hand.x - 1, hand.y + 14, hand.x + 1, hand.y - 18], { width: 1.5, colour: '#e0b340' })
    form(c, ellipse(hand.x + 1.2, hand.y - 20.5, 3, 3), '#c8262f', { depth: 0.8 })
  },
  broom: (c, hand) => {
    line(c, [hand.x, -14, hand.x + 1, hand.y - 26], { width: 1.5, colour: wood })
    form(c, blob([hand.x - 1.6, -17, hand.x + 1.6, -17, hand.x + 5, -0.6, hand.x - 5, -0.6]), '#d9b35a', { depth: 0.8 })
    line(c, [hand.x - 2.2, -13.4, hand.x + 2.2, -13.4], { width: 1.2, colour: '#8c2f39' })
  },
  'magic-wand': (c, hand) => {
    line(c, [hand.x - 2, hand.y + 2, hand.x + 8, hand.y - 12], { width: 1.1, colour: '#2b2535' })
    glow(c, { x: hand.x + 9, y: hand.y - 13.4 }, 8, '#ffe58a', 0.9)
    fill(c, starShape(hand.x + 9, hand.y - 13.4, 3.4), '#fff3b8')
  },
}
