import { pairs, triples } from '../../pairs.ts'
import { blob } from '../brush.ts'
import { shade } from '../colour.ts'
import { filledGlass } from './kitchenware.ts'
import type { Drawing, Pen } from './pen.ts'

function flower(pen: Pen, x: number, y: number, radius: number, colour: string): void {
  for (let i = 0; i < 6; i++)
    pen.oval(x + Math.cos(i * 1.047) * radius * 0.6, y + Math.sin(i * 1.047) * radius * 0.6, radius * 0.48, radius * 0.48, colour)
  pen.oval(x, y, radius * 0.36, radius * 0.36, '#f2c230')
}

function vase(pen: Pen, colour: string, top: number): void {
  pen.barrel(
    blob([
      -14,
      top,
      -12,
      top * 0.9,
      -24,
      top * 0.62,
      -28,
      top * 0.36,
      -17,
      -4,
      -14,
      0,
      14,
      0,
      17,
      -4,
      28,
      top * 0.36,
      24,
      top * 0.62,
      12,
      top * 0.9,
      14,
      top,
    ]),
    colour,
  )
  pen.oval(0, top, 14, 3.4, shade(colour, -0.3))
}

function glassy(pen: Pen, points: number[]): void {
  pen.shapeFlat(points, '#dff0f680')
  pen.line([...points, points[0] ?? 0, points[1] ?? 0], 1.4, '#ffffffc0')
}

/** Draws an open bowl seen slightly from above; `inside` draws the contents, which the front wall
 *  of the bowl then covers. */
function bowl(pen: Pen, half: number, rim: number, colour: string, inside?: () => void): void {
  pen.ovalFlat(0, rim, half, half * 0.16, shade(colour, -0.35))
  inside?.()
  pen.shape(
    [
      -half,
      rim,
      -half * 0.86,
      rim * 0.5,
      -half * 0.44,
      -3,
      half * 0.44,
      -3,
      half * 0.86,
      rim * 0.5,
      half,
      rim,
      half * 0.5,
      rim + half * 0.15,
      -half * 0.5,
      rim + half * 0.15,
    ],
    colour,
    6,
  )
  pen.box(-half * 0.36, -5, half * 0.72, 5, shade(colour, -0.12), 2)
}

