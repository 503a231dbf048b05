import { pairs } from '../../pairs.ts'
import { blob, ellipse } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { turned } from './tint.ts'

function tube(pen: Pen, points: number[], width: number, colour: string): void {
  pen.line(points, width, shade(colour, -0.28))
  pen.line(points, width * 0.76, colour)
  pen.line(
    points.map(value => value - width * 0.12),
    width * 0.2,
    shade(colour, 0.45),
  )
}

/** Draws the open end of a horn that faces up or to the side. */
function bell(pen: Pen, x: number, y: number, size: { x: number; y: number }, colour: string): void {
  pen.oval(x, y, size.x, size.y, colour)
  pen.ovalFlat(x, y, size.x * 0.82, size.y * 0.78, shade(colour, -0.45))
}

/** Draws a wind instrument of wood with rings and keys. */
function woodwind(pen: Pen, colour: string, ring: string): void {
  pen.poly([-2.6, -94, 2.6, -94, 3.4, -14, 9, 0, -9, 0, -3.4, -14], colour, 1.4)
  pen.poly([-1, -101, 1, -101, 2.6, -93, -2.6, -93], '#2a2024', 0.6)
  for (const y of [-82, -50, -16]) pen.box(-3.8, y, 7.6, 3, ring, 1)
  for (let i = 0; i < 8; i++) pen.oval(i % 3 === 0 ? 3 : 0, -76 + i * 7, 2, 2, '#dfe5ec')
  pen.line([5, -78, 5, -26], 1, ring)
}

/** Draws a plucked string instrument: its body (the outline `body`), the neck with frets, the
 *  strings and the head. */
function plucked(pen: Pen, body: number[], options: { colour: string; hole: boolean; head: string }): void {
  pen.shape(body, options.colour, 4)
  if (options.hole) pen.ovalFlat(0, -30, 7.4, 7.4, '#33221a')
  pen.box(-3.2, -88, 6.4, 52, '#4a2f1e')
  for (let i = 0; i < 7; i++) pen.line([-3, -84 + i * 6, 3, -84 + i * 6], 0.6, '#c3ccd6')
  pen.poly([-4, -88, -5.4, -101, 5.4, -101, 4, -88], options.head, 1)
  for (const y of [-97, -92]) for (const side of [-1, 1]) pen.oval(side * 7, y, 2, 1.5, '#dfe5ec')
  pen.box(-8, -16, 16, 3, '#2a2024', 1)
  for (const x of [-2, -0.7, 0.7, 2]) pen.line([x, -92, x * 1.6, -15], 0.35, '#f4f6f8')
}

