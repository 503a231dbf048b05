import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { turned } from './tint.ts'

interface Pour {
  drink: string
  /** Draws the vessel before it is tilted for pouring, with the middle of its body at the origin
   *  and its spout on the right. A bottle is already drawn lying almost flat. */
  vessel(pen: Pen): void
  /** Position of the spout's end in the drawing of `vessel`. */
  spout: { x: number; y: number }
  glass: 'cup' | 'tumbler' | 'wine'
}

const lean = 0.62

/** Draws a tilted vessel in the air, from which a liquid pours into a `glass` on the ground
 *  below. */
function pour(pen: Pen, { drink, vessel, spout, glass }: Pour): void {
  const at = { x: -34, y: -122 }
  const x = at.x + spout.x * Math.cos(lean) - spout.y * Math.sin(lean)
  const y = at.y + spout.x * Math.sin(lean) + spout.y * Math.cos(lean)
  const level = glass === 'cup' ? -38 : glass === 'wine' ? -58 : -44
  // The liquid falls in an arc and gets thinner towards the bottom.
  const middle = x + 18
  pen.shapeFlat(
    [x - 3, y - 2, x + 9, y + 4, middle + 6, y + 30, middle + 4, level, middle - 2, level, middle - 3, y + 30, x + 2, y + 12],
    drink,
  )
  pen.line([x + 5, y + 6, middle + 3, y + 34, middle + 2, level - 2], 1.6, `${shade(drink, 0.5)}c0`)
  pen.context.save()
  pen.context.translate(middle + 4, 0)
  receivers[glass](pen, drink, level)
  pen.context.restore()
  pen.ovalFlat(middle + 1, level + 1, 9, 2.6, shade(drink, 0.4))
  turned(pen, { x: at.x, y: at.y, angle: lean }, () => vessel(pen))
}

const receivers: Record<Pour['glass'], (pen: Pen, drink: string, level: number) => void> = {
  cup: (pen, drink, level) => {
    const cup = pen.part('cup', '#f4f1ea')
    pen.oval(0, -3, 58, 6, shade(cup, -0.06))
    pen.ring(42, -26, 12, 13, 6, shade(cup, -0.12))
    pen.ovalFlat(0, -44, 40, 9, shade(cup, -0.24))
    pen.ovalFlat(0, level, 36, 7, drink)
    pen.shape([-40, -44, -37, -22, -24, -4, 24, -4, 37, -22, 40, -44, 24, -37, 0, -35, -24, -37], cup, 4)
    pen.line([-40, -44, -24, -37, 0, -35, 24, -37, 40, -44], 1.6, shade(cup, 0.4))
  },
  tumbler: (pen, drink, level) => {
    pen.polyFlat([-28, -84, 28, -84, 22, 0, -22, 0], '#e6f2f6a0')
    pen.polyFlat([-25, level, 25, level, 21, -4, -21, -4], drink)
    pen.ovalFlat(0, level, 25, 4.4, shade(drink, 0.25))
    pen.line([-23, -76, -18, -8], 2.4, '#ffffffb0')
    pen.ring(0, -84, 28, 4.6, 1.6, '#b9d2dc')
    for (const side of [-1, 1]) pen.line([side * 28, -84, side * 22, -1], 1.4, '#a9c6d2')
  },
  wine: (pen, drink, level) => {
    pen.oval(0, -2, 24, 4, '#d3e4ea')
    pen.line([0, -36, 0, -3], 4, '#c3d8e0')
    pen.shapeFlat([-26, -92, -30, -66, -18, -40, 0, -34, 18, -40, 30, -66, 26, -92], '#e6f2f690')
    pen.shapeFlat([-29, level, -18, -40, 0, -36, 18, -40, 29, level], drink)
    pen.ovalFlat(0, level, 28, 4.4, shade(drink, 0.22))
    pen.ring(0, -92, 26, 4, 1.5, '#b9d2dc')
    pen.line([-24, -84, -25, -64], 2.2, '#ffffffb0')
  },
}

