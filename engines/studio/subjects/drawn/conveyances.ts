import { pairs } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing } from './pen.ts'
import { pane, paneRow, spokeWheel, tyre } from './vehicle-parts.ts'

/** Drawings of special vehicles, such as limousines, go-karts, hovercraft and battleships. */
export const conveyances: Record<string, Drawing> = {
  limousine: {
    paint: pen => {
      const paint = pen.main('#23252c')
      pen.shape([-152, -56, -132, -94, -100, -100, 92, -100, 116, -92, 146, -56], paint, 5)
      for (let i = 0; i < 6; i++) pane(pen, [-126 + i * 40, -60, -124 + i * 40, -90, -92 + i * 40, -90, -92 + i * 40, -60])
      const body = pen.shape(
        [-216, -20, -218, -46, -204, -58, -150, -64, 150, -64, 200, -54, 218, -40, 218, -18, 190, -12, -190, -12],
        paint,
        7,
      )
      pen.clip(body, () => pen.boxFlat(-230, -34, 460, 2.6, '#c3ccd6'))
      for (const x of [-90, -10, 70]) pen.line([x, -60, x, -18], 1.2, shade(paint, 0.3))
      pen.lamp(208, -42, 6, '#fff0b8')
      pen.box(-220, -48, 8, 12, '#a01820', 2)
      for (const x of [-140, 142]) tyre(pen, x, 26)
    },
    isSided: true,
  },
  hearse: {
    paint: pen => {
      const paint = pen.main('#1f2026')
      pen.shape([-150, -52, -146, -96, -120, -102, 26, -102, 52, -90, 84, -56], paint, 5)
      pane(pen, [-134, -58, -132, -90, -28, -90, -28, -58])
      pane(pen, [-16, -58, -16, -90, 24, -90, 40, -82, 62, -58])
      for (const x of [-130, -104, -78, -52]) pen.shapeFlat([x, -90, x + 24, -90, x + 22, -74, x + 12, -84, x + 2, -74], '#e9e2d4')
      pen.shape([-152, -20, -154, -56, -60, -64, 62, -64, 128, -54, 144, -40, 144, -18, 120, -12, -130, -12], paint, 7)
      pen.lamp(134, -42, 6, '#fff0b8')
      for (const x of [-98, 88]) tyre(pen, x, 25)
    },
    isSided: true,
  },
  'go-kart': {
    paint: pen => {
      const paint = pen.main('#d8342e')
      pen.shape([-54, -30, -62, -88, -48, -92, -38, -44, -10, -34, -10, -24], '#2b2d36', 4)
      pen.line([34, -34, 14, -72], 4, '#3a3d46')
      pen.line([4, -66, 24, -80], 6, '#2b2d36')
      pen.shape([-104, -18, -100, -34, -50, -34, 20, -32, 60, -46, 108, -26, 116, -14, 100, -10, -100, -10], paint, 5)
      pen.box(-96, -56, 34, 22, '#8d97a4', 3)
      for (const x of [-74, 78]) tyre(pen, x, 26)
    },
    isSided: true,
    anchors: { seat: { x: -26, y: -42 } },
  },
  'golf-cart': {
    paint: pen => {
      const paint = pen.main('#f4f4ee')
      for (const points of [
        [-48, -40, -44, -96],
        [38, -44, 30, -96],
      ])
        pen.line(points, 4, '#4a4f5a')
      pen.box(-58, -102, 104, 8, shade(paint, -0.05), 4)
      pen.shape([-40, -38, -50, -68, -40, -70, -30, -46, 6, -46, 6, -36], '#8a5f3c', 3)
      pen.line([32, -42, 14, -58], 3, '#3a3d46')
      pen.shape([-70, -16, -72, -40, -30, -40, -20, -22, 22, -22, 34, -48, 62, -40, 72, -16, 40, -12, -50, -12], paint, 5)
      for (const x of [-46, 48]) tyre(pen, x, 17)
    },
    isSided: true,
    anchors: { seat: { x: -18, y: -46 } },
  },
  'camper-van': {
    paint: pen => {
      const paint = pen.main('#f4efe2')
      pen.shape([-128, -20, -128, -92, -118, -100, 96, -100, 124, -94, 128, -78, 90, -74, 84, -20], paint, 5)
      pen.shape([78, -16, 78, -70, 106, -70, 126, -44, 146, -38, 148, -16], paint, 5)
      pane(pen, [88, -44, 88, -66, 104, -66, 118, -44])
      const body = pen.box(-128, -52, 210, 10, '#c8643c')
      pen.clip(body, () => pen.boxFlat(-128, -46, 210, 4, '#8a3f28'))
      paneRow(pen, { from: -118, to: -20, count: 2, top: -86, height: 22, frame: '#8d97a4' })
      pen.box(0, -84, 32, 64, shade(paint, -0.08), 2)
      pen.window(6, -78, 20, 20, { frame: '#8d97a4', bars: false })
      pen.window(100, -94, 18, 11, { frame: '#8d97a4', bars: false })
      pen.lamp(142, -30, 5, '#fff0b8')
      for (const x of [-78, 108]) tyre(pen, x, 20)
    },
    isSided: true,
  },
  'penny-farthing': {
    paint: pen => {
      spokeWheel(pen, 10, 38)
      spokeWheel(pen, -50, 11)
      pen.line([-50, -11, -42, -40, -20, -74, 6, -88], 3.6, pen.main('#2b2d36'))
      pen.line([10, -38, 6, -92], 3.4, pen.main('#2b2d36'))
      pen.line([-8, -92, 22, -94], 3, '#2b2d36')
      pen.shape([-22, -84, -2, -88, 2, -82, -20, -80], '#7a4a28', 1.4)
    },
    isSided: true,
    anchors: { seat: { x: -10, y: -86 } },
  },
  stroller: {
    paint: pen => {
      const cloth = pen.main('#3a7fc4')
      pen.line([-60, -96, -44, -78, 36, -12], 3.4, '#8d97a4')
      pen.line([28, -60, -28, -12], 3.4, '#8d97a4')
      pen.shape([-40, -58, -34, -30, 0, -20, 34, -26, 44, -56], cloth, 5)
      pen.shape([-2, -58, 6, -94, 30, -94, 46, -78, 48, -56], shade(cloth, 0.12), 4)
      for (const points of [
        [0, -58, 12, -92],
        [0, -58, 34, -86],
      ])
        pen.line(points, 1.4, shade(cloth, -0.3))
      for (const x of [-30, 36]) tyre(pen, x, 13)
    },
    isSided: true,
  },
  segway: {
    paint: pen => {
      pen.line([2, -20, 8, -92], 5, '#3a3d46')
      pen.line([-6, -94, 22, -90], 5, '#23252c')
      pen.box(-26, -26, 52, 8, pen.main('#d5dae0'), 3)
      tyre(pen, 0, 21)
    },
    isSided: true,
    anchors: { seat: { x: 0, y: -26 } },
  },
  hovercraft: {
    paint: pen => {
      const paint = pen.main('#d8582f')
      pen.ring(-86, -74, 22, 26, 6, '#3a3d46')
      for (const angle of [0, 1.05, 2.1])
        pen.line(
          [-86 - Math.cos(angle) * 18, -74 - Math.sin(angle) * 22, -86 + Math.cos(angle) * 18, -74 + Math.sin(angle) * 22],
          3,
          '#8d97a4',
        )
      pen.shape([-50, -46, -44, -86, 30, -86, 62, -46], '#f4f1e8', 4)
      pane(pen, [34, -50, 14, -80, 26, -80, 50, -50])
      paneRow(pen, { from: -42, to: 16, count: 3, top: -78, height: 18, frame: '#8d97a4' })
      pen.shape([-118, -30, -114, -50, 84, -50, 122, -30], paint, 4)
      pen.shape([-124, 0, -130, -18, -116, -34, 118, -34, 134, -18, 126, 0], '#33363e', 6)
      for (let x = -110; x < 120; x += 22) pen.line([x, -4, x + 3, -30], 1.6, '#565b66')
    },
    isSided: true,
  },
  'hang-glider': {
    paint: pen => {
      const cloth = pen.main('#e0542f')
      pen.poly([-126, -56, 0, -100, 126, -56, 60, -62, 0, -54, -60, -62], cloth, 3)
      pen.polyFlat([-64, -62, 0, -100, 0, -55], '#f2c63a')
      pen.polyFlat([64, -62, 0, -100, 0, -55], shade(cloth, -0.12))
      for (const x of [-26, 26]) pen.line([0, -62, x, -22], 2, '#3a3d46')
      pen.line([-26, -22, 26, -22], 2.6, '#3a3d46')
      pen.shape([-46, -32, -10, -42, 20, -40, 22, -34, -10, -32], '#2f5f94', 2)
      pen.oval(28, -38, 6, 6.4, '#e8b98a')
      pen.shape([22, -40, 24, -46, 32, -46, 34, -40], '#f4f4ee', 1)
      pen.line([14, -38, 20, -28, 16, -22], 3, '#e8b98a')
    },
  },
  'aircraft-carrier': {
    paint: pen => {
      const steel = pen.main('#8d97a4')
      pen.line([40, -84, 40, -104], 2.4, '#5a626e')
      pen.line([30, -98, 50, -98], 2, '#5a626e')
      pen.box(18, -84, 52, 40, steel, 2)
      paneRow(pen, { from: 20, to: 68, count: 4, top: -78, height: 7, frame: '#5a626e' })
      pen.box(30, -92, 22, 10, shade(steel, 0.1), 1)
      for (const x of [-110, -66, -22, 96]) {
        pen.shape([x - 14, -48, x - 4, -52, x + 16, -50, x + 18, -47], '#c9d0d8', 1)
        pen.polyFlat([x - 14, -48, x - 16, -58, x - 9, -50], '#a7b0bb')
      }
      pen.poly([-172, -46, 176, -46, 162, -34, -160, -34], '#4a515c', 2)
      pen.shape([-158, -34, 162, -34, 130, 0, -136, 0], steel, 5)
      pen.boxFlat(-140, -5, 274, 5, '#8a2a24')
    },
    isSided: true,
  },
  battleship: {
    paint: pen => {
      const steel = pen.main('#8a94a2')
      pen.line([4, -76, 4, -104], 3, '#5a626e')
      pen.line([-8, -94, 16, -94], 2.4, '#5a626e')
      pen.box(-34, -62, 66, 34, steel, 2)
      pen.box(-14, -78, 38, 20, shade(steel, 0.1), 2)
      paneRow(pen, { from: -12, to: 22, count: 4, top: -74, height: 6, frame: '#5a626e' })
      pen.box(-64, -58, 18, 28, shade(steel, -0.1), 3)
      for (const [x, side] of pairs([-104, -1, 66, 1, 104, 1])) {
        for (const y of [-40, -36]) pen.line([x, y, x + side * 38, y - 8], 3, '#5a626e')
        pen.shape([x - 16, -28, x - 13, -42, x + 13, -42, x + 16, -28], shade(steel, 0.06), 3)
      }
      pen.shape([-160, -30, 0, -28, 168, -36, 132, 0, -134, 0, -152, -14], steel, 5)
      pen.boxFlat(-142, -6, 276, 6, '#8a2a24')
    },
    isSided: true,
  },
  houseboat: {
    paint: pen => {
      const hull = pen.main('#2f6a5a')
      pen.poly([-92, -88, -78, -104, 62, -104, 76, -88], '#8a4a34', 3)
      pen.box(-84, -88, 152, 56, '#e8d3a8', 2)
      pen.window(-70, -76, 26, 24, { frame: '#ffffff' })
      pen.window(-30, -76, 26, 24, { frame: '#ffffff' })
      pen.box(14, -78, 24, 46, '#8a4a34', 2)
      for (const x of [-58, -18]) {
        pen.box(x - 14, -50, 30, 6, '#7a5436', 1)
        for (const dx of [-8, 0, 8]) pen.oval(x + dx, -53, 4, 4, '#d8446a')
      }
      pen.shape([-116, -32, 96, -32, 122, -38, 104, 0, -100, 0], hull, 5)
      pen.boxFlat(-112, -26, 214, 3, '#f2e6c8')
    },
    isSided: true,
    anchors: { seat: { x: 90, y: -34 } },
  },
  'tow-truck': {
    paint: pen => {
      const paint = pen.main('#f2b22e')
      pen.line([-16, -44, -100, -92], 6, '#5a626e')
      pen.line([-50, -40, -70, -74], 4, '#5a626e')
      pen.line([-100, -92, -102, -56], 1.6, '#3a3d46')
      pen.ring(-102, -51, 4, 5, 2, '#3a3d46')
      pen.shape([10, -30, 12, -88, 20, -94, 62, -94, 84, -58, 110, -52, 112, -20, 10, -20], paint, 5)
      pane(pen, [34, -58, 34, -86, 58, -86, 74, -58])
      pen.box(-104, -44, 118, 22, shade(paint, -0.12), 3)
      pen.box(24, -102, 26, 7, '#e0542f', 2)
      pen.lamp(106, -40, 5, '#fff0b8')
      for (const x of [-64, 72]) tyre(pen, x, 22)
    },
    isSided: true,
  },
  'car-from-above': {
    paint: pen => {
      const paint = pen.main('#d8342e')
      for (const x of [-24, 20]) for (const y of [-86, -26]) pen.box(x, y, 5, 14, '#23252c', 2)
      pen.shape([-20, -94, 0, -100, 20, -94, 22, -60, 22, -16, 18, -2, 0, 0, -18, -2, -22, -16, -22, -60], paint, 4)
      pen.polyFlat([-18, -70, 0, -74, 18, -70, 14, -58, -14, -58], '#33424e')
      pen.box(-14, -58, 28, 32, shade(paint, 0.12), 5)
      pen.polyFlat([-14, -26, 14, -26, 17, -16, -17, -16], '#33424e')
      for (const side of [-1, 1]) {
        pen.polyFlat([side * 19, -66, side * 16, -56, side * 16, -28, side * 19, -20], '#33424e')
        pen.oval(side * 14, -94, 4, 3, '#fff3c4')
        pen.box(side * 25 - 3, -68, 6, 4, paint, 1)
      }
    },
  },
}
