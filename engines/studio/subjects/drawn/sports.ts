import { pairs } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { accent, turned } from './tint.ts'

/** Draws one stuffed leather finger of a glove, from `root` outwards. */
function finger(pen: Pen, root: { x: number; y: number; angle: number }, size: { length: number; width: number }, colour: string): void {
  turned(pen, root, () => pen.box(-size.width / 2, -size.length, size.width, size.length + size.width * 0.4, colour, size.width * 0.48))
}

function ski(pen: Pen, x: number, angle: number, colour: string): void {
  turned(pen, { x, y: 0, angle }, () => {
    pen.shape([-5, -1, -5.4, -40, -5, -84, -3.6, -95, 0, -101, 3.6, -95, 5, -84, 5.4, -40, 5, -1], colour, 2)
    pen.boxFlat(-5, -76, 10, 4, accent(pen, '#f4f6f9', 0.45))
    pen.boxFlat(-5, -20, 10, 4, accent(pen, '#f4f6f9', 0.45))
    pen.box(-6.6, -52, 13.2, 7, '#3a3d46', 2)
    pen.box(-6.6, -40, 13.2, 9, '#3a3d46', 2)
  })
}

function skiPole(pen: Pen, x: number, angle: number): void {
  turned(pen, { x, y: 0, angle }, () => {
    pen.box(-1.1, -78, 2.2, 78, '#8d97a4', 1)
    pen.oval(0, -7, 6, 2.2, '#3a3d46')
    pen.box(-2.4, -88, 4.8, 14, '#3a3d46', 2)
  })
}

