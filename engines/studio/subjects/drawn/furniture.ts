import { pairs } from '../../pairs.ts'
import { scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** Draws a table with four legs (the back ones darker) and a top. The table is seen slightly from
 *  above, so that its top has a visible surface on which things stand. */
function board(pen: Pen, half: number, top: number, colour: string, thickness = 7): void {
  const [back, front] = [top - 7, top + 7]
  for (const side of [-1, 1]) {
    const x = side * half * 0.72
    pen.polyFlat([x - 5, front, x + 5, front, x + 4, -9, x - 4, -9], shade(colour, -0.42))
  }
  pen.boxFlat(-half * 0.9, front + thickness - 1, half * 1.8, 13, shade(colour, -0.3))
  for (const side of [-1, 1]) {
    const x = side * half * 0.9
    pen.poly([x - 8, front + thickness, x + 8, front + thickness, x + 5.5, 0, x - 5.5, 0], shade(colour, -0.1), 1.6)
  }
  pen.poly([-half * 0.88, back, half * 0.88, back, half * 1.02, front, -half * 1.02, front], shade(colour, 0.14), 0.6)
  for (const [y, x] of [
    [back + 4, 0.3],
    [back + 8, -0.5],
    [back + 11, 0.1],
  ] as const)
    pen.line([half * (x - 0.3), y, half * (x + 0.34), y + 0.4], 0.9, shade(colour, -0.02))
  pen.box(-half * 1.02, front, half * 2.04, thickness, colour, 1.5)
  pen.boxFlat(-half * 1.02, front, half * 2.04, thickness * 0.3, shade(colour, 0.24), 1.5)
}

function sofa(pen: Pen, half: number, colour: string, seats: number): void {
  for (const x of [-half * 0.86, half * 0.8]) pen.box(x, -10, 6, 10, '#5a3c28')
  pen.box(-half * 0.9, -98, half * 1.8, 60, shade(colour, -0.06), 14)
  const width = (half * 1.56) / seats
  for (let i = 0; i < seats; i++) pen.box(-half * 0.78 + i * width, -92, width - 2, 48, shade(colour, 0.04), 10)
  for (let i = 0; i < seats; i++) pen.box(-half * 0.78 + i * width, -48, width - 1.5, 22, shade(colour, 0.12), 7)
  pen.box(-half * 0.8, -30, half * 1.6, 22, shade(colour, -0.12), 4)
  for (const x of [-half, half * 0.78]) pen.box(x, -66, half * 0.22, 58, colour, 11)
}

function frame(pen: Pen, half: number, colour: string): void {
  pen.box(-half, -100, half * 2, 100, colour, 2)
  pen.boxFlat(-half + 8, -92, half * 2 - 16, 84, shade(colour, -0.4))
}

export const furniture: Record<string, Drawing> = {
  sofa: { paint: pen => sofa(pen, 112, pen.main('#5f7fa8'), 3), anchors: { top: { x: 0, y: -46, width: 160 }, seat: { x: 0, y: -44 } } },
  armchair: { paint: pen => sofa(pen, 48, pen.main('#b0603f'), 1), anchors: { top: { x: 0, y: -46, width: 64 }, seat: { x: 0, y: -44 } } },
  chair: {
    paint: pen => {
      const wood = pen.main('#a8743f')
      for (const x of [-20, 14]) pen.box(x, -100, 6, 96, shade(wood, -0.25))
      for (const y of [-94, -80, -66]) pen.box(-18, y, 36, 8, wood, 2)
      pen.poly([-26, -46, -20, -56, 22, -56, 26, -46], shade(wood, 0.1), 2)
      pen.box(-26, -47, 52, 7, wood, 2)
      for (const x of [-25, 19]) pen.box(x, -42, 6, 42, wood)
    },
    anchors: { top: { x: 0, y: -52, width: 44 }, seat: { x: 0, y: -50 } },
  },
  stool: {
    paint: pen => {
      const wood = pen.main('#a8743f')
      for (const [x, lean] of pairs([-26, -8, 22, 8, -4, 0]))
        pen.poly([x, -86, x + 8, -86, x + 8 + lean, 0, x + lean, 0], shade(wood, lean === 0 ? -0.3 : -0.1), 1.5)
      pen.line([-30, -34, 30, -34], 4, shade(wood, -0.2))
      pen.oval(0, -90, 40, 11, wood)
    },
    anchors: { top: { x: 0, y: -95, width: 70 }, seat: { x: 0, y: -93 } },
  },
  throne: {
    paint: pen => {
      const gold = '#e0b340'
      pen.shape([-27, -6, -28, -84, -18, -94, 0, -103, 18, -94, 28, -84, 27, -6], gold, 4)
      pen.shape([-20, -34, -21, -80, 0, -93, 21, -80, 20, -34], pen.main('#a3212f'), 3)
      for (const [x, y] of pairs([0, -62, -10, -74, 10, -74, -10, -50, 10, -50])) pen.ovalFlat(x, y, 1.5, 1.5, gold)
      pen.box(-22, -31, 44, 9, shade(pen.main('#a3212f'), 0.1), 4)
      pen.box(-30, -46, 9, 46, gold, 3)
      pen.box(21, -46, 9, 46, gold, 3)
      pen.box(-24, -23, 48, 17, shade(gold, -0.2))
      for (const x of [-25.5, 25.5]) pen.oval(x, -48, 6, 6, gold)
      pen.oval(0, -102, 4, 4, '#3f8fd0')
    },
    anchors: { top: { x: 0, y: -31, width: 40 }, seat: { x: -4, y: -31 } },
  },
  table: { paint: pen => board(pen, 92, -98, pen.main('#a8743f'), 9), anchors: { top: { x: 0, y: -97, width: 176 } } },
  desk: {
    paint: pen => {
      const wood = pen.main('#9a6a40')
      board(pen, 90, -98, wood, 8)
      pen.box(34, -90, 46, 88, shade(wood, -0.06), 2)
      for (const y of [-84, -56, -28]) {
        pen.box(38, y, 38, 23, shade(wood, 0.08), 2)
        pen.oval(57, y + 11, 3, 3, '#e0b340')
      }
    },
    anchors: { top: { x: 0, y: -97, width: 170 } },
  },
  bed: {
    paint: pen => {
      const cover = pen.main('#5f8fc4')
      pen.box(-102, -98, 12, 98, '#8a5c38', 4)
      pen.box(92, -62, 11, 62, '#8a5c38', 4)
      pen.box(-96, -34, 192, 18, '#a8743f', 2)
      pen.box(-92, -56, 186, 28, '#f7f3ea', 8)
      pen.shape([-86, -56, -80, -74, -50, -76, -38, -62, -42, -52], '#ffffff', 4)
      pen.shape([-40, -60, 30, -64, 92, -58, 94, -28, 30, -24, -44, -28], cover, 6)
      pen.line([-40, -58, -42, -30], 8, shade(cover, 0.4))
    },
    anchors: { top: { x: 10, y: -62, width: 150 } },
  },
  bookshelf: {
    paint: pen => {
      frame(pen, 30, pen.main('#8a5c38'))
      const spines = ['#b3392f', '#3f6f9a', '#e0b340', '#4a8a5a', '#7d4a8f', '#d9824a', '#f0e6d0']
      for (let row = 0; row < 5; row++) {
        const base = -76 + row * 17
        let x = -21
        while (x < 17) {
          const width = pen.random.between(2.4, 5)
          const height = pen.random.between(9.5, 13.6)
          pen.box(x, base - height, width, height, pen.random.pick(spines), 0.4)
          x += width + 0.3
        }
        pen.box(-23, base, 46, 3, shade(pen.main('#8a5c38'), 0.1))
      }
    },
  },
  wardrobe: {
    paint: pen => {
      const wood = pen.main('#a8743f')
      pen.box(-30, -98, 60, 96, wood, 2)
      pen.box(-33, -102, 66, 6, shade(wood, -0.15), 2)
      for (const x of [-27, 1]) {
        pen.box(x, -92, 26, 62, shade(wood, 0.08), 2)
        pen.box(x, -27, 26, 20, shade(wood, 0.04), 2)
        pen.oval(x + 13, -17, 2, 2, '#e0b340')
      }
      for (const x of [-3, 3]) pen.oval(x, -60, 1.4, 3, '#e0b340')
    },
  },
  fireplace: {
    paint: pen => {
      const stone = pen.main('#b0a090')
      pen.box(-58, -88, 116, 88, stone)
      pen.box(-66, -100, 132, 13, '#8a5c38', 2)
      for (let row = 0; row < 8; row++)
        for (let i = 0; i < 6; i++)
          pen.box(-57 + i * 19.4 + (row % 2) * 4, -87 + row * 11, 17, 9.6, shade(stone, ((row * 7 + i * 3) % 5) * 0.05 - 0.1), 1)
      pen.shapeFlat([-34, 0, -34, -44, -24, -60, 0, -66, 24, -60, 34, -44, 34, 0], '#241a1c')
      pen.glow(0, -20, 44, '#ff8a3a', 0.8)
      pen.line([-20, -4, 20, -7], 7, '#6b4428')
      pen.line([-18, -8, 22, -3], 6, '#54331f')
      pen.shapeFlat([-16, -6, -18, -22, -6, -36, -3, -28, 4, -46, 10, -30, 17, -24, 16, -6], '#f2682a')
      pen.shapeFlat([-9, -6, -9, -18, 2, -32, 10, -17, 9, -6], '#fbc04a')
    },
    anchors: { top: { x: 0, y: -100, width: 110 } },
  },
  rug: {
    paint: pen => {
      const colour = pen.main('#a8383f')
      pen.polyFlat([-232, -100, 232, -100, 300, -4, -300, -4], shade(colour, -0.12))
      pen.polyFlat([-232, -100, 232, -100, 296, -9, -296, -9], colour)
      for (const [share, tone] of [
        [0.9, '#f0d9a8'],
        [0.87, colour],
        [0.62, shade(colour, -0.28)],
        [0.58, '#f0d9a8'],
        [0.55, shade(colour, -0.16)],
      ] as const) {
        const [top, low] = [-54 - 44 * share, -54 + 44 * share]
        pen.polyFlat([-236 * share, top, 236 * share, top, 290 * share, low, -290 * share, low], tone)
      }
      for (let i = 0; i < 34; i++) pen.line([-296 + i * 17.9, -5, -300 + i * 18.2, 0], 2, '#f0e2c4')
    },
    anchors: { top: { x: 0, y: -46, width: 380 } },
  },
  lamp: {
    paint: pen => {
      pen.oval(0, -4, 24, 5, '#8a6038')
      pen.shape([-4, -6, -6, -26, -3, -50, 3, -50, 6, -26, 4, -6], pen.main('#c9824a'), 2)
      pen.lamp(0, -62, 7, '#ffd98a')
      pen.poly([-32, -52, -18, -100, 18, -100, 32, -52], '#f7e6bc', 5)
    },
    isLuminous: false,
  },
  chandelier: {
    paint: pen => {
      const gold = pen.main('#d9a84a')
      pen.line([0, -100, 0, -60], 2.4, gold)
      pen.oval(0, -58, 7, 9, gold)
      for (const x of [-48, -24, 24, 48]) {
        pen.line([0, -50, x * 0.6, -28, x, -40], 2.4, gold)
        pen.box(x - 3, -54, 6, 14, '#fbf6ec', 1)
        pen.lamp(x, -59, 3.4, '#ffd98a')
        pen.oval(x, -18, 2.4, 5, '#dff0fa')
        pen.line([x, -38, x, -22], 0.5, gold)
      }
      pen.oval(0, -36, 5, 7, gold)
      pen.oval(0, -6, 4, 7, '#dff0fa')
      pen.line([0, -30, 0, -12], 0.6, gold)
    },
  },
  window: {
    paint: pen => {
      pen.box(-46, -100, 92, 94, pen.main('#f7f3ea'), 2)
      for (const x of [-38, 3]) for (const y of [-92, -48]) pen.window(x, y, 35, 36, { bars: false })
      pen.box(-52, -8, 104, 8, shade(pen.main('#f7f3ea'), -0.1), 2)
    },
  },
  door: {
    paint: pen => {
      const wood = pen.main('#8a5430')
      pen.box(-27, -100, 54, 100, '#efe6d4', 1)
      pen.box(-22, -95, 44, 95, wood, 1)
      for (const y of [-88, -44]) for (const x of [-17, 3]) pen.box(x, y, 14, 36, shade(wood, -0.14), 1)
      pen.oval(17, -48, 2.6, 2.6, '#e9c65a')
    },
  },
  curtain: {
    paint: pen => {
      const cloth = pen.main('#b0485a')
      pen.box(-46, -101, 92, 4, '#a8743f', 2)
      for (const side of [-1, 1]) {
        const drape = pen.shape(scaled([42, -98, 2, -98, 8, -66, 28, -46, 24, -20, 26, 0, 44, 0], [side, 1]), cloth, 4)
        pen.clip(drape, () => {
          for (const x of [10, 20, 30]) pen.line([side * x, -98, side * (x + 8), -50, side * (x + 8), 0], 1.8, shade(cloth, -0.25))
        })
        pen.box(side * 36 - 8, -48, 16, 4, '#e0b340', 2)
      }
    },
  },
  painting: {
    paint: pen => {
      pen.box(-65, -100, 130, 100, pen.main('#c99a3f'), 2)
      pen.boxFlat(-54, -89, 108, 78, pen.down(-89, -11, ['#f6b98a', '#f9dcae', '#8fb6cc']))
      pen.ovalFlat(20, -60, 11, 11, '#fbf0c8')
      pen.polyFlat([-54, -32, -26, -62, 0, -36, 22, -52, 54, -30, 54, -11, -54, -11], '#6f86a0')
      pen.shapeFlat([-54, -11, -54, -26, -10, -32, 30, -22, 54, -26, 54, -11], '#6a9a4a')
    },
    anchors: { panel: { x: 0, y: -50, width: 108, height: 70 } },
  },
  blackboard: {
    paint: pen => {
      pen.box(-90, -100, 180, 94, '#a8743f', 2)
      pen.boxFlat(-83, -93, 166, 80, pen.main('#2f4a3f'))
      pen.box(-90, -8, 180, 6, '#8a5c38', 1)
      pen.box(-30, -12, 16, 4, '#fbfaf6', 1)
      for (const [x, y] of pairs([-70, -80, -50, -40])) pen.line([x, y, x + 20, y + 3, x + 44, y - 2], 1, '#ffffff30')
    },
    anchors: { panel: { x: 0, y: -53, width: 150, height: 66 } },
  },
  canvas: {
    paint: pen => {
      pen.box(-65, -100, 130, 100, pen.main('#c99a3f'), 2)
      pen.boxFlat(-54, -89, 108, 78, pen.down(-89, -11, ['#f3ead6', '#e3d6bb']))
      pen.boxFlat(-54, -30, 108, 19, '#cbb78f')
    },
    anchors: { panel: { x: 0, y: -50, width: 104, height: 74 } },
  },
  'easel-canvas': {
    paint: pen => {
      const wood = '#b9824a'
      pen.line([0, -100, 4, -4], 3, shade(wood, -0.3))
      for (const side of [-1, 1]) pen.line([side * 4, -100, side * 28, 0], 3.6, wood)
      pen.box(-34, -94, 68, 56, '#fbf8f0', 1)
      pen.boxFlat(-31, -91, 62, 50, pen.down(-91, -41, ['#efe6d2', '#ddcfb0']))
      pen.box(-37, -38, 74, 4, wood, 1)
    },
    anchors: { panel: { x: 0, y: -66, width: 60, height: 48 } },
  },
  easel: {
    paint: pen => {
      const wood = '#b9824a'
      pen.line([0, -100, 4, -4], 3, shade(wood, -0.3))
      for (const side of [-1, 1]) pen.line([side * 4, -100, side * 28, 0], 3.6, wood)
      pen.box(-28, -84, 56, 44, '#fbf8f0', 1)
      pen.boxFlat(-25, -81, 50, 38, pen.down(-81, -43, ['#9cc9e6', '#dceaf0']))
      pen.shapeFlat([-25, -43, -25, -56, -6, -62, 12, -54, 25, -60, 25, -43], '#6fa04f')
      pen.ovalFlat(12, -72, 5, 5, '#f7d75a')
      pen.box(-31, -40, 62, 4, wood, 1)
    },
  },
  'deck-chair': {
    paint: pen => {
      const cloth = pen.main('#e0533a')
      pen.line([-56, -98, 44, 0], 5, '#b9824a')
      pen.line([52, -50, -40, 0], 5, '#a06c3c')
      const seat = pen.shape([-54, -96, -42, -100, -8, -46, 22, -34, 54, -50, 50, -42, 22, -22, -18, -36], cloth, 4)
      pen.clip(seat, () => {
        for (const t of [0.1, 0.34, 0.58, 0.82]) pen.line([-62 + t * 120, -110 + t * 40, -30 + t * 100, -70 + t * 60], 8, '#fbf6ec')
      })
    },
    isSided: true,
    anchors: { seat: { x: 8, y: -38 }, top: { x: 6, y: -42, width: 60 } },
  },
  hammock: {
    paint: pen => {
      for (const x of [-112, 106]) pen.box(x, -100, 7, 100, '#7a5436', 2)
      for (const side of [-1, 1]) for (const y of [-2, 4]) pen.line([side * 108, -84, side * 72, -56 + y], 1.2, '#d9c9a4')
      const cloth = pen.shape([-76, -60, -40, -38, 0, -32, 40, -38, 76, -60, 58, -22, 0, -8, -58, -22], pen.main('#e0803a'), 5)
      pen.clip(cloth, () => {
        for (const y of [-46, -34, -20]) pen.line([-80, y - 8, 0, y + 12, 80, y - 8], 3, '#fbf0d8')
      })
    },
    anchors: { top: { x: 0, y: -34, width: 110 }, seat: { x: 0, y: -30 } },
  },
  piano: {
    paint: pen => {
      const body = pen.main('#22222a')
      pen.shape([-66, -60, -62, -100, 30, -104, 66, -78, 72, -60], shade(body, 0.12), 4)
      pen.line([20, -60, 36, -98], 1.6, '#c9a84a')
      pen.box(-74, -62, 150, 24, body, 4)
      pen.box(-76, -44, 66, 7, '#fbf8f0', 1)
      for (let i = 0; i < 13; i++) pen.line([-73 + i * 5, -44, -73 + i * 5, -38], 0.5, '#4a4a52')
      for (let i = 0; i < 9; i++) pen.boxFlat(-71 + i * 7, -44, 2.4, 4, '#22222a')
      for (const x of [-68, 60, 4]) pen.poly([x, -38, x + 8, -38, x + 6, 0, x + 2, 0], body, 1)
      pen.box(-60, -74, 34, 14, '#fbf8f0', 1)
    },
    anchors: { top: { x: 10, y: -62, width: 90 } },
  },
}
