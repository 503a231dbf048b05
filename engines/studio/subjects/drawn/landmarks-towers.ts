import { pairs } from '../../pairs.ts'
import { shade } from '../colour.ts'
import { niche } from './landmark-parts.ts'
import type { Drawing } from './pen.ts'

export const worldTowers: Record<string, Drawing> = {
  'space-needle': {
    paint: pen => {
      const white = pen.main('#eef0ee')
      for (const side of [-1, 1]) {
        pen.poly([side * 15, 0, side * 20, 0, side * 5, -46, side * 3, -46], white)
        pen.poly([side * 3, -46, side * 5, -46, side * 10, -76, side * 7, -76], white)
      }
      pen.box(-2.4, -78, 4.8, 78, shade(white, -0.14))
      pen.shape([-29, -79, -20, -75, 20, -75, 29, -79, 16, -85, -16, -85], white, 3)
      pen.boxFlat(-20, -80, 40, 2.6, '#5f7486')
      pen.shape([-18, -85, -8, -89, 8, -89, 18, -85], '#e0a04a', 2)
      pen.line([0, -88, 0, -106], 1.4, shade(white, -0.2))
    },
  },
  'pisa-tower': {
    paint: pen => {
      const { context } = pen
      const stone = pen.main('#efe6d3')
      context.save()
      context.transform(1, 0, -0.09, 1, 0, 0)
      for (let i = 0; i < 8; i++) {
        const half = i === 7 ? 12 : 17
        const y = -12.4 * (i + 1)
        pen.box(-half, y, half * 2, 12.4, stone)
        for (let k = -3; k <= 3; k++) niche(pen, k * half * 0.27, y + 11.4, half * 0.17, 9, '#9a9486')
        pen.boxFlat(-half - 1.4, y + 11, half * 2 + 2.8, 1.8, shade(stone, -0.12))
      }
      context.restore()
    },
  },
  colosseum: {
    paint: pen => {
      const stone = pen.main('#d3b98f')
      pen.shape([-104, 0, -108, -40, -104, -66, -60, -82, 0, -86, 30, -70, 66, -52, 104, -48, 108, -20, 104, 0, 0, 5], stone, 5)
      const tiers = [
        [-8, 104, 16],
        [-31, 100, 15],
        [-53, 78, 14],
      ] as const
      for (const [low, half, height] of tiers)
        for (let i = -7; i <= 7; i++) {
          const x = (i / 7) * half * (low === -53 ? 0.72 : 0.95) - (low === -53 ? 28 : 0)
          if (low === -53 && x > 16) continue
          niche(pen, x, low + 4 - Math.abs(i) * 0.3, 8, height, '#6d5a45')
        }
      for (const y of [-28, -50]) pen.line([-106, y, y === -50 ? 64 : 106, y + 2], 1.4, shade(stone, -0.24))
    },
  },
  'pearl-tower': {
    paint: pen => {
      const pink = pen.main('#c8577c')
      for (const side of [-1, 1]) pen.line([side * 26, 0, side * 4, -34], 4, '#b9bec8')
      for (const x of [-5, 0, 5]) pen.box(x - 1.6, -70, 3.2, 70, '#cfd4dc')
      for (const [y, r] of pairs([-30, 14, -66, 9.5, -78, 4.4])) {
        pen.oval(0, y, r, r, pink)
        pen.line([-r, y, r, y], 1.4, '#f2dbe3')
        pen.ovalFlat(-r * 0.35, y - r * 0.4, r * 0.22, r * 0.18, '#ffffff88')
      }
      for (const y of [-44, -50, -56]) pen.oval(0, y, 2.6, 2.6, shade(pink, 0.14))
      pen.line([0, -80, 0, -108], 1.6, '#b9bec8')
      pen.box(-30, -3, 60, 3, '#9aa1ac')
    },
  },
  'christ-redeemer': {
    paint: pen => {
      const stone = pen.main('#d9d6cc')
      pen.poly([-14, 0, 14, 0, 10, -20, -10, -20], shade(stone, -0.24))
      pen.poly([-11, -20, -9, -76, 9, -76, 11, -20], stone, 3)
      pen.poly([-56, -77, -9, -80, 9, -80, 56, -77, 56, -72, 24, -66, 11, -54, -11, -54, -24, -66, -56, -72], stone, 2)
      pen.box(-3.4, -86, 6.8, 9, stone)
      for (const x of [-5, 0, 5]) pen.line([x, -58, x, -22], 0.9, shade(stone, -0.22))
      pen.oval(0, -88, 5.6, 7.4, stone)
      pen.shapeFlat([-6, -90, -5, -97, 5, -97, 6, -90, 6, -80, 3, -86, -3, -86, -6, -80], shade(stone, -0.16))
    },
  },
  alamo: {
    paint: pen => {
      const stone = pen.main('#d8c4a0')
      pen.box(-92, -52, 184, 52, stone)
      pen.shape([-40, -52, -34, -66, -22, -70, -18, -88, 0, -97, 18, -88, 22, -70, 34, -66, 40, -52], shade(stone, 0.06), 2)
      niche(pen, 0, 0, 20, 36, '#4f3a28')
      for (const x of [-30, 30]) pen.box(x - 5, -44, 10, 30, shade(stone, -0.14))
      for (const x of [-66, 66]) niche(pen, x, -22, 9, 13, '#5a4632')
      for (const [x, y] of pairs([-80, -40, -52, -12, 48, -44, 78, -14, -14, -60, 12, -78])) pen.boxFlat(x, y, 9, 2, shade(stone, -0.12))
    },
  },
  geyser: {
    paint: pen => {
      pen.shape([-52, 0, -34, -8, -12, -12, 12, -12, 34, -8, 52, 0], '#b9a78c', 2)
      for (const [x, y, r, tone] of [
        [0, -20, 6, '#f4fbff'],
        [-2, -34, 8, '#eef7fc'],
        [3, -48, 10, '#f6fbfe'],
        [-4, -62, 13, '#eaf4fa'],
        [6, -72, 14, '#f4fafd'],
        [-10, -80, 13, '#f8fcff'],
        [4, -88, 14, '#eef6fb'],
        [14, -82, 10, '#ffffff'],
      ] as const)
        pen.ovalFlat(x, y, r, r * 1.1, `${tone}d8`)
      for (const x of [-4, -1, 2, 5]) pen.line([x * 0.6, -10, x * 1.6, -74], 1.6, '#ffffffb0')
    },
  },
  'step-pyramid': {
    paint: pen => {
      const stone = pen.main('#b5a685')
      for (let i = 0; i < 7; i++) {
        const half = 92 - i * 11.4
        pen.box(-half, -11 * (i + 1), half * 2, 11, shade(stone, i * 0.02))
        pen.polyFlat([half * 0.5, -11 * i, half, -11 * i, half, -11 * (i + 1), half * 0.5, -11 * (i + 1)], '#3a2f1c26')
      }
      pen.box(-15, -94, 30, 17, stone)
      niche(pen, 0, -77, 9, 13, '#4a3d2a')
      pen.poly([-15, 0, 15, 0, 9, -77, -9, -77], shade(stone, 0.16))
      for (let y = -3; y > -76; y -= 4) pen.line([-13, y, 13, y], 0.8, shade(stone, -0.2))
    },
  },
}
