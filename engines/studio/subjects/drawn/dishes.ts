import { pairs, triples } from '../../pairs.ts'
import { ellipse } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { turned } from './tint.ts'

/** Draws a white plate seen slightly from above; `food` draws on it. */
function plated(pen: Pen, food: () => void): void {
  pen.oval(0, -16, 104, 17, '#f4f2ec')
  pen.ovalFlat(0, -19, 76, 11, '#dfdbd2')
  pen.ovalFlat(0, -18, 73, 10, '#fbfaf6')
  food()
}

/** Draws a bowl with a filling of the colour `filling`; `topping` draws what lies on the
 *  filling. */
function bowlOf(pen: Pen, bowl: string, filling: string, topping?: () => void): void {
  pen.ovalFlat(0, -72, 84, 20, shade(bowl, -0.3))
  pen.ovalFlat(0, -72, 76, 16, filling)
  topping?.()
  pen.shape([-86, -72, -70, -30, -38, -4, 38, -4, 70, -30, 86, -72, 44, -56, -44, -56], bowl, 6)
  pen.box(-32, -6, 64, 6, shade(bowl, -0.14), 3)
}

/** Calls `paint` for `count` things with positions that are spread evenly over the oval `area`. */
export function scatter(
  count: number,
  area: { x: number; y: number; rx: number; ry: number },
  paint: (x: number, y: number, i: number) => void,
): void {
  for (let i = 0; i < count; i++) {
    const radius = Math.sqrt((i + 0.5) / count)
    paint(area.x + Math.cos(i * 2.4) * area.rx * radius, area.y + Math.sin(i * 2.4) * area.ry * radius, i)
  }
}

