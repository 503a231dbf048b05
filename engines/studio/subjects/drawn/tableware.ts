import { pairs } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing } from './pen.ts'
import { accent, turned } from './tint.ts'

export const tableware: Record<string, Drawing> = {
  fork: {
    paint: pen =>
      turned(pen, { x: -18, y: 0, angle: 0.34 }, () => {
        const steel = pen.main('#b9c3cd')
        for (const x of [-13.4, -5.8, 1.8, 9.4]) pen.box(x, -104, 4, 38, steel, 2)
        pen.shape([-13.4, -72, 13.4, -72, 13, -62, 7, -54, 2.6, -50, -2.6, -50, -7, -54, -13, -62], steel, 3)
        pen.poly([-2.8, -54, 2.8, -54, 4.8, -10, 4.2, -2, 0, 0, -4.2, -2, -4.8, -10], steel, 2)
        pen.line([-1, -50, -2, -14], 1, shade(steel, 0.5))
      }),
  },
  'wine-glass': {
    paint: pen => {
      const glass = accent(pen, '#cfdde4', 0.1)
      const isTinted = pen.main('') !== ''
      pen.oval(0, -3.4, 21, 4.2, glass)
      pen.box(-2, -50, 4, 46, glass, 1)
      const bowl = pen.shape([-19, -100, -25, -80, -20, -60, 0, -48, 20, -60, 25, -80, 19, -100], isTinted ? glass : '#e4edf2', 4)
      pen.clip(bowl, () => {
        pen.boxFlat(-30, -80, 60, 40, isTinted ? shade(pen.main(''), -0.22) : '#8f1f33')
        pen.ovalFlat(0, -80, 24.4, 4.4, isTinted ? shade(pen.main(''), -0.06) : '#b8324a')
      })
      pen.ring(0, -99, 18.6, 3, 1.4, isTinted ? shade(glass, 0.4) : '#f4fafc')
      pen.line([-17, -92, -20, -78, -17, -66], 2.2, '#ffffff90')
    },
  },
  broccoli: {
    paint: pen => {
      const green = pen.main('#3f8f3a')
      const stalk = accent(pen, '#9cc468', 0.3)
      pen.shape([-12, 0, -13, -22, -30, -46, -18, -58, 18, -58, 30, -46, 13, -22, 12, 0], stalk, 4)
      pen.line([-4, -4, -5, -28, -18, -48], 1.6, shade(stalk, -0.22))
      pen.line([5, -4, 6, -28, 18, -48], 1.6, shade(stalk, -0.22))
      for (const [x, y, r, tone] of [
        [-38, -52, 19, -0.14],
        [38, -52, 19, -0.2],
        [-24, -72, 21, -0.04],
        [24, -72, 21, -0.1],
        [0, -82, 22, 0.02],
        [-14, -54, 18, 0.06],
        [15, -54, 18, 0],
      ] as const) {
        pen.oval(x, y, r, r * 0.92, shade(green, tone))
        for (const [dx, dy] of pairs([-0.5, -0.4, 0.1, -0.6, 0.5, -0.1, -0.2, 0.1, 0.2, 0.5, -0.6, 0.3]))
          pen.ovalFlat(x + dx * r, y + dy * r * 0.9, r * 0.15, r * 0.13, shade(green, tone + 0.16))
      }
    },
  },
}
