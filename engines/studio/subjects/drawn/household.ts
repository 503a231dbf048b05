import { pairs } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { turned } from './tint.ts'
import { wheel } from './vehicles.ts'

/** Draws a box on two feet, the basic shape of kitchen appliances. */
function appliance(pen: Pen, half: number, colour: string): void {
  pen.box(-half, -100, half * 2, 98, colour, 4)
  for (const x of [-half * 0.86, half * 0.66]) pen.boxFlat(x, -3, half * 0.2, 3, '#3a3c46')
}

export const household: Record<string, Drawing> = {
  'bullet-train': {
    paint: pen => {
      const white = pen.main('#f4f6f9')
      const body = pen.shape([-236, -8, -236, -92, -200, -98, 60, -98, 130, -88, 190, -58, 226, -26, 222, -8], white, 9)
      pen.clip(body, () => {
        pen.boxFlat(-240, -42, 480, 9, '#2f6fc4')
        pen.boxFlat(-240, -30, 480, 4, '#7fb0e8')
      })
      for (let x = -214; x < 70; x += 32) pen.window(x, -78, 20, 18, { frame: '#d3d9e2', bars: false })
      pen.poly([104, -84, 132, -78, 172, -56, 120, -58], '#33404f', 3)
      pen.boxFlat(-228, -8, 440, 8, '#4a525f')
      pen.lamp(212, -28, 4, '#fff6d0')
    },
    isSided: true,
  },
  seesaw: {
    paint: pen => {
      pen.poly([-26, 0, 0, -58, 26, 0], '#5a7fa8', 4)
      turned(pen, { x: 0, y: -58, angle: -0.2 }, () => {
        pen.box(-150, -9, 300, 11, pen.main('#e0533a'), 4)
        for (const x of [-126, 116]) pen.line([x, -9, x, -26], 5, '#3a3c46')
      })
    },
  },
  beehive: {
    paint: pen => {
      const straw = pen.main('#e3ab3e')
      for (const [y, half] of pairs([-10, 42, -28, 46, -46, 45, -63, 40, -78, 31, -90, 18]))
        pen.box(-half, y - 10, half * 2, 20, shade(straw, (y % 4) * 0.03), 10)
      pen.ovalFlat(0, -20, 12, 13, '#4a3020')
      for (const [x, y] of pairs([-52, -70, 50, -84, 36, -30])) {
        pen.ovalFlat(x - 2, y - 5, 5, 3.4, '#ffffffb0')
        pen.oval(x, y, 6, 4.4, '#f2c230')
        pen.line([x, y - 4, x, y + 4], 1.6, '#2a2024')
      }
    },
  },
  birdhouse: {
    paint: pen => {
      const wood = pen.main('#5f9ac0')
      pen.box(-4, -40, 8, 40, '#8a6038')
      pen.poly([-26, -40, -26, -76, 0, -96, 26, -76, 26, -40], wood, 4)
      pen.poly([-36, -72, 0, -102, 36, -72, 30, -66, 0, -91, -30, -66], '#b3503a', 2)
      pen.ovalFlat(0, -66, 9, 9, '#33241c')
      pen.line([0, -52, 12, -52], 3, '#8a6038')
    },
  },
  'watering-can': {
    paint: pen => {
      const tin = pen.main('#5fa37a')
      pen.context.lineWidth = 7
      pen.context.strokeStyle = shade(tin, -0.2)
      pen.context.beginPath()
      pen.context.arc(-34, -52, 30, 1.6, 4.9)
      pen.context.stroke()
      pen.poly([30, -26, 88, -84, 96, -76, 34, -8], shade(tin, -0.06), 3)
      pen.poly([78, -92, 102, -70, 106, -80, 86, -98], shade(tin, -0.15), 2)
      pen.poly([-40, -72, 34, -72, 42, 0, -48, 0], tin, 6)
      pen.oval(-3, -72, 37, 7, shade(tin, 0.2))
      pen.line([-34, -74, -10, -100, 28, -76], 5, shade(tin, -0.2))
    },
    isSided: true,
  },
  typewriter: {
    paint: pen => {
      const body = pen.main('#4f8a80')
      pen.box(-46, -100, 92, 46, '#fbf8f0', 1)
      for (const y of [-90, -80, -70]) pen.line([-36, y, 30, y], 1.6, '#b9b2a4')
      pen.box(-76, -62, 152, 14, '#33363f', 7)
      pen.poly([-70, -50, 70, -50, 88, 0, -88, 0], body, 6)
      for (let row = 0; row < 3; row++) for (let i = 0; i < 9; i++) pen.oval(-56 + i * 14 - row * 2, -34 + row * 12, 5, 4, '#fbf3e0')
      pen.line([76, -58, 92, -68], 4, '#8d97a6')
    },
  },
  pillow: {
    paint: pen => {
      const cloth = pen.main('#f3ece2')
      const body = pen.shape(
        [-92, -6, -80, -50, -94, -94, -40, -88, 0, -96, 40, -88, 94, -94, 80, -50, 92, -6, 40, -12, 0, -2, -40, -12],
        cloth,
        8,
      )
      pen.clip(body, () => {
        for (const points of [
          [-80, -86, -54, -66],
          [80, -86, 54, -66],
          [-78, -14, -54, -32],
          [78, -14, 54, -32],
        ])
          pen.line(points, 2.4, shade(cloth, -0.14))
      })
    },
    anchors: { top: { x: 0, y: -84, width: 120 } },
  },
  refrigerator: {
    paint: pen => {
      const colour = pen.main('#e8ecf0')
      appliance(pen, 26, colour)
      pen.line([-26, -66, 26, -66], 1.6, shade(colour, -0.3))
      for (const [y, h] of pairs([-92, 18, -58, 30])) pen.box(-21, y, 3, h, '#8d97a6', 1)
      pen.boxFlat(4, -50, 9, 9, '#f2c230')
      pen.boxFlat(10, -36, 8, 8, '#e0708a')
    },
  },
  stove: {
    paint: pen => {
      const colour = pen.main('#eef0f2')
      appliance(pen, 46, colour)
      pen.boxFlat(-46, -100, 92, 7, '#33363f', 2)
      for (const x of [-30, -10, 10, 30]) pen.oval(x, -86, 4.4, 4.4, '#33363f')
      pen.box(-36, -74, 72, 52, '#33363f', 5)
      pen.boxFlat(-29, -64, 58, 34, '#5a4038', 3)
      pen.box(-30, -72, 60, 4, '#8d97a6', 2)
      pen.lamp(0, -46, 6, '#ff9a4a')
    },
    anchors: { top: { x: 0, y: -100, width: 80 } },
  },
  microwave: {
    paint: pen => {
      const colour = pen.main('#d9dde2')
      pen.box(-82, -96, 164, 92, colour, 6)
      pen.box(-72, -84, 104, 68, '#2a2e38', 4)
      pen.ovalFlat(-20, -34, 36, 6, '#4a5262')
      pen.boxFlat(44, -82, 28, 13, '#1f2a2a', 2)
      pen.line([50, -76, 66, -76], 2, '#6af08a')
      for (let row = 0; row < 3; row++) for (const x of [48, 58, 68]) pen.oval(x, -58 + row * 13, 3.4, 3.4, '#aab4c0')
    },
    anchors: { top: { x: 0, y: -96, width: 140 } },
  },
  toaster: {
    paint: pen => {
      const colour = pen.main('#d8dee6')
      for (const x of [-34, 10]) pen.box(x, -100, 34, 44, '#d9a05a', 9)
      pen.shape([-72, -2, -74, -50, -58, -72, 58, -72, 74, -50, 72, -2], colour, 8)
      pen.boxFlat(-50, -72, 100, 5, '#3a3c46', 2)
      pen.box(70, -48, 12, 9, '#3a3c46', 3)
      pen.boxFlat(-62, -5, 124, 5, '#3a3c46', 2)
      pen.line([-54, -56, -58, -20], 4, '#ffffffa0')
    },
  },
  'washing-machine': {
    paint: pen => {
      appliance(pen, 44, pen.main('#f2f4f6'))
      pen.boxFlat(-44, -84, 88, 1.6, '#c3cad2')
      pen.oval(26, -91, 5, 5, '#8d97a6')
      pen.boxFlat(-36, -95, 26, 8, '#d3d9e0', 2)
      pen.oval(0, -44, 32, 32, '#aab4c0')
      pen.oval(0, -44, 24, 24, '#5f8fb0')
      pen.shapeFlat([-22, -40, -10, -48, 4, -42, 20, -46, 18, -30, 0, -22, -16, -28], '#cfe6f4')
    },
    anchors: { top: { x: 0, y: -100, width: 80 } },
  },
  sink: {
    paint: pen => {
      pen.line([0, -62, 0, -94, 8, -100, 22, -98, 26, -86], 6, '#aab4c0')
      for (const x of [-22, 20]) pen.oval(x, -66, 7, 5, '#aab4c0')
      pen.shape([-62, -60, -54, -38, -26, -24, 26, -24, 54, -38, 62, -60], pen.main('#f4f6f8'), 5)
      pen.oval(0, -60, 62, 6, shade(pen.main('#f4f6f8'), -0.06))
      pen.ovalFlat(0, -59, 50, 4, '#b8c6d2')
      pen.poly([-14, -25, 14, -25, 18, 0, -18, 0], shade(pen.main('#f4f6f8'), -0.08), 3)
    },
  },
  'hair-dryer': {
    paint: pen => {
      const colour = pen.main('#d9608a')
      pen.poly([-18, -50, 8, -50, 4, 0, -16, 0], shade(colour, -0.15), 4)
      pen.shape([-50, -74, -36, -96, -6, -99, 30, -88, 62, -88, 62, -60, 30, -58, -6, -48, -36, -52], colour, 6)
      pen.box(56, -92, 9, 36, '#33363f', 3)
      pen.oval(-40, -74, 8, 17, '#33363f')
    },
    isSided: true,
  },
  'remote-control': {
    paint: pen => {
      pen.box(-16, -100, 32, 100, pen.main('#33363f'), 8)
      pen.oval(8, -91, 4, 4, '#e0483e')
      pen.oval(0, -70, 11, 11, '#5a5e6a')
      for (let row = 0; row < 4; row++) for (const x of [-8, 0, 8]) pen.oval(x, -48 + row * 11, 3, 3, '#aab4c0')
    },
  },
  'fire-hydrant': {
    paint: pen => {
      const red = pen.main('#d8342b')
      pen.box(-25, -8, 50, 8, shade(red, -0.25), 3)
      for (const side of [-1, 1]) pen.box(side * 24 - 9, -62, 18, 18, shade(red, -0.15), 5)
      pen.box(-18, -76, 36, 70, red, 4)
      pen.shape([-22, -74, -18, -90, 0, -97, 18, -90, 22, -74], red, 4)
      pen.box(-4, -104, 8, 9, shade(red, -0.2), 2)
      pen.oval(0, -52, 10, 10, shade(red, 0.15))
      pen.oval(0, -52, 5, 5, '#e9c65a')
    },
  },
  'parking-meter': {
    paint: pen => {
      const metal = pen.main('#7d8794')
      pen.box(-2.4, -66, 4.8, 66, shade(metal, -0.1), 1)
      pen.shape([-12, -62, -15, -84, -9, -97, 0, -100, 9, -97, 15, -84, 12, -62], metal, 3)
      pen.shapeFlat([-9, -80, -6, -92, 0, -95, 6, -92, 9, -80], '#e9f0f2')
      pen.line([0, -81, 5, -88], 1, '#d8342b')
      pen.boxFlat(-1, -76, 2, 7, '#2a2e36')
    },
  },
  'traffic-cone': {
    paint: pen => {
      const orange = pen.main('#f2702a')
      pen.box(-38, -8, 76, 8, shade(orange, -0.15), 3)
      const cone = pen.poly([-27, -8, -6, -98, 6, -98, 27, -8], orange, 4)
      pen.clip(cone, () => {
        for (const y of [-72, -40]) pen.boxFlat(-40, y, 80, 15, '#fbfaf6')
      })
    },
  },
  birdcage: {
    paint: pen => {
      const brass = pen.main('#d9a84a')
      pen.line([0, -92, 0, -101], 3, brass)
      pen.line([-28, -34, 28, -34], 2.4, '#8a6038')
      for (let i = -4; i <= 4; i++) pen.line([i * 8.4, -10, i * 8.4, -60, i * 6, -80, 0, -93], 1.3, brass)
      for (const y of [-36, -62]) pen.line([-35, y, 35, y], 1.2, brass)
      pen.box(-40, -12, 80, 12, brass, 4)
    },
  },
  barbell: {
    paint: pen => {
      pen.box(-210, -54, 420, 8, '#aab4c0', 4)
      for (const side of [-1, 1]) {
        pen.box(side * 150 - 13, -100, 26, 100, pen.main('#33363f'), 7)
        pen.box(side * 178 - 10, -86, 20, 72, shade(pen.main('#33363f'), 0.12), 6)
      }
    },
  },
  snowboard: {
    paint: pen => {
      const board = pen.shape(
        [0, -102, 11, -94, 13, -74, 10, -50, 13, -26, 11, -6, 0, 1, -11, -6, -13, -26, -10, -50, -13, -74, -11, -94],
        pen.main('#3f7fc4'),
        3,
      )
      pen.clip(board, () => {
        pen.polyFlat([-20, -86, 20, -70, 20, -58, -20, -74], '#f2c230')
        pen.polyFlat([-20, -44, 20, -28, 20, -20, -20, -36], '#fbfaf6')
      })
      for (const y of [-68, -34]) pen.box(-9, y - 5, 18, 9, '#2a2e38', 3)
    },
  },
  spear: {
    paint: pen => {
      pen.box(-1, -86, 2, 86, pen.main('#8a5a32'), 1)
      pen.poly([-3.4, -86, 0, -101, 3.4, -86, 0, -82], '#c3ccd6', 1)
      pen.line([-2, -83, 2, -81], 1.6, '#b3392f')
    },
  },
  cannon: {
    paint: pen => {
      pen.poly([-84, -10, -62, -54, 30, -40, 40, -20], '#8a5a32', 4)
      turned(pen, { x: -10, y: -54, angle: -0.22 }, () => {
        pen.shape([-64, -26, 20, -22, 92, -17, 92, 15, 20, 20, -64, 24, -76, 0], pen.main('#33363f'), 7)
        pen.box(86, -22, 13, 42, shade(pen.main('#33363f'), 0.12), 3)
        pen.oval(-80, 0, 8, 8, '#33363f')
      })
      wheel(pen, 0, -30, 30, '#a8743f')
    },
    isSided: true,
  },
  seahorse: {
    paint: pen => {
      const colour = pen.main('#f2a03a')
      pen.line([4, -40, 0, -18, -12, -6, -20, -14, -14, -22], 8, colour)
      pen.shape([-8, -44, -12, -62, -6, -78, 8, -80, 14, -64, 12, -48, 6, -32, -4, -34], colour, 4)
      pen.shape([-16, -64, -28, -60, -26, -48, -12, -50], shade(colour, -0.18), 2)
      pen.shape([-8, -78, -10, -94, 0, -101, 10, -96, 14, -88, 30, -84, 30, -79, 14, -78, 6, -72], colour, 3)
      for (let i = 0; i < 5; i++) pen.line([-6 + i * 0.6, -68 + i * 8, 10 - i, -70 + i * 8], 1.2, shade(colour, -0.25))
      for (const [x, y] of pairs([-8, -96, -11, -86, -11, -76])) pen.polyFlat([x + 3, y - 3, x - 5, y, x + 3, y + 4], shade(colour, -0.15))
      pen.ovalFlat(5, -90, 2.6, 2.9, '#22161a')
      pen.ovalFlat(4.2, -91, 0.9, 1, '#ffffff')
    },
    isSided: true,
  },
  starfish: {
    paint: pen => {
      const colour = pen.main('#f0704a')
      const points: number[] = []
      for (let i = 0; i < 10; i++)
        points.push(Math.sin((i * Math.PI) / 5) * (i % 2 ? 22 : 53), -46 - Math.cos((i * Math.PI) / 5) * (i % 2 ? 22 : 53))
      pen.shape(points, colour, 5)
      for (let i = 0; i < 5; i++)
        for (const r of [10, 20, 30])
          pen.ovalFlat(Math.sin((i * Math.PI) / 2.5) * r, -46 - Math.cos((i * Math.PI) / 2.5) * r, 2.6, 2.6, shade(colour, 0.35))
    },
  },
}
