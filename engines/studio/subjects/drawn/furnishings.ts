import { parseHex } from '../../colour.ts'
import { pairs } from '../../pairs.ts'
import { polygon } from '../brush.ts'
import { luma, shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** Draws a chest with rows of drawers. */
function drawers(pen: Pen, half: number, rows: number, colour: string): void {
  for (const x of [-half + 3, half - 11]) pen.box(x, -8, 8, 8, shade(colour, -0.3))
  pen.box(-half, -96, half * 2, 90, colour, 2)
  pen.box(-half - 4, -100, half * 2 + 8, 7, shade(colour, 0.12), 2)
  const height = 82 / rows
  for (let i = 0; i < rows; i++) {
    const y = -91 + i * height
    pen.box(-half + 5, y, half * 2 - 10, height - 4, shade(colour, 0.08), 2)
    pen.line([-half + 5, y + height - 4, half - 5, y + height - 4], 1.4, shade(colour, -0.36))
    for (const x of half > 30 ? [-half * 0.45, half * 0.45] : [0]) pen.oval(x, y + height / 2 - 2, 3.4, 3.4, '#d9b25a')
  }
}

export const furnishings: Record<string, Drawing> = {
  'ironing-board': {
    paint: pen => {
      for (const side of [-1, 1]) pen.line([side * 50, -80, -side * 50, 0], 5, '#8d97a6')
      const cloth = pen.main('#7fb0d8')
      pen.shape([-110, -86, -104, -96, 80, -96, 122, -88, 80, -80, -104, -80], cloth, 4)
    },
    anchors: { top: { x: 0, y: -92, width: 180 } },
  },
  'grandfather-clock': {
    paint: pen => {
      const wood = pen.main('#7a4a28')
      pen.poly([-20, -90, 0, -101, 20, -90], wood, 2)
      pen.box(-19, -91, 38, 28, wood, 2)
      pen.box(-13, -63, 26, 46, shade(wood, -0.1))
      pen.box(-20, -18, 40, 18, wood, 1)
      pen.oval(0, -77, 12, 12, '#f7f0dc')
      for (let i = 0; i < 12; i++) pen.ovalFlat(Math.sin(i * 0.524) * 9.6, -77 - Math.cos(i * 0.524) * 9.6, 0.7, 0.7, '#33241c')
      pen.line([0, -77, 0, -85], 1.1, '#33241c')
      pen.line([0, -77, 5, -74], 1.3, '#33241c')
      pen.boxFlat(-9, -59, 18, 38, '#3a2416')
      pen.line([0, -58, 2, -34], 0.9, '#d9b25a')
      pen.oval(2, -32, 4.6, 4.6, '#e2b23a')
    },
  },
  dresser: { paint: pen => drawers(pen, 62, 3, pen.main('#a5713f')), anchors: { top: { x: 0, y: -100, width: 110 } } },
  nightstand: { paint: pen => drawers(pen, 40, 2, pen.main('#a5713f')), anchors: { top: { x: 0, y: -100, width: 70 } } },
  'shoe-rack': {
    paint: pen => {
      const wood = pen.main('#b58a58')
      for (const y of [-92, -52, -12]) pen.box(-88, y, 176, 8, wood, 2)
      for (const x of [-90, 82]) pen.box(x, -100, 8, 100, shade(wood, -0.16), 2)
    },
    anchors: { top: { x: 0, y: -92, width: 150 } },
  },
  'coat-rack': {
    paint: pen => {
      const wood = pen.main('#7a4a28')
      pen.line([-14, -2, 0, -12, 14, -2], 4, wood)
      pen.box(-2, -100, 4, 92, wood, 2)
      for (const side of [-1, 1]) {
        pen.line([0, -84, side * 9, -86, side * 14, -95], 2.6, wood)
        pen.line([0, -74, side * 8, -76, side * 12, -83], 2.6, wood)
      }
    },
  },
  ottoman: {
    paint: pen => {
      const cloth = pen.main('#b0627a')
      for (const x of [-56, 46]) pen.box(x, -16, 10, 16, '#5a3a22', 3)
      pen.box(-70, -82, 140, 70, shade(cloth, -0.1), 12)
      pen.box(-74, -100, 148, 40, cloth, 18)
      for (const x of [-40, 0, 40]) pen.oval(x, -82, 3, 3, shade(cloth, -0.35))
    },
    anchors: { top: { x: 0, y: -98, width: 120 } },
  },
  beanbag: {
    paint: pen => {
      const cloth = pen.main('#e0703a')
      pen.shape([-84, -8, -92, -40, -56, -80, -14, -100, 30, -92, 66, -62, 92, -36, 84, -8, 0, 0], cloth, 9)
      pen.shapeFlat([-50, -52, -10, -72, 34, -62, 52, -40, 0, -32], shade(cloth, -0.1))
      for (const points of [
        [-14, -98, -44, -60, -62, -18],
        [28, -90, 54, -50, 64, -16],
      ])
        pen.line(points, 2, shade(cloth, -0.28))
    },
    anchors: { seat: { x: 0, y: -46 } },
  },
  'rocking-chair': {
    paint: pen => {
      const wood = pen.main('#9a6234')
      pen.line([-52, -6, -20, -1, 20, -1, 56, -10], 6, shade(wood, -0.2))
      for (const points of [
        [-28, -4, -24, -42],
        [26, -4, 24, -42],
      ])
        pen.line(points, 6, wood)
      for (let i = 0; i < 5; i++) pen.line([-26 + i * 4, -42, -44 + i * 6, -96], 3.4, wood)
      pen.box(-50, -101, 36, 9, wood, 4)
      pen.box(-32, -46, 64, 8, wood, 3)
      pen.line([-32, -66, 26, -64, 26, -44], 5, wood)
    },
    isSided: true,
  },
  crib: {
    paint: pen => {
      const white = pen.main('#f4efe4')
      pen.box(-70, -42, 140, 26, '#a9cfe6', 6)
      for (let i = 0; i <= 12; i++) pen.box(-74 + i * 12, -92, 4, 82, white)
      for (const y of [-96, -14]) pen.box(-80, y, 160, 8, white, 3)
      for (const x of [-82, 74]) pen.box(x, -100, 9, 100, white, 3)
    },
  },
  'floor-lamp': {
    paint: pen => {
      pen.box(-13, -4, 26, 4, '#5a4630', 2)
      pen.box(-1.2, -76, 2.4, 74, '#5a4630')
      pen.poly([-9, -100, 9, -100, 16, -74, -16, -74], pen.main('#f2dfb0'), 3)
      pen.lamp(0, -78, 4)
    },
  },
  towel: {
    paint: pen => {
      const cloth = pen.main('#7fb6d0')
      // Folds in dark cloth are drawn lighter, folds in light cloth darker.
      const fold = luma(parseHex(cloth)) < 0.25 ? 0.16 : -0.2
      pen.box(-62, -101, 124, 5, '#c3ccd4', 2.5)
      for (const x of [-60, 54]) pen.box(x, -106, 6, 14, '#9aa6b2', 2)
      // The back half is drawn first, then the front half, which hangs over the bar.
      pen.poly([-40, -99, 46, -99, 47, -14, -39, -12], shade(cloth, -0.3), 2)
      const front = polygon([-46, -103, 40, -103, 41, -2, 20, -4, -4, -1, -26, -4, -47, -1])
      pen.context.fillStyle = pen.across(-46, 41, [
        shade(cloth, -0.16),
        shade(cloth, 0.12),
        shade(cloth, -0.06),
        shade(cloth, 0.1),
        shade(cloth, -0.12),
        shade(cloth, 0.06),
        shade(cloth, -0.2),
      ])
      pen.context.fill(front)
      pen.clip(front, () => {
        pen.boxFlat(-50, -104, 100, 7, pen.down(-104, -97, [shade(cloth, 0.3), `${shade(cloth, 0.05)}00`]))
        for (const y of [-22, -14]) pen.boxFlat(-50, y, 100, 3.4, shade(cloth, 0.34))
        for (const [x, lean] of pairs([-24, 2, -4, -1, 18, 1])) pen.line([x, -92, x + lean, -6], 2.4, shade(cloth, fold))
      })
      for (let x = -45; x <= 39; x += 4) pen.line([x, -3, x, 1], 1.2, shade(cloth, 0.2))
    },
    anchors: { panel: { x: -3, y: -58, width: 70, height: 46 } },
  },
  // This towel lies spread on the ground, so that a person can lie on it.
  'beach-towel': {
    paint: pen => {
      const cloth = pen.main('#e8695c')
      const sheet = polygon([-150, -4, 128, 0, 176, -92, -96, -100])
      pen.polyFlat([-150, 0, 128, 5, 178, -90, -94, -96], shade(cloth, -0.35))
      pen.context.fillStyle = pen.down(-100, 0, [shade(cloth, -0.08), shade(cloth, 0.1)])
      pen.context.fill(sheet)
      pen.clip(sheet, () => {
        for (let i = 0; i < 5; i++) {
          const at = -128 + i * 58
          pen.polyFlat([at, 0, at + 22, 0, at + 76, -100, at + 54, -100], shade(cloth, 0.55))
        }
        for (const x of [-60, 40]) pen.line([x, 0, x + 30, -50, x + 50, -100], 3, shade(cloth, -0.14))
      })
      for (let i = 0; i <= 18; i++) {
        const share = i / 18
        pen.line([-150 + share * 54, -4 - share * 96, -156 + share * 54, -3 - share * 96], 1.6, shade(cloth, 0.3))
        pen.line([128 + share * 48, -share * 92, 134 + share * 48, -share * 92], 1.6, shade(cloth, 0.3))
      }
    },
    anchors: { top: { x: 10, y: -40, width: 230 } },
  },
  blanket: {
    paint: pen => {
      const cloth = pen.main('#c0687a')
      for (const [y, tone] of pairs([-34, -0.1, -66, 0, -98, 0.08])) {
        pen.box(-84, y, 168, 34, shade(cloth, tone), 15)
        for (const x of [-40, 10, 56]) pen.boxFlat(x, y + 2, 8, 28, shade(cloth, 0.35))
      }
    },
  },
  'coffee-table': {
    paint: pen => {
      const wood = pen.main('#9a6a3e')
      for (const x of [-96, 84]) pen.poly([x, -74, x + 12, -74, x + 9, 0, x + 3, 0], shade(wood, -0.2), 2)
      for (const x of [-66, 56]) pen.box(x, -74, 9, 62, shade(wood, -0.36))
      pen.box(-92, -36, 184, 8, shade(wood, -0.24), 2)
      pen.polyFlat([-84, -100, 84, -100, 112, -80, -112, -80], shade(wood, 0.14))
      pen.box(-112, -81, 224, 10, wood, 3)
    },
    anchors: { top: { x: 0, y: -90, width: 160 } },
  },
  'ping-pong-table': {
    paint: pen => {
      const green = pen.main('#2f7f5a')
      for (const x of [-96, 88]) pen.box(x, -70, 8, 70, '#4a4f5a', 2)
      pen.polyFlat([-96, -92, 96, -92, 124, -72, -124, -72], green)
      pen.line([-110, -82, 110, -82], 1.4, '#f4f6f8')
      pen.line([-124, -72, 124, -72], 2.4, '#f4f6f8')
      pen.boxFlat(-124, -71, 248, 6, shade(green, -0.35))
      pen.polyFlat([-1, -101, 1, -101, 2, -70, -2, -70], '#f4f6f8')
      pen.boxFlat(-3, -103, 6, 32, '#e9eef2c0')
    },
    anchors: { top: { x: 0, y: -82, width: 190 } },
  },
  'pool-table': {
    paint: pen => {
      const felt = pen.main('#2f8a4f')
      for (const x of [-100, 82]) pen.poly([x, -46, x + 20, -46, x + 15, 0, x + 5, 0], '#6a3f22', 3)
      pen.polyFlat([-90, -100, 90, -100, 124, -70, -124, -70], '#6a3f22')
      pen.polyFlat([-84, -96, 84, -96, 110, -74, -110, -74], felt)
      pen.box(-124, -70, 248, 26, '#7a4a28', 3)
      for (const x of [-108, 0, 108]) pen.ovalFlat(x, -74, 7, 3.4, '#22161a')
      for (const [x, y, colour] of [
        [-30, -86, '#f4f6f8'],
        [40, -86, '#d8342b'],
        [50, -84, '#f2c230'],
        [46, -89, '#2f6fc4'],
      ] as const)
        pen.oval(x, y, 4.4, 4, colour)
    },
  },
  mannequin: {
    paint: pen => {
      const cloth = pen.main('#e3cfae')
      pen.line([-14, 0, 0, -8, 14, 0], 3, '#5a4030')
      pen.box(-1.6, -40, 3.2, 38, '#5a4030')
      pen.shape([-17, -40, -12, -58, -19, -82, -9, -88, -4, -95, 4, -95, 9, -88, 19, -82, 12, -58, 17, -40], cloth, 4)
      pen.box(-4, -101, 8, 7, '#5a4030', 3)
      pen.clip(polygon([-20, -90, 20, -90, 20, -40, -20, -40]), () => pen.line([0, -92, 0, -40], 1, shade(cloth, -0.3)))
    },
  },
}
