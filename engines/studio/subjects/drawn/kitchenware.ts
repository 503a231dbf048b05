import { triples } from '../../pairs.ts'
import { blob, polygon } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { turned } from './tint.ts'

/** Draws a tall glass seen from the side. The glass is filled from its foot up to the height
 *  `level`, which is a y coordinate: -100 is the rim, 0 the ground. */
export function filledGlass(pen: Pen, drink: string, options: { half?: number; level?: number; foot?: number } = {}): void {
  const { half = 27, level = -78, foot = 20 } = options
  const edge = foot + ((half - foot) * -level) / 100
  pen.polyFlat([-half, -100, half, -100, foot, 0, -foot, 0], '#e6f2f6a0')
  pen.polyFlat([-edge + 2, level, edge - 2, level, foot - 2, -5, -foot + 2, -5], drink)
  pen.polyFlat([edge - 9, level, edge - 2, level, foot - 2, -5, foot - 8, -5], shade(drink, -0.16))
  pen.ovalFlat(0, level, edge - 2, 4.4, shade(drink, 0.3))
  pen.line([-half + 5, -92, -foot + 4, -10], 2.4, '#ffffffb0')
  pen.ring(0, -100, half, 4.4, 1.6, '#b9d2dc')
  for (const side of [-1, 1]) pen.line([side * half, -100, side * foot, -2], 1.4, '#b9d2dcc0')
}

/** Draws a slice of citrus. */
function citrus(pen: Pen, x: number, y: number, radius: number, colour: string): void {
  pen.oval(x, y, radius, radius, colour)
  pen.ovalFlat(x, y, radius * 0.84, radius * 0.84, '#fdf6dc')
  for (let i = 0; i < 8; i++) {
    const [a, b] = [i * 0.785 + 0.09, i * 0.785 + 0.7]
    pen.polyFlat(
      [
        x,
        y,
        x + Math.cos(a) * radius * 0.76,
        y + Math.sin(a) * radius * 0.76,
        x + Math.cos(b) * radius * 0.76,
        y + Math.sin(b) * radius * 0.76,
      ],
      shade(colour, 0.18),
    )
  }
}

/** Draws a bottle with a cap and a label. */
function bottle(pen: Pen, colour: string, options: { cap: string; label: string; mark: string }): void {
  pen.barrel(blob([-15, -2, -16, -20, -16, -50, -12, -62, -6, -72, -5, -92, 5, -92, 6, -72, 12, -62, 16, -50, 16, -20, 15, -2]), colour)
  pen.box(-6, -100, 12, 10, options.cap, 2)
  pen.boxFlat(-16, -46, 32, 28, options.label)
  pen.ovalFlat(0, -32, 8, 8, options.mark)
  pen.line([-10, -56, -12, -10], 2, '#ffffff70')
}

function handle(pen: Pen, x: number, y: number, radius: number, colour: string): void {
  pen.context.lineWidth = 7
  pen.context.strokeStyle = colour
  pen.context.beginPath()
  pen.context.ellipse(x, y, radius * 0.7, radius, 0, -1.5, 1.5)
  pen.context.stroke()
}

/** Draws a jar with a lid and a label, filled. */
function jar(pen: Pen, inside: string, lid: string): void {
  pen.barrel(blob([-32, -4, -34, -30, -34, -60, -28, -80, 28, -80, 34, -60, 34, -30, 32, -4, 0, 0]), inside)
  pen.box(-30, -96, 60, 16, lid, 3)
  pen.boxFlat(-34, -58, 68, 34, '#fbf6e8')
  pen.ovalFlat(0, -41, 12, 11, shade(inside, -0.05))
  pen.line([-25, -74, -28, -62], 3, '#ffffff90')
}

