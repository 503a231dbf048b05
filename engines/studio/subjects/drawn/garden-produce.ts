import { pairs } from '../../pairs.ts'
import { ellipse } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

const leaf = '#5f9a44'

function leaves(pen: Pen, x: number, y: number, length: number, count = 3): void {
  for (let i = 0; i < count; i++) {
    const lean = (i - (count - 1) / 2) * length * 0.45
    pen.shape(
      [x, y, x + lean - length * 0.16, y - length * 0.55, x + lean, y - length, x + lean + length * 0.18, y - length * 0.5],
      shade(leaf, (i % 2) * 0.14),
      2,
    )
  }
}

/** Draws a root vegetable with its leaves. */
function root(pen: Pen, colour: string, points: number[], top: number): void {
  leaves(pen, 0, top + 3, -top < 70 ? 42 : 30, 4)
  pen.shape(points, colour, 5)
}

function berry(pen: Pen, colour: string): void {
  pen.shape([-24, -82, 0, -86, 24, -82, 30, -54, 14, -12, 0, -2, -14, -12, -30, -54], shade(colour, -0.2), 3)
  for (let row = 0; row < 6; row++) {
    const count = [4, 5, 5, 4, 3, 1][row] ?? 1
    for (let i = 0; i < count; i++) pen.oval((i - (count - 1) / 2) * 13, -76 + row * 13, 8.4, 8, shade(colour, ((row + i) % 2) * 0.12))
  }
  leaves(pen, 0, -80, 20, 5)
}

/** Draws the cut side of a halved round fruit: the skin and the flesh; `middle` draws the core. */
function cut(pen: Pen, rind: string, flesh: string, middle: () => void): void {
  pen.oval(0, -50, 50, 50, rind)
  pen.ovalFlat(0, -50, 44, 44, flesh)
  middle()
}

