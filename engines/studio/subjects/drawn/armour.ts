import { scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

const inks = ['#c8352e', '#2f9a5a', '#2f6fc4'] as const

/** Draws `size.rows` horizontal plates of a suit of armour, one below the other; each is wider than
 *  the one above it by twice `size.flare`. */
function plates(pen: Pen, x: number, y: number, size: { width: number; rows: number; flare: number }, colour: string): void {
  for (let i = 0; i < size.rows; i++) {
    const half = size.width / 2 + i * size.flare
    pen.box(x - half, y + i * 5, half * 2, 5.6, i % 2 ? shade(colour, -0.14) : colour, 1)
    pen.boxFlat(x - half, y + i * 5 + 4.2, half * 2, 1, '#d9b25a')
  }
}

function kabuto(pen: Pen, top: number, scale: number, colour: string): void {
  const s = (value: number) => value * scale
  pen.shape([s(-30), top + s(44), s(-22), top + s(26), s(22), top + s(26), s(30), top + s(44), 0, top + s(48)], shade(colour, -0.2), 2)
  for (const y of [32, 38, 44])
    pen.line([s(-29 + (44 - y) * 0.5), top + s(y), 0, top + s(y + 3), s(29 - (44 - y) * 0.5), top + s(y)], s(1.2), '#d9b25a')
  pen.shape(
    [
      s(-24),
      top + s(30),
      s(-22),
      top + s(14),
      s(-10),
      top + s(4),
      s(10),
      top + s(4),
      s(22),
      top + s(14),
      s(24),
      top + s(30),
      0,
      top + s(27),
    ],
    colour,
    s(4),
  )
  for (const x of [-12, -4, 4, 12]) pen.line([s(x), top + s(26), s(x * 0.6), top + s(6)], s(0.9), shade(colour, 0.25))
  for (const side of [-1, 1])
    pen.shape(
      [s(side * 3), top + s(20), s(side * 14), top + s(6), s(side * 26), top + s(-14), s(side * 20), top + s(-2), s(side * 9), top + s(20)],
      '#e3b83a',
      s(2),
    )
  pen.oval(0, top + s(18), s(5), s(5), '#f2d060')
  pen.shape([s(-20), top + s(30), 0, top + s(25), s(20), top + s(30), 0, top + s(33)], shade(colour, -0.35), s(1))
}

export const armour: Record<string, Drawing> = {
  kabuto: { paint: pen => kabuto(pen, -80, 1.66, pen.main('#7a1f24')) },
  'samurai-armour': {
    paint: pen => {
      const lacquer = pen.main('#7a1f24')
      pen.box(-17, -6, 34, 6, '#4a2f1c', 1)
      for (const x of [-9, 9]) plates(pen, x, -22, { width: 12, rows: 3, flare: 0 }, '#3a3d46')
      for (const x of [-12, 0, 12]) plates(pen, x, -40, { width: 12, rows: 4, flare: 0.5 }, lacquer)
      pen.shape([-15, -40, -17, -62, -8, -67, 8, -67, 17, -62, 15, -40], lacquer, 3)
      for (const y of [-60, -54, -48]) pen.line([-15, y, 0, y + 1.4, 15, y], 1, '#d9b25a')
      for (const x of [-23, 23]) plates(pen, x, -65, { width: 12, rows: 4, flare: 0.6 }, lacquer)
      pen.shape([-7, -68, -8, -76, 8, -76, 7, -68, 0, -65], '#2b2328', 1)
      for (const x of [-3.4, 3.4]) pen.ovalFlat(x, -74, 1.6, 0.9, '#f2e6c0')
      pen.line([-3, -69, 0, -70, 3, -69], 1, '#d8d0c4')
      kabuto(pen, -95, 0.5, shade(lacquer, -0.12))
    },
  },
  'plate-armour': {
    paint: pen => {
      const steel = pen.main('#aeb8c4')
      for (const side of [-1, 1]) {
        pen.shape(scaled([2, -44, 11, -44, 10, -24, 9, -3, 3, -3, 2.4, -24], [side, 1]), steel, 2)
        pen.oval(side * 6.4, -25, 5, 4.6, shade(steel, 0.2))
        pen.shape([side * 2, -5, side * 9, -5, side * 14, 0, side * 2, 0], shade(steel, -0.15), 1)
        pen.shape(scaled([12, -72, 19, -70, 20, -56, 18, -42, 13, -42, 12, -56], [side, 1]), steel, 2)
        pen.oval(side * 16, -56, 4, 4, shade(steel, 0.2))
        pen.oval(side * 15.6, -39, 4, 4.6, shade(steel, -0.15))
        pen.oval(side * 14, -72, 7.4, 6, shade(steel, 0.12))
      }
      pen.shape([-12, -74, 12, -74, 13, -60, 9, -46, 12, -38, -12, -38, -9, -46, -13, -60], steel, 3)
      pen.line([0, -72, 0, -46], 1.2, shade(steel, -0.3))
      pen.box(-11, -48, 22, 3.4, '#7a4a28', 1)
      pen.shape([-8.5, -76, -9.5, -88, -6, -95, 6, -95, 9.5, -88, 8.5, -76, 0, -73], shade(steel, 0.06), 2)
      pen.boxFlat(-8, -87, 16, 2.4, '#23262d')
      for (const y of [-82, -79]) for (const x of [-4, 0, 4]) pen.ovalFlat(x, y, 0.8, 0.8, '#23262d')
      pen.shape([0, -94, -3, -101, 4, -106, 12, -100, 10, -90, 6, -96], '#c8352e', 2)
    },
  },
  'viking-helmet': {
    paint: pen => {
      const steel = pen.main('#9aa4b0')
      for (const side of [-1, 1])
        pen.shape(scaled([44, -40, 70, -48, 84, -74, 80, -100, 72, -78, 58, -64, 42, -58], [side, 1]), '#f2e6cc', 5)
      pen.shape([-50, -22, -48, -54, -28, -82, 0, -90, 28, -82, 48, -54, 50, -22], steel, 9)
      pen.box(-54, -32, 108, 14, '#b8863a', 3)
      pen.box(-6, -90, 12, 62, '#b8863a', 3)
      for (const x of [-44, -24, 24, 44]) pen.oval(x, -25, 3, 3, '#f0d48a')
      pen.shape([-8, -20, 8, -20, 6, 0, -6, 0], '#b8863a', 2)
    },
  },
  sombrero: {
    paint: pen => {
      const straw = pen.main('#e0b44a')
      pen.oval(0, -18, 118, 20, shade(straw, -0.1))
      for (let i = 0; i < 22; i++)
        pen.ovalFlat(
          -110 + i * 10.5,
          -18 + Math.sin(Math.acos(Math.min(1, Math.abs(-110 + i * 10.5) / 112))) * 16,
          3.4,
          2.6,
          inks[i % 3] ?? '#c8352e',
        )
      pen.shape([-44, -24, -34, -66, -18, -98, 0, -104, 18, -98, 34, -66, 44, -24, 0, -14], straw, 7)
      pen.shape([-45, -22, -41, -38, 0, -30, 41, -38, 45, -22, 0, -13], '#b83228', 2)
      for (const x of [-30, -15, 0, 15, 30]) pen.polyFlat([x - 5, -24, x, -32, x + 5, -24, x, -17], '#f6e6b0')
    },
  },
}