export const sports: Record<string, Drawing> = {
  'baseball-bat': {
    paint: pen =>
      turned(pen, { x: -34, y: 0, angle: 0.62 }, () => {
        const wood = pen.main('#d39a55')
        pen.shape([-9.5, -108, 0, -114, 9.5, -108, 11, -84, 8, -56, 4.4, -30, 3.6, -6, -3.6, -6, -4.4, -30, -8, -56, -11, -84], wood, 4)
        pen.box(-4.4, -32, 8.8, 28, accent(pen, '#5a3a28', -0.35), 3)
        for (const y of [-27, -21, -15, -9]) pen.line([-3.6, y, 3.6, y - 3], 1, accent(pen, '#3f281c', -0.55))
        pen.oval(0, -3, 7, 4, accent(pen, '#b9803f', -0.2))
        pen.boxFlat(-9, -96, 18, 2, accent(pen, '#b3782f', -0.25))
      }),
  },
  'baseball-glove': {
    paint: pen => {
      const leather = pen.main('#b06a32')
      const dark = accent(pen, '#8a4d22', -0.28)
      const lace = accent(pen, '#f0d8a8', 0.55)
      pen.shapeFlat([16, -64, 40, -84, 58, -66, 44, -34, 24, -36], dark)
      for (const [a, b, c, d] of [
        [24, -66, 48, -44],
        [34, -76, 54, -56],
        [52, -74, 26, -44],
      ] as const)
        pen.line([a, b, c, d], 3, leather)
      finger(pen, { x: -30, y: -44, angle: -0.5 }, { length: 40, width: 21 }, leather)
      finger(pen, { x: -14, y: -54, angle: -0.16 }, { length: 44, width: 21 }, leather)
      finger(pen, { x: 6, y: -56, angle: 0.1 }, { length: 44, width: 21 }, leather)
      finger(pen, { x: 20, y: -50, angle: 0.36 }, { length: 42, width: 20 }, leather)
      finger(pen, { x: 34, y: -24, angle: 0.92 }, { length: 42, width: 24 }, leather)
      pen.shape([-44, -40, -34, -58, 0, -64, 26, -56, 44, -34, 40, -12, 24, 0, -22, 0, -40, -14], leather, 6)
      pen.shapeFlat([-24, -44, 0, -54, 22, -44, 26, -26, 8, -14, -14, -18], dark)
      pen.oval(0, -35, 17, 17, '#fbfaf6')
      pen.line([-11, -46, -6, -36, -10, -24], 1.6, '#d2423a')
      pen.line([11, -46, 6, -35, 10, -24], 1.6, '#d2423a')
      for (const x of [-24, -8, 8]) pen.line([x, -62, x + 12, -63], 2.4, lace)
      pen.line([-32, -12, -4, -6, 28, -10], 2.6, lace)
    },
  },
  'tennis-racket': {
    paint: pen =>
      turned(pen, { x: -30, y: 0, angle: 0.55 }, () => {
        const frame = pen.main('#d8412f')
        const strings = '#f1efe2'
        for (let i = -20; i <= 20; i += 5) {
          const half = Math.sqrt(1 - (i / 26) ** 2)
          pen.line([i, -82 - half * 30, i, -82 + half * 30], 0.9, strings)
          const across = Math.sqrt(1 - ((i * 1.3) / 32) ** 2) * 25
          pen.line([-across, -82 + i * 1.3, across, -82 + i * 1.3], 0.9, strings)
        }
        pen.ring(0, -82, 25, 31, 6.4, frame)
        pen.ring(-0.8, -82.8, 25.6, 31.6, 1.6, shade(frame, 0.35))
        pen.line([-14, -56, -3, -38], 5, frame)
        pen.line([14, -56, 3, -38], 5, shade(frame, -0.2))
        pen.box(-3.6, -42, 7.2, 16, frame, 2)
        pen.box(-4.6, -28, 9.2, 28, accent(pen, '#33363e', -0.4), 3)
        for (const y of [-23, -17, -11, -5]) pen.line([-4, y, 4, y - 3], 1, '#8d97a4')
      }),
  },
  skis: {
    paint: pen => {
      const board = pen.main('#d8362f')
      skiPole(pen, -30, 0.06)
      skiPole(pen, 30, -0.06)
      ski(pen, -9, -0.09, board)
      ski(pen, 9, 0.09, board)
    },
  },
  skateboard: {
    anchors: { top: { x: 0, y: -50, width: 176 } },
    paint: pen => {
      const deck = pen.main('#d8582f')
      const wheels = accent(pen, '#f2e6c8', 0.4)
      for (const x of [-44, 68]) pen.oval(x, -16, 10, 10, shade(wheels, -0.3))
      for (const x of [-62, 50]) pen.poly([x - 12, -30, x + 12, -30, x + 6, -16, x - 6, -16], '#8d97a4', 2)
      pen.shape([-118, -60, -104, -62, -66, -44, 62, -44, 102, -64, 118, -60, 88, -34, 66, -28, -70, -28, -92, -34], shade(deck, -0.28), 2)
      pen.shape([-118, -62, -102, -70, -56, -54, 74, -54, 106, -70, 119, -62, 84, -42, 62, -38, -68, -38, -90, -42], deck, 3)
      for (const x of [-66, -54, 46, 58]) pen.ovalFlat(x, -46, 1.8, 1.4, '#5a5f6a')
      for (const x of [-60, 52]) {
        pen.oval(x, -13, 13, 13, wheels)
        pen.oval(x, -13, 5, 5, '#6a707c')
      }
    },
  },
  'flat-surfboard': {
    anchors: { top: { x: 0, y: -13, width: 150 } },
    paint: pen => {
      const board = pen.main('#f2c85a')
      pen.shape([-118, -9, -70, -3, 60, -3, 118, -17, 92, -2, 40, 3, -70, 3, -104, -1], shade(board, -0.28), 4)
      const deck = pen.shape([-118, -10, -96, -17, -30, -20, 50, -20, 104, -20, 118, -18, 84, -7, 20, -3, -70, -3, -104, -6], board, 4)
      pen.clip(deck, () => {
        pen.polyFlat([-62, 0, -46, 0, -30, -24, -46, -24], '#e0533a')
        pen.polyFlat([-38, 0, -28, 0, -12, -24, -22, -24], '#3f8fd0')
      })
    },
  },
  kite: {
    paint: pen =>
      turned(pen, { x: 0, y: -60, angle: 0.42 }, () => {
        const cloth = pen.main('#e2483c')
        const other = accent(pen, '#f6c63a', 0.3)
        pen.line([0, 44, -10, 58, 6, 72, -8, 88, 4, 104], 1.6, shade(cloth, -0.35))
        for (const [x, y] of pairs([-6, 60, 2, 76, -3, 92])) {
          pen.poly([x, y, x - 10, y - 6, x - 10, y + 6], cloth, 1)
          pen.poly([x, y, x + 10, y - 6, x + 10, y + 6], other, 1)
        }
        pen.polyFlat([0, -60, 40, -14, 0, -14], other)
        pen.polyFlat([0, -60, -40, -14, 0, -14], cloth)
        pen.polyFlat([0, 46, -40, -14, 0, -14], shade(other, -0.08))
        pen.polyFlat([0, 46, 40, -14, 0, -14], shade(cloth, -0.14))
        pen.line([0, -60, 0, 46], 1.6, shade(cloth, -0.4))
        pen.line([-40, -14, 40, -14], 1.6, shade(cloth, -0.4))
      }),
  },
}
