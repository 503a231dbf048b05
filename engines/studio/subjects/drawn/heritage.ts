import { pairs } from '../../pairs.ts'
import { scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** Draws a carved face of a totem: two eyes, and a beak or a mouth with teeth. */
function totemFace(pen: Pen, y: number, tones: { skin: string; brow: string; mouth: 'beak' | 'teeth' }): void {
  pen.box(-13, y, 26, 25, tones.skin, 4)
  pen.shapeFlat([-12, y + 5, -6, y + 2, 0, y + 5, 6, y + 2, 12, y + 5, 8, y + 8, 0, y + 7, -8, y + 8], tones.brow)
  for (const x of [-6, 6]) {
    pen.ovalFlat(x, y + 10, 4, 2.8, '#fbf6e6')
    pen.ovalFlat(x, y + 10, 1.8, 2, '#22201e')
  }
  if (tones.mouth === 'beak') pen.poly([-4, y + 11, 4, y + 11, 0, y + 22], '#e8b22e', 1)
  else {
    pen.box(-8, y + 15, 16, 7, '#8a1f1a', 3)
    for (const x of [-6, -2, 2]) pen.boxFlat(x, y + 15.5, 3, 2.4, '#fbf6e6')
  }
}

export const heritage: Record<string, Drawing> = {
  'totem-pole': {
    paint: pen => {
      pen.box(-16, -4, 32, 4, '#6a4a2e', 1)
      totemFace(pen, -29, { skin: '#a8402e', brow: '#26201c', mouth: 'teeth' })
      totemFace(pen, -53, { skin: '#3f7a6a', brow: '#f0e2c0', mouth: 'beak' })
      for (const side of [-1, 1]) {
        const wing = pen.shape(scaled([11, -88, 26, -92, 42, -88, 34, -82, 38, -76, 26, -76, 12, -72], [side, 1]), '#2f5a8a', 2)
        pen.clip(wing, () => {
          for (const x of [20, 27, 34]) pen.line([side * x, -92, side * (x - 3), -74], 1.6, '#f0e2c0')
        })
      }
      totemFace(pen, -77, { skin: '#d9a24a', brow: '#8a2a20', mouth: 'teeth' })
      totemFace(pen, -100, { skin: '#8a5a34', brow: '#2f5a8a', mouth: 'beak' })
    },
  },
  longship: {
    paint: pen => {
      const wood = pen.main('#7a4a28')
      pen.line([0, -20, 0, -104], 3, shade(wood, -0.3))
      pen.line([-44, -92, 44, -92], 2.4, shade(wood, -0.3))
      const sail = pen.shape([-42, -92, 0, -91, 42, -92, 48, -62, 42, -36, 0, -31, -42, -36, -47, -62], '#f3e8d0', 4)
      pen.clip(sail, () => {
        for (const x of [-40, -16, 8, 32]) pen.boxFlat(x, -100, 12, 80, '#b83228')
      })
      pen.shape([-92, -26, -98, -44, -96, -58, -88, -62, -90, -48, -82, -26], wood, 2)
      pen.shape([88, -24, 96, -44, 94, -56, 86, -60, 90, -66, 100, -65, 106, -58, 104, -42, 96, -18], wood, 2)
      pen.polyFlat([98, -64, 112, -62, 100, -58], shade(wood, -0.1))
      pen.ovalFlat(97, -62, 1.4, 1.4, '#f6e6a0')
      const hull = pen.shape([-98, -30, -60, -22, 0, -19, 60, -22, 98, -32, 84, -10, 56, 0, -56, 0, -84, -10], wood, 5)
      pen.clip(hull, () => {
        for (const y of [-14, -7]) pen.line([-100, y - 4, 0, y, 100, y - 4], 1.2, shade(wood, -0.3))
      })
      for (let i = 0; i < 7; i++) {
        const x = -60 + i * 20
        pen.oval(x, -21, 8, 8, ['#c8352e', '#e3b83a', '#2f5a8a'][i % 3] ?? '#c8352e')
        pen.oval(x, -21, 2.6, 2.6, '#d5dae0')
        pen.line([x + 4, -14, x - 8, 2], 1.4, '#c9a06a')
      }
    },
    isSided: true,
    anchors: { seat: { x: -30, y: -22 }, opening: { x: 0, y: -22, width: 120 } },
  },
  dreamcatcher: {
    paint: pen => {
      const hoop = pen.main('#8a5a34')
      const spokes = 10
      const ringPoint = (index: number, radius: number) =>
        [Math.cos((index / spokes) * 6.283) * radius, -68 + Math.sin((index / spokes) * 6.283) * radius] as const
      for (const [outer, inner] of pairs([29, 20, 20, 12, 12, 6]))
        for (let i = 0; i < spokes; i++) {
          const [x0, y0] = ringPoint(i, outer)
          const [x1, y1] = ringPoint(i + 0.5, inner)
          const [x2, y2] = ringPoint(i + 1, outer)
          for (const [x, y] of [
            [x0, y0],
            [x2, y2],
          ] as const)
            pen.line([x, y, x1, y1], 1.2, '#a58a5c')
        }
      pen.ring(0, -68, 30, 30, 3.4, hoop)
      pen.line([0, -98, 0, -104], 1.4, hoop)
      pen.oval(5, -72, 2.4, 2.4, '#2fa8b8')
      for (const [x, top, length, tone] of [
        [-20, -44, 26, '#c8b08a'],
        [0, -36, 34, '#e8dcc4'],
        [20, -44, 26, '#c8b08a'],
      ] as const) {
        pen.line([x, top, x, top + 10], 1, hoop)
        pen.oval(x, top + 8, 2.4, 2.4, '#c8503c')
        pen.shape([x, top + 10, x + 5, top + 18, x + 4, top + length, x, top + length + 2, x - 4, top + length, x - 5, top + 18], tone, 1.4)
        pen.line([x, top + 11, x, top + length], 0.8, shade(tone, -0.4))
      }
    },
  },
  trebuchet: {
    paint: pen => {
      const wood = pen.main('#8a5a34')
      pen.box(-70, -14, 140, 8, shade(wood, -0.15), 2)
      for (const x of [-56, 56]) {
        pen.oval(x, -8, 8, 8, shade(wood, -0.3))
        pen.oval(x, -8, 3, 3, '#4a4f58')
      }
      pen.line([-34, -14, 0, -66], 6, wood)
      pen.line([34, -14, 0, -66], 6, wood)
      pen.line([-20, -34, 20, -34], 4, shade(wood, -0.2))
      pen.line([-66, -18, 30, -92], 5, shade(wood, 0.1))
      pen.box(18, -90, 26, 24, '#6a6f78', 2)
      pen.oval(0, -66, 4, 4, '#3a3f48')
      pen.shape([-74, -14, -70, -24, -58, -24, -54, -14], '#5a4030', 1)
      pen.oval(-64, -24, 8, 8, '#8d9299')
    },
    isSided: true,
  },
  didgeridoo: {
    paint: pen => {
      const wood = pen.main('#8a4f2a')
      const tube = pen.poly([-122, -14, -122, -2, 118, 14, 124, -34], wood, 3)
      pen.clip(tube, () => {
        for (const [x, tone] of [
          [-90, '#e8c36a'],
          [-50, '#f4ead0'],
          [-6, '#c8502e'],
          [40, '#e8c36a'],
          [84, '#f4ead0'],
        ] as const) {
          pen.boxFlat(x, -50, 9, 80, tone)
          for (let y = -34; y < 20; y += 7) pen.ovalFlat(x + 18, y, 2, 2, tone)
        }
      })
      pen.oval(121, -10, 5, 24, shade(wood, -0.55))
    },
    isSided: true,
  },
  'lucky-cat': {
    paint: pen => {
      const fur = pen.main('#fbf8f2')
      pen.shape([-30, -2, -34, -28, -20, -52, 20, -52, 34, -28, 30, -2, 0, 0], fur, 5)
      pen.shape([24, -34, 40, -46, 46, -72, 38, -84, 28, -76, 26, -52], fur, 3)
      for (const x of [-22, 22]) pen.poly([x * 1.3, -76, x * 1.36, -98, x * 0.3, -88], fur, 2)
      for (const x of [-22, 22]) pen.polyFlat([x * 1.2, -80, x * 1.26, -92, x * 0.6, -87], '#e88a8a')
      pen.oval(0, -70, 32, 24, fur)
      for (const x of [-12, 12]) pen.line([x - 6, -72, x, -76, x + 6, -72], 2, '#26242a')
      pen.ovalFlat(0, -66, 3, 2, '#e06a6a')
      pen.line([-7, -60, -3, -62, 0, -64, 3, -62, 7, -60], 1.4, '#26242a')
      for (const side of [-1, 1]) for (const y of [-64, -60]) pen.line([side * 18, y, side * 32, y - 1], 0.9, '#8a8a90')
      pen.shape([-26, -50, 0, -44, 26, -50, 24, -44, 0, -38, -24, -44], '#c8281e', 1.4)
      pen.oval(0, -40, 5, 5, '#f0c63a')
      pen.oval(-6, -20, 13, 17, '#f0c63a')
      pen.ring(-6, -20, 9, 12.6, 1.2, '#a87a1a')
      for (const x of [-18, 18]) pen.oval(x, -4, 11, 6, fur)
    },
  },
  'daruma-doll': {
    paint: pen => {
      const red = pen.main('#c8281e')
      pen.shape([-46, -8, -52, -42, -38, -84, 0, -100, 38, -84, 52, -42, 46, -8, 0, 0], red, 8)
      pen.shape([-32, -48, -34, -66, -18, -80, 18, -80, 34, -66, 32, -48, 0, -40], '#f6e2c4', 3)
      for (const x of [-14, 14]) {
        pen.oval(x, -60, 8, 8, '#ffffff')
        pen.ovalFlat(x, -60, 4, 4, '#1d1b20')
        pen.shape([x * 2.1, -70, x, -76, x * 0.3, -70, x, -72], '#1d1b20', 0.6)
      }
      pen.line([-8, -47, 0, -49, 8, -47], 2, '#a02018')
      for (const x of [-30, 0, 30]) pen.line([x - 8, -22, x, -14, x + 8, -22], 2.6, '#f0c63a')
    },
  },
  tiki: {
    paint: pen => {
      const wood = pen.main('#8a5a30')
      const trunk = pen.shape([-24, 0, -28, -30, -26, -86, -18, -100, 18, -100, 26, -86, 28, -30, 24, 0], wood, 5)
      pen.clip(trunk, () => {
        for (let x = -22; x <= 22; x += 7) pen.poly([x - 4, -100, x + 4, -100, x, -84], shade(wood, -0.3), 0.6)
      })
      for (const side of [-1, 1]) {
        pen.shape([side * 3, -80, side * 14, -86, side * 24, -78, side * 14, -78], shade(wood, -0.45), 1)
        pen.oval(side * 13, -68, 9, 7, '#f0dcae')
        pen.ovalFlat(side * 13, -67, 4, 4, '#2a1c12')
      }
      pen.shape([-5, -66, 5, -66, 11, -48, 0, -44, -11, -48], shade(wood, 0.16), 2)
      pen.box(-20, -40, 40, 24, '#3a1c14', 6)
      for (let i = 0; i < 5; i++) for (const y of [-39, -24]) pen.box(-18 + i * 7.4, y, 6.4, 7, '#f6ecd2', 1)
    },
  },
  obelisk: {
    paint: pen => {
      const stone = pen.main('#d8c39a')
      pen.box(-14, -6, 28, 6, shade(stone, -0.15), 1)
      pen.poly([-9, -6, -6, -92, 0, -102, 6, -92, 9, -6], stone, 3)
      pen.polyFlat([2.4, -92, 6, -92, 9, -6, 3.4, -6], shade(stone, -0.22))
      for (let y = -84; y < -12; y += 11) glyph(pen, -1.6, y, 3, shade(stone, -0.45))
    },
  },
  'hieroglyph-tablet': {
    paint: pen => {
      const stone = pen.main('#d8b878')
      pen.shape([-48, -2, -50, -50, -47, -96, 0, -100, 47, -96, 50, -50, 48, -2, 0, 0], stone, 4)
      for (const x of [-22, 22]) pen.boxFlat(x - 0.6, -94, 1.2, 88, shade(stone, -0.4))
      for (let row = 0; row < 6; row++) for (const x of [-35, 0, 35]) glyph(pen, x, -86 + row * 14.4, 5.4, shade(stone, -0.55))
    },
  },
  ankh: {
    paint: pen => {
      const gold = pen.main('#d9a62e')
      pen.ring(0, -78, 15, 20, 9, gold)
      pen.box(-5, -58, 10, 58, gold, 2)
      pen.box(-32, -56, 64, 10, gold, 2)
      pen.boxFlat(-3, -56, 2, 54, shade(gold, 0.4))
    },
  },
  sextant: {
    paint: pen => {
      const brass = pen.main('#c9962e')
      const points: number[] = []
      for (let i = 0; i <= 16; i++) points.push(Math.cos(0.62 + (i / 16) * 1.9) * 78, -94 + Math.sin(0.62 + (i / 16) * 1.9) * 84)
      pen.line(points, 9, brass)
      pen.line([0, -94, 62, -46], 5, brass)
      pen.line([0, -94, -62, -26], 5, brass)
      pen.line([0, -94, 12, -10], 5, shade(brass, -0.25))
      for (let i = 1; i < 16; i++)
        pen.line(
          [points[i * 2] ?? 0, points[i * 2 + 1] ?? 0, (points[i * 2] ?? 0) * 0.95, -94 + ((points[i * 2 + 1] ?? 0) + 94) * 0.95],
          1,
          '#4a3618',
        )
      pen.box(-46, -66, 54, 11, '#4a3a30', 3)
      pen.box(-52, -68, 10, 15, brass, 2)
      pen.oval(0, -96, 7, 7, brass)
      pen.box(30, -74, 12, 16, '#a9cfe0', 2)
    },
  },
  chariot: {
    paint: pen => {
      const gold = pen.main('#c9962e')
      pen.line([-4, -30, 60, -34, 104, -46], 5, '#7a4a28')
      pen.shape([-44, -30, -46, -54, -30, -66, -4, -68, 16, -88, 30, -92, 26, -60, 24, -28, -10, -24], gold, 5)
      pen.line([-38, -40, -30, -56, -8, -60, 10, -70], 2, shade(gold, -0.35))
      pen.oval(4, -44, 8, 8, '#a8302a')
      const [x, y, radius] = [-8, -30, 28]
      for (let i = 0; i < 6; i++)
        pen.line(
          [
            x - Math.cos(i * 0.524) * radius,
            y - Math.sin(i * 0.524) * radius,
            x + Math.cos(i * 0.524) * radius,
            y + Math.sin(i * 0.524) * radius,
          ],
          3,
          '#7a4a28',
        )
      pen.ring(x, y, radius, radius, 5, '#7a4a28')
      pen.oval(x, y, 6, 6, gold)
    },
    isSided: true,
    anchors: { seat: { x: -10, y: -40 } },
  },
}

/** Draws one of several Egyptian hieroglyphs: an eye, water, a bird, a reed, a sun, a loaf. */
function glyph(pen: Pen, x: number, y: number, size: number, colour: string): void {
  const kind = pen.random.integer(0, 5)
  if (kind === 0) {
    pen.shapeFlat([x - size, y, x, y - size * 0.5, x + size, y, x, y + size * 0.5], colour)
    pen.line([x, y + size * 0.4, x + size * 0.4, y + size], size * 0.2, colour)
  } else if (kind === 1)
    for (const dy of [-0.5, 0, 0.5])
      pen.line(
        [
          x - size,
          y + dy * size,
          x - size / 2,
          y + dy * size - size * 0.3,
          x,
          y + dy * size,
          x + size / 2,
          y + dy * size - size * 0.3,
          x + size,
          y + dy * size,
        ],
        size * 0.2,
        colour,
      )
  else if (kind === 2) {
    pen.shapeFlat(scaled([-1, 0.3, 0, -0.4, 0.7, -1, 1, -0.6, 0.5, 0.2, 0, 0.4], [size, size], [x, y]), colour)
    pen.line([x + size * 0.1, y + size * 0.3, x + size * 0.1, y + size], size * 0.18, colour)
  } else if (kind === 3) pen.shapeFlat(scaled([-0.3, 1, -0.4, -0.4, 0.4, -1, 0.3, 1], [size, size], [x, y]), colour)
  else if (kind === 4) pen.ring(x, y, size * 0.7, size * 0.7, size * 0.3, colour)
  else pen.shapeFlat(scaled([-1, 0.5, -0.6, -0.5, 0.6, -0.5, 1, 0.5], [size, size], [x, y]), colour)
}
