import { pairs } from '../../pairs.ts'
import { blob, ellipse, fill, form, line, rectangle } from '../brush.ts'
import type { PropPainter } from './prop-shapes.ts'

/** Functions that draw musical instruments, sports equipment and a watering can in the hands of
 *  a person. */
export const instruments: Record<string, PropPainter> = {
  drum: (c, _hand, { hips, build }) => {
    const x = hips.x + 5
    const y = hips.y - build.torso * 0.12
    form(c, blob([x - 11, y - 6, x + 11, y - 6, x + 11, y + 7, x, y + 9, x - 11, y + 7]), '#c8323a', { depth: 1.6 })
    fill(c, ellipse(x, y - 6, 11, 3.2), '#f6f1e6')
    for (const dx of [-10, -4, 3, 9]) line(c, [x + dx, y - 4, x + dx + 2.4, y + 7], { width: 0.6, colour: '#f2d25a' })
    for (const side of [-1, 1]) line(c, [x + side * 9, y - 16, x + side * 2, y - 7], { width: 1.1, colour: '#d9b47a' })
  },
  saxophone: (c, hand, { head, build }) => {
    const top = { x: head.x + build.headWidth * 0.5, y: head.y + build.headHeight * 0.36 }
    const low = { x: hand.x + 1, y: hand.y + 12 }
    line(c, [top, { x: top.x + 5, y: top.y + 1 }, { x: hand.x - 1, y: hand.y }, low, { x: low.x + 5, y: low.y + 2 }], {
      width: 2.6,
      colour: '#e0a92e',
    })
    form(c, blob([low.x + 3, low.y + 2.6, low.x + 6, low.y - 8, low.x + 12, low.y - 10, low.x + 9, low.y + 1]), '#e8b83e', { depth: 0.8 })
    fill(c, ellipse(low.x + 9, low.y - 9.4, 3.2, 1.4, -0.3), '#8a6418')
  },
  violin: (c, _hand, { chest, head, build }) => {
    const x = chest.x + build.shoulder * 0.55
    const y = chest.y + 1
    line(c, [x + 6, y - 1, x + 19, y - 5], { width: 1.5, colour: '#3b2417' })
    form(c, blob([x - 6, y - 3, x, y - 2.2, x + 7, y - 4.4, x + 9, y + 0.6, x + 2, y + 2, x - 5, y + 4.6, x - 8.6, y + 1]), '#a8552a', {
      depth: 0.9,
    })
    line(c, [x + 1, y + 13, x + 6, y - 12], { width: 0.7, colour: '#2a1c14' })
    void head
  },
  'watering-can': (c, hand) => {
    const x = hand.x + 3
    const y = hand.y + 6
    line(c, [x + 5, y + 2, x + 13, y - 3], { width: 1.6, colour: '#3f8f6a' })
    form(c, blob([x + 11, y - 5, x + 16, y - 3, x + 13, y]), '#2f7a58', { depth: 0.4 })
    form(c, rectangle(x - 6, y - 4, 12, 10, 2), '#4aa37c', { depth: 1.2 })
    c.strokeStyle = '#2f7a58'
    c.lineWidth = 1.4
    c.stroke(ellipse(x - 1, y - 5, 5, 4))
    for (const [dx, drop] of pairs([0, 9, 2, 15, 4, 11, 6, 18]))
      line(c, [x + 14 + dx * 0.5, y + drop * 0.3, x + 15 + dx, y + drop], { width: 0.8, colour: '#7cc4f2' })
  },
  racket: (c, hand) => {
    line(c, [hand.x, hand.y, hand.x + 5, hand.y - 9], { width: 1.6, colour: '#2b2f3a' })
    const face = ellipse(hand.x + 9, hand.y - 17, 6.4, 9, 0.5)
    fill(c, face, '#f4f6f280')
    c.strokeStyle = '#d8343f'
    c.lineWidth = 1.3
    c.stroke(face)
  },
  bat: (c, hand) => {
    line(c, [hand.x, hand.y, hand.x + 2.4, hand.y - 7], { width: 1.6, colour: '#3a2c22' })
    form(c, blob([hand.x + 1, hand.y - 7, hand.x + 4.6, hand.y - 8.4, hand.x + 12, hand.y - 28, hand.x + 6.6, hand.y - 30]), '#dcb682', {
      depth: 0.8,
    })
  },
}
