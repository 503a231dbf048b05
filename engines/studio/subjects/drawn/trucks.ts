import { pairs } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { accent } from './tint.ts'
import { pane, paneRow, tyre } from './vehicle-parts.ts'

/** Draws a truck's cab on the frame of the truck; the right end of the cab is at `x`. */
function cab(pen: Pen, x: number, paint: string): void {
  pen.poly([x - 64, -20, x - 64, -82, x - 28, -82, x - 12, -52, x, -46, x, -20], paint, 5)
  pane(pen, [x - 56, -52, x - 56, -74, x - 32, -74, x - 20, -52])
  pen.line([x - 38, -74, x - 38, -24], 1.2, shade(paint, -0.3))
  pen.box(x - 52, -44, 8, 3, '#3a3d46', 1)
  pen.lamp(x - 3, -36, 4, '#fff0b8')
  pen.box(x - 14, -24, 18, 8, '#5a5f6a', 2)
}

function frame(pen: Pen, left: number, right: number): void {
  pen.box(left, -26, right - left, 9, '#3a3d46', 2)
}

export const trucks: Record<string, Drawing> = {
  truck: {
    paint: pen => {
      const paint = pen.main('#d8433a')
      frame(pen, -112, 100)
      const box = pen.box(-116, -102, 154, 78, accent(pen, '#f2efe6', 0.16), 4)
      pen.clip(box, () => {
        for (let x = -100; x < 36; x += 17) pen.line([x, -98, x, -28], 1.2, '#00000024')
      })
      cab(pen, 108, paint)
      for (const x of [-84, -46, 74]) tyre(pen, x, 18)
    },
    isSided: true,
    anchors: { top: { x: -40, y: -102, width: 140 }, opening: { x: -40, y: -90, width: 130 } },
  },
  'dump-truck': {
    paint: pen => {
      const paint = pen.main('#f2b22e')
      frame(pen, -110, 104)
      pen.poly([-126, -86, 44, -86, 30, -32, -104, -32], shade(paint, -0.06), 5)
      for (const x of [-88, -52, -16, 20]) pen.line([x, -84, x + (x < 0 ? 4 : -4), -35], 3, shade(paint, -0.28))
      pen.poly([34, -92, 70, -92, 66, -84, 30, -84], shade(paint, -0.2), 1)
      cab(pen, 112, paint)
      for (const x of [-82, -40, 80]) tyre(pen, x, 20)
    },
    isSided: true,
    anchors: { opening: { x: -40, y: -84, width: 150 }, top: { x: -40, y: -86, width: 150 } },
  },
  'cement-mixer': {
    paint: pen => {
      const paint = pen.main('#3f8fc4')
      frame(pen, -110, 104)
      const drum = pen.shape(
        [-120, -84, -104, -104, -20, -100, 34, -72, 38, -44, 20, -30, -70, -36, -116, -62],
        accent(pen, '#f2efe6', 0.3),
        7,
      )
      pen.clip(drum, () => {
        for (const x of [-110, -62, -14]) pen.polyFlat([x, -110, x + 16, -110, x + 44, -24, x + 28, -24], paint)
      })
      pen.poly([-132, -80, -116, -88, -124, -40, -136, -36], '#6a707c', 2)
      cab(pen, 110, paint)
      for (const x of [-84, -44, 78]) tyre(pen, x, 18)
    },
    isSided: true,
  },
  'garbage-truck': {
    paint: pen => {
      const paint = pen.main('#3f9a4a')
      frame(pen, -112, 102)
      pen.poly([-122, -34, -134, -70, -112, -98, 34, -98, 34, -24, -108, -24], paint, 6)
      pen.poly([-122, -34, -134, -70, -112, -98, -92, -98, -92, -24, -108, -24], shade(paint, -0.24), 3)
      for (const x of [-66, -36, -6]) pen.boxFlat(x, -90, 4, 60, shade(paint, -0.2))
      cab(pen, 108, accent(pen, '#f2efe6', 0.14))
      for (const x of [-76, -40, 74]) tyre(pen, x, 18)
    },
    isSided: true,
  },
  'double-decker-bus': {
    paint: pen => {
      const paint = pen.main('#cf2a2c')
      pen.box(-74, -104, 148, 92, paint, 9)
      pen.boxFlat(-74, -62, 148, 4, pen.part('stripe', accent(pen, '#f6e6b8', 0.35)))
      paneRow(pen, { from: -70, to: 70, count: 6, top: -94, height: 24, frame: shade(paint, -0.2) })
      paneRow(pen, { from: -70, to: 38, count: 4, top: -52, height: 22, frame: shade(paint, -0.2) })
      pane(pen, [50, -30, 50, -54, 74, -54, 74, -30])
      pen.boxFlat(-74, -22, 148, 4, shade(paint, -0.3))
      pen.lamp(71, -22, 3, '#fff0b8')
      for (const x of [-44, 44]) tyre(pen, x, 13)
    },
    isSided: true,
  },
  'school-bus': {
    paint: pen => {
      const paint = pen.main('#f4b223')
      pen.poly([-116, -18, -116, -92, -108, -100, 66, -100, 78, -60, 118, -54, 122, -18], paint, 7)
      paneRow(pen, { from: -110, to: 40, count: 6, top: -88, height: 26, frame: '#2a2c34' })
      pane(pen, [46, -60, 46, -90, 62, -90, 72, -60])
      for (const y of [-50, -36]) pen.boxFlat(-116, y, 236, 3.4, pen.part('stripe', '#2a2c34'))
      pen.box(46, -56, 20, 36, shade(paint, -0.12), 2)
      pen.box(108, -24, 18, 8, '#2a2c34', 2)
      pen.lamp(118, -40, 4, '#fff6d0')
      for (const x of [-76, 84]) tyre(pen, x, 18)
    },
    isSided: true,
  },
  forklift: {
    paint: pen => {
      const paint = pen.main('#f2b22e')
      for (const x of [54, 62]) pen.box(x, -100, 4, 96, '#5a5f6a', 1)
      pen.box(52, -9, 56, 5, '#3a3d46', 1)
      pen.box(66, -40, 5, 34, '#3a3d46', 1)
      pen.shape([-64, -22, -66, -54, -48, -60, -10, -56, 6, -38, 44, -36, 48, -16, -50, -12], paint, 6)
      for (const [a, b] of pairs([-44, -40, 26, 36])) pen.line([a, -96, b, -40], 4, '#3a3d46')
      pen.box(-48, -100, 80, 6, '#3a3d46', 2)
      pen.box(-34, -58, 30, 10, '#3a3d46', 4)
      pen.box(-36, -78, 9, 24, '#3a3d46', 4)
      pen.line([22, -38, 12, -58], 3, '#3a3d46')
      tyre(pen, -44, 15)
      tyre(pen, 30, 17)
    },
    isSided: true,
    anchors: { seat: { x: -20, y: -58 } },
  },
}
