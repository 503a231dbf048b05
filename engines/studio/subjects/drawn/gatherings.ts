import { pairs, triples } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing } from './pen.ts'

/** Drawings of things that people use: a podium, a trampoline, binoculars, a chess table, an open
 *  hand, a wicket, bagpipes, a hose and a puppet. */
export const gatherings: Record<string, Drawing> = {
  podium: {
    paint: pen => {
      const wood = pen.main('#8a5a36')
      pen.poly([-30, 0, -34, -78, 34, -78, 30, 0], wood, 6)
      pen.poly([-22, -10, -25, -66, 25, -66, 22, -10], shade(wood, -0.12), 3)
      pen.poly([-40, -78, -34, -92, 44, -92, 38, -78], shade(wood, 0.14), 3)
      pen.box(-36, -6, 72, 6, shade(wood, -0.2), 1)
      pen.line([6, -92, 10, -106, 2, -114], 2, '#33333d')
      pen.oval(0, -116, 4, 5, '#4a4f5a')
      pen.oval(0, -40, 11, 11, '#e0b340')
    },
    anchors: { top: { x: 0, y: -90, width: 60 }, panel: { x: 0, y: -40, width: 40, height: 30 } },
  },
  trampoline: {
    paint: pen => {
      for (const x of [-104, -52, 52, 104]) pen.line([x, -70, x * 1.06, 0], 6, '#8d97a6')
      pen.oval(0, -74, 120, 26, pen.main('#2f6fc4'))
      pen.ovalFlat(0, -76, 100, 19, '#20242e')
      pen.ovalFlat(0, -72, 84, 13, '#2c323e')
    },
    anchors: { top: { x: 0, y: -76, width: 150 } },
  },
  binoculars: {
    paint: pen => {
      const black = pen.main('#3a3f4a')
      for (const side of [-1, 1]) {
        pen.poly([side * 12, -96, side * 36, -96, side * 46, 0, side * 8, 0], black, 6)
        pen.box(side * 26 - 16, -100, 32, 14, shade(black, -0.3), 4)
        pen.ovalFlat(side * 27, 0, 20, 8, '#8fc1e8')
      }
      pen.box(-10, -76, 20, 34, shade(black, 0.12), 3)
    },
  },
  'chess-table': {
    paint: pen => {
      const wood = '#8a5a36'
      for (const x of [-74, 66]) pen.box(x, -76, 8, 76, wood, 2)
      pen.box(-90, -82, 180, 9, '#a06c42', 3)
      pen.poly([-52, -82, -40, -94, 40, -94, 52, -82], '#e9d3a8', 1)
      for (let i = 0; i < 4; i++) {
        pen.polyFlat([-39 + i * 20, -88, -29 + i * 20, -88, -29 + i * 21, -94, -38 + i * 20, -94], '#6b4a32')
        pen.polyFlat([-40 + i * 24, -82, -30 + i * 24, -82, -24 + i * 20, -88, -33 + i * 20, -88], '#6b4a32')
      }
      for (const [x, y, colour] of [
        [-34, -90, '#f6efe0'],
        [-22, -86, '#f6efe0'],
        [-10, -91, '#f6efe0'],
        [12, -90, '#2c2a30'],
        [24, -86, '#2c2a30'],
        [34, -91, '#2c2a30'],
      ] as const) {
        pen.poly([x - 4, y, x - 2, y - 12, x + 2, y - 12, x + 4, y], colour, 1)
        pen.oval(x, y - 14, 3.4, 3.6, colour)
      }
    },
    anchors: { top: { x: 0, y: -82, width: 160 } },
  },
  'open-hand': {
    paint: pen => {
      const skin = pen.main('#e8b48c')
      pen.shape([-20, 0, -24, -26, -28, -48, -20, -58, 22, -58, 26, -44, 22, -24, 18, 0], skin, 5)
      for (const [x, length, lean] of triples([-20, 36, -5, -7, 42, -1, 7, 40, 2, 19, 31, 5]))
        pen.shape([x - 6, -50, x - 6 + lean, -52 - length, x + lean, -58 - length, x + 6 + lean, -52 - length, x + 6, -50], skin, 2)
      pen.shape([24, -22, 42, -46, 48, -50, 50, -42, 38, -18, 22, -4], skin, 3)
      for (const points of [
        [-20, -36, -4, -42, 18, -50],
        [-20, -28, -2, -32, 14, -26],
        [22, -24, 10, -30, 6, -14],
      ])
        pen.line(points, 1.6, shade(skin, -0.26))
    },
    anchors: { top: { x: 0, y: -46, width: 46 } },
  },
  wicket: {
    paint: pen => {
      for (const x of [-17, 0, 17]) pen.box(x - 3.5, -96, 7, 96, '#e0bd82', 2)
      for (const x of [-9, 9]) pen.box(x - 9, -100, 18, 5, '#c99a5a', 2)
    },
  },
  bagpipes: {
    paint: pen => {
      for (const [x, length] of pairs([-34, 52, -18, 44, 0, 60])) {
        pen.line([x * 0.4, -46, x, -46 - length], 5, '#4a2f1c')
        pen.box(x - 5, -52 - length, 10, 8, '#e9dfc8', 2)
      }
      pen.shape([-48, -14, -40, -44, 0, -56, 40, -44, 48, -20, 20, -6, -20, -4], pen.main('#8a2f3a'), 6)
      pen.line([36, -44, 62, -66], 4, '#4a2f1c')
      pen.line([20, -10, 34, 0], 6, '#4a2f1c')
    },
  },
  hose: {
    paint: pen => {
      const rubber = pen.main('#c8452f')
      for (const [rx, ry, y] of triples([60, 22, -22, 48, 17, -36, 36, 13, -48])) pen.ring(0, y, rx, ry, 11, rubber)
      pen.line([52, -30, 84, -60, 112, -66], 11, rubber)
      pen.poly([108, -74, 134, -70, 134, -60, 108, -58], '#c9a63a', 2)
    },
  },
  puppet: {
    paint: pen => {
      const cloth = pen.main('#c8434f')
      pen.shape([-22, 0, -26, -30, -46, -48, -40, -58, -18, -50, 0, -56, 18, -50, 40, -58, 46, -48, 26, -30, 22, 0], cloth, 5)
      for (const x of [-44, 44]) pen.oval(x, -54, 8, 8, '#e8b48c')
      pen.oval(0, -74, 22, 24, '#e8b48c')
      pen.shape([-23, -76, -18, -98, 0, -102, 18, -98, 23, -76, 0, -88], '#7a4a26', 3)
      for (const x of [-8, 8]) pen.ovalFlat(x, -74, 3, 4, '#2a1c1c')
      pen.oval(0, -67, 4, 4, '#d8534a')
      pen.line([-8, -60, 0, -56, 8, -60], 2, '#8c3b3b')
    },
  },
}
