import { pairs } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { accent } from './tint.ts'
import { pane, spokeWheel, tyre } from './vehicle-parts.ts'

/** Draws a stripe along the body of the car, in the colour that the prompt gives to the stripe;
 *  draws nothing when the prompt names no stripe. */
function stripe(pen: Pen): void {
  const colour = pen.part('stripe', '')
  if (colour !== '') pen.boxFlat(-132, -44, 264, 8, colour)
}

export const cars: Record<string, Drawing> = {
  car: {
    paint: pen => {
      const paint = pen.main('#d8342e')
      pen.shape([-78, -54, -60, -88, -34, -100, 22, -100, 46, -88, 74, -56], pen.part('roof', paint), 5)
      pane(pen, [-64, -58, -48, -84, -32, -91, -4, -91, -4, -58])
      pane(pen, [4, -58, 4, -91, 20, -91, 36, -83, 58, -58])
      const body = pen.shape(
        [-122, -20, -124, -46, -112, -60, -60, -64, 60, -64, 108, -54, 124, -40, 124, -18, 100, -14, -100, -14],
        paint,
        7,
      )
      pen.clip(body, () => {
        stripe(pen)
        pen.boxFlat(-130, -22, 260, 4, shade(paint, -0.3))
      })
      pen.line([0, -60, 0, -20], 1.6, shade(paint, -0.3))
      for (const x of [-20, 34]) pen.box(x, -52, 12, 3.4, shade(paint, -0.36), 1.6)
      pen.oval(112, -44, 8, 6, '#fff2c8')
      pen.lamp(114, -44, 4, '#fff2c8')
      pen.box(-124, -48, 7, 12, '#a01820', 3)
      for (const x of [-70, 72]) tyre(pen, x, 24)
    },
    isSided: true,
    anchors: { top: { x: -6, y: -100, width: 80 }, opening: { x: -4, y: -58, width: 100, height: 32 } },
  },
  pickup: {
    paint: pen => {
      const paint = pen.main('#d8502e')
      const body = pen.poly([-128, -18, -128, -58, -12, -58, -8, -98, 30, -98, 56, -60, 116, -52, 122, -18], paint, 6)
      pane(pen, [2, -62, 2, -90, 26, -90, 44, -62])
      pen.clip(body, () => {
        pen.boxFlat(-130, -26, 260, 5, shade(paint, -0.3))
        stripe(pen)
      })
      pen.line([-10, -56, -10, -22], 1.8, shade(paint, -0.32))
      pen.line([54, -58, 54, -22], 1.8, shade(paint, -0.32))
      pen.box(-132, -62, 122, 6, shade(paint, -0.16), 2)
      pen.box(4, -50, 12, 3.4, shade(paint, -0.4), 1.6)
      pen.lamp(116, -42, 5, '#fff2c8')
      pen.box(112, -26, 14, 8, '#8d97a4', 2)
      for (const x of [-78, 84]) tyre(pen, x, 23)
    },
    isSided: true,
    anchors: { opening: { x: -70, y: -60, width: 104 } },
  },
  convertible: {
    paint: pen => {
      const paint = pen.main('#d8262f')
      const seat = accent(pen, '#f0dcc0', 0.5)
      for (const x of [-62, -8]) pen.shape([x, -54, x - 4, -92, x + 10, -96, x + 20, -86, x + 22, -54], seat, 3)
      pen.line([30, -60, 12, -102], 4, '#3a3d46')
      pen.polyFlat([32, -60, 15, -100, 20, -100, 40, -60], '#a9cfe088')
      pen.line([20, -62, 8, -74], 3.6, '#3a3d46')
      const body = pen.shape(
        [-164, -32, -162, -60, -130, -68, -60, -64, 40, -62, 110, -58, 158, -46, 168, -24, 150, -12, -152, -12],
        paint,
        8,
      )
      pen.clip(body, () => pen.shapeFlat([-164, -58, -60, -56, 160, -46, 160, -50, 40, -64, -140, -70], shade(paint, 0.3)))
      pen.line([-118, -24, 116, -24], 3, shade(paint, -0.35))
      pen.line([44, -60, 40, -20], 1.4, shade(paint, -0.3))
      pen.line([-40, -62, -38, -20], 1.4, shade(paint, -0.3))
      pen.line([22, -46, 34, -46], 3, '#e9edf1')
      pen.lamp(156, -42, 5, '#fff0b8')
      pen.box(-170, -52, 8, 10, '#a01820', 2)
      for (const x of [-106, 104]) tyre(pen, x, 25)
    },
    isSided: true,
    anchors: { opening: { x: -24, y: -64, width: 90 } },
  },
  jeep: {
    paint: pen => {
      const paint = pen.main('#5f7a45')
      pen.box(-90, -100, 112, 7, pen.part('roof', shade(paint, -0.32)), 3)
      for (const x of [-84, -26, 14]) pen.line([x, -96, x + (x > 0 ? 14 : 0), -54], 4, shade(paint, -0.3))
      pen.polyFlat([-22, -92, 12, -92, 26, -56, -22, -56], '#a9cfe0aa')
      pen.poly([-96, -20, -96, -58, 30, -58, 34, -54, 104, -50, 108, -20], paint, 6)
      pen.line([-24, -56, -24, -22], 1.4, shade(paint, -0.3))
      pen.line([28, -56, 28, -22], 1.4, shade(paint, -0.3))
      for (const x of [-58, 74]) pen.shape([x - 34, -20, x - 28, -46, x, -52, x + 28, -46, x + 34, -20], shade(paint, -0.28), 2)
      pen.box(102, -30, 14, 9, '#3a3d46', 2)
      pen.lamp(104, -40, 5, '#fff0b8')
      pen.oval(-100, -48, 8, 21, '#25262d')
      for (const x of [-58, 74]) tyre(pen, x, 23)
    },
    isSided: true,
    anchors: { seat: { x: -10, y: -56 }, top: { x: -34, y: -100, width: 100 } },
  },
  'race-car': {
    paint: pen => {
      const paint = pen.main('#d8262f')
      const trim = pen.part('stripe', accent(pen, '#f4f6f9', 0.5))
      pen.box(-164, -98, 46, 7, trim, 2)
      pen.line([-140, -92, -128, -56], 6, '#3a3d46')
      const body = pen.shape(
        [-158, -40, -140, -62, -60, -76, -30, -92, -10, -84, -6, -64, 40, -56, 120, -40, 172, -26, 166, -14, -150, -12],
        paint,
        7,
      )
      pen.clip(body, () => pen.polyFlat([-160, -36, 170, -24, 170, -19, -160, -28], trim))
      pen.shape([-6, -64, 2, -82, 18, -82, 28, -66, 26, -58], '#2a2c34', 2)
      pen.oval(10, -78, 12, 12, accent(pen, '#f4c430', 0.3))
      pen.box(4, -80, 17, 6, '#25262d', 2)
      pen.poly([140, -16, 188, -10, 190, -4, 136, -6], trim, 1)
      pen.oval(-50, -30, 14, 14, '#f4f6f9')
      pen.line([-48, -36, -48, -23], 3.4, '#25262d')
      tyre(pen, -112, 33)
      tyre(pen, 108, 29)
    },
    isSided: true,
    anchors: { seat: { x: 8, y: -60 } },
  },
  unicycle: {
    paint: pen => {
      const paint = pen.main('#d8362f')
      spokeWheel(pen, 0, 30)
      pen.line([-13, -30, -7, -66], 4.4, paint)
      pen.line([13, -30, 7, -66], 4.4, shade(paint, -0.2))
      pen.line([-8, -66, 8, -66], 4.4, paint)
      pen.line([0, -66, 0, -92], 4.4, '#8d97a4')
      pen.line([0, -30, 9, -18], 3, '#8d97a4')
      pen.box(4, -18, 14, 4, '#3a3d46', 1)
      pen.shape([-20, -100, -10, -96, 10, -96, 20, -101, 16, -91, 0, -89, -16, -91], accent(pen, '#2a2c34', -0.4), 2)
    },
    anchors: { seat: { x: 0, y: -96 } },
  },
  'tandem-bicycle': {
    paint: pen => {
      const paint = pen.main('#2f8f8a')
      for (const x of [-100, 100]) spokeWheel(pen, x, 34)
      for (const points of [
        [-100, -34, -48, -34],
        [-48, -34, 24, -34],
        [-100, -34, -60, -76],
        [-60, -76, -48, -34],
        [-60, -74, 12, -74],
        [12, -78, 24, -34],
        [-48, -34, 12, -74],
        [12, -74, 76, -78],
        [24, -34, 76, -72],
        [74, -90, 100, -34],
      ])
        pen.line(points, 4.6, paint)
      for (const [x, y] of pairs([-62, -82, 10, -82])) {
        pen.line([x + 1, y + 6, x + 2, y - 6], 3, '#8d97a4')
        pen.shape([x - 14, y - 12, x + 12, y - 9, x + 12, y - 5, x - 12, y - 4], '#2a2c34', 2)
      }
      pen.line([74, -90, 70, -98, 88, -96], 4, '#3a3d46')
      pen.line([12, -80, 24, -94, 38, -90], 4, '#3a3d46')
      for (const x of [-48, 24]) {
        pen.oval(x, -34, 9, 9, '#5a5f6a')
        pen.line([x, -34, x + 8, -18], 3, '#8d97a4')
        pen.box(x + 2, -18, 14, 4, '#3a3d46', 1)
      }
    },
    isSided: true,
    anchors: { seat: { x: 8, y: -92 } },
  },
  tricycle: {
    paint: pen => {
      const paint = pen.main('#d8362f')
      tyre(pen, -52, 17, accent(pen, '#f4c430', 0.4))
      tyre(pen, 58, 26, accent(pen, '#f4c430', 0.4))
      pen.line([-52, -17, -10, -34, 40, -56], 6, paint)
      pen.line([58, -26, 38, -84], 6, paint)
      pen.line([38, -84, 20, -92], 5, '#3a3d46')
      pen.oval(18, -92, 6, 4, accent(pen, '#f4c430', 0.4))
      pen.line([-22, -30, -22, -50], 4, '#8d97a4')
      pen.shape([-44, -60, -22, -56, -2, -57, 0, -50, -22, -46, -40, -50], '#2a2c34', 2)
      pen.line([58, -26, 70, -14], 3, '#8d97a4')
      pen.box(64, -14, 14, 5, '#3a3d46', 2)
    },
    isSided: true,
    anchors: { seat: { x: -20, y: -58 } },
  },
  snowmobile: {
    paint: pen => {
      const paint = pen.main('#2f78c4')
      pen.box(-104, -26, 118, 24, '#2a2c34', 12)
      for (const x of [-86, -60, -34, -8]) pen.oval(x, -14, 7, 7, '#6a707c')
      pen.shape([24, -10, 40, -8, 110, -8, 128, -20, 120, -4, 30, -2], '#3a3d46', 2)
      pen.line([64, -34, 72, -10], 6, '#6a707c')
      pen.shape([-110, -34, -104, -52, -20, -56, 0, -46, 8, -30], '#33363e', 4)
      pen.shape([-20, -30, 0, -58, 30, -76, 70, -56, 104, -40, 100, -26, 40, -22], paint, 6)
      pen.shape([18, -72, 26, -100, 42, -96, 58, -64], '#a9cfe0', 2)
      pen.line([14, -68, 0, -82, 12, -86], 4, '#3a3d46')
      pen.lamp(96, -40, 4, '#fff0b8')
    },
    isSided: true,
    anchors: { seat: { x: -36, y: -54 } },
  },
  'horse-trailer': {
    paint: pen => {
      const paint = pen.main('#e9e2d2')
      pen.shape([-96, -20, -96, -84, -84, -98, 60, -98, 74, -84, 78, -20], paint, 7)
      pane(pen, [-70, -58, -70, -82, -10, -82, -10, -58])
      pen.box(14, -84, 44, 60, shade(paint, -0.14), 2)
      pen.boxFlat(-96, -46, 174, 6, accent(pen, '#c8553a', -0.3))
      pen.line([78, -24, 122, -20], 5, '#3a3d46')
      tyre(pen, -18, 19)
    },
    isSided: true,
  },
}
