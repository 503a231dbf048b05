import { pairs } from '../../pairs.ts'
import { scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { accent, contrast, turned } from './tint.ts'

function leaf(pen: Pen, root: { x: number; y: number; angle: number }, length: number, colour: string): void {
  turned(pen, root, () => {
    const half = length * 0.22
    pen.shape(scaled([0, 0, -1, -0.4, -0.8, -0.72, 0, -1, 0.8, -0.72, 1, -0.4], [half, length]), colour, 2.4)
    pen.line([0, -2, 0, -length * 0.86], 1, shade(colour, 0.3))
  })
}

export const belongings: Record<string, Drawing> = {
  necktie: {
    paint: pen => {
      const silk = pen.main('#2f4f9a')
      const stripe = accent(pen, '#c23a3a', 0.32)
      pen.line([-6, -93, -15, -101, -12, -110, 0, -113, 12, -110, 15, -101, 6, -93], 4, shade(silk, -0.25))
      const blade = pen.poly([-6, -84, 6, -84, 17, -17, 0, 0, -17, -17], silk, 4)
      pen.clip(blade, () => {
        for (let y = -86; y < 20; y += 17) pen.polyFlat([-24, y, 24, y - 20, 24, y - 15, -24, y + 5], stripe)
      })
      pen.poly([-10, -98, 10, -98, 6.4, -83, -6.4, -83], shade(silk, 0.06), 3)
    },
  },
  suitcase: {
    paint: pen => {
      const shell = pen.main('#2f78b8')
      for (const x of [-13, 13]) pen.box(x - 1.6, -98, 3.2, 26, '#9aa3ae', 1)
      pen.box(-17, -101, 34, 6, '#3a3d46', 3)
      for (const x of [-27, 21]) pen.box(x, -7, 8, 7, '#26272e', 3)
      pen.box(-36, -76, 72, 71, shell, 9)
      for (const x of [-24, -12, 0, 12, 24]) {
        pen.boxFlat(x - 1.2, -71, 2.4, 61, shade(shell, -0.22), 1)
        pen.boxFlat(x + 1.2, -71, 1.2, 61, shade(shell, 0.22), 0.6)
      }
      pen.box(-9, -79, 18, 5, accent(pen, '#26272e', -0.4), 2)
      pen.box(31, -48, 6, 16, accent(pen, '#26272e', -0.4), 2)
      for (const [x, y] of pairs([-36, -76, 27, -76, -36, -14, 27, -14])) pen.box(x, y, 9, 9, shade(shell, -0.3), 3)
    },
  },
  'potted-plant': {
    paint: pen => {
      const green = pen.main('#3f9a4a')
      const pot = accent(pen, '#c2683c', -0.22)
      for (const [angle, length, tone] of [
        [-1.15, 42, -0.16],
        [1.15, 42, -0.2],
        [-0.75, 54, -0.06],
        [0.75, 54, -0.12],
        [-0.36, 62, 0.04],
        [0.38, 62, -0.04],
        [0, 66, 0.08],
        [-0.95, 30, 0.1],
        [0.95, 30, 0.04],
        [-0.2, 40, 0.16],
        [0.24, 38, 0.12],
      ] as const)
        leaf(pen, { x: angle * 5, y: -34, angle }, length, shade(green, tone))
      pen.poly([-22, -32, 22, -32, 16, 0, -16, 0], pot, 5)
      pen.box(-26, -40, 52, 10, shade(pot, 0.08), 3)
    },
  },
  television: {
    paint: pen => {
      const bezel = pen.main('#2a2d34')
      pen.poly([-10, -16, 10, -16, 14, -4, -14, -4], shade(bezel, -0.15), 2)
      pen.box(-42, -5, 84, 5, bezel, 2)
      pen.box(-84, -102, 168, 90, bezel, 5)
      pen.boxFlat(-74, -92, 148, 66, pen.down(-92, -26, ['#12202e', '#1d3c56', '#2f6a86']), 2)
      pen.polyFlat([-74, -92, -20, -92, -56, -26, -74, -26], '#ffffff1c')
      pen.polyFlat([0, -92, 20, -92, -16, -26, -36, -26], '#ffffff12')
      pen.ovalFlat(76, -17, 1.8, 1.8, contrast(bezel))
      pen.lamp(70, -17, 1.4, '#ff5a4a')
    },
  },
  'cell-phone': {
    paint: pen => {
      const body = pen.main('#2a2d34')
      pen.box(-27, -100, 54, 100, body, 10)
      pen.boxFlat(-20.5, -86, 41, 70, pen.down(-86, -16, ['#bfe3f6', '#6fb2e4', '#4a86cf']), 2)
      for (const [i, colour] of ['#f05a4a', '#f6c63a', '#53b96a', '#fbfaf6', '#8a5fd0', '#f08a3a', '#3fb0d9', '#e86a9a'].entries())
        pen.box(-16.5 + (i % 3) * 12, -80 + Math.floor(i / 3) * 13, 9, 9, colour, 2.4)
      pen.boxFlat(-7, -94, 14, 2.6, contrast(body, '#c3ccd6', '#7d8794'), 1.3)
      pen.ring(0, -8, 4.6, 4.6, 1.4, contrast(body, '#c3ccd6', '#7d8794'))
    },
  },
  'dining-table': {
    paint: pen => {
      const wood = pen.main('#a06a3c')
      for (const x of [-72, 66]) pen.box(x, -74, 7, 56, shade(wood, -0.35), 1)
      pen.poly([-106, -78, -78, -104, 78, -104, 106, -78], wood, 3)
      for (const [a, b] of pairs([-58, -82, -20, -28, 20, 28, 58, 82])) pen.line([a, -103, b, -79], 0.9, shade(wood, -0.16))
      pen.box(-106, -79, 212, 8, shade(wood, 0.1), 2)
      pen.box(-96, -71, 192, 8, shade(wood, -0.22))
      for (const x of [-98, 87]) pen.poly([x, -71, x + 11, -71, x + 9, 0, x + 2, 0], shade(wood, -0.06), 2)
    },
    anchors: { top: { x: 0, y: -86, width: 170 } },
  },
  toilet: {
    paint: pen => {
      const china = pen.main('#f4f5f4')
      pen.box(-46, -100, 42, 52, china, 5)
      pen.box(-50, -104, 50, 7, shade(china, -0.06), 3)
      pen.box(-40, -94, 9, 4, '#aab2bc', 2)
      pen.shape([-40, -46, 40, -46, 38, -26, 20, -14, 16, 0, -32, 0, -30, -22], china, 6)
      pen.poly([-38, -3, 22, -3, 24, 0, -40, 0], shade(china, -0.16), 1)
      pen.box(-44, -53, 92, 8, shade(china, -0.1), 4)
      turned(pen, { x: -6, y: -53, angle: -0.2 }, () => pen.box(-4, -42, 8, 44, shade(china, -0.04), 4))
    },
    isSided: true,
  },
}
