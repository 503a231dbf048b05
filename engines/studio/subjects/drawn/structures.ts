import { pairs } from '../../pairs.ts'
import { scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import { bricks } from './buildings.ts'
import type { Drawing, Pen } from './pen.ts'
import { turned } from './tint.ts'

function planks(pen: Pen, x: number, y: number, width: number, height: number, colour: string, count: number): void {
  for (let i = 0; i < count; i++) pen.box(x, y + (height / count) * i, width, (height / count) * 0.9, shade(colour, i % 2 ? -0.05 : 0.04))
}

function flames(pen: Pen, x: number, base: number, size: number): void {
  pen.aura(x, base - size * 0.5, size * 1.6, '#ff9a3a', 0.5)
  pen.shapeFlat(
    scaled(
      [-0.5, 0, -0.56, -0.5, -0.3, -0.8, -0.16, -0.62, 0, -1.25, 0.22, -0.74, 0.4, -0.9, 0.54, -0.4, 0.46, 0],
      [size, size],
      [x, base],
    ),
    '#f2682a',
  )
  pen.shapeFlat(scaled([-0.34, 0, -0.34, -0.36, -0.06, -0.9, 0.2, -0.44, 0.34, -0.5, 0.32, 0], [size, size], [x, base]), '#fbb33a')
  pen.shapeFlat(scaled([-0.18, 0, -0.16, -0.24, 0.02, -0.52, 0.18, -0.2, 0.18, 0], [size, size], [x, base]), '#fff0a8')
}

export const structures: Record<string, Drawing> = {
  'wind-turbine': {
    paint: pen => {
      pen.poly([-2.4, 0, -1.2, -62, 1.2, -62, 2.4, 0], pen.main('#f2f4f6'), 1)
      for (let i = 0; i < 3; i++) {
        turned(pen, { x: 0, y: -64, angle: 0.3 + (i * Math.PI * 2) / 3 }, () =>
          pen.shape([-1, 0, -1.8, -10, -0.5, -38, 0.5, -38, 1.2, 0], '#f7f8fa', 0.6),
        )
      }
      pen.oval(0, -64, 2.6, 2.6, '#d9dde2')
    },
  },
  bridge: {
    paint: pen => {
      const stone = pen.main('#b0a592')
      const body = pen.shape([-160, 0, -158, -34, -110, -62, -50, -82, 0, -88, 50, -82, 110, -62, 158, -34, 160, 0], stone, 7)
      pen.clip(body, () => bricks(pen, { left: -160, right: 160, top: -90, bottom: 0 }, 9, shade(stone, -0.16)))
      for (const [x, r] of pairs([0, 54, -104, 28, 104, 28])) {
        pen.context.save()
        pen.context.globalCompositeOperation = 'destination-out'
        pen.shapeFlat(
          [x - r, 2, x - r * 0.9, -r * 0.6, x - r * 0.5, -r * 1.02, x, -r * 1.14, x + r * 0.5, -r * 1.02, x + r * 0.9, -r * 0.6, x + r, 2],
          '#000000',
        )
        pen.context.restore()
        pen.line(
          scaled([-1, 0, -0.88, -0.62, -0.5, -1.04, 0, -1.16, 0.5, -1.04, 0.88, -0.62, 1, 0], [r, r], [x, 0]),
          4,
          shade(stone, -0.22),
        )
      }
      pen.line([-158, -40, -110, -68, -50, -88, 0, -95, 50, -88, 110, -68, 158, -40], 7, shade(stone, 0.12))
    },
    anchors: { top: { x: 0, y: -92, width: 120 } },
  },
  pier: {
    paint: pen => {
      const wood = pen.main('#9a7250')
      for (const x of [-190, -120, -50, 20, 90, 160]) pen.box(x, -66, 14, 66, shade(wood, -0.25), 3)
      planks(pen, -215, -78, 430, 22, wood, 3)
      for (const x of [-190, -50, 90]) pen.box(x + 2, -100, 9, 24, shade(wood, -0.1), 2)
    },
    anchors: { top: { x: 0, y: -78, width: 380 } },
  },
  well: {
    paint: pen => {
      const stone = pen.main('#a7a09a')
      const wall = pen.shape([-38, 0, -40, -20, -38, -38, 0, -42, 38, -38, 40, -20, 38, 0, 0, 4], stone, 6)
      pen.clip(wall, () => bricks(pen, { left: -42, right: 42, top: -42, bottom: 6 }, 9, shade(stone, -0.26)))
      pen.ovalFlat(0, -38, 36, 8, shade(stone, -0.45))
      pen.ring(0, -38, 37, 8, 5, shade(stone, 0.1))
      for (const x of [-33, 29]) pen.box(x, -82, 5, 46, '#7a5436')
      pen.line([-30, -62, 32, -62], 4, '#8a6038')
      pen.line([0, -62, 0, -48], 1, '#d9c9a4')
      pen.box(-6, -50, 12, 12, '#8a6038', 2)
      pen.poly([-48, -78, -30, -102, 30, -102, 48, -78], '#a8503a', 4)
    },
  },
  gate: {
    paint: pen => {
      const iron = pen.main('#3a3f4a')
      for (const x of [-66, 48]) {
        pen.box(x, -92, 18, 92, '#b3a999')
        pen.box(x - 3, -97, 24, 7, '#c9bfae')
        pen.oval(x + 9, -102, 6, 6, '#b3a999')
      }
      for (let i = 0; i <= 10; i++) {
        const x = -46 + i * 9.2
        const top = -66 - Math.sin((i / 10) * Math.PI) * 20
        pen.line([x, -3, x, top], 2, iron)
        pen.poly([x - 2.2, top, x, top - 6, x + 2.2, top], iron, 0.5)
      }
      for (const y of [-8, -34, -62]) pen.line([-48, y, 48, y], 2.4, iron)
      pen.line([-1, -3, -1, -84], 3, shade(iron, -0.2))
    },
  },
  stairs: {
    paint: pen => {
      const stone = pen.main('#bdb3a4')
      for (let i = 0; i < 9; i++) {
        pen.boxFlat(-70 + i * 14, -(i + 1) * 11, 140 - i * 14, 11, shade(stone, -0.16))
        pen.boxFlat(-70 + i * 14, -(i + 1) * 11, 140 - i * 14, 4, shade(stone, 0.1))
      }
    },
    anchors: { top: { x: 60, y: -99, width: 30 } },
  },
  wall: {
    paint: pen => {
      const brick = pen.main('#b0634a')
      const body = pen.box(-125, -92, 250, 92, brick)
      pen.clip(body, () => bricks(pen, { left: -125, right: 125, top: -92, bottom: 0 }, 11, '#d9c4b0'))
      pen.box(-130, -100, 260, 9, '#bdb3a4')
    },
    anchors: { top: { x: 0, y: -100, width: 230 } },
  },
  fence: {
    paint: pen => {
      const paint = pen.main('#f6f3ec')
      for (const y of [-74, -32]) pen.box(-175, y, 350, 9, shade(paint, -0.1))
      for (let i = 0; i < 16; i++)
        pen.poly([-172 + i * 22, 0, -172 + i * 22, -88, -164 + i * 22, -100, -156 + i * 22, -88, -156 + i * 22, 0], paint, 2)
    },
    anchors: { top: { x: 0, y: -96, width: 320 } },
  },
  tent: {
    paint: pen => {
      const cloth = pen.main('#e8803a')
      pen.poly([-10, -98, 60, -88, 92, 0, 34, 0], shade(cloth, -0.24), 4)
      pen.poly([-74, 0, -10, -100, 46, 0], cloth, 5)
      pen.polyFlat([-32, 0, -10, -70, 12, 0], '#4a3a44')
      pen.poly([-32, 0, -10, -70, -8, -66, -44, 0], shade(cloth, 0.3), 1)
      pen.line([-74, 0, -88, -1], 1, '#d9c9a4')
      pen.line([-10, -100, -12, -104], 2, '#7a5436')
      pen.lamp(-10, -24, 3, '#ffd27a')
    },
    anchors: { opening: { x: -10, y: -30, width: 40 } },
  },
  campfire: {
    paint: pen => {
      for (const [x, turn] of pairs([-14, 0.32, 14, -0.32])) {
        turned(pen, { x: x * 0.2, y: -8, angle: turn }, () => {
          pen.box(-40, -6, 80, 12, '#6b4428', 5)
          pen.ovalFlat(40, 0, 4, 6, '#d9b07c')
        })
      }
      for (let i = 0; i < 8; i++) pen.oval(-44 + i * 12.6, i % 2 ? 0 : -3, 8, 5.6, '#8d8984')
      flames(pen, 0, -10, 66)
    },
    isLuminous: true,
  },
  'street-lamp': {
    paint: pen => {
      const iron = pen.main('#33424a')
      pen.box(-6, -6, 12, 6, iron, 1)
      pen.box(-1.6, -78, 3.2, 74, iron, 1)
      for (const y of [-14, -70]) pen.oval(0, y, 2.8, 1.6, iron)
      pen.poly([-7, -92, -4.6, -80, 4.6, -80, 7, -92], '#f6ecc8', 0.8)
      pen.lamp(0, -86, 3.6, '#ffd78a')
      pen.poly([-8.4, -92, 0, -99, 8.4, -92], iron, 1)
      pen.line([0, -99, 0, -102], 1.2, iron)
    },
  },
  bench: {
    paint: pen => {
      const wood = pen.main('#a87444')
      for (const x of [-76, 70]) pen.line([x, 0, x + 3, -48, x - 3, -98], 5, '#33383f')
      planks(pen, -92, -98, 184, 40, wood, 3)
      planks(pen, -96, -50, 192, 14, shade(wood, 0.08), 2)
      for (const x of [-74, 72]) pen.line([x + 8, 0, x + 8, -38], 5, '#33383f')
    },
    anchors: { top: { x: 0, y: -48, width: 170 }, seat: { x: 0, y: -46 } },
  },
  'phone-box': {
    paint: pen => {
      const red = pen.main('#c8262f')
      pen.box(-20, -92, 40, 92, red, 1)
      pen.shape([-21, -90, -18, -98, 0, -101, 18, -98, 21, -90], shade(red, -0.08), 2)
      pen.boxFlat(-16, -90, 32, 6, '#f7f3ea')
      for (let row = 0; row < 6; row++)
        for (let column = 0; column < 3; column++) pen.window(-14 + column * 9.8, -79 + row * 11.6, 7.6, 8.6, { frame: red, bars: false })
      pen.boxFlat(-22, -4, 44, 4, shade(red, -0.4))
    },
  },
  signpost: {
    paint: pen => {
      const wood = pen.main('#a87444')
      pen.box(-3, -100, 6, 100, '#7a5436', 1)
      pen.poly([-6, -92, 26, -92, 35, -83, 26, -74, -6, -74], wood, 2)
      pen.poly([6, -68, -24, -68, -33, -59, -24, -50, 6, -50], shade(wood, 0.1), 2)
      for (const y of [-86, -80]) pen.line([0, y, 22, y], 1, shade(wood, -0.4))
      for (const y of [-62, -56]) pen.line([-20, y, 0, y], 1, shade(wood, -0.4))
    },
    anchors: { panel: { x: 12, y: -83, width: 32, height: 14 } },
  },
  sign: {
    paint: pen => {
      const wood = pen.main('#b9824a')
      for (const x of [-30, 24]) pen.box(x, -60, 6, 60, '#7a5436')
      const board = pen.box(-50, -100, 100, 56, wood, 4)
      pen.clip(board, () => {
        for (const y of [-86, -72, -58]) pen.line([-50, y, 50, y], 1, shade(wood, -0.24))
      })
      pen.context.strokeStyle = shade(wood, -0.35)
      pen.context.lineWidth = 2.4
      pen.context.strokeRect(-47, -97, 94, 50)
    },
    anchors: { panel: { x: 0, y: -72, width: 86, height: 42 } },
  },
  'market-stall': {
    paint: pen => {
      const cloth = pen.main('#d0432f')
      for (const x of [-50, 45]) pen.box(x, -80, 5, 80, '#8a6038')
      pen.box(-54, -40, 108, 40, '#b9824a', 2)
      for (let i = 0; i < 5; i++) pen.line([-54 + i * 27, -40, -54 + i * 27, 0], 1.4, '#8a6038')
      for (const [x, colour] of [
        [-38, '#d8342b'],
        [-14, '#f2a63a'],
        [10, '#7fb84a'],
        [34, '#f2d23a'],
      ] as const) {
        for (let i = 0; i < 6; i++) pen.oval(x - 7 + (i % 3) * 7, -43 - Math.floor(i / 3) * 5, 4.4, 4.4, colour)
      }
      for (let i = 0; i < 8; i++) {
        const x = -60 + i * 15
        pen.shape([x, -76, x + 2, -99, x + 13, -99, x + 15, -76, x + 7.5, -69], i % 2 ? '#fbf6ec' : cloth, 1)
      }
      pen.box(-60, -103, 120, 5, '#8a6038', 2)
    },
  },
  scarecrow: {
    paint: pen => {
      pen.box(-2, -60, 4, 60, '#8a6038')
      pen.line([-38, -64, 38, -64], 4, '#8a6038')
      pen.shape([-22, -72, 22, -72, 36, -66, 36, -57, 17, -58, 18, -30, -18, -30, -17, -58, -36, -57, -36, -66], pen.main('#c8553d'), 4)
      for (const x of [-38, 38]) for (const turn of [-4, 0, 4]) pen.line([x * 0.94, -62, x * 1.1, -62 + turn], 1.2, '#e6c46e')
      for (let i = -3; i <= 3; i++) pen.line([i * 5, -32, i * 6, -22], 1.4, '#e6c46e')
      pen.oval(0, -84, 12, 12, '#ead2a0')
      for (const x of [-4, 5]) pen.ovalFlat(x, -86, 1.6, 1.9, '#3a2a22')
      pen.line([-5, -78, 0, -76, 6, -79], 1, '#7a4a34')
      pen.oval(0, -93, 20, 4, '#d9b35a')
      pen.shape([-10, -93, -7, -104, 7, -105, 11, -93], '#d9b35a', 2)
    },
  },
  haystack: {
    paint: pen => {
      const straw = pen.main('#e3b94e')
      const heap = pen.shape([-60, 0, -58, -30, -42, -66, -16, -94, 6, -99, 26, -88, 48, -54, 60, -20, 60, 0], straw, 8)
      pen.clip(heap, () => {
        for (let i = 0; i < 130; i++) {
          const x = pen.random.between(-62, 60)
          const y = pen.random.between(-98, 2)
          pen.line([x, y, x + pen.random.between(-5, 5), y + pen.random.between(5, 12)], 0.8, shade(straw, pen.random.between(-0.35, 0.3)))
        }
      })
    },
  },
  swing: {
    paint: pen => {
      for (const side of [-1, 1]) pen.line([side * 50, 0, side * 34, -100], 4.6, '#8a6038')
      pen.line([-42, -98, 42, -98], 5, '#8a6038')
      for (const x of [-16, 16]) pen.line([x, -96, x, -30], 1.4, '#d9c9a4')
      pen.box(-22, -32, 44, 5, pen.main('#c8553d'), 1)
    },
    anchors: { top: { x: 0, y: -32, width: 40 }, seat: { x: 0, y: -31 } },
  },
  flag: {
    paint: pen => {
      pen.box(-33, -100, 3, 100, '#b3a999', 1)
      pen.oval(-31.5, -101, 3, 3, '#e0b34a')
      const cloth = pen.shape(
        [-30, -97, -10, -101, 10, -94, 36, -98, 34, -78, 36, -60, 10, -56, -10, -63, -30, -59],
        pen.main('#d0392f'),
        3,
      )
      pen.clip(cloth, () => {
        for (const x of [-12, 12]) pen.line([x, -102, x + 3, -80, x, -56], 3, '#00000022')
      })
    },
    anchors: { panel: { x: 2, y: -78, width: 58, height: 32 } },
  },
}
