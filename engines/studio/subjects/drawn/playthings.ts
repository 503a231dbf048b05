import { pairs } from '../../pairs.ts'
import { blob, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

function fiddle(pen: Pen, colour: string): void {
  const body = pen.shape(
    [0, -58, 15, -55, 18, -44, 11, -34, 21, -22, 22, -10, 12, 0, -12, 0, -22, -10, -21, -22, -11, -34, -18, -44, -15, -55],
    colour,
    4,
  )
  pen.clip(body, () => pen.ovalFlat(-9, -12, 9, 14, '#ffffff24'))
  for (const side of [-1, 1]) pen.line([side * 7, -34, side * 9, -28, side * 6, -22], 1.2, '#3a2418')
  pen.box(-2.6, -96, 5.2, 46, '#3a2a24', 1)
  pen.box(-6, -22, 12, 3, '#3a2a24', 1)
  pen.shape([-3, -92, -5, -99, 0, -104, 5, -99, 3, -92], shade(colour, -0.2), 1)
  for (const x of [-1.5, 0, 1.5]) pen.line([x, -96, x * 1.6, -20], 0.35, '#f0ead8')
  for (const side of [-1, 1]) for (const y of [-96, -91]) pen.line([0, y, side * 7, y - 1], 1.4, '#3a2a24')
}

function drum(pen: Pen, x: number, y: number, size: { half: number; height: number }, colour: string): void {
  const { half, height } = size
  pen.context.save()
  pen.context.translate(x, 0)
  pen.barrel(
    blob([
      -half,
      y,
      -half,
      y + height,
      -half * 0.8,
      y + height + half * 0.16,
      half * 0.8,
      y + height + half * 0.16,
      half,
      y + height,
      half,
      y,
    ]),
    colour,
  )
  pen.context.restore()
  pen.oval(x, y, half, half * 0.24, '#fbf8f0')
  pen.ring(x, y, half, half * 0.24, 1.6, '#c3ccd6')
}

export const playthings: Record<string, Drawing> = {
  cello: {
    paint: pen => {
      fiddle(pen, pen.main('#a3542a'))
      pen.line([0, 0, 0, 6], 1.6, '#3a2a24')
    },
  },
  harp: {
    paint: pen => {
      const gold = pen.main('#d9a84a')
      pen.line([-22, -2, 28, -6], 6, gold)
      for (let i = 0; i < 9; i++) pen.line([-18 + i * 5.4, -6, -14 + i * 4.6, -92 + i * 4.6], 0.6, '#f7f0df')
      pen.line([-24, -4, -22, -96], 6, gold)
      pen.line([-22, -96, -6, -100, 8, -82, 26, -66, 32, -64], 6, shade(gold, 0.1))
      pen.line([32, -64, 28, -34, 30, -4], 8, shade(gold, -0.15))
      pen.oval(-22, -98, 5, 5, gold)
    },
  },
  'drum-kit': {
    paint: pen => {
      const shell = pen.main('#c8303f')
      for (const [x, y] of pairs([-58, -92, 56, -98])) {
        pen.line([x, y, x * 0.9, 0], 1.8, '#8d97a6')
        pen.oval(x, y, 28, 4.6, '#e0b84a')
      }
      for (const x of [-20, 20]) drum(pen, x, -80, { half: 18, height: 20 }, shell)
      drum(pen, -52, -50, { half: 22, height: 24 }, shell)
      drum(pen, 52, -46, { half: 22, height: 34 }, shell)
      pen.oval(0, -30, 32, 32, shade(shell, -0.2))
      pen.oval(0, -30, 28, 28, '#fbf8f0')
      pen.ovalFlat(0, -30, 7, 7, shade(shell, 0.1))
      for (const x of [-60, -44, 44, 60]) pen.line([x, -14, x, 0], 2, '#8d97a6')
    },
  },
  'chess-board': {
    paint: pen => {
      const dark = '#7a4a2c'
      pen.polyFlat([-200, -8, -150, -50, 150, -50, 200, -8], dark)
      for (let row = 0; row < 4; row++) {
        for (let i = 0; i < 8; i++) {
          const edge = (r: number, c: number): [number, number] => [-146 - r * 12 + ((292 + r * 24) / 8) * c, -48 + r * 10]
          if ((row + i) % 2) pen.polyFlat([...edge(row, i), ...edge(row, i + 1), ...edge(row + 1, i + 1), ...edge(row + 1, i)], '#f0d9b0')
        }
      }
      pen.boxFlat(-200, -8, 400, 8, shade(dark, -0.3), 2)
      for (const [x, y, tall, colour] of [
        [-110, -34, 34, '#fbf3e0'],
        [-60, -40, 42, '#fbf3e0'],
        [-10, -30, 30, '#fbf3e0'],
        [40, -40, 46, '#3a2a28'],
        [90, -32, 34, '#3a2a28'],
        [130, -38, 30, '#3a2a28'],
      ] as const) {
        pen.shape(scaled([-11, 0, -4, -0.4, -5, -0.7, 5, -0.7, 4, -0.4, 11, 0], [1, tall], [x, y]), colour, 2)
        pen.oval(x, y - tall * 0.84, 7, 7, colour)
      }
    },
  },
  'toy-blocks': {
    paint: pen => {
      const block = (x: number, y: number, colour: string, mark: string) => {
        pen.box(x, y, 48, 48, colour, 5)
        pen.boxFlat(x + 7, y + 7, 34, 34, shade(colour, 0.5), 3)
        if (mark === 'o') pen.ring(x + 24, y + 24, 9, 9, 5, colour)
        else if (mark === 't') pen.polyFlat([x + 24, y + 12, x + 36, y + 35, x + 12, y + 35], colour)
        else pen.boxFlat(x + 14, y + 14, 20, 20, colour)
      }
      block(-54, -48, '#4a9ad0', 'o')
      block(4, -48, '#e0483e', 't')
      block(-26, -98, '#f2b62e', 's')
    },
    anchors: { top: { x: 0, y: -98, width: 40 } },
  },
  'beach-ball': {
    paint: pen => {
      const ball = pen.oval(0, -50, 50, 50, '#fbfaf6')
      pen.clip(ball, () => {
        const colours = [pen.main('#e0483e'), '#f2c230', '#3f8fd0']
        colours.forEach((colour, i) => {
          const a = i * 2.09 - 1.2
          pen.shapeFlat(
            [
              -8,
              -64,
              -8 + Math.cos(a) * 34,
              -64 + Math.sin(a) * 34,
              -8 + Math.cos(a) * 90,
              -64 + Math.sin(a) * 90,
              -8 + Math.cos(a + 1.05) * 90,
              -64 + Math.sin(a + 1.05) * 90,
              -8 + Math.cos(a + 1.05) * 34,
              -64 + Math.sin(a + 1.05) * 34,
            ],
            colour,
          )
        })
        pen.ovalFlat(-8, -64, 7, 7, '#fbfaf6')
        pen.shapeFlat([20, -100, 54, -70, 54, -20, 10, 4, 36, -30, 40, -70], '#1c123a2e')
        pen.ovalFlat(-26, -78, 11, 7, '#ffffff70', -0.6)
      })
    },
  },
  surfboard: {
    paint: pen => {
      const board = pen.shape([0, -102, 10, -84, 13, -48, 9, -10, 0, 0, -9, -10, -13, -48, -10, -84], pen.main('#f2c85a'), 3)
      pen.clip(board, () => {
        pen.boxFlat(-1.4, -104, 2.8, 108, '#ffffff')
        pen.polyFlat([-20, -40, 20, -56, 20, -46, -20, -30], '#e0533a')
        pen.polyFlat([-20, -26, 20, -42, 20, -36, -20, -20], '#3f8fd0')
      })
    },
  },
  sandcastle: {
    paint: pen => {
      const sand = pen.main('#e6c07a')
      pen.shape([-72, 0, -56, -14, 0, -18, 56, -14, 72, 0], sand, 4)
      const turret = (x: number, half: number, top: number) => {
        pen.box(x - half, top, half * 2, -top - 6, sand)
        for (let i = -1; i <= 1; i++) pen.box(x + i * half * 0.7 - half * 0.24, top - 8, half * 0.48, 9, sand)
        pen.ovalFlat(x, top * 0.62, half * 0.22, half * 0.34, shade(sand, -0.4))
      }
      turret(-38, 15, -54)
      turret(38, 15, -54)
      pen.box(-26, -40, 52, 34, shade(sand, 0.05))
      turret(0, 17, -74)
      pen.shapeFlat([-9, -8, -9, -22, 0, -30, 9, -22, 9, -8], shade(sand, -0.45))
      pen.line([0, -80, 0, -102], 1.4, '#7a5436')
      pen.polyFlat([0, -102, 18, -96, 0, -90], '#d8342b')
    },
  },
}
