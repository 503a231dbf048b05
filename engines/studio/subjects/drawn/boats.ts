import { pairs, triples } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

function hull(pen: Pen, points: number[], colour: string, stripe: string): void {
  const body = pen.shape(points, colour, 5)
  pen.clip(body, () => pen.boxFlat(-240, -8, 480, 8, stripe))
}

function sail(pen: Pen, x: number, top: number, bottom: number, width: number, colour: string): void {
  const cloth = pen.shape(
    [
      x - width * 0.46,
      top,
      x + width * 0.46,
      top,
      x + width * 0.6,
      (top + bottom) / 2,
      x + width * 0.5,
      bottom,
      x,
      bottom + 3,
      x - width * 0.5,
      bottom,
      x - width * 0.38,
      (top + bottom) / 2,
    ],
    colour,
    3,
  )
  pen.clip(cloth, () => {
    for (const share of [0.3, 0.7])
      pen.line([x - width * 0.6, top + (bottom - top) * share, x + width * 0.6, top + (bottom - top) * share], 0.6, shade(colour, -0.2))
  })
}

export const boats: Record<string, Drawing> = {
  submarine: {
    paint: pen => {
      const colour = pen.main('#f2b632')
      pen.poly([-128, -44, -150, -74, -138, -40, -150, -10], shade(colour, -0.3), 3)
      pen.shape([-134, -40, -110, -68, -50, -78, 40, -78, 106, -68, 134, -40, 106, -12, 40, -2, -50, -2, -110, -12], colour, 8)
      pen.box(-24, -102, 56, 28, shade(colour, 0.04), 8)
      pen.line([12, -100, 12, -122, 26, -122], 5, '#7d8794')
      for (const x of [-62, -10, 42]) {
        pen.oval(x, -44, 15, 15, '#7d8794')
        pen.window(x - 7, -51, 14, 14, { frame: '#9aa4b0', bars: false })
      }
      pen.line([-130, -24, 0, -12, 130, -26], 3, shade(colour, -0.35))
      pen.lamp(124, -42, 4, '#fff0b0')
    },
    isSided: true,
  },
  'pirate-ship': {
    paint: pen => {
      const cloth = pen.main('#efe4cc')
      for (const [x, top] of pairs([-34, -88, 0, -104, 34, -84])) pen.line([x, -22, x, top], 2.2, '#5a3c28')
      for (const [x, top, low, width] of [
        [-34, -84, -60, 27],
        [-34, -57, -34, 33],
        [0, -98, -72, 31],
        [0, -68, -36, 41],
        [34, -80, -58, 25],
        [34, -55, -34, 31],
      ] as const)
        sail(pen, x, top, low, width, cloth)
      hull(pen, [-58, -36, -50, -26, -14, -24, 34, -24, 56, -32, 64, -34, 52, -12, 40, -1, -40, -1, -50, -12], '#7a4a2c', '#4a2c1c')
      pen.line([-52, -20, 0, -17, 52, -22], 1.8, '#d9a84a')
      for (const x of [-30, -12, 6, 24]) pen.boxFlat(x, -15, 5, 5, '#2a1c16')
      pen.line([56, -32, 80, -46], 1.8, '#5a3c28')
      pen.polyFlat([0, -104, 16, -108, 14, -100, 0, -97], '#22202a')
      pen.ovalFlat(6, -103, 1.8, 1.7, '#f4f0e6')
    },
    isSided: true,
  },
  'cruise-ship': {
    paint: pen => {
      const funnel = pen.main('#d0392f')
      for (const x of [-30, 14]) {
        pen.poly([x, -76, x + 3, -104, x + 21, -104, x + 24, -76], funnel, 3)
        pen.boxFlat(x + 2.4, -105, 19, 5, '#2a2c36')
      }
      for (const [left, right, top] of triples([-110, 96, -48, -94, 76, -62, -74, 54, -76])) {
        pen.box(left, top, right - left, 15, '#fbfaf6', 2)
        for (let x = left + 6; x < right - 8; x += 11) pen.window(x, top + 4, 6, 6, { frame: '#d9dde2', bars: false })
      }
      hull(pen, [-150, -36, -60, -34, 60, -34, 156, -44, 132, -10, 116, 0, -124, 0, -140, -14], '#2f4668', '#b3392f')
      for (let x = -120; x < 110; x += 16) pen.window(x, -24, 4, 4, { frame: '#4a6288', bars: false })
    },
    isSided: true,
  },
  rowboat: {
    paint: pen => {
      const wood = pen.main('#a8683c')
      pen.line([20, -60, 92, -8], 6, '#c9995c')
      pen.shape([-196, -88, -120, -62, 0, -54, 120, -62, 200, -94, 168, -24, 120, 0, -118, 0, -164, -24], wood, 9)
      pen.line([-194, -86, -120, -60, 0, -52, 120, -60, 198, -91], 8, shade(wood, 0.25))
      for (const y of [-36, -18]) pen.line([-168, y - 6, 0, y + 8, 168, y - 8], 2.4, shade(wood, -0.3))
    },
    isSided: true,
    anchors: { opening: { x: 0, y: -58, width: 200 }, seat: { x: 0, y: -40 } },
  },
  gondola: {
    paint: pen => {
      pen.shape(
        [
          -226, -96, -206, -62, -120, -30, 0, -24, 120, -30, 200, -66, 214, -124, 228, -124, 222, -60, 170, -12, 100, 0, -110, 0, -186, -26,
          -232, -74,
        ],
        pen.main('#26262e'),
        6,
      )
      pen.line([-206, -60, -120, -30, 0, -24, 120, -30, 198, -64], 3, '#d9b34a')
      pen.shape([-20, -26, -16, -54, 30, -54, 34, -26], '#a3262f', 3)
      pen.line([206, -124, 232, -126], 5, '#c3ccd6')
    },
    isSided: true,
    anchors: { opening: { x: -60, y: -30, width: 170 } },
  },
  raft: {
    paint: pen => {
      const wood = pen.main('#a8794a')
      for (let i = 0; i < 7; i++) {
        pen.box(-120 + i * 6, -34 + i * 3.6, 226, 13, shade(wood, i % 2 ? -0.08 : 0.06), 6)
        pen.ovalFlat(106 + i * 6, -27.5 + i * 3.6, 4, 6.4, '#dcb98a')
      }
      for (const x of [-84, 70]) pen.line([x, -34, x + 40, -2], 5, '#d9c9a4')
    },
    anchors: { opening: { x: 10, y: -30, width: 150 }, top: { x: 10, y: -26, width: 160 } },
  },
  'paper-boat': {
    paint: pen => {
      const paper = pen.main('#fbfaf6')
      pen.poly([-32, -34, 0, -100, 32, -34], shade(paper, -0.05), 3)
      pen.polyFlat([0, -100, 32, -34, 0, -34], shade(paper, -0.2))
      pen.poly([-92, -52, -30, -36, 0, -50, 30, -36, 92, -52, 54, 0, -54, 0], paper, 3)
      pen.polyFlat([0, -50, 30, -36, 92, -52, 54, 0, 0, 0], shade(paper, -0.14))
    },
  },
  'rubber-duck': {
    paint: pen => {
      const yellow = pen.main('#f7cf2e')
      pen.shape([-52, -48, -60, -64, -44, -56, -20, -46, 10, -50, 40, -46, 52, -28, 40, -4, 0, 0, -38, -6, -52, -26], yellow, 6)
      pen.oval(18, -72, 27, 26, yellow)
      pen.shape([-30, -34, -14, -44, 14, -38, 10, -20, -10, -14, -26, -20], shade(yellow, -0.1), 3)
      pen.shape([40, -74, 62, -74, 64, -66, 42, -60], '#f28a2e', 2)
      pen.ovalFlat(28, -80, 4, 5, '#2a1c1c')
      pen.ovalFlat(26.6, -82, 1.5, 1.6, '#ffffff')
    },
    isSided: true,
  },
}
