import { pairs, triples } from '../../pairs.ts'
import { scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import { bricks } from './buildings.ts'
import type { Drawing, Pen } from './pen.ts'

/** Draws one tapering leg or storey of an iron lattice. */
function lattice(
  pen: Pen,
  corners: { bottom: readonly [number, number]; top: readonly [number, number]; low: number; high: number },
  steps: number,
  colour: string,
): void {
  const { bottom, top, low, high } = corners
  const at = (t: number) => ({
    left: bottom[0] + (top[0] - bottom[0]) * t,
    right: bottom[1] + (top[1] - bottom[1]) * t,
    y: low + (high - low) * t,
  })
  pen.polyFlat([bottom[0], low, bottom[1], low, top[1], high, top[0], high], `${shade(colour, -0.25)}66`)
  for (let i = 0; i < steps; i++) {
    const a = at(i / steps)
    const b = at((i + 1) / steps)
    pen.line([a.left, a.y, b.right, b.y], 0.7, colour)
    pen.line([a.right, a.y, b.left, b.y], 0.7, shade(colour, -0.15))
  }
  pen.line([bottom[0], low, top[0], high], 1.3, shade(colour, 0.15))
  pen.line([bottom[1], low, top[1], high], 1.3, shade(colour, -0.2))
}

export const landmarks: Record<string, Drawing> = {
  pyramid: {
    paint: pen => {
      const sand = pen.main('#e0b56a')
      const face = pen.polyFlat
      face([-84, 0, 6, -100, 30, 0], sand)
      face([30, 0, 6, -100, 84, 0], shade(sand, -0.3))
      for (let i = 1; i < 16; i++) {
        const t = i / 16
        pen.line([-84 + 90 * t, -100 * t, 30 - 24 * t, -100 * t], 0.7, shade(sand, -0.16))
        pen.line([30 - 24 * t, -100 * t, 84 - 78 * t, -100 * t], 0.7, shade(sand, -0.4))
      }
    },
  },
  sphinx: {
    paint: pen => {
      const sand = pen.main('#d9b06a')
      pen.shape([-110, 0, -112, -30, -92, -50, -20, -52, 30, -46, 40, -20, 40, 0], sand, 7)
      pen.shape([-104, 0, -96, -26, -72, -30, -56, -8, -54, 0], shade(sand, -0.06), 5)
      pen.box(24, -14, 84, 14, shade(sand, 0.05), 6)
      pen.shape([10, -44, 12, -76, 22, -96, 44, -100, 62, -92, 70, -72, 74, -44, 58, -40, 24, -40], shade(sand, -0.1), 5)
      pen.shape([26, -46, 26, -78, 44, -92, 60, -78, 60, -50, 44, -40], sand, 4)
      for (const y of [-84, -72, -60, -50]) pen.line([13, y, 25, y + 2], 2, '#5f7f9a')
      for (const x of [36, 52]) pen.ovalFlat(x, -70, 3.4, 2.2, shade(sand, -0.5))
      pen.line([38, -54, 45, -51, 52, -54], 1.4, shade(sand, -0.5))
    },
    isSided: true,
  },
  'eiffel-tower': {
    paint: pen => {
      const iron = pen.main('#8a6a4e')
      lattice(pen, { bottom: [-22, -13], top: [-11, -6], low: 0, high: -28 }, 5, iron)
      lattice(pen, { bottom: [13, 22], top: [6, 11], low: 0, high: -28 }, 5, iron)
      pen.line([-13, 0, -9, -14, 0, -20, 9, -14, 13, 0], 1.6, iron)
      pen.box(-13, -31, 26, 4, shade(iron, -0.1))
      lattice(pen, { bottom: [-10, -4], top: [-6, -2.4], low: -31, high: -50 }, 4, iron)
      lattice(pen, { bottom: [4, 10], top: [2.4, 6], low: -31, high: -50 }, 4, iron)
      pen.box(-7.4, -52.6, 14.8, 3.2, shade(iron, -0.1))
      lattice(pen, { bottom: [-5, 5], top: [-1.4, 1.4], low: -52, high: -92 }, 11, iron)
      pen.box(-2.6, -94.5, 5.2, 3, iron)
      pen.line([0, -94, 0, -102], 0.9, iron)
      pen.lamp(0, -93, 0.8, '#ffe08a')
      for (const [x, y] of pairs([-16, -12, 16, -12, -9, -30, 9, -30, -4, -52, 4, -52, 0, -72])) pen.lamp(x, y, 0.5, '#ffd27a')
    },
  },
  'great-wall': {
    paint: pen => {
      const stone = pen.main('#b7a488')
      pen.shapeFlat([-230, 0, -200, -22, -120, -30, -40, -16, 40, -30, 130, -40, 200, -20, 230, 0], '#6f8a4a')
      const wall = pen.poly([-220, -6, -220, -36, -140, -52, -50, -34, 40, -50, 130, -62, 220, -38, 220, -6], stone, 5)
      pen.clip(wall, () => bricks(pen, { left: -220, right: 220, top: -66, bottom: 0 }, 6, shade(stone, -0.2)))
      const heights = (x: number) => -38 - 14 * Math.sin((x + 220) / 72) - (x > 60 ? 8 : 0)
      for (let x = -214; x < 214; x += 12) pen.box(x, heights(x) - 7, 7, 8, shade(stone, 0.08))
      for (const x of [-140, 120]) {
        pen.box(x - 22, -92, 44, 84, shade(stone, 0.04))
        for (let i = 0; i < 4; i++) pen.box(x - 24 + i * 13.6, -100, 8, 9, stone)
        for (const dx of [-12, 4]) pen.window(x + dx, -72, 8, 11, { frame: shade(stone, -0.3), arched: true, bars: false })
      }
    },
    anchors: { top: { x: -10, y: -40, width: 190 } },
  },
  stonehenge: {
    paint: pen => {
      const stone = pen.main('#9a9a98')
      for (const x of [-116, -66, -20, 34, 84])
        pen.shape([x, 0, x + 2, -60, x + 6, -72, x + 22, -72, x + 27, -60, x + 29, 0], shade(stone, -0.18), 4)
      pen.shape([-70, -72, -72, -88, 8, -90, 12, -74], shade(stone, -0.1), 3)
      for (const x of [-140, -96, -34, 10, 66, 112])
        pen.shape([x, 2, x + 3, -70, x + 8, -80, x + 26, -80, x + 31, -68, x + 34, 2], stone, 6)
      pen.shape([-146, -78, -148, -98, -62, -100, -60, -80], shade(stone, 0.06), 4)
      pen.shape([60, -78, 58, -97, 148, -99, 150, -80], shade(stone, 0.06), 4)
    },
  },
  ruin: {
    paint: pen => {
      const stone = pen.main('#c9bca4')
      pen.poly([-72, 0, -72, -60, -62, -64, -54, -52, -44, -58, -34, -40, -18, -44, -10, -26, 2, 0], stone, 4)
      pen.shapeFlat([-52, 0, -52, -20, -44, -30, -36, -20, -36, 0], shade(stone, -0.5))
      for (const [x, top] of pairs([18, -96, 46, -70, 72, -34])) {
        pen.box(x, top, 13, -top, shade(stone, 0.06))
        for (const dx of [3, 7, 10]) pen.line([x + dx, top + 3, x + dx, -3], 0.8, shade(stone, -0.2))
        pen.box(x - 3, -5, 19, 5, stone)
        if (top < -50) pen.box(x - 3, top - 5, 19, 6, stone)
      }
      pen.shape([-20, 0, -12, -10, 2, -8, 8, 0], shade(stone, -0.1), 2)
      pen.shape([-74, -56, -78, -36, -70, -14, -76, 0, -66, -16, -68, -40], '#5f8a44', 2)
      pen.shape([44, -72, 40, -54, 48, -40, 44, -28, 52, -46, 50, -64], '#5f8a44', 2)
    },
  },
  statue: {
    paint: pen => {
      const stone = pen.main('#d8d6d0')
      pen.box(-22, -26, 44, 26, shade(stone, -0.14))
      pen.box(-26, -30, 52, 5, stone)
      pen.box(-26, -4, 52, 4, stone)
      pen.shape([-12, -30, -14, -52, -9, -68, -13, -76, -4, -80, 5, -80, 12, -75, 9, -66, 13, -50, 11, -30], stone, 4)
      for (const x of [-6, 0, 6]) pen.line([x, -60, x + 2, -32], 0.9, shade(stone, -0.24))
      pen.shape([10, -77, 20, -66, 27, -52, 23, -50, 14, -61, 7, -68], stone, 2)
      pen.shape([-10, -77, -20, -86, -22, -101, -18, -102, -15, -90, -5, -80], stone, 2)
      pen.oval(0, -88, 6.4, 7.6, stone)
      pen.shape([-7, -90, -6, -97, 0, -98, 6, -96, 7, -90, 3, -93], shade(stone, -0.12), 1)
    },
  },
  machine: {
    paint: pen => {
      const brass = pen.main('#b9863f')
      pen.box(-50, -52, 100, 52, shade(brass, -0.35), 4)
      pen.box(-44, -80, 46, 30, brass, 4)
      pen.box(26, -98, 14, 50, shade(brass, -0.15), 2)
      pen.box(22, -102, 22, 6, brass, 2)
      const gear = (x: number, y: number, r: number, colour: string) => {
        for (let i = 0; i < 10; i++) {
          const a = (i * Math.PI) / 5
          pen.oval(x + Math.cos(a) * r, y + Math.sin(a) * r, r * 0.17, r * 0.17, colour)
        }
        pen.oval(x, y, r, r, colour)
        pen.ovalFlat(x, y, r * 0.55, r * 0.55, shade(colour, -0.3))
        pen.oval(x, y, r * 0.26, r * 0.26, shade(colour, 0.2))
      }
      gear(-22, -26, 17, '#c9a05a')
      gear(12, -18, 11, '#a8734a')
      gear(32, -32, 9, '#c9a05a')
      for (const x of [-34, -12]) {
        pen.oval(x, -66, 8, 8, '#f7f0df')
        pen.ring(x, -66, 8, 8, 1.6, shade(brass, -0.4))
        pen.line([x, -66, x + 4, -71], 1.2, '#b3262f')
      }
      pen.line([2, -72, 16, -72, 16, -52], 4, shade(brass, 0.2))
      for (let i = 0; i < 7; i++) pen.ovalFlat(-44 + i * 14.6, -48, 1.4, 1.4, shade(brass, 0.3))
      pen.lamp(44, -60, 2.4, '#ff9a4a')
    },
  },
  'server-rack': {
    paint: pen => {
      const metal = pen.main('#33394a')
      pen.box(-25, -100, 50, 100, metal, 2)
      for (let i = 0; i < 10; i++) {
        pen.box(-21, -96 + i * 9.4, 42, 7.4, shade(metal, 0.14), 1)
        for (let k = 0; k < 5; k++) pen.line([-18 + k * 3, -94 + i * 9.4, -18 + k * 3, -91 + i * 9.4], 0.9, shade(metal, -0.3))
        pen.lamp(11, -92.4 + i * 9.4, 1, i % 3 ? '#5af09a' : '#5ac8ff')
        pen.lamp(15.4, -92.4 + i * 9.4, 1, i % 4 ? '#5ac8ff' : '#ff9a4a')
      }
    },
  },
  gramophone: {
    paint: pen => {
      pen.box(-36, -30, 62, 30, '#7d4a2c', 3)
      pen.boxFlat(-32, -24, 54, 3, '#e0b34a')
      pen.oval(-6, -33, 28, 6, '#22222a')
      pen.ovalFlat(-6, -33, 9, 2, '#c8434a')
      pen.line([24, -34, 20, -52, 6, -58], 3.4, '#b9863f')
      const horn = pen.shape([4, -54, 14, -66, 10, -84, 22, -104, 50, -102, 58, -78, 48, -58, 26, -56], pen.main('#e0b34a'), 5)
      pen.clip(horn, () => {
        for (let i = 0; i < 6; i++) pen.line([6, -58, 20 + i * 8, -104 + i * 8], 1, '#b9863f')
      })
      pen.ovalFlat(40, -80, 14, 20, '#6b4a26aa', 0.5)
    },
  },
  'stilt-house': {
    paint: pen => {
      for (const x of [-44, -16, 12, 40]) pen.box(x, -30, 4.4, 30, '#7a5a3c')
      pen.box(-54, -36, 108, 6, '#8a6844')
      pen.box(-40, -68, 80, 32, pen.main('#c49a62'))
      const roof = pen.shape([-60, -62, -34, -96, 0, -102, 34, -96, 60, -62, 0, -70], '#b98f4c', 5)
      pen.clip(roof, () => {
        for (let i = -14; i <= 14; i++) pen.line([i * 2.6, -104, i * 4.6, -60], 0.8, '#8f6a34')
      })
      pen.window(-30, -58, 14, 13)
      pen.box(2, -61, 14, 25, '#6b4428')
    },
  },
  'mushroom-house': {
    paint: pen => {
      pen.shape([-24, 0, -26, -22, -20, -48, 20, -48, 26, -22, 24, 0, 0, 3], '#f7efdf', 5)
      const cap = pen.shape([-48, -42, -42, -70, -22, -92, 0, -99, 22, -92, 42, -70, 48, -42, 20, -38, -20, -38], pen.main('#d23a30'), 6)
      pen.clip(cap, () => {
        for (const [x, y, r] of triples([-28, -60, 7, -6, -80, 8, 18, -62, 9, 34, -76, 5, -40, -46, 5, 0, -48, 5]))
          pen.ovalFlat(x, y, r, r * 0.86, '#fdf8ee')
      })
      pen.shape([-9, 0, -9, -18, 0, -27, 9, -18, 9, 0], '#8a5a34', 2)
      pen.window(12, -28, 8, 8)
      pen.window(-20, -28, 8, 8)
    },
  },
  'space-base': {
    paint: pen => {
      const hull = pen.main('#dfe4ea')
      for (const [x, r] of pairs([-56, 40, 52, 44, 0, 58])) {
        const dome = pen.shape(scaled([-1, 0, -0.92, -0.7, -0.5, -1.22, 0, -1.42, 0.5, -1.22, 0.92, -0.7, 1, 0], [r, r], [x, 0]), hull, 6)
        pen.clip(dome, () => pen.boxFlat(x - r, -r * 0.34, r * 2, 4, '#e07a3a'))
        for (const dx of [-0.5, -0.12, 0.26]) pen.window(x + r * dx, -r * 0.78, r * 0.22, r * 0.26, { frame: '#9aa4b0', bars: false })
      }
      pen.box(-11, -24, 22, 24, '#9aa4b0', 5)
      pen.line([0, -82, 0, -108], 1.8, '#9aa4b0')
      pen.lamp(0, -109, 2, '#ff6a5a')
    },
  },
}