export const kitchenware: Record<string, Drawing> = {
  pitcher: {
    paint: pen => {
      handle(pen, 26, -54, 30, '#b9d2dc')
      pen.shapeFlat([-26, -96, -24, -78, -32, -40, -28, -4, 28, -4, 32, -40, 24, -78, 26, -98, 0, -94], '#dff0f690')
      pen.polyFlat([-26, -96, -38, -100, -24, -84], '#dff0f6b0')
      pen.line([-38, -100, -26, -92, 0, -95, 26, -99], 2, '#a8c6d2')
      pen.line([-24, -84, -32, -40, -28, -4, 28, -4, 32, -40, 25, -84], 2, '#a8c6d2')
      pen.line([-20, -80, -26, -42, -23, -14], 3, '#ffffffc0')
    },
    anchors: { opening: { x: 0, y: -94, width: 44 } },
  },
  'juice-pitcher': {
    paint: pen => {
      const juice = pen.main('#f7a02a')
      handle(pen, 26, -54, 30, '#b9d2dc')
      pen.shapeFlat([-26, -96, -24, -78, -32, -40, -28, -4, 28, -4, 32, -40, 24, -78, 26, -98, 0, -94], '#e6f2f6a0')
      pen.shapeFlat([-25, -76, -31, -40, -26, -7, 26, -7, 31, -40, 25, -76], juice)
      pen.ovalFlat(0, -76, 24, 4, shade(juice, 0.35))
      pen.line([-38, -100, -26, -92, 0, -95, 26, -99], 2, '#a8c6d2')
      pen.line([-20, -70, -26, -42, -23, -14], 3, '#ffffff80')
    },
  },
  juice: {
    paint: pen => filledGlass(pen, pen.main('#f9a22b')),
  },
  'iced-drink': {
    paint: pen => {
      pen.line([4, -20, 16, -118], 4, '#e0483e')
      filledGlass(pen, pen.main('#b3652a'))
      for (const [x, y, turn] of triples([-8, -66, 0.3, 8, -52, -0.4, -4, -38, 0.7])) {
        turned(pen, { x: x, y: y, angle: turn }, () => pen.boxFlat(-8, -8, 16, 16, '#ffffff80', 3))
      }
      citrus(pen, 24, -98, 13, '#f2d23a')
    },
  },
  'red-cocktail': {
    paint: pen => {
      filledGlass(pen, pen.main('#c8382c'), { level: -84 })
      pen.line([14, -60, 22, -124], 8, '#8fbf5a')
      for (const x of [12, 20, 30]) pen.oval(x, -122 + Math.abs(x - 20) * 0.6, 6, 9, '#6fa84a')
      citrus(pen, -26, -98, 13, '#8fc13e')
      pen.line([-6, -80, -22, -120], 2, '#8a6038')
      for (const y of [-112, -120]) pen.oval(-19, y, 5, 4.4, '#7f9a3a')
    },
  },
  'old-fashioned': {
    paint: pen => {
      filledGlass(pen, pen.main('#c9762a'), { half: 52, foot: 46, level: -58 })
      turned(pen, { x: -8, y: -48, angle: 0.3 }, () => pen.boxFlat(-20, -20, 40, 40, '#f6e3c4b0', 6))
      pen.shape([16, -100, 40, -112, 56, -96, 48, -84, 30, -88], '#f2962a', 2)
      pen.oval(-26, -62, 9, 9, '#b3202c')
      pen.line([-26, -70, -34, -96], 1.6, '#5a7a3a')
    },
  },
  margarita: {
    paint: pen => {
      const drink = pen.main('#c9e07a')
      pen.shapeFlat([-54, -96, -44, -74, -22, -62, -14, -50, 14, -50, 22, -62, 44, -74, 54, -96], '#e6f2f6a0')
      pen.shapeFlat([-49, -88, -42, -74, -20, -61, -12, -52, 12, -52, 20, -61, 42, -74, 49, -88], drink)
      pen.ovalFlat(0, -88, 49, 5, shade(drink, 0.4))
      pen.ring(0, -96, 54, 6, 5, '#fbfaf6')
      pen.line([0, -50, 0, -6], 4, '#b9d2dc')
      pen.oval(0, -4, 28, 5, '#d3e6ee')
      citrus(pen, 48, -100, 15, '#8fc13e')
    },
  },
  'soda-can': {
    paint: pen => {
      const tin = pen.main('#d8342b')
      pen.barrel(blob([-24, -4, -26, -12, -26, -84, -22, -96, 22, -96, 26, -84, 26, -12, 24, -4, 0, 0]), tin)
      pen.oval(0, -96, 22, 5, '#cfd6de')
      pen.ovalFlat(4, -97, 7, 2, '#8d97a6')
      pen.shapeFlat([-26, -66, -6, -56, 12, -62, 26, -52, 26, -36, 8, -44, -10, -36, -26, -46], '#fbfaf6')
    },
  },
  'wine-bottle': {
    paint: pen => {
      const green = pen.main('#2f5a3c')
      pen.barrel(
        blob([-14, -1, -15, -20, -15, -52, -11, -62, -5, -70, -4.4, -90, 4.4, -90, 5, -70, 11, -62, 15, -52, 15, -20, 14, -1]),
        green,
      )
      pen.box(-5.4, -100, 10.8, 20, '#7a2034', 2)
      pen.boxFlat(-15, -44, 30, 26, '#f4ecd8')
      pen.boxFlat(-15, -38, 30, 3, '#7a2034')
      pen.ovalFlat(0, -27, 5, 5, '#b3924a')
      pen.line([-9, -54, -10, -8], 1.8, '#ffffff60')
    },
    anchors: { top: { x: 0, y: -99, width: 10 } },
  },
  'beer-bottle': { paint: pen => bottle(pen, pen.main('#8a4f1e'), { cap: '#e2b23a', label: '#f4ecd8', mark: '#c8382c' }) },
  'soda-bottle': { paint: pen => bottle(pen, pen.main('#4a2418'), { cap: '#d8342b', label: '#d8342b', mark: '#fbfaf6' }) },
  'water-bottle': { paint: pen => bottle(pen, pen.main('#a9d8ee'), { cap: '#2f6fc4', label: '#fbfdff', mark: '#3f8fd0' }) },
  ketchup: { paint: pen => bottle(pen, pen.main('#c8281e'), { cap: '#fbfaf6', label: '#fbfaf6', mark: '#d8342b' }) },
  mustard: { paint: pen => bottle(pen, pen.main('#ecc02c'), { cap: '#d8342b', label: '#fbfaf6', mark: '#ecc02c' }) },
  'sauce-bottle': { paint: pen => bottle(pen, pen.main('#3a2018'), { cap: '#d8342b', label: '#e2b23a', mark: '#3a2018' }) },
  'oil-bottle': { paint: pen => bottle(pen, pen.main('#b8a83a'), { cap: '#3a3c32', label: '#f4ecd8', mark: '#7f9a3a' }) },
  'jam-jar': { paint: pen => jar(pen, pen.main('#b3202c'), '#d9a84a') },
  'peanut-butter': { paint: pen => jar(pen, pen.main('#b9803e'), '#3f7fc4') },
  'cookie-jar': { paint: pen => jar(pen, pen.main('#d9a566'), '#8a5a32') },
  kettle: {
    paint: pen => {
      const metal = pen.main('#b9c3ce')
      pen.context.lineWidth = 6
      pen.context.strokeStyle = '#33363f'
      pen.context.beginPath()
      pen.context.arc(0, -64, 34, Math.PI * 1.08, Math.PI * 1.92)
      pen.context.stroke()
      pen.poly([30, -40, 66, -66, 72, -58, 40, -22], shade(metal, -0.12), 2)
      pen.barrel(blob([-38, -62, -50, -24, -44, 0, 44, 0, 50, -24, 38, -62, 0, -68]), metal)
      pen.oval(0, -64, 26, 6, shade(metal, 0.15))
      pen.oval(0, -71, 6, 5, '#33363f')
    },
    isSided: true,
  },
  'frying-pan': {
    paint: pen => {
      const iron = pen.main('#3a3d46')
      pen.box(80, -62, 96, 14, '#5a4030', 7)
      pen.oval(0, -50, 88, 50, iron)
      pen.ovalFlat(-2, -54, 74, 39, shade(iron, 0.14))
      pen.ovalFlat(-14, -62, 44, 18, shade(iron, 0.2))
    },
    anchors: { top: { x: 0, y: -54, width: 110 } },
  },
  whisk: {
    paint: pen => {
      pen.box(-4, -34, 8, 34, pen.main('#8a5a32'), 4)
      for (const half of [4, 10, 16]) {
        pen.context.lineWidth = 1.8
        pen.context.strokeStyle = '#9aa6b4'
        pen.context.beginPath()
        pen.context.moveTo(-2, -34)
        pen.context.bezierCurveTo(-half * 1.7, -74, -half, -104, 0, -100)
        pen.context.bezierCurveTo(half, -104, half * 1.7, -74, 2, -34)
        pen.context.stroke()
      }
    },
  },
  spatula: {
    paint: pen => {
      pen.box(-3.4, -40, 6.8, 40, pen.main('#33363f'), 3)
      pen.line([0, -40, 0, -62], 4, '#9aa6b4')
      pen.poly([-12, -62, 12, -62, 15, -100, -15, -100], '#aab4c0', 2)
      for (const x of [-7, 0, 7]) pen.boxFlat(x - 1.6, -92, 3.2, 22, '#6a7482', 1.6)
    },
  },
  spoon: {
    paint: pen => {
      const metal = pen.main('#c3ccd6')
      pen.shape([-2, -66, -3.4, -20, -5, -2, 0, 0, 5, -2, 3.4, -20, 2, -66], metal, 1.4)
      pen.oval(0, -82, 13, 18, metal)
      pen.ovalFlat(1, -81, 9, 13, shade(metal, -0.16))
    },
  },
  ladle: {
    paint: pen => {
      const metal = pen.main('#b3bdc8')
      pen.line([14, -16, 12, -90, 4, -98, -4, -92], 5, metal)
      pen.shape([-30, -26, -26, -6, -8, 0, 10, -4, 18, -26], metal, 3)
      pen.ovalFlat(-6, -26, 24, 5, shade(metal, -0.3))
    },
  },
  'rolling-pin': {
    paint: pen => {
      const wood = pen.main('#d0a468')
      for (const side of [-1, 1]) pen.box(side * 160 - 30, -64, 60, 28, shade(wood, -0.25), 13)
      pen.box(-130, -100, 260, 100, wood, 20)
      pen.boxFlat(-120, -88, 240, 14, '#ffffff40', 7)
    },
  },
  'cutting-board': {
    paint: pen => {
      const wood = pen.main('#c9985c')
      pen.poly([-80, -100, 80, -100, 100, -10, -100, -10], wood, 3)
      pen.polyFlat([-100, -10, 100, -10, 100, 0, -100, 0], shade(wood, -0.3))
      for (const y of [-80, -56, -32]) pen.line([-82 - (y + 100) * 0.2, y, 82 + (y + 100) * 0.2, y], 1.4, shade(wood, -0.2))
      pen.ovalFlat(70, -86, 7, 4, shade(wood, -0.5))
    },
    anchors: { top: { x: 0, y: -50, width: 120 } },
  },
  grater: {
    paint: pen => {
      const metal = pen.main('#c3ccd6')
      pen.box(-16, -100, 32, 9, '#33363f', 4)
      pen.poly([-24, -92, 24, -92, 36, 0, -36, 0], metal, 5)
      for (let row = 0; row < 7; row++)
        for (let i = -2; i <= 2; i++) pen.ovalFlat(i * (8 + row * 0.7) + (row % 2) * 3, -80 + row * 11, 2.6, 2, '#6a7482')
    },
  },
  colander: {
    paint: pen => {
      const metal = pen.main('#b9c3ce')
      for (const side of [-1, 1]) pen.ring(side * 86, -82, 12, 8, 5, shade(metal, -0.2))
      pen.shape([-80, -88, -66, -40, -34, -8, 34, -8, 66, -40, 80, -88], metal, 6)
      pen.oval(0, -88, 80, 10, shade(metal, -0.3))
      for (let row = 0; row < 4; row++) for (let i = -4 + row; i <= 4 - row; i++) pen.ovalFlat(i * 14, -66 + row * 14, 3, 3, '#5a6472')
      pen.box(-30, -8, 60, 8, shade(metal, -0.14), 3)
    },
    anchors: { opening: { x: 0, y: -88, width: 130 } },
  },
  blender: {
    paint: pen => {
      pen.box(-22, -100, 44, 8, '#33363f', 3)
      pen.polyFlat([-24, -92, 24, -92, 17, -38, -17, -38], '#dff0f6c0')
      pen.polyFlat([-22, -74, 22, -74, 17, -38, -17, -38], '#e0708a')
      pen.line([26, -86, 36, -80, 34, -54, 20, -48], 5, '#b9d2dc')
      pen.poly([-20, -38, 20, -38, 28, 0, -28, 0], pen.main('#d8342b'), 4)
      pen.oval(0, -16, 8, 8, '#f4f6f8')
    },
  },
  mixer: {
    paint: pen => {
      const red = pen.main('#c8382c')
      pen.box(-50, -10, 106, 10, red, 4)
      pen.poly([26, -10, 24, -64, 52, -64, 54, -10], red, 4)
      pen.shape([-50, -72, -46, -92, -10, -98, 46, -94, 58, -76, 46, -62, -40, -62], red, 5)
      pen.line([-24, -62, -24, -36], 5, '#8d97a6')
      pen.shape([-58, -46, -50, -18, -32, -10, -12, -10, 6, -18, 12, -46], '#cfd6de', 5)
      pen.box(-46, -80, 50, 4, '#f4f6f8', 2)
    },
    isSided: true,
  },
  'coffee-machine': {
    paint: pen => {
      const body = pen.main('#4a4f5a')
      pen.box(-50, -100, 100, 30, body, 5)
      pen.box(14, -72, 36, 64, body, 3)
      pen.box(-50, -10, 100, 10, shade(body, -0.2), 3)
      pen.box(-30, -72, 28, 9, '#aab4c0', 2)
      for (const x of [-22, -10]) pen.line([x, -63, x, -56], 3, '#8d97a6')
      pen.box(-44, -68, 16, 5, '#2a2024', 2)
      pen.line([-18, -54, -18, -36], 2.4, '#5a3420')
      pen.poly([-30, -38, -4, -38, -8, -11, -26, -11], '#fbfaf6', 2)
      pen.ring(-2, -26, 6, 8, 3, '#fbfaf6')
      for (const [x, colour] of [
        [-34, '#6ad04a'],
        [-20, '#aab4c0'],
        [30, '#e0483e'],
      ] as const)
        pen.oval(x, -86, 5, 5, colour)
      pen.oval(4, -86, 9, 9, '#f4f6f8')
      pen.line([4, -86, 9, -90], 1.6, '#d8342b')
    },
  },
  'oven-mitt': {
    paint: pen => {
      const cloth = pen.main('#d8433a')
      pen.shape([-24, -18, -28, -70, -14, -98, 12, -98, 24, -74, 26, -56, 44, -66, 50, -54, 36, -34, 24, -18], cloth, 6)
      pen.box(-28, -20, 56, 20, '#fbfaf6', 4)
    },
  },
  corkscrew: {
    paint: pen => {
      pen.box(-40, -100, 80, 17, pen.main('#8a5a32'), 8)
      pen.box(-4, -84, 8, 24, '#aab4c0')
      const points: number[] = []
      for (let i = 0; i <= 40; i++) points.push(Math.sin(i * 0.8) * 9 * (1 - i / 60), -60 + i * 1.5)
      pen.line(points, 3.4, '#8d97a6')
    },
  },
  'egg-carton': {
    paint: pen => {
      const card = pen.main('#b9ab98')
      pen.poly([-92, -52, -84, -100, 92, -100, 92, -52], shade(card, -0.2), 3)
      for (let i = 0; i < 5; i++) pen.oval(-70 + i * 35, -56, 14, 20, i % 2 ? '#f3e3cc' : '#fbf3e4')
      for (let i = 0; i < 5; i++) pen.shape([-88 + i * 35, -48, -82 + i * 35, -4, -58 + i * 35, -4, -52 + i * 35, -48], card, 3)
    },
  },
  napkin: {
    paint: pen => {
      const cloth = pen.main('#f4efe6')
      pen.poly([0, -100, 92, -30, 0, 0, -92, -30], cloth, 3)
      pen.polyFlat([0, -100, 92, -30, 0, -52], shade(cloth, -0.08))
      pen.line([0, -88, 0, -8], 1.6, shade(cloth, -0.2))
      pen.line([-76, -31, 0, -8, 76, -31], 2.6, '#d8433a')
    },
  },
  tablecloth: {
    paint: pen => {
      const cloth = pen.main('#f4efe6')
      const path = pen.shape(
        [-100, -96, 100, -96, 112, -40, 104, -2, 84, -18, 60, 0, 36, -16, 10, 0, -16, -16, -42, 0, -66, -16, -88, 0, -108, -30],
        cloth,
        4,
      )
      pen.clip(path, () => {
        for (let i = -6; i <= 6; i += 2) pen.boxFlat(i * 20, -100, 20, 100, '#d8433a50')
        for (let i = 0; i < 5; i += 2) pen.boxFlat(-120, -100 + i * 20, 240, 20, '#d8433a50')
      })
    },
  },
  thermos: {
    paint: pen => {
      const body = pen.main('#3f7f6a')
      pen.barrel(polygon([-16, -76, 16, -76, 16, 0, -16, 0]), body)
      pen.box(-16, -8, 32, 8, '#aab4c0', 2)
      pen.box(-13, -100, 26, 24, '#c3ccd6', 4)
      pen.line([17, -66, 28, -60, 28, -26, 17, -20], 4.4, '#33363f')
    },
  },
  'rice-cooker': {
    paint: pen => {
      const white = pen.main('#f2f2f0')
      pen.shape([-62, -66, -66, -30, -54, 0, 54, 0, 66, -30, 62, -66], white, 6)
      pen.shape([-62, -68, -50, -92, 0, -100, 50, -92, 62, -68], shade(white, -0.08), 4)
      pen.box(-12, -104, 24, 8, '#33363f', 4)
      pen.box(-24, -44, 48, 30, '#4a4f5a', 5)
      pen.ovalFlat(0, -29, 5, 5, '#f08a24')
    },
  },
  'wooden-spoon': {
    paint: pen => {
      const wood = pen.main('#c08a4e')
      pen.box(-3, -70, 6, 70, wood, 3)
      pen.oval(0, -82, 13, 18, wood)
      pen.ovalFlat(0, -82, 9, 13, shade(wood, -0.2))
    },
  },
}