function teapot(pen: Pen): void {
  const body = pen.main('#d8604a')
  pen.ring(-46, 0, 17, 22, 8, shade(body, -0.14))
  pen.shape([30, 12, 44, -4, 50, -22, 62, -28, 58, -20, 54, -2, 34, 24], shade(body, -0.06), 3)
  pen.oval(0, 4, 44, 34, body)
  pen.oval(0, 36, 24, 5, shade(body, -0.22))
  pen.oval(0, -27, 22, 6, shade(body, 0.14))
  pen.oval(0, -35, 6, 6, shade(body, -0.1))
  pen.ovalFlat(-14, -10, 12, 7, '#ffffff50', -0.5)
  pen.shapeFlat([-42, 8, 0, 16, 42, 8, 41, 14, 0, 22, -41, 14], shade(body, 0.42))
}

function coffeePot(pen: Pen): void {
  const steel = pen.main('#a9b4bd')
  pen.ring(-38, 0, 15, 26, 7, '#2c2e33')
  pen.shape([24, 8, 38, -8, 48, -34, 58, -40, 52, -24, 44, 4, 28, 26], shade(steel, -0.08), 3)
  pen.poly([-22, -36, 22, -36, 32, 38, -32, 38], steel, 4)
  pen.box(-24, -46, 48, 11, shade(steel, -0.16), 4)
  pen.oval(0, -50, 6, 6, '#2c2e33')
  pen.line([-12, -28, -18, 30], 4, '#ffffff80')
}

/** Returns a function that draws a glass jug in which a drink of this colour reaches up to the
 *  spout. */
const jugOf =
  (drink: string) =>
  (pen: Pen): void => {
    pen.ring(-36, -4, 16, 26, 7, '#b9d2dc')
    pen.shapeFlat([-30, -44, -34, 36, 30, 36, 32, -34, 46, -48, 0, -46], '#dff0f6a0')
    // The surface of the liquid stays horizontal while the jug is tilted.
    pen.shapeFlat([-32, 26, -30, 35, 29, 35, 31, -34, 44, -46, 36, -40], `${drink}e0`)
    pen.line([-30, -44, -34, 36, 30, 36, 32, -34, 46, -48, 0, -46, -30, -44], 2, '#a8c6d2')
    pen.line([-24, -36, -27, 20], 3, '#ffffffc0')
  }

const bottleOf =
  (glass: string, label: string) =>
  (pen: Pen): void => {
    pen.context.save()
    pen.context.rotate(Math.PI / 2 - 0.25)
    pen.shape([-15, 46, -15, -10, -6, -28, -5, -58, 5, -58, 6, -28, 15, -10, 15, 46, 0, 48], pen.main(glass), 3)
    pen.boxFlat(-15, 2, 30, 26, label)
    pen.boxFlat(-15, 7, 30, 3, shade(label, -0.4))
    pen.line([-10, -6, -11, 42], 2.2, '#ffffff60')
    pen.context.restore()
  }

const bottleSpout = { x: 56, y: -14 }
const pourings: Record<string, Pour> = {
  'pouring-tea': { drink: '#b5651d', vessel: teapot, spout: { x: 60, y: -27 }, glass: 'cup' },
  'pouring-hot-water': { drink: '#a9d0e2', vessel: teapot, spout: { x: 60, y: -27 }, glass: 'cup' },
  'pouring-coffee': { drink: '#4a2c17', vessel: coffeePot, spout: { x: 56, y: -39 }, glass: 'cup' },
  'pouring-water': { drink: '#9ccbe0', vessel: jugOf('#9ccbe0'), spout: { x: 45, y: -47 }, glass: 'tumbler' },
  'pouring-milk': { drink: '#fbfaf4', vessel: jugOf('#fbfaf4'), spout: { x: 45, y: -47 }, glass: 'tumbler' },
  'pouring-juice': { drink: '#f79a24', vessel: jugOf('#f79a24'), spout: { x: 45, y: -47 }, glass: 'tumbler' },
  'pouring-wine': { drink: '#7d1230', vessel: bottleOf('#2e4a34', '#efe6cf'), spout: bottleSpout, glass: 'wine' },
  'pouring-beer': { drink: '#e8a92c', vessel: bottleOf('#6a3d1c', '#f0e2b8'), spout: bottleSpout, glass: 'tumbler' },
}

export const pouring: Record<string, Drawing> = Object.fromEntries(
  Object.entries(pourings).map(([name, one]) => [name, { paint: pen => pour(pen, one), isSided: true } satisfies Drawing]),
)