export const containers: Record<string, Drawing> = {
  vase: { paint: pen => vase(pen, pen.main('#4f8fb0'), -98), anchors: { opening: { x: 0, y: -97, width: 24 } } },
  'flower-vase': {
    paint: pen => {
      for (const [x, y] of pairs([-24, -76, 0, -86, 24, -76, -12, -66, 13, -66])) pen.line([0, -44, x * 0.6, y * 0.8, x, y], 1.6, '#4f8a3c')
      for (const [x, y, turn] of triples([-16, -58, -0.6, 17, -58, 0.6])) pen.oval(x, y, 10, 3.6, '#5f9a44', turn)
      for (const [x, y, colour] of [
        [-24, -76, '#f08fb0'],
        [0, -88, '#f7d04a'],
        [24, -76, '#e2566b'],
        [-12, -66, '#fbfaf6'],
        [13, -65, '#b98ae0'],
      ] as const)
        flower(pen, x, y, 11, colour)
      vase(pen, pen.main('#6fa3c4'), -48)
    },
  },
  'fruit-bowl': {
    paint: pen => {
      bowl(pen, 66, -48, pen.main('#c98a4e'), () => {
        pen.shape([-50, -48, -54, -66, -30, -86, 0, -90, 4, -84, -20, -76, -34, -58], '#f7d04a', 3)
        for (const [x, y, r, colour] of [
          [-20, -62, 18, '#d8342b'],
          [16, -66, 19, '#f28a1e'],
          [42, -58, 16, '#7fb84a'],
          [-2, -80, 15, '#f28a1e'],
        ] as const)
          pen.oval(x, y, r, r * 0.96, colour)
        for (let i = 0; i < 7; i++) pen.oval(32 + (i % 3) * 7, -78 + Math.floor(i / 3) * 8, 5, 5, '#7d3f8f')
      })
    },
  },
  book: {
    paint: pen => {
      const cover = pen.main('#a3382f')
      pen.box(-36, -98, 70, 98, shade(cover, -0.2), 3)
      pen.boxFlat(-30, -95, 66, 92, '#fbf3e0')
      pen.box(-38, -100, 68, 98, cover, 3)
      pen.boxFlat(-38, -100, 9, 98, shade(cover, -0.25), 3)
      pen.context.strokeStyle = '#e9c65a'
      pen.context.lineWidth = 1.6
      pen.context.strokeRect(-23, -92, 47, 82)
      pen.line([-12, -70, 14, -70], 3, '#e9c65a')
      pen.line([-8, -60, 10, -60], 2, '#e9c65a')
    },
    anchors: { panel: { x: 0, y: -66, width: 44, height: 24 } },
  },
  'book-stack': {
    paint: pen => {
      const colours = ['#3f6f9a', '#b3392f', '#4a8a5a', '#d9a03a', '#7d4a8f']
      colours.forEach((colour, i) => {
        const x = [-4, 6, -8, 3, -2][i] ?? 0
        const half = 58 - i * 3
        pen.boxFlat(-half + x + 6, -(i + 1) * 20 + 3, half * 2 - 8, 14, '#fbf3e0', 1)
        pen.box(-half + x, -(i + 1) * 20, half * 2, 5, colour, 2)
        pen.box(-half + x, -i * 20 - 5, half * 2, 5, colour, 2)
        pen.box(-half + x - 2, -(i + 1) * 20, 12, 20, shade(colour, -0.1), 4)
      })
    },
    anchors: { top: { x: 0, y: -100, width: 90 } },
  },
  candle: {
    paint: pen => {
      pen.oval(0, -4, 20, 5, '#c9a04a')
      pen.box(-8, -74, 16, 70, pen.main('#fbf3e0'), 3)
      pen.shape([-8, -70, -8, -56, -6, -48, -4, -58, 0, -52, 3, -66, 8, -60, 8, -74, 0, -77], '#fffaf0', 1)
      pen.line([0, -76, 0, -82], 1, '#3a2a22')
      pen.aura(0, -88, 24, '#ffb84a', 0.6)
      pen.shapeFlat([0, -79, -5, -85, 0, -101, 5, -86], '#fbb33a')
      pen.shapeFlat([0, -80, -2.4, -85, 0, -92, 2.4, -85], '#fff6c8')
    },
    isLuminous: true,
  },
  bottle: {
    paint: pen => {
      const glass = pen.main('#3f7a52')
      pen.barrel(blob([-15, 0, -16, -8, -16, -52, -7, -66, -5, -92, 5, -92, 7, -66, 16, -52, 16, -8, 15, 0]), glass)
      pen.boxFlat(-10, -50, 3, 40, '#ffffff55', 1.5)
      pen.box(-13, -44, 26, 24, '#fbf3e0', 1)
      pen.box(-5.4, -100, 10.8, 9, '#b9824a', 2)
    },
  },
  jar: {
    paint: pen => {
      pen.box(-30, -62, 60, 60, pen.main('#e29a3a'), 10)
      glassy(pen, [-32, -6, -34, -70, -24, -82, 24, -82, 34, -70, 32, -6, 24, 0, -24, 0])
      pen.boxFlat(-24, -66, 5, 52, '#ffffff70', 2)
      pen.box(-27, -100, 54, 19, '#c8554a', 4)
      pen.box(-17, -46, 34, 24, '#fbf3e0', 2)
    },
  },
  glass: {
    paint: pen => filledGlass(pen, pen.main('#a9d8ee')),
    anchors: { opening: { x: 0, y: -98, width: 46 } },
  },
  mug: {
    paint: pen => {
      const colour = pen.main('#d9604a')
      pen.ring(40, -50, 20, 24, 9, shade(colour, -0.1))
      pen.barrel(pen.poly([-42, -95, -40, -6, -32, 0, 32, 0, 40, -6, 42, -95], colour, 5), colour)
      pen.oval(0, -95, 42, 8, shade(colour, 0.15))
      pen.ovalFlat(0, -93, 36, 6, '#5a3420')
      for (const x of [-12, 10]) pen.line([x, -104, x + 6, -116, x - 4, -128, x + 3, -140], 3, '#ffffff66')
    },
  },
  plate: {
    paint: pen => {
      const colour = pen.main('#f7f5f0')
      pen.oval(0, -30, 120, 30, colour)
      pen.ovalFlat(0, -34, 84, 18, shade(colour, -0.1))
      pen.ovalFlat(0, -32, 80, 16.6, colour)
    },
    anchors: { top: { x: 0, y: -34, width: 150 } },
  },
  bowl: {
    paint: pen => bowl(pen, 92, -82, pen.main('#5f8fb0'), () => pen.ovalFlat(0, -80, 78, 11, '#f6efe0')),
    anchors: { opening: { x: 0, y: -80, width: 150 } },
  },
  pot: {
    paint: pen => {
      const metal = pen.main('#8d97a6')
      for (const side of [-1, 1]) pen.box(side * 62 - 12, -54, 24, 9, '#33363f', 4)
      pen.barrel(blob([-56, -66, -56, -12, -46, 0, 46, 0, 56, -12, 56, -66]), metal)
      pen.oval(0, -67, 58, 9, shade(metal, 0.15))
      pen.shape([-54, -68, -40, -82, 0, -88, 40, -82, 54, -68, 0, -62], shade(metal, 0.06), 4)
      pen.oval(0, -92, 8, 7, '#33363f')
    },
  },
  cauldron: {
    paint: pen => {
      const brew = pen.main('#6ad04a')
      for (const x of [-34, 28]) pen.box(x, -12, 8, 12, '#1f2026')
      pen.shape([-48, -74, -56, -40, -40, -10, 0, -2, 40, -10, 56, -40, 48, -74], '#2f3038', 7)
      pen.oval(0, -76, 52, 11, '#3f404a')
      pen.ovalFlat(0, -75, 44, 8, brew)
      pen.aura(0, -84, 44, brew, 0.4)
      for (const [x, y, r] of triples([-18, -80, 8, 8, -84, 10, 26, -78, 6, -2, -96, 5])) pen.oval(x, y, r, r, shade(brew, 0.3))
      pen.shapeFlat([-36, -70, -38, -50, -32, -44, -28, -56, -26, -68], brew)
    },
    anchors: { opening: { x: 0, y: -76, width: 80 } },
  },
  'treasure-chest': {
    paint: pen => {
      const wood = pen.main('#8f5c30')
      pen.shape([-64, -52, -62, -84, -44, -99, 44, -99, 62, -84, 64, -52], shade(wood, -0.25), 4)
      pen.ovalFlat(0, -52, 60, 15, '#5a3420')
      for (let i = 0; i < 26; i++) pen.oval(pen.random.between(-50, 50), pen.random.between(-64, -48), 7, 5, '#f2c230')
      for (const [x, y, colour] of [
        [-20, -66, '#d8343f'],
        [12, -68, '#3f8fd0'],
        [34, -60, '#3aa36a'],
      ] as const)
        pen.poly([x - 6, y, x, y - 7, x + 6, y, x, y + 7], colour, 1)
      pen.box(-66, -48, 132, 48, wood, 3)
      for (const y of [-32, -16]) pen.line([-64, y, 64, y], 1.4, shade(wood, -0.35))
      for (const x of [-58, 46]) pen.box(x, -49, 12, 49, '#d9a84a', 2)
      pen.box(-9, -52, 18, 21, '#e9c65a', 3)
      pen.ovalFlat(0, -42, 2.8, 3.4, '#3a2a1c')
    },
    anchors: { opening: { x: 0, y: -56, width: 90 } },
  },
  barrel: {
    paint: pen => {
      const wood = pen.main('#a8743f')
      const body = blob([-28, 0, -37, -28, -39, -50, -37, -72, -28, -98, 28, -98, 37, -72, 39, -50, 37, -28, 28, 0])
      pen.barrel(body, wood)
      pen.clip(body, () => {
        for (const x of [-24, -10, 4, 18]) pen.line([x * 0.8, -98, x * 1.2, -50, x * 0.8, 0], 1, shade(wood, -0.35))
        for (const y of [-84, -26]) pen.boxFlat(-44, y, 88, 9, '#5a5c64')
      })
      pen.oval(0, -97, 28, 5, shade(wood, 0.2))
    },
    anchors: { top: { x: 0, y: -98, width: 50 }, opening: { x: 0, y: -97, width: 48 } },
  },
  crate: {
    paint: pen => {
      const wood = pen.main('#b9884e')
      pen.box(-58, -96, 116, 96, shade(wood, -0.14), 2)
      for (let i = 0; i < 5; i++) pen.box(-54, -92 + i * 18, 108, 16, shade(wood, i % 2 ? 0.02 : 0.1), 1)
      pen.line([-48, -10, 48, -86], 9, wood)
      for (const x of [-60, 48]) pen.box(x, -98, 13, 98, wood, 1)
    },
    anchors: { top: { x: 0, y: -96, width: 100 } },
  },
  // The front side is lower than the back, so that the contents are visible above it.
  'open-crate': {
    paint: pen => {
      const wood = pen.main('#c08f52')
      pen.polyFlat([-80, -82, 80, -82, 74, -100, -74, -100], shade(wood, -0.5))
      pen.polyFlat([-74, -100, 74, -100, 76, -94, -76, -94], shade(wood, -0.2))
      for (let i = 0; i < 3; i++) {
        const y = -80 + i * 27
        pen.box(-82, y, 164, 23, shade(wood, i % 2 ? -0.04 : 0.08), 1.5)
        pen.line([-70, y + 8, -20, y + 9, 60, y + 7], 1, shade(wood, -0.2))
        pen.line([-60, y + 16, 10, y + 15], 0.8, shade(wood, -0.16))
      }
      for (const x of [-84, 70]) {
        pen.box(x, -84, 14, 84, shade(wood, 0.04), 1.5)
        for (const y of [-69, -42, -15]) pen.ovalFlat(x + 7, y, 1.8, 1.8, '#5a4630')
      }
    },
    anchors: { opening: { x: 0, y: -83, width: 144 } },
  },
  sack: {
    paint: pen => {
      const jute = pen.main('#c3a06a')
      pen.ovalFlat(0, -90, 52, 11, shade(jute, -0.5))
      const body = pen.shape(
        [-54, -88, -58, -60, -66, -24, -58, 0, 0, 3, 58, 0, 66, -24, 58, -60, 54, -88, 30, -78, 0, -76, -30, -78],
        jute,
        6,
      )
      pen.clip(body, () => {
        for (let x = -66; x <= 66; x += 7) pen.line([x, -90, x * 1.08, 4], 0.8, shade(jute, -0.14))
        for (let y = -84; y <= 0; y += 6) pen.line([-70, y, 70, y], 0.8, shade(jute, -0.12))
        for (const x of [-34, 22]) pen.line([x, -72, x * 1.3, -10], 3, shade(jute, -0.2))
      })
      pen.shape([-58, -92, -62, -84, -32, -72, 0, -69, 32, -72, 62, -84, 58, -92, 30, -81, 0, -79, -30, -81], shade(jute, 0.14), 3)
    },
    anchors: { opening: { x: 0, y: -82, width: 96 } },
  },
  'serving-tray': {
    paint: pen => {
      const metal = pen.main('#c9d0d6')
      pen.oval(0, -40, 186, 42, shade(metal, -0.12))
      pen.ovalFlat(0, -46, 176, 37, shade(metal, 0.2))
      pen.ovalFlat(0, -44, 164, 31, shade(metal, 0.02))
      for (const side of [-1, 1]) pen.ring(side * 186, -42, 16, 10, 6, shade(metal, -0.2))
      pen.ovalFlat(-60, -52, 60, 8, '#ffffff50')
    },
    anchors: { top: { x: 0, y: -42, width: 260 } },
  },
  'picnic-basket': {
    paint: pen => {
      const wicker = pen.main('#c99a55')
      pen.line([-46, -48, -40, -88, 0, -99, 40, -88, 46, -48], 6, shade(wicker, -0.25))
      pen.shape([-62, -56, -40, -68, 0, -72, 40, -68, 62, -56, 0, -48], '#f7f3ea', 2)
      for (const x of [-40, -14, 12, 38]) pen.boxFlat(x - 5, -68, 10, 14, '#d8433a')
      const body = pen.poly([-64, -54, 64, -54, 54, 0, -54, 0], wicker, 5)
      pen.clip(body, () => {
        for (let row = 0; row < 6; row++)
          for (let i = -7; i <= 7; i++)
            pen.line(
              [i * 10 + (row % 2) * 5, -52 + row * 9, i * 10 + 7 + (row % 2) * 5, -50 + row * 9],
              3,
              shade(wicker, row % 2 ? -0.24 : 0.2),
            )
      })
      pen.box(-68, -58, 136, 9, shade(wicker, -0.1), 4)
    },
    anchors: { opening: { x: 0, y: -58, width: 100 } },
  },
  globe: {
    paint: pen => {
      pen.oval(0, -4, 28, 5, '#7a5028')
      pen.box(-3, -20, 6, 18, '#8a6038')
      pen.context.lineWidth = 3
      pen.context.strokeStyle = '#c9a04a'
      pen.context.beginPath()
      pen.context.arc(0, -58, 42, -1, 2.2)
      pen.context.stroke()
      const sea = pen.oval(0, -58, 37, 37, pen.main('#4f9ac4'))
      pen.clip(sea, () => {
        pen.shapeFlat([-30, -80, -10, -88, 2, -74, -8, -60, -4, -46, -16, -36, -24, -54], '#7fae4a')
        pen.shapeFlat([10, -86, 34, -78, 36, -56, 22, -62, 24, -44, 12, -52, 8, -70], '#7fae4a')
        pen.ovalFlat(-14, -74, 12, 8, '#ffffff40')
      })
    },
  },
  'snow-globe': {
    paint: pen => {
      const base = pen.main('#8a3a34')
      pen.poly([-34, -24, 34, -24, 42, 0, -42, 0], base, 4)
      pen.ovalFlat(0, -60, 41, 40, '#cfe6f4')
      pen.shapeFlat([-36, -36, -14, -44, 16, -40, 36, -36, 20, -24, -20, -24], '#fbfdff')
      pen.polyFlat([-20, -38, -10, -68, 0, -38], '#3f7a52')
      pen.boxFlat(8, -52, 16, 14, '#d9a070')
      pen.polyFlat([4, -52, 16, -64, 28, -52], '#b3392f')
      for (let i = 0; i < 16; i++)
        pen.ovalFlat(Math.cos(i * 2.4) * (8 + i * 1.6), -60 + Math.sin(i * 2.4) * (8 + i * 1.5), 1.3, 1.3, '#ffffff')
      pen.ring(0, -60, 41, 40, 2, '#ffffffc0')
      pen.ovalFlat(-16, -80, 11, 6, '#ffffff90', -0.6)
    },
  },
  hourglass: {
    paint: pen => {
      const wood = pen.main('#8a5a30')
      pen.polyFlat([-14, -80, 14, -80, 2, -53, -2, -53], '#e9c27a')
      pen.shapeFlat([-20, -9, -8, -24, 0, -29, 8, -24, 20, -9], '#e9c27a')
      pen.line([0, -52, 0, -26], 1.4, '#e9c27a')
      glassy(pen, [-22, -90, -22, -74, -4, -52, -22, -28, -22, -9, 22, -9, 22, -28, 4, -52, 22, -74, 22, -90])
      for (const y of [-100, -10]) pen.box(-30, y, 60, 10, wood, 3)
      for (const x of [-27, 23]) pen.box(x, -92, 4, 84, shade(wood, 0.15))
    },
  },
}