export const gardenProduce: Record<string, Drawing> = {
  daikon: {
    paint: pen => root(pen, pen.main('#f7f5ec'), [-13, -68, 13, -68, 15, -44, 10, -16, 2, 0, -2, 0, -10, -16, -15, -44], -66),
  },
  radish: {
    paint: pen => {
      root(pen, pen.main('#d8345a'), [-20, -52, 0, -58, 20, -52, 26, -34, 16, -14, 3, 0, -3, 0, -16, -14, -26, -34], -56)
      pen.polyFlat([-7, -8, 7, -8, 1, 2, -1, 2], '#f7ece8')
    },
  },
  beet: {
    paint: pen => root(pen, pen.main('#8a2a4a'), [-20, -52, 0, -58, 20, -52, 28, -34, 16, -14, 2, 0, -2, 0, -16, -14, -28, -34], -56),
  },
  turnip: {
    paint: pen => {
      root(pen, pen.main('#f4eee6'), [-22, -54, 0, -60, 22, -54, 30, -36, 18, -14, 2, 0, -2, 0, -18, -14, -30, -36], -58)
      pen.shapeFlat([-22, -54, 0, -60, 22, -54, 27, -42, 0, -38, -27, -42], '#b36a9ac0')
    },
  },
  'spring-onion': {
    paint: pen => {
      for (const x of [-12, 0, 12]) {
        pen.line([x, -8, x * 0.8, -46], 8, '#f7f5e8')
        pen.line([x * 0.8, -44, x * 0.8, -70, x * 2.2, -99], 7, pen.main('#5fa34a'))
        pen.oval(x, -7, 7, 7, '#fbfaf2')
      }
    },
  },
  asparagus: {
    paint: pen => {
      for (const [x, turn] of pairs([-15, -0.07, -5, -0.02, 6, 0.03, 16, 0.08])) {
        pen.context.save()
        pen.context.rotate(turn)
        const green = pen.main('#7fae4a')
        pen.box(x - 4, -84, 8, 84, green, 2)
        pen.shape([x - 5, -80, x - 6, -92, x, -101, x + 6, -92, x + 5, -80], shade(green, -0.14), 2)
        for (const y of [-62, -44, -26]) pen.poly([x - 3, y, x, y - 8, x + 3, y], shade(green, -0.24), 0.5)
        pen.context.restore()
      }
      pen.box(-24, -36, 48, 7, '#c8a060', 3)
    },
  },
  artichoke: {
    paint: pen => {
      const green = pen.main('#86a860')
      pen.box(-6, -16, 12, 16, shade(green, -0.15), 3)
      for (let row = 0; row < 5; row++)
        for (let i = 0; i < 5 - (row % 2); i++) {
          const count = 5 - (row % 2)
          const x = (i - (count - 1) / 2) * ([9, 15, 19, 18, 13][row] ?? 15)
          const y = -78 + row * 16
          pen.shape([x - 12, y + 8, x - 9, y - 8, x, y - 20, x + 9, y - 8, x + 12, y + 8], shade(green, (row % 2) * 0.12 - 0.02), 3)
        }
    },
  },
  'green-beans': {
    paint: pen => {
      for (let i = 0; i < 7; i++) {
        const x = -54 + i * 18
        pen.line([x, -6 - (i % 2) * 6, x - 12 + (i % 3) * 8, -50, x + 8, -94 + (i % 3) * 6], 9, shade(pen.main('#5fa03c'), (i % 3) * 0.1))
      }
    },
  },
  celery: {
    paint: pen => {
      const green = pen.main('#a9cf6a')
      for (const x of [-14, 0, 14]) {
        leaves(pen, x * 1.8, -64, 34, 3)
        pen.poly([x - 7, 0, x - 6 + x * 0.6, -68, x + 6 + x * 0.6, -68, x + 7, 0], shade(green, x === 0 ? 0.12 : 0), 2)
        for (const at of [-2, 2]) pen.line([x + at, -4, x * 1.6 + at, -64], 0.9, shade(green, -0.2))
      }
    },
  },
  cabbage: {
    paint: pen => {
      const green = pen.main('#9cc96a')
      pen.oval(0, -48, 56, 48, shade(green, -0.12))
      pen.shape([-56, -36, -50, -76, -12, -94, -22, -50, -14, -6, -40, -10], shade(green, 0.06), 4)
      pen.shape([56, -36, 50, -78, 10, -94, 24, -50, 12, -6, 40, -10], shade(green, -0.04), 4)
      pen.shape([-24, -20, -30, -62, 0, -88, 30, -62, 24, -20, 0, -8], shade(green, 0.2), 4)
      for (const x of [-14, 0, 14]) pen.line([0, -12, x, -44, x * 1.5, -68], 1.8, shade(green, 0.5))
    },
  },
  cauliflower: {
    paint: pen => {
      for (const side of [-1, 1])
        pen.shape([0, -4, side * 44, -14, side * 66, -58, side * 48, -52, side * 26, -30], shade(leaf, side * 0.08), 4)
      const white = pen.main('#f8f2de')
      for (let i = 0; i < 17; i++) {
        const radius = Math.sqrt((i + 0.5) / 17)
        pen.oval(Math.cos(i * 2.4) * 40 * radius, -62 + Math.sin(i * 2.4) * 28 * radius, 15, 13, shade(white, (i % 3) * -0.05))
      }
      pen.shape([-30, -4, -34, -34, -12, -22, 0, -6, 12, -22, 34, -34, 30, -4, 0, 0], shade(leaf, 0.2), 3)
    },
  },
  'brussels-sprout': {
    paint: pen => {
      const green = pen.main('#8fb84e')
      pen.oval(0, -50, 44, 48, green)
      pen.shape([-44, -46, -30, -86, 0, -96, -14, -50, -8, -4, -34, -16], shade(green, 0.14), 3)
      pen.shape([44, -46, 32, -84, 6, -94, 18, -50, 8, -4, 34, -16], shade(green, -0.12), 3)
      pen.box(-8, -6, 16, 6, '#dfe3b8', 2)
    },
  },
  zucchini: {
    paint: pen => {
      pen.box(-92, -70, 20, 18, '#9cb86a', 4)
      const green = pen.main('#4f8a3c')
      const body = pen.shape([-80, -74, -40, -92, 40, -98, 86, -70, 90, -38, 60, -12, -30, -22, -76, -44], green, 8)
      pen.clip(body, () => {
        for (let i = 0; i < 5; i++) pen.line([-80, -66 + i * 8, 0, -84 + i * 16, 92, -70 + i * 12], 1.8, shade(green, 0.24))
      })
    },
  },
  'red-onion': {
    paint: pen => {
      const skin = pen.main('#8a3a68')
      pen.shape([-6, -80, -2, -100, 6, -98, 8, -80, 38, -66, 48, -38, 34, -10, 6, -3, -6, -3, -34, -10, -48, -38, -38, -66], skin, 6)
      for (const x of [-26, -9, 9, 26]) pen.line([x * 0.3, -80, x * 1.1, -44, x * 0.5, -6], 1.8, shade(skin, 0.28))
      for (const x of [-5, 0, 5]) pen.line([x * 0.5, -4, x, 1], 1.4, '#d9c29a')
    },
  },
  raspberry: { paint: pen => berry(pen, pen.main('#d83a5a')) },
  blackberry: { paint: pen => berry(pen, pen.main('#3a2a4a')) },
  plum: {
    paint: pen => {
      pen.line([0, -86, 6, -101], 4, '#7a5230')
      pen.shape([10, -92, 30, -102, 42, -90, 24, -84], leaf, 2)
      const skin = pen.main('#6a2f7a')
      pen.oval(0, -44, 42, 44, skin)
      pen.line([4, -86, 10, -46, 4, -6], 2, shade(skin, -0.3))
      pen.ovalFlat(-17, -62, 9, 14, '#ffffff38')
    },
  },
  pomegranate: {
    paint: pen => {
      const skin = pen.main('#c2303c')
      pen.poly([-13, -80, -18, -100, -6, -92, 0, -101, 6, -92, 18, -100, 13, -80], skin, 2)
      pen.oval(0, -42, 46, 42, skin)
      pen.shapeFlat([-6, -70, 28, -62, 34, -32, 14, -12, -10, -24, -16, -50], '#f7e4c4')
      for (let i = 0; i < 18; i++) {
        const radius = Math.sqrt((i + 0.5) / 18)
        pen.oval(8 + Math.cos(i * 2.4) * 20 * radius, -42 + Math.sin(i * 2.4) * 24 * radius, 5, 5.4, '#a8162a')
      }
    },
  },
  lychee: {
    paint: pen => {
      pen.line([0, -90, 4, -101], 3, '#7a5230')
      const skin = pen.main('#d0455a')
      pen.oval(0, -46, 44, 46, skin)
      pen.clip(ellipse(0, -46, 44, 46), () => {
        for (let row = 0; row < 9; row++)
          for (let i = -4; i <= 4; i++) pen.oval(i * 11 + (row % 2) * 5.5, -90 + row * 11, 4, 3.6, shade(skin, 0.14))
      })
    },
  },
  'dragon-fruit': {
    paint: pen => {
      const skin = pen.main('#e0407a')
      for (const [x, y, tip, end] of [
        [-34, -50, -58, -74],
        [34, -50, 58, -74],
        [-36, -28, -60, -42],
        [36, -28, 60, -42],
        [-20, -76, -30, -100],
        [20, -76, 30, -100],
        [0, -80, 0, -104],
      ] as const)
        pen.poly([x - 9, y + 6, tip, end, x + 9, y + 4], '#9cbf4a', 1)
      pen.oval(0, -44, 42, 44, skin)
      pen.ovalFlat(4, -42, 30, 32, '#fbf8f4')
      for (let i = 0; i < 34; i++)
        pen.ovalFlat(4 + Math.cos(i * 2.4) * 27 * Math.sqrt(i / 34), -42 + Math.sin(i * 2.4) * 28 * Math.sqrt(i / 34), 1.5, 1.5, '#2a2430')
    },
  },
  'star-fruit': {
    paint: pen => {
      const points: number[] = []
      for (let i = 0; i < 10; i++)
        points.push(Math.sin((i * Math.PI) / 5) * (i % 2 ? 24 : 52), -50 - Math.cos((i * Math.PI) / 5) * (i % 2 ? 24 : 52))
      pen.shape(points, pen.main('#e8cf3a'), 4)
      for (let i = 0; i < 5; i++) {
        const [x, y] = [Math.sin((i * Math.PI) / 2.5), -Math.cos((i * Math.PI) / 2.5)]
        pen.line([0, -50, x * 40, -50 + y * 40], 2, '#f7f0a0')
        pen.oval(x * 17, -50 + y * 17, 2.6, 4, '#a8842a', i * 1.257)
      }
    },
  },
  fig: {
    paint: pen => {
      const skin = pen.main('#5a3a6a')
      pen.shape([-4, -92, 0, -101, 5, -92, 20, -72, 40, -40, 30, -10, 0, 0, -30, -10, -40, -40, -20, -72], skin, 6)
      for (const x of [-18, 0, 18]) pen.line([x * 0.2, -88, x * 1.1, -46, x * 0.7, -8], 1.6, shade(skin, 0.24))
    },
  },
  papaya: {
    paint: pen => {
      pen.shape([-5, -99, 12, -92, 32, -56, 40, -28, 22, -4, -22, -4, -40, -28, -32, -56], pen.main('#dfa83a'), 3)
      pen.shapeFlat([-2, -92, 10, -84, 26, -54, 33, -28, 18, -9, -18, -9, -33, -28, -26, -54], '#f2844a')
      pen.shapeFlat([0, -66, 13, -44, 14, -24, 0, -18, -14, -24, -13, -44], '#c85a30')
      for (let i = 0; i < 14; i++)
        pen.oval(Math.cos(i * 2.4) * 11 * Math.sqrt(i / 14), -38 + Math.sin(i * 2.4) * 20 * Math.sqrt(i / 14), 3, 3, '#2a2024')
    },
  },
  'orange-slice': {
    paint: pen =>
      cut(pen, pen.main('#f2922a'), '#fbe8c0', () => {
        for (let i = 0; i < 10; i++) {
          const [a, b] = [i * 0.628 + 0.06, i * 0.628 + 0.57]
          pen.poly(
            [
              Math.cos((a + b) / 2) * 4,
              -50 + Math.sin((a + b) / 2) * 4,
              Math.cos(a) * 40,
              -50 + Math.sin(a) * 40,
              Math.cos(b) * 40,
              -50 + Math.sin(b) * 40,
            ],
            shade(pen.main('#f2922a'), 0.12),
            1,
          )
        }
      }),
  },
  'apple-half': {
    paint: pen => {
      pen.line([0, -88, 5, -101], 4, '#7a5230')
      pen.shape([0, -84, 26, -92, 48, -70, 44, -30, 20, -2, 0, -6, -20, -2, -44, -30, -48, -70, -26, -92], pen.main('#d8342b'), 2)
      pen.shapeFlat([0, -77, 24, -84, 42, -66, 38, -32, 18, -8, 0, -11, -18, -8, -38, -32, -42, -66, -24, -84], '#fbf3d6')
      pen.shapeFlat([0, -60, 13, -44, 0, -26, -13, -44], '#efdfae')
      for (const side of [-1, 1]) pen.oval(side * 5, -42, 3, 6, '#5a3420', side * 0.3)
    },
  },
  'walnut-half': {
    paint: pen =>
      cut(pen, pen.main('#b98a54'), '#e3c591', () => {
        for (const side of [-1, 1])
          for (const [x, y, rx, ry] of [
            [17, -70, 14, 12],
            [25, -48, 14, 13],
            [17, -28, 14, 12],
            [9, -50, 9, 14],
          ] as const)
            pen.oval(side * x, y, rx, ry, '#a8743c', side * 0.4)
        pen.line([0, -88, 0, -12], 5, '#e9d3a4')
      }),
  },
  walnut: {
    paint: pen => {
      const shell = pen.main('#b58a56')
      pen.shape([0, -101, 30, -88, 44, -50, 32, -12, 0, 0, -32, -12, -44, -50, -30, -88], shell, 6)
      pen.line([0, -98, -3, -50, 0, -3], 3.4, shade(shell, -0.34))
      for (const side of [-1, 1])
        for (const y of [-76, -56, -36, -18]) pen.line([side * 8, y, side * 20, y + 6, side * 30, y - 4], 2, shade(shell, -0.24))
    },
  },
  almond: {
    paint: pen => {
      const skin = pen.main('#a86a3a')
      pen.shape([0, -101, 20, -70, 28, -34, 14, -4, 0, 0, -14, -4, -28, -34, -20, -70], skin, 5)
      for (const x of [-12, -4, 5, 13]) pen.line([x * 0.4, -88, x * 1.2, -44, x * 0.7, -8], 1.4, shade(skin, -0.26))
    },
  },
  acorn: {
    paint: pen => {
      pen.line([0, -88, 5, -101], 5, '#6a4628')
      pen.shape([-30, -62, -26, -28, -4, -2, 4, -2, 26, -28, 30, -62], pen.main('#b9803e'), 5)
      pen.shape([-38, -60, -30, -82, 0, -92, 30, -82, 38, -60, 0, -54], '#7a5230', 4)
      for (let i = -3; i <= 3; i++) pen.line([i * 9, -60, i * 6, -84], 1.4, '#5a3a20')
    },
  },
  'pine-cone': {
    paint: pen => {
      const brown = pen.main('#8a5a34')
      pen.shape([0, -100, 28, -66, 34, -36, 18, -4, -18, -4, -34, -36, -28, -66], shade(brown, -0.3), 2)
      for (let row = 0; row < 8; row++) {
        const half = Math.sin(0.5 + row * 0.34) * 30
        for (let i = 0; i < 4 + (row % 2); i++) {
          const x = (i / (3 + (row % 2)) - 0.5) * 2 * half
          pen.poly([x - 9, -94 + row * 11.6, x + 9, -94 + row * 11.6, x, -80 + row * 11.6], shade(brown, (i % 2) * 0.16), 1.4)
        }
      }
    },
  },
  'watermelon-slice': {
    paint: pen => {
      pen.shape([-100, -92, 100, -92, 84, -40, 46, -8, 0, 0, -46, -8, -84, -40], '#3f8a44', 2)
      pen.shapeFlat([-92, -92, 92, -92, 77, -43, 42, -15, 0, -8, -42, -15, -77, -43], '#e9f0c8')
      pen.shapeFlat([-86, -92, 86, -92, 71, -46, 39, -20, 0, -14, -39, -20, -71, -46], pen.main('#e8485a'))
      pen.boxFlat(-102, -102, 204, 11, pen.main('#e8485a'), 4)
      for (const [x, y] of pairs([-50, -74, -20, -60, 14, -76, 44, -60, -30, -38, 18, -38])) pen.oval(x, y, 4, 6, '#2a2024')
    },
  },
}
