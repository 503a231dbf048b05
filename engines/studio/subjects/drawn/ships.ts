import { triples } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing } from './pen.ts'
import { accent } from './tint.ts'
import { pane } from './vehicle-parts.ts'

export const ships: Record<string, Drawing> = {
  sailboat: {
    paint: pen => {
      const hull = pen.main('#c8352e')
      const cloth = pen.part('sails', accent(pen, '#fbf7ec', 0.3))
      pen.line([0, -20, 0, -104], 2.6, '#7a5436')
      pen.shape([-3, -101, -22, -76, -38, -50, -46, -27, -24, -25, -3, -26], cloth, 4)
      pen.shape([4, -97, 14, -76, 28, -50, 40, -27, 20, -25, 4, -26], shade(cloth, -0.06), 3)
      for (const [x, y, w] of triples([-4, -74, -16, -4, -50, -30])) pen.line([x, y, x + w, y + 2], 0.8, shade(cloth, -0.22))
      pen.line([-48, -24, 44, -24], 2, '#7a5436')
      const body = pen.shape([-58, -22, -30, -19, 30, -19, 62, -25, 50, -6, 36, 0, -38, 0, -52, -8], hull, 4)
      pen.clip(body, () => pen.boxFlat(-70, -9, 140, 3, pen.part('stripe', accent(pen, '#fbf7ec', 0.4))))
    },
    isSided: true,
    anchors: { seat: { x: -12, y: -21 }, opening: { x: -16, y: -21, width: 50 }, top: { x: -16, y: -21, width: 40 } },
  },
  yacht: {
    paint: pen => {
      const hull = pen.main('#f7f7f4')
      const dark = '#2c4258'
      pen.line([-8, -86, -2, -106], 3, '#aab4c0')
      pen.line([-12, -100, 8, -100], 2, '#aab4c0')
      pen.shape([-44, -76, -38, -88, 8, -88, 26, -74], shade(hull, -0.03), 3)
      pen.poly([-34, -78, -31, -85, 4, -85, 14, -78], dark, 1)
      pen.shape([-92, -52, -86, -76, 36, -76, 62, -52], hull, 4)
      pen.poly([-78, -58, -74, -70, 32, -70, 46, -58], dark, 1)
      for (const x of [-48, -16, 14]) pen.boxFlat(x, -71, 3, 14, hull)
      pen.line([-140, -60, -96, -60], 1.4, '#aab4c0')
      for (const x of [-138, -118, -98]) pen.line([x, -60, x, -46], 1.4, '#aab4c0')
      const body = pen.shape([-152, -46, -90, -52, 60, -52, 158, -58, 118, -14, 96, 0, -128, 0, -146, -12], hull, 7)
      pen.clip(body, () => {
        pen.polyFlat([-104, -34, 96, -38, 84, -28, -104, -25], dark)
        pen.boxFlat(-170, -8, 340, 9, accent(pen, '#2f5f94', -0.4))
      })
    },
    isSided: true,
    anchors: { seat: { x: -110, y: -50 }, opening: { x: -60, y: -52, width: 120 } },
  },
  tugboat: {
    paint: pen => {
      const hull = pen.main('#c8352e')
      const house = accent(pen, '#f6f1e4', 0.45)
      pen.box(-44, -100, 20, 42, accent(pen, '#f2b22e', 0.2), 3)
      pen.boxFlat(-44, -100, 20, 8, '#26272e')
      pen.box(-16, -94, 42, 26, house, 3)
      pane(pen, [-10, -76, -10, -90, 4, -90, 4, -76])
      pane(pen, [8, -76, 8, -90, 22, -90, 22, -76])
      pen.box(-24, -98, 56, 5, shade(hull, -0.1), 2)
      pen.box(-48, -68, 84, 28, house, 3)
      for (const x of [-34, -10, 14]) {
        pen.oval(x, -54, 6, 6, '#7d8794')
        pen.ovalFlat(x, -54, 4, 4, '#8fb6cc')
      }
      const body = pen.shape([-90, -42, -40, -36, 40, -38, 96, -58, 86, -18, 68, 0, -70, 0, -86, -14], hull, 6)
      pen.clip(body, () => pen.boxFlat(-100, -9, 200, 10, '#33363e'))
      for (const x of [-60, -24, 12, 48]) {
        pen.oval(x, -24, 8, 8, '#26272e')
        pen.ovalFlat(x, -24, 4, 4, shade(hull, -0.3))
      }
    },
    isSided: true,
    anchors: { opening: { x: -66, y: -42, width: 40 } },
  },
  kayak: {
    paint: pen => {
      const hull = pen.main('#f07f2e')
      pen.line([-120, -112, 90, -36], 7, '#5a5f6a')
      pen.shape([-152, -126, -120, -124, -104, -104, -136, -106], accent(pen, '#f4c430', 0.35), 3)
      pen.shape([-210, -62, -150, -52, -60, -46, 60, -46, 150, -52, 214, -64, 160, -18, 80, 0, -80, 0, -160, -18], hull, 8)
      pen.shape([-44, -48, -30, -58, 30, -58, 48, -48, 0, -40], '#2a2c34', 2)
      pen.line([-190, -44, 0, -24, 192, -46], 5, accent(pen, '#fbf7ec', 0.45))
      pen.shape([86, -40, 112, -40, 132, -22, 104, -20], accent(pen, '#f4c430', 0.35), 3)
    },
    isSided: true,
    anchors: { seat: { x: 0, y: -50 }, opening: { x: 0, y: -50, width: 76 } },
  },
  'cargo-ship': {
    paint: pen => {
      const hull = pen.main('#2f5f94')
      const boxes = ['#d8433a', '#f2b22e', '#3f9a6a', '#3f7fb8', '#e07a3a']
      for (let row = 0; row < 3; row++)
        for (let i = 0; i < 7 - row; i++)
          pen.box(
            -66 + i * 30 + row * 8,
            -58 - row * 16,
            28,
            15,
            accent(pen, boxes[(i * 2 + row) % 5] ?? '#d8433a', 0.1 + ((i + row) % 3) * 0.16),
            1,
          )
      pen.box(-138, -100, 44, 54, '#f6f4ee', 2)
      for (const y of [-92, -78, -64]) for (const x of [-132, -120, -108]) pen.boxFlat(x, y, 8, 6, '#33506a')
      pen.box(-118, -112, 16, 14, accent(pen, '#c8352e', -0.3), 2)
      const body = pen.shape([-152, -46, -90, -42, 120, -42, 172, -52, 150, -8, 140, 0, -130, 0, -146, -12], hull, 7)
      pen.clip(body, () => pen.boxFlat(-180, -12, 360, 13, accent(pen, '#8f2a2c', -0.35)))
    },
    isSided: true,
  },
}
