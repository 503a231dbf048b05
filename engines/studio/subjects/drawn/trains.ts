import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { accent } from './tint.ts'
import { pane, paneRow } from './vehicle-parts.ts'

function bogie(pen: Pen, x: number): void {
  pen.box(x - 26, -18, 52, 7, '#3a3d46', 2)
  for (const dx of [-15, 15]) {
    pen.oval(x + dx, -9, 9, 9, '#2a2c34')
    pen.oval(x + dx, -9, 4.6, 4.6, '#8d97a4')
  }
}

export const trains: Record<string, Drawing> = {
  train: {
    paint: pen => {
      const paint = pen.main('#c8352e')
      const band = pen.part('stripe', accent(pen, '#f3e6c8', 0.36))
      const roof = pen.part('roof', accent(pen, '#5a616c', -0.28))
      pen.box(-146, -99, 142, 10, roof, 4)
      const coach = pen.box(-148, -94, 146, 76, paint, 4)
      pen.clip(coach, () => pen.boxFlat(-150, -48, 150, 7, band))
      paneRow(pen, { from: -144, to: -24, count: 5, top: -82, height: 26, frame: shade(paint, -0.25) })
      pen.box(-22, -84, 15, 62, shade(paint, -0.14), 2)
      pen.boxFlat(-19, -80, 9, 20, '#8fb6cc', 1)
      pen.box(-4, -40, 12, 14, '#3a3d46', 2)
      pen.box(8, -99, 96, 8, roof, 3)
      const engine = pen.poly([6, -18, 6, -94, 104, -94, 124, -62, 142, -52, 146, -18], paint, 5)
      pen.clip(engine, () => {
        pen.boxFlat(0, -48, 160, 7, band)
        pen.polyFlat([0, -28, 160, -28, 160, -14, 0, -14], shade(paint, -0.3))
      })
      pane(pen, [88, -62, 88, -86, 102, -86, 116, -62])
      for (const x of [16, 40, 64]) {
        pen.boxFlat(x, -84, 18, 22, shade(paint, -0.28), 2)
        for (let y = -80; y < -64; y += 5) pen.line([x + 3, y, x + 15, y], 1.4, shade(paint, 0.1))
      }
      pen.lamp(139, -40, 4.4, '#fff0b8')
      pen.poly([130, -16, 152, -16, 156, -6, 126, -6], '#3a3d46', 2)
      for (const x of [-116, -36, 38, 104]) bogie(pen, x)
    },
    isSided: true,
    anchors: { top: { x: -20, y: -98, width: 220 }, opening: { x: -84, y: -56, width: 110, height: 25 } },
  },
  'freight-train': {
    paint: pen => {
      const paint = pen.main('#e08a2e')
      for (const [x, colour] of [
        [-176, accent(pen, '#3f7fb0', -0.16)],
        [-92, accent(pen, '#8a4a34', 0.2)],
      ] as const) {
        pen.box(x, -84, 76, 62, colour, 2)
        for (let dx = 8; dx < 74; dx += 11) pen.line([x + dx, -80, x + dx, -26], 1.6, shade(colour, -0.24))
        pen.box(x - 4, -22, 84, 6, '#3a3d46', 1)
        for (const dx of [12, 62]) {
          pen.oval(x + dx, -8, 8, 8, '#2a2c34')
          pen.oval(x + dx, -8, 4, 4, '#8d97a4')
        }
      }
      pen.box(-10, -40, 150, 22, shade(paint, -0.2), 2)
      pen.box(0, -84, 84, 50, paint, 3)
      for (const x of [8, 32, 56]) {
        pen.boxFlat(x, -76, 18, 26, shade(paint, -0.26), 2)
        for (let y = -72; y < -52; y += 5) pen.line([x + 3, y, x + 15, y], 1.3, shade(paint, 0.1))
      }
      pen.box(84, -99, 32, 66, paint, 3)
      pane(pen, [88, -72, 88, -92, 112, -92, 112, -72])
      pen.box(116, -64, 26, 30, paint, 3)
      pen.lamp(141, -54, 3.6, '#fff0b8')
      for (const x of [22, 106]) bogie(pen, x)
    },
    isSided: true,
  },
}