export const dishes: Record<string, Drawing> = {
  'roast-turkey': {
    paint: pen => {
      pen.oval(0, -10, 118, 12, '#e9e6de')
      scatter(11, { x: 0, y: -14, rx: 100, ry: 6 }, (x, y, i) => pen.oval(x, y, 12, 7, i % 2 ? '#5f9a44' : '#7fb354'))
      const skin = pen.main('#b8702c')
      pen.shape([-86, -24, -82, -60, -46, -90, 4, -98, 50, -84, 78, -50, 76, -22, 40, -10, -50, -10], skin, 9)
      pen.shapeFlat([-54, -66, -24, -86, 20, -86, -4, -72, -36, -54], shade(skin, 0.3))
      pen.shape([18, -30, 30, -60, 62, -64, 84, -44, 78, -22, 46, -16], shade(skin, -0.1), 5)
      pen.line([80, -42, 104, -62], 9, '#f0e2c8')
      pen.oval(108, -70, 8, 7, '#f7efe0')
      pen.oval(114, -62, 7, 6, '#f7efe0')
      pen.shape([-70, -28, -50, -56, -16, -48, -24, -24, -50, -16], shade(skin, -0.14), 4)
      for (const x of [-96, 92]) pen.oval(x, -16, 10, 9, '#d8342b')
    },
  },
  nachos: {
    paint: pen =>
      plated(pen, () => {
        scatter(16, { x: 0, y: -42, rx: 60, ry: 34 }, (x, y, i) => {
          turned(pen, { x: x, y: y, angle: i * 1.3 }, () => pen.poly([-17, 12, 17, 12, 0, -19], i % 2 ? '#e9b44c' : '#f2c666', 2))
        })
        pen.shapeFlat([-40, -56, -20, -80, 20, -78, 42, -52, 24, -48, 14, -34, 0, -48, -16, -36, -26, -50], '#f7a62c')
        scatter(8, { x: 0, y: -58, rx: 36, ry: 18 }, (x, y, i) =>
          pen.oval(x, y, 4, 3.4, ['#d8342b', '#5f9a3c', '#2f2a28'][i % 3] ?? '#d8342b'),
        )
      }),
  },
  'tortilla-chip': { paint: pen => pen.poly([-56, -8, 56, -8, 0, -100], pen.main('#eab64e'), 5) },
  'onion-rings': {
    paint: pen =>
      plated(pen, () => {
        for (const [x, y] of pairs([-38, -30, 36, -30, 0, -34, -20, -56, 22, -58, 0, -80])) pen.ring(x, y, 24, 13, 10, pen.main('#d39a4a'))
      }),
  },
  nuggets: {
    paint: pen =>
      plated(pen, () =>
        scatter(8, { x: 0, y: -36, rx: 52, ry: 22 }, (x, y, i) =>
          pen.shape(
            [x - 22, y, x - 16, y - 15, x + 6, y - 18, x + 22, y - 8, x + 20, y + 8, x - 8, y + 12],
            i % 2 ? '#cf9440' : '#dba655',
            4,
          ),
        ),
      ),
  },
  'fried-egg': {
    paint: pen => {
      pen.shape([-88, -20, -96, -48, -62, -76, -20, -72, 10, -94, 60, -84, 92, -54, 84, -20, 40, -2, -30, -4], '#fbfaf4', 6)
      pen.oval(0, -48, 34, 25, pen.main('#f7b52c'))
      pen.ovalFlat(-10, -57, 10, 6, '#ffe9a8')
    },
  },
  'mac-and-cheese': {
    paint: pen =>
      bowlOf(pen, pen.main('#4f8fb0'), '#f2a92c', () =>
        scatter(30, { x: 0, y: -78, rx: 68, ry: 16 }, (x, y, i) => {
          pen.context.lineWidth = 7
          pen.context.strokeStyle = i % 2 ? '#f7c34a' : '#eda62e'
          pen.context.beginPath()
          pen.context.arc(x, y, 8, i, i + 3.4)
          pen.context.stroke()
        }),
      ),
  },
  'fried-rice': {
    paint: pen =>
      bowlOf(pen, pen.main('#c8453a'), '#ecd9a4', () =>
        scatter(90, { x: 0, y: -82, rx: 66, ry: 20 }, (x, y, i) =>
          pen.ovalFlat(x, y - (i % 3) * 3, 5, 2.6, ['#f6ead0', '#f2dca2', '#7fae4a', '#f6ead0', '#f08a3a'][i % 5] ?? '#f6ead0', i),
        ),
      ),
  },
  'tomato-soup': {
    paint: pen =>
      bowlOf(pen, pen.main('#f2efe8'), '#d8552c', () => {
        pen.ring(-6, -73, 30, 6, 2.6, '#f4dcb8')
        for (const [x, turn] of pairs([4, 0.5, 18, -0.4])) pen.oval(x, -76, 11, 4, '#5f9a44', turn)
      }),
  },
  cereal: {
    paint: pen =>
      bowlOf(pen, pen.main('#4f8fb0'), '#fbfaf4', () =>
        scatter(22, { x: 0, y: -76, rx: 62, ry: 12 }, (x, y, i) =>
          pen.ring(x, y, 7, 4.4, 3.6, ['#e0a03a', '#d8803a', '#e0566b'][i % 3] ?? '#e0a03a'),
        ),
      ),
  },
  chili: {
    paint: pen =>
      bowlOf(pen, pen.main('#e9dcc0'), '#8f3420', () =>
        scatter(22, { x: 0, y: -75, rx: 62, ry: 12 }, (x, y, i) => pen.oval(x, y, 8, 5, i % 3 ? '#6a2018' : '#c85a2c', i)),
      ),
  },
  guacamole: {
    paint: pen =>
      bowlOf(pen, pen.main('#6a6660'), '#9cbf4e', () => {
        pen.shape([-66, -74, -40, -92, 0, -98, 44, -90, 66, -74, 20, -66, -20, -66], '#a8c95a', 4)
        scatter(10, { x: 0, y: -82, rx: 44, ry: 9 }, (x, y, i) => pen.oval(x, y, 4, 3, i % 2 ? '#d8342b' : '#5f8a34'))
      }),
  },
  salsa: {
    paint: pen =>
      bowlOf(pen, pen.main('#6a6660'), '#cf3a26', () =>
        scatter(26, { x: 0, y: -76, rx: 62, ry: 13 }, (x, y, i) =>
          pen.oval(x, y, 6, 4, ['#e0523a', '#f2efe2', '#5f9a3c', '#b32a1c'][i % 4] ?? '#e0523a'),
        ),
      ),
  },
  'cheese-wheel': {
    paint: pen => {
      const rind = pen.main('#e8a72e')
      pen.barrel(ellipse(0, -30, 92, 28), rind)
      pen.boxFlat(-92, -68, 184, 40, rind)
      pen.oval(0, -70, 92, 28, '#f6cf62')
      pen.polyFlat([0, -70, 92, -66, 92, -28, 60, -10, 0, -34], '#f9e08e')
      pen.polyFlat([0, -70, 92, -66, 60, -46], '#f4f0e4')
      for (const [x, y] of pairs([30, -46, 58, -34, 16, -40])) pen.ovalFlat(x, y, 7, 5, '#e0b04a')
    },
  },
  'sushi-roll': {
    paint: pen => {
      for (const x of [-58, 0, 58]) {
        pen.barrel(ellipse(x, -26, 28, 22), '#26332a')
        pen.boxFlat(x - 28, -70, 56, 44, '#26332a')
        pen.oval(x, -70, 28, 19, '#33463a')
        pen.ovalFlat(x, -71, 24, 15.4, '#fbfaf4')
        pen.oval(x, -71, 11, 7.4, pen.main('#f2804e'))
        pen.ovalFlat(x + 4, -72, 4, 3, '#7fae4a')
      }
    },
  },
  'spring-roll': {
    paint: pen =>
      plated(pen, () => {
        for (const [x, y, turn] of triples([-20, -28, 0.12, 20, -34, -0.1, 0, -58, 0.05])) {
          turned(pen, { x: x, y: y, angle: turn }, () => {
            pen.box(-54, -13, 108, 26, pen.main('#d39a4a'), 12)
            for (const at of [-28, 4, 34]) pen.line([at, -10, at + 9, 9], 2, '#b3772e')
          })
        }
      }),
  },
  'fish-and-chips': {
    paint: pen =>
      plated(pen, () => {
        for (let i = 0; i < 9; i++) {
          turned(pen, { x: 20 + (i % 5) * 11, y: -30 - Math.floor(i / 5) * 14, angle: i * 0.5 - 0.8 }, () =>
            pen.box(-24, -5, 48, 10, i % 2 ? '#f2c75a' : '#e8b544', 2),
          )
        }
        pen.shape([-84, -30, -60, -62, -10, -70, 30, -52, 46, -40, 16, -28, -50, -22], pen.main('#cf9440'), 6)
        citrus(pen)
      }),
  },
  bao: {
    paint: pen => {
      const bun = pen.main('#f7f0e2')
      pen.shape([-58, -6, -66, -42, -42, -76, 0, -94, 42, -76, 66, -42, 58, -6, 0, 0], bun, 8)
      for (let i = -3; i <= 3; i++) pen.line([i * 3, -90, i * 11, -72, i * 17, -50], 2, shade(bun, -0.2))
      pen.oval(0, -94, 7, 5, shade(bun, -0.1))
    },
  },
  'corn-dog': {
    paint: pen => {
      pen.box(-2.4, -34, 4.8, 34, '#d9b98a', 2)
      pen.box(-13, -100, 26, 72, pen.main('#c98236'), 13)
      pen.line([-6, -90, 6, -80, -6, -70, 6, -60, -6, -50, 6, -40], 3, '#f2c230')
    },
  },
  'pork-chop': {
    paint: pen =>
      plated(pen, () => {
        pen.shape([-64, -30, -56, -62, -20, -78, 20, -64, 56, -60, 72, -40, 50, -24, 6, -18, -40, -16], pen.main('#b5703e'), 6)
        for (let i = 0; i < 4; i++) pen.line([-44 + i * 22, -28, -30 + i * 22, -58], 3, '#7a4020')
        pen.line([54, -50, 84, -66], 8, '#f0e2c8')
      }),
  },
  'avocado-toast': {
    paint: pen => {
      pen.shape([-84, -4, -92, -40, -86, -84, -40, -100, 40, -100, 86, -84, 92, -40, 84, -4, 0, 0], '#a86a34', 5)
      pen.shape([-74, -12, -80, -42, -72, -76, -36, -88, 36, -88, 72, -76, 80, -42, 74, -12, 0, -9], '#ecd09a', 1)
      for (let i = 0; i < 5; i++) {
        pen.shape([-66 + i * 26, -22, -60 + i * 26, -64, -42 + i * 26, -78, -34 + i * 26, -56, -46 + i * 26, -20], '#8fb84a', 3)
        pen.shapeFlat([-58 + i * 26, -28, -54 + i * 26, -60, -44 + i * 26, -70, -40 + i * 26, -52, -48 + i * 26, -27], '#d5e39a')
      }
    },
  },
  'buttered-toast': {
    paint: pen => {
      pen.shape([-64, -4, -68, -54, -76, -78, -54, -98, 54, -98, 76, -78, 68, -54, 64, -4, 0, 0], '#a86a34', 6)
      pen.shape([-54, -12, -57, -56, -62, -76, -46, -88, 46, -88, 62, -76, 57, -56, 54, -12, 0, -9], pen.main('#e3b468'), 1)
      pen.shapeFlat([-34, -34, -26, -60, 10, -68, 36, -52, 30, -28, -4, -22], '#f7df7a')
      pen.poly([-16, -44, 6, -58, 24, -48, 4, -34], '#fbe98e', 2)
    },
  },
  'cheese-board': {
    paint: pen => {
      pen.box(-110, -16, 220, 16, '#a5713f', 5)
      pen.poly([-96, -16, -96, -44, -40, -62, -40, -16], pen.main('#f2c04a'), 3)
      for (const [x, y] of pairs([-80, -30, -56, -40])) pen.ovalFlat(x, y, 5, 5, '#d9a02e')
      pen.box(-30, -40, 44, 24, '#f7f0dc', 8)
      scatter(12, { x: 50, y: -36, rx: 22, ry: 20 }, (x, y) => pen.oval(x, y, 8, 8, '#7a3f8a'))
      for (let i = 0; i < 4; i++) pen.oval(84 + i * 5, -28 - i * 5, 12, 12, '#e2a9a0')
    },
  },
  tofu: {
    paint: pen =>
      bowlOf(pen, pen.main('#3a4a5e'), '#e9e0cc', () =>
        scatter(7, { x: 0, y: -84, rx: 48, ry: 9 }, (x, y) => pen.box(x - 14, y - 12, 28, 24, '#fbf6e8', 3)),
      ),
  },
}

function citrus(pen: Pen): void {
  pen.oval(-76, -26, 16, 12, '#f2d23a')
  pen.ovalFlat(-76, -27, 12, 8, '#fdf3b0')
}
