import { triples } from '../../pairs.ts'
import { scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import { niche, onion, panes } from './landmark-parts.ts'
import type { Drawing, Pen } from './pen.ts'

const wheel: Drawing = {
  paint: pen => {
    const steel = pen.main('#e8edf2')
    for (const side of [-1, 1]) pen.line([0, -54, side * 26, 0], 3, shade(steel, -0.25))
    for (let i = 0; i < 24; i++) {
      const angle = (i * Math.PI) / 12
      pen.line([0, -54, Math.cos(angle) * 43, -54 + Math.sin(angle) * 43], 0.45, shade(steel, -0.3))
    }
    pen.ring(0, -54, 43, 43, 2.2, steel)
    pen.ring(0, -54, 39.5, 39.5, 1, shade(steel, -0.22))
    for (let i = 0; i < 24; i++) {
      const angle = (i * Math.PI) / 12
      pen.oval(Math.cos(angle) * 47, -54 + Math.sin(angle) * 47, 2.9, 2.3, i % 2 ? '#9cc3dc' : '#c8dfec')
    }
    pen.oval(0, -54, 4, 4, shade(steel, -0.15))
    pen.box(-34, -3, 68, 3, '#8a939d')
  },
}

const shells = (pen: Pen, x: number, size: number, flip: number): void => {
  const white = pen.main('#f6f3ea')
  pen.shape(
    [
      x - flip * size * 0.5,
      -22,
      x - flip * size * 0.42,
      -22 - size * 0.55,
      x + flip * size * 0.34,
      -22 - size * 1.05,
      x + flip * size * 0.52,
      -22 - size * 0.5,
      x + flip * size * 0.46,
      -22,
    ],
    white,
    4,
  )
  pen.shapeFlat(
    [
      x + flip * size * 0.34,
      -22 - size * 1.02,
      x + flip * size * 0.5,
      -22 - size * 0.5,
      x + flip * size * 0.44,
      -22,
      x + flip * size * 0.26,
      -22,
      x + flip * size * 0.34,
      -22 - size * 0.5,
    ],
    '#7f8f9a',
  )
}

export const worldLandmarks: Record<string, Drawing> = {
  'ferris-wheel': wheel,
  'empire-state': {
    paint: pen => {
      const stone = pen.main('#cbbfae')
      const steps = [
        [30, 0, 26],
        [25, 26, 8],
        [20, 34, 38],
        [14, 72, 8],
        [9, 80, 5],
        [5, 85, 4],
      ] as const
      for (const [half, from, height] of steps) {
        pen.box(-half, -from - height, half * 2, height, stone)
        if (half > 8)
          panes(
            pen,
            {
              x: -half + 1.5,
              y: -from - height + 1,
              width: half * 2 - 3,
              height: height - 1,
              columns: Math.round(half / 2.2),
              rows: Math.max(2, Math.round(height / 2.6)),
            },
            '#5f6b78',
          )
        pen.polyFlat([half * 0.55, -from, half, -from, half, -from - height, half * 0.55, -from - height], '#3a2f2822')
      }
      pen.poly([-3, -89, 3, -89, 1, -95, -1, -95], shade(stone, 0.2))
      pen.line([0, -94, 0, -106], 1, '#a8aeb6')
    },
  },
  'sydney-opera-house': {
    paint: pen => {
      pen.box(-104, -14, 208, 14, '#b99a80', 2)
      pen.box(-96, -24, 192, 11, '#cdb196', 2)
      for (let x = -92; x < 92; x += 9) pen.line([x, -12, x, -2], 0.7, '#a08368')
      shells(pen, -58, 40, -1)
      shells(pen, -22, 62, -1)
      shells(pen, 20, 74, -1)
      shells(pen, 56, 46, 1)
      shells(pen, 82, 28, 1)
    },
  },
  'mount-rushmore': {
    paint: pen => {
      const rock = pen.main('#b9b0a4')
      pen.shape([-118, 0, -112, -44, -92, -74, -60, -92, -22, -100, 24, -98, 66, -92, 98, -68, 114, -36, 118, 0], rock, 6)
      for (const [x, y, size, tone] of [
        [-66, -62, 19, 0.06],
        [-24, -66, 18, 0.12],
        [16, -62, 17, 0.02],
        [58, -60, 19, 0.1],
      ] as const) {
        const face = shade(rock, tone + 0.14)
        pen.shape(scaled([-1, -0.6, -0.7, -1.35, 0.6, -1.35, 1, -0.5, 0.8, 0.8, 0.1, 1.4, -0.7, 1], [size, size], [x, y]), face, 4)
        pen.shapeFlat(
          scaled([-1, -0.5, -0.8, -1.4, 0.7, -1.42, 1, -0.5, 0.5, -0.95, -0.5, -0.95], [size, size], [x, y]),
          shade(rock, -0.12),
        )
        for (const side of [-1, 1]) pen.ovalFlat(x + side * size * 0.42, y - size * 0.3, size * 0.22, size * 0.12, shade(rock, -0.42))
        pen.shapeFlat(
          [x - 1, y - size * 0.3, x - size * 0.2, y + size * 0.32, x + size * 0.22, y + size * 0.32, x + 2, y - size * 0.3],
          shade(rock, -0.1),
        )
        pen.line([x - size * 0.36, y + size * 0.62, x + size * 0.36, y + size * 0.62], 1.4, shade(rock, -0.36))
      }
      pen.shapeFlat([-118, 0, -90, -22, -40, -16, 10, -26, 60, -14, 118, -20, 118, 0], shade(rock, -0.22))
      for (const x of [-96, -70, -30, 4, 40, 84, 104]) pen.shapeFlat([x - 9, 0, x, -22, x + 9, 0], '#4d6a46')
    },
  },
  kremlin: {
    paint: pen => {
      const brick = pen.main('#b4533f')
      pen.box(-92, -26, 184, 26, shade(brick, -0.06))
      for (let x = -90; x < 90; x += 9) pen.box(x, -31, 5, 6, brick)
      for (const [x, top, width] of triples([-62, -60, 22, -24, -68, 20, 24, -66, 20, 60, -58, 22, 0, -84, 26])) {
        pen.box(x - width / 2, top, width, -top - 4, x === 0 ? brick : shade(brick, 0.1))
        niche(pen, x, top + 26, width * 0.4, 14, '#f1e6d2')
        pen.boxFlat(x - width / 2, top + 4, width, 2.4, '#f1e6d2')
      }
      for (const [x, y, size, tone] of [
        [-62, -86, 11, '#3f7fb5'],
        [-24, -94, 10, '#4f9d69'],
        [24, -92, 10, '#e2a02e'],
        [60, -84, 11, '#c94f45'],
      ] as const) {
        onion(pen, x, y, size, tone)
        for (let i = 0; i < 3; i++)
          pen.line([x - size * 0.8 + i * size * 0.55, y + size * 2, x - size * 0.2 + i * size * 0.5, y + size], 1.4, '#f3ead6')
      }
      pen.poly([-13, -84, 13, -84, 3, -108, -3, -108], '#3f8a66')
      onion(pen, 0, -122, 5, '#e2b64a')
    },
  },
  'taj-mahal': {
    paint: pen => {
      const marble = pen.main('#f4efe6')
      const dark = '#8f9bab'
      pen.box(-108, -9, 216, 9, shade(marble, -0.1))
      for (const x of [-96, 96]) {
        pen.box(x - 4, -82, 8, 74, marble)
        for (const y of [-64, -44, -26]) pen.boxFlat(x - 6, y, 12, 2.2, shade(marble, -0.12))
        pen.shape([x - 5, -82, x - 5, -88, x, -95, x + 5, -88, x + 5, -82], marble, 2)
      }
      pen.box(-58, -56, 116, 48, marble)
      for (const x of [-44, 44]) {
        niche(pen, x, -34, 14, 16, dark)
        niche(pen, x, -10, 14, 18, dark)
      }
      pen.box(-24, -62, 48, 54, shade(marble, 0.03))
      niche(pen, 0, -9, 32, 44, shade(marble, -0.16))
      niche(pen, 0, -9, 18, 30, dark)
      pen.box(-22, -72, 44, 12, shade(marble, -0.03))
      pen.shape([-22, -70, -29, -84, -20, -98, 0, -112, 20, -98, 29, -84, 22, -70], marble, 6)
      pen.line([0, -110, 0, -122], 1.5, '#d6a93a')
      for (const x of [-42, 42]) {
        pen.box(x - 8, -64, 16, 9, shade(marble, -0.04))
        pen.shape([x - 9, -63, x - 9, -70, x, -80, x + 9, -70, x + 9, -63], marble, 3)
      }
    },
  },
  'golden-gate': {
    paint: pen => {
      const red = pen.main('#c4472f')
      pen.box(-180, -28, 360, 5, shade(red, -0.12))
      for (const x of [-82, 82]) {
        for (const dx of [-6, 6]) pen.box(x + dx - 2.4, -100, 4.8, 100, red)
        for (const y of [-92, -74, -56, -40]) pen.box(x - 8, y, 16, 4, shade(red, 0.08))
        pen.box(x - 13, -7, 26, 7, '#a8a298')
      }
      const cable = (from: number, to: number, low: number, high: readonly [number, number]) => {
        const points: number[] = []
        for (let i = 0; i <= 20; i++) {
          const t = i / 20
          const chord = high[0] + (high[1] - high[0]) * t
          const x = from + (to - from) * t
          const y = chord + low * 4 * t * (1 - t)
          points.push(x, y)
          pen.line([x, y, x, -28], 0.5, shade(red, 0.1))
        }
        pen.line(points, 1.6, red)
      }
      cable(-82, 82, 66, [-98, -98])
      cable(-180, -82, 10, [-30, -98])
      cable(82, 180, 10, [-98, -30])
    },
  },
  'liberty-statue': {
    paint: pen => {
      const green = pen.main('#7fb5a2')
      pen.box(-24, -12, 48, 12, '#b3a68f')
      pen.poly([-18, -12, 18, -12, 13, -38, -13, -38], '#c9bda4')
      pen.box(-15, -41, 30, 4, '#b3a68f')
      pen.shape([-11, -41, -10, -58, -8, -72, -4, -77, 4, -77, 8, -71, 10, -56, 12, -41], green, 3)
      for (const x of [-6, -2, 3, 7]) pen.line([x, -68, x + 1.5, -42], 0.8, shade(green, -0.24))
      pen.shape([-5, -75, -9, -84, -10, -98, -7, -99, -5, -88, -1, -78], green, 2)
      pen.box(-11.5, -101, 6, 3, '#c9a24a')
      pen.shape([-8.5, -108, -11.5, -103, -8.5, -100, -5.5, -103], '#f0b43c', 1)
      pen.box(5, -70, 7, 11, shade(green, 0.12), 1)
      pen.oval(0, -82, 3.9, 4.8, green)
      for (let i = -3; i <= 3; i++) pen.line([i * 1.1, -86, i * 3, -92 + Math.abs(i) * 0.9], 0.9, green)
      pen.box(-4.4, -87, 8.8, 1.8, shade(green, -0.15))
    },
  },
  'arc-de-triomphe': {
    paint: pen => {
      const stone = pen.main('#d8c8a8')
      pen.box(-46, -86, 92, 86, stone)
      pen.box(-50, -100, 100, 16, shade(stone, 0.08))
      pen.box(-52, -86, 104, 4, shade(stone, -0.12))
      pen.shapeFlat([-16, 0, -16, -42, -11, -55, 0, -60, 11, -55, 16, -42, 16, 0], '#7c8794')
      pen.polyFlat([-16, 0, -16, -48, -9, -53, -9, 0], shade(stone, -0.3))
      for (const x of [-32, 32]) {
        pen.box(x - 9, -44, 18, 34, shade(stone, -0.1))
        pen.box(x - 9, -72, 18, 16, shade(stone, -0.06))
        pen.shape([x - 4, -12, x - 3, -32, x, -40, x + 4, -30, x + 5, -12], shade(stone, 0.12), 2)
      }
      for (let x = -46; x < 46; x += 8) pen.box(x, -98, 4, 10, shade(stone, -0.04))
    },
  },
}