export const instruments: Record<string, Drawing> = {
  tuba: {
    paint: pen => {
      const brass = pen.main('#e0ab3a')
      pen.shape([-44, -94, -24, -72, -17, -40, -18, -10, 4, -10, 6, -40, 12, -72, 30, -94], brass, 6)
      tube(pen, [-6, -8, -28, -4, -34, -24, -30, -46], 13, brass)
      tube(pen, [-4, -7, 22, -4, 32, -22, 28, -52, 12, -60, 4, -48, 6, -22], 10, brass)
      tube(pen, [10, -18, 16, -40, 28, -58, 46, -60], 5, brass)
      pen.poly([44, -66, 53, -62, 53, -56, 44, -54], shade(brass, 0.2), 1)
      for (const x of [-8, 2, 12]) {
        pen.box(x - 3.4, -44, 6.8, 26, shade(brass, 0.14), 2)
        pen.box(x - 1, -51, 2, 8, '#dfe5ec')
        pen.oval(x, -51, 3, 1.8, '#f4f6f8')
      }
      bell(pen, -7, -94, { x: 39, y: 8 }, brass)
    },
    anchors: { opening: { x: -7, y: -94, width: 56 } },
  },
  'french-horn': {
    paint: pen => {
      const brass = pen.main('#dca63a')
      for (const [rx, ry] of pairs([36, 34, 25, 23])) {
        pen.ring(0, -54, rx, ry, 9, shade(brass, -0.28))
        pen.ring(0, -54, rx, ry, 6.6, brass)
        pen.ring(-1, -55.4, rx, ry, 1.6, shade(brass, 0.45))
      }
      for (const x of [-10, 0, 10]) pen.oval(x, -56, 6, 8, shade(brass, 0.12))
      tube(pen, [-30, -74, -46, -90, -56, -98], 4.4, brass)
      pen.shape([10, -26, 30, -34, 62, -40, 60, -2, 34, -4, 14, -14], brass, 4)
      turned(pen, { x: 59, y: -20, angle: 0.16 }, () => bell(pen, 0, 0, { x: 9, y: 22 }, brass))
    },
  },
  clarinet: { paint: pen => woodwind(pen, pen.main('#2f2c30'), '#c3ccd6') },
  'electric-guitar': {
    paint: pen => {
      const red = pen.main('#d8342b')
      plucked(pen, [-6, -46, -17, -56, -22, -48, -15, -34, -24, -14, -16, -1, 0, 1, 16, -1, 24, -14, 15, -34, 19, -46, 10, -44, 5, -38], {
        colour: red,
        hole: false,
        head: '#3a2a20',
      })
      pen.shapeFlat([-5, -36, -14, -22, -13, -8, 4, -5, 14, -12, 10, -28], '#fbfaf6')
      for (const y of [-30, -22]) pen.box(-7, y, 14, 4, '#2a2024', 1)
      for (const [x, y] of pairs([15, -16, 12, -8])) pen.oval(x, y, 2.4, 2.4, '#2a2024')
    },
  },
  ukulele: {
    paint: pen =>
      plucked(pen, [-4, -46, -17, -44, -16, -32, -23, -14, -14, 0, 14, 0, 23, -14, 16, -32, 17, -44, 4, -46], {
        colour: pen.main('#c98a4a'),
        hole: true,
        head: '#8a5a30',
      }),
  },
  mandolin: {
    paint: pen =>
      plucked(pen, [-3, -50, -14, -40, -24, -20, -16, -2, 0, 1, 16, -2, 24, -20, 14, -40, 3, -50], {
        colour: pen.main('#b06a34'),
        hole: true,
        head: '#4a2a18',
      }),
  },
  banjo: {
    paint: pen => {
      pen.box(-2.6, -90, 5.2, 54, '#5a3a22')
      pen.oval(0, -22, 22, 22, '#8a5a30')
      pen.oval(0, -22, 19, 19, pen.main('#f7f0e0'))
      for (let i = 0; i < 7; i++) pen.line([-2.6, -84 + i * 6, 2.6, -84 + i * 6], 0.6, '#c3ccd6')
      pen.poly([-3, -90, -5, -101, 5, -101, 3, -90], '#3a2a20', 1)
      for (const side of [-1, 1]) for (const y of [-98, -94]) pen.oval(side * 6.6, y, 1.8, 1.4, '#dfe5ec')
      pen.box(-6, -14, 12, 2.4, '#5a3a22')
      for (const x of [-1.6, -0.5, 0.5, 1.6]) pen.line([x, -94, x * 1.5, -13], 0.35, '#9aa6b4')
    },
  },
  harmonica: {
    paint: pen => {
      const metal = pen.main('#c3ccd6')
      pen.box(-140, -100, 280, 34, metal, 14)
      pen.box(-134, -70, 268, 40, '#7a2a24', 3)
      pen.box(-140, -34, 280, 34, shade(metal, -0.1), 14)
      for (let i = 0; i < 10; i++) pen.boxFlat(-124 + i * 25, -64, 15, 27, '#22161a', 2)
      pen.boxFlat(-60, -90, 120, 10, shade(metal, -0.2), 5)
    },
  },
  cymbal: {
    paint: pen => {
      const brass = pen.main('#e2b23a')
      for (const x of [-26, 26]) pen.line([0, -30, x, 0], 3, '#6a7482')
      pen.box(-2, -92, 4, 90, '#8d97a6')
      turned(pen, { x: 0, y: -88, angle: -0.12 }, () => {
        pen.oval(0, 0, 62, 9, brass)
        pen.ring(0, -0.6, 42, 5.6, 0.9, shade(brass, -0.24))
        pen.oval(0, -4, 14, 5.6, shade(brass, 0.12))
      })
    },
  },
  xylophone: {
    paint: pen => {
      pen.poly([-108, -92, 108, -66, 108, -54, -108, -78], '#a5713f', 2)
      pen.poly([-108, -14, 108, -34, 108, -24, -108, -2], '#a5713f', 2)
      const colours = ['#e0483e', '#f08a24', '#f2c230', '#6abf4a', '#3fb0b8', '#3f7fc4', '#7a5ac4', '#d060a8']
      for (let i = 0; i < 8; i++) pen.box(-104 + i * 27, -100 + i * 4, 20, 100 - i * 8, colours[i] ?? '#e0483e', 5)
      pen.line([-60, -112, 30, -60], 4, '#c9a06a')
      pen.oval(33, -58, 9, 9, '#d8342b')
    },
  },
  gong: {
    paint: pen => {
      const wood = pen.main('#7a2f24')
      for (const x of [-50, 43]) pen.box(x, -96, 7, 96, wood, 2)
      pen.box(-58, -101, 116, 8, wood, 3)
      for (const x of [-58, 36]) pen.box(x, -7, 22, 7, wood, 2)
      for (const x of [-18, 18]) pen.line([x, -94, x * 1.1, -80], 1.6, '#3a2a20')
      pen.oval(0, -50, 37, 37, '#d0963a')
      pen.ring(0, -50, 28, 28, 2, '#a87024')
      pen.oval(0, -50, 11, 11, '#e2b24a')
    },
  },
  'music-triangle': {
    paint: pen => {
      const metal = pen.main('#b9c3ce')
      pen.line([0, -101, 0, -88], 1.6, '#8a5a32')
      for (const points of [
        [0, -86, -48, -4],
        [-48, -4, 38, -4],
        [0, -86, 40, -18],
      ]) {
        pen.line(points, 7, shade(metal, -0.2))
        pen.line(points, 3, shade(metal, 0.35))
      }
      pen.line([14, -34, 62, -62], 4, '#8d97a6')
    },
  },
  tambourine: {
    paint: pen => {
      const wood = pen.main('#c98a4a')
      pen.oval(0, -50, 56, 50, wood)
      pen.oval(0, -52, 47, 41, '#f6efe0')
      for (let i = 0; i < 9; i++) pen.oval(Math.cos(i * 0.698) * 52, -50 + Math.sin(i * 0.698) * 46, 6, 4, '#e2c05a', i * 0.7)
    },
  },
  whistle: {
    paint: pen => {
      const metal = pen.main('#c3ccd6')
      pen.ring(58, -52, 12, 12, 4, '#8d97a6')
      pen.line([70, -54, 96, -80, 84, -104], 4, '#d8342b')
      pen.poly([-90, -84, 10, -84, 10, -50, -90, -58], metal, 4)
      pen.oval(14, -44, 42, 42, metal)
      pen.poly([-40, -86, -14, -86, -24, -66], '#33363f', 1)
      pen.oval(14, -44, 13, 13, '#5a6472')
    },
  },
  'music-box': {
    paint: pen => {
      const wood = pen.main('#8a4a34')
      pen.poly([-58, -48, -50, -100, 50, -100, 58, -48], shade(wood, -0.2), 4)
      pen.poly([-46, -54, -41, -92, 41, -92, 46, -54], '#e9a9b8', 2)
      pen.oval(0, -80, 4.4, 4.6, '#f3d3bc')
      pen.poly([-4, -75, 4, -75, 15, -58, -15, -58], '#fbfaf6', 1)
      pen.line([-3, -73, -12, -86, 0, -92, 12, -86, 3, -73], 2, '#f3d3bc')
      pen.line([0, -58, 0, -46], 2.4, '#f3d3bc')
      pen.box(-62, -48, 124, 48, wood, 3)
      pen.box(-52, -36, 104, 24, shade(wood, 0.12), 2)
      pen.line([62, -24, 76, -24, 76, -36], 4, '#d9b25a')
    },
  },
  metronome: {
    paint: pen => {
      const wood = pen.main('#8a5230')
      pen.poly([-14, -96, 14, -96, 34, -8, -34, -8], wood, 5)
      pen.box(-38, -9, 76, 9, shade(wood, -0.2), 2)
      pen.poly([-8, -86, 8, -86, 20, -30, -20, -30], '#f4ecd8', 1)
      pen.line([0, -26, 22, -88], 2, '#33363f')
      pen.poly([10, -70, 22, -66, 19, -56, 8, -60], '#d9b25a', 1)
    },
  },
  bongos: {
    paint: pen => {
      const wood = pen.main('#b3622e')
      pen.box(-10, -62, 20, 20, '#5a3420')
      for (const [x, half] of pairs([-44, 38, 46, 44])) {
        pen.barrel(blob([x - half, -84, x - half * 0.86, -10, x, 0, x + half * 0.86, -10, x + half, -84]), wood)
        pen.box(x - half - 1, -88, half * 2 + 2, 9, '#c3ccd6', 3)
        pen.oval(x, -88, half, 12, '#f4e9d2')
      }
    },
  },
  'snare-drum': {
    paint: pen => {
      const red = pen.main('#c8382c')
      const body = blob([-78, -78, -78, -14, -40, 0, 40, 0, 78, -14, 78, -78])
      pen.barrel(body, red)
      pen.box(-80, -20, 160, 12, '#cfd6de', 5)
      for (let i = -3; i <= 3; i++) pen.line([i * 24, -74 + Math.abs(i) * -1, i * 24, -12], 2, '#dfe5ec')
      pen.context.fillStyle = '#cfd6de'
      pen.context.fill(ellipse(0, -76, 81, 24))
      pen.ovalFlat(0, -78, 74, 20, '#fbf8f0')
      pen.line([-60, -100, 20, -76], 4, '#c9a06a')
      pen.line([64, -102, -10, -80], 4, '#c9a06a')
    },
  },
  'tuning-fork': {
    paint: pen => {
      pen.line([-9, -101, -9, -48, 0, -38, 9, -48, 9, -101], 5, pen.main('#aab4c0'))
      pen.line([0, -38, 0, 0], 5, pen.main('#aab4c0'))
    },
  },
}
