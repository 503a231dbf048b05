import { pairs, triples } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** Colours of the lines and fields of charts, diagrams and maps. */
export const inks = ['#c8352e', '#2f6fc4', '#2f9a5a', '#e8b22e', '#8a4aa8', '#e0782e', '#3aa8b0'] as const

/** Draws a sheet of paper that is 100 units high and twice `half` wide. Returns its colour:
 *  `paper`, unless the prompt names another one. */
export function sheet(pen: Pen, half: number, paper = '#fbf8f0'): string {
  const colour = pen.main(paper)
  pen.box(-half, -100, half * 2, 100, colour, 2)
  return colour
}

/** Draws a picture that looks like a QR code: three finder squares and a random pattern. */
function paintCode(pen: Pen): void {
  const cells = 25
  const size = 92 / cells
  const at = (column: number, row: number) => [-46 + column * size, -96 + row * size] as const
  const isFinder = (column: number, row: number) =>
    (column < 8 && row < 8) || (column >= cells - 8 && row < 8) || (column < 8 && row >= cells - 8)
  for (let row = 0; row < cells; row++)
    for (let column = 0; column < cells; column++) {
      if (isFinder(column, row) || pen.random.next() < 0.5) continue
      const [x, y] = at(column, row)
      pen.boxFlat(x, y, size + 0.1, size + 0.1, '#17181d')
    }
  for (const [column, row] of [
    [0, 0],
    [cells - 7, 0],
    [0, cells - 7],
  ] as const) {
    const [x, y] = at(column, row)
    pen.boxFlat(x, y, size * 7, size * 7, '#17181d')
    pen.boxFlat(x + size, y + size, size * 5, size * 5, '#ffffff')
    pen.boxFlat(x + size * 2, y + size * 2, size * 3, size * 3, '#17181d')
  }
}

/** Draws a maze with exactly one path between any two cells. All walls stand at first; a random
 *  walk that visits every cell removes those through which it passes. */
function paintMaze(pen: Pen): void {
  const cells = 11
  const size = 92 / cells
  const open = new Set<string>()
  const seen = new Set<number>([0])
  const path = [0]
  while (path.length > 0) {
    const here = path.at(-1) ?? 0
    const [column, row] = [here % cells, Math.floor(here / cells)]
    const next = [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]
      .map(([dx = 0, dy = 0]) => ({ x: column + dx, y: row + dy }))
      .filter(({ x, y }) => x >= 0 && y >= 0 && x < cells && y < cells && !seen.has(y * cells + x))
    if (next.length === 0) {
      path.pop()
      continue
    }
    const to = pen.random.pick(next)
    const there = to.y * cells + to.x
    open.add(`${Math.min(here, there)} ${Math.max(here, there)}`)
    seen.add(there)
    path.push(there)
  }
  const wall = (x0: number, y0: number, x1: number, y1: number) => pen.line([x0, y0, x1, y1], 2, '#2b3a5c')
  for (let row = 0; row < cells; row++)
    for (let column = 0; column < cells; column++) {
      const here = row * cells + column
      const [x, y] = [-46 + column * size, -96 + row * size]
      if (column + 1 < cells && !open.has(`${here} ${here + 1}`)) wall(x + size, y, x + size, y + size)
      if (row + 1 < cells && !open.has(`${here} ${here + cells}`)) wall(x, y + size, x + size, y + size)
    }
  wall(-46 + size, -96, 46, -96)
  wall(46, -96, 46, -4)
  wall(-46, -4, 46 - size, -4)
  wall(-46, -96, -46, -4)
}

export const charts: Record<string, Drawing> = {
  'pie-chart': {
    paint: pen => {
      let from = -1.57
      for (const [index, part] of [0.34, 0.26, 0.18, 0.13, 0.09].entries()) {
        const to = from + part * Math.PI * 2
        const points = [0, -50]
        for (let step = 0; step <= 24; step++) {
          const angle = from + ((to - from) * step) / 24
          points.push(Math.cos(angle) * 50, -50 + Math.sin(angle) * 50)
        }
        pen.polyFlat(points, inks[index] ?? '#888888')
        pen.line([0, -50, Math.cos(to) * 50, -50 + Math.sin(to) * 50], 1.6, '#ffffff')
        from = to
      }
    },
  },
  flowchart: {
    paint: pen => {
      const colour = pen.main('#3a7fc4')
      const arrow = (points: number[], x: number, y: number) => {
        pen.line(points, 1.6, '#3a4250')
        pen.polyFlat([x - 3, y - 5, x + 3, y - 5, x, y], '#3a4250')
      }
      arrow([0, -86, 0, -70], 0, -68)
      arrow([0, -46, 0, -33], 0, -30)
      arrow([22, -57, 52, -57], 52, -30)
      pen.line([52, -57, 52, -34], 1.6, '#3a4250')
      arrow([0, -18, 0, -12], 0, -10)
      pen.box(-20, -100, 40, 15, shade(colour, 0.3), 7)
      pen.polyFlat([0, -70, 24, -57, 0, -44, -24, -57], '#f0b23a')
      pen.box(-20, -30, 40, 15, colour, 2)
      pen.box(34, -30, 38, 15, '#58b07a', 2)
      pen.box(-20, -11, 40, 11, shade(colour, 0.3), 5)
      for (const [x, y, w] of triples([-12, -94, 24, -12, -58, 24, -13, -24, 26, 41, -24, 24, -10, -7, 20]))
        pen.boxFlat(x, y, w, 2.4, '#ffffffc0')
    },
  },
  'venn-diagram': {
    paint: pen => {
      const blend = (x: number, y: number, colour: string) => pen.ovalFlat(x, y, 32, 32, `${colour}90`)
      blend(-20, -66, '#e04a4a')
      blend(20, -66, '#3a7fd8')
      blend(0, -33, '#e8c33a')
    },
  },
  maze: {
    paint: pen => {
      sheet(pen, 50, '#fbf8f0')
      paintMaze(pen)
    },
  },
  'qr-code': {
    paint: pen => {
      sheet(pen, 50, '#ffffff')
      paintCode(pen)
    },
  },
  barcode: {
    paint: pen => {
      sheet(pen, 74, '#ffffff')
      let x = -66
      while (x < 64) {
        const width = pen.random.pick([1.4, 2.8, 4.2])
        pen.boxFlat(x, -92, Math.min(width, 66 - x), 72, '#17181d')
        x += width + pen.random.pick([1.4, 2.8])
      }
      for (let i = 0; i < 12; i++) pen.boxFlat(-62 + i * 10.6, -14, 5, 8, '#17181d')
    },
  },
  'circuit-board': {
    paint: pen => {
      const board = pen.main('#1f7a4a')
      pen.box(-70, -100, 140, 100, board, 4)
      const { context } = pen
      context.strokeStyle = '#e3c45a'
      context.lineWidth = 1.2
      for (let i = 0; i < 9; i++) {
        context.beginPath()
        context.moveTo(-14 + i * 3.5, -64)
        context.lineTo(-14 + i * 3.5, -74 - Math.abs(i - 4) * 2)
        context.lineTo(-60 + i * 15, -84 - (i % 2) * 6)
        context.stroke()
        context.beginPath()
        context.moveTo(-14 + i * 3.5, -36)
        context.lineTo(-14 + i * 3.5, -26 + Math.abs(i - 4) * 2)
        context.lineTo(-60 + i * 15, -16 + (i % 2) * 6)
        context.stroke()
        for (const y of [-84 - (i % 2) * 6, -16 + (i % 2) * 6]) pen.ovalFlat(-60 + i * 15, y, 2.2, 2.2, '#f0dc8a')
      }
      pen.box(-18, -66, 36, 32, '#22252b', 2)
      pen.boxFlat(-12, -60, 24, 3, '#8d97a4')
      for (const [x, y] of pairs([-52, -62, 40, -62, -52, -44, 40, -44])) pen.box(x, y, 14, 10, '#2f333b', 1)
      for (const x of [-58, 56]) pen.oval(x, -52, 5, 5, '#b8c0ca')
    },
  },
  'periodic-table': {
    paint: pen => {
      pen.box(-92, -100, 184, 100, pen.main('#20242e'), 3)
      const rows = [
        '1................1',
        '11..........111111',
        '11..........111111',
        '111111111111111111',
        '111111111111111111',
        '111111111111111111',
        '111111111111111111',
        '..................',
        '...11111111111111.',
        '...11111111111111.',
      ]
      for (const [line, row] of rows.entries()) {
        for (const [column, cell] of [...row].entries()) {
          if (cell !== '1') continue
          const tone = column < 2 ? inks[0] : line > 7 ? inks[4] : column < 12 ? inks[1] : column > 16 ? inks[6] : inks[2]
          const [x, y] = [-86 + column * 9.6, -94 + line * 9]
          pen.boxFlat(x, y, 8.6, 8, tone)
          pen.boxFlat(x + 2, y + 2.4, 4.6, 2.4, '#ffffffd0')
        }
      }
    },
  },
  stamp: {
    paint: pen => {
      const paper = '#fbf6ea'
      pen.boxFlat(-40, -98, 80, 96, paper)
      for (let x = -38; x <= 38; x += 7.6) for (const y of [-98, -2]) pen.ovalFlat(x, y, 2.7, 2.7, paper)
      for (let y = -94; y <= -6; y += 8) for (const x of [-40, 40]) pen.ovalFlat(x, y, 2.7, 2.7, paper)
      const sky = pen.box(-33, -91, 66, 82, pen.main('#8fc4dc'))
      pen.clip(sky, () => {
        pen.ovalFlat(14, -70, 10, 10, '#f6d878')
        pen.polyFlat([-40, -30, -14, -66, 8, -34, 24, -52, 44, -28, 44, 0, -40, 0], '#4f7f8f')
        pen.boxFlat(-40, -30, 80, 30, '#6aa05a')
      })
    },
    anchors: { panel: { x: 0, y: -50, width: 58, height: 66 } },
  },
  postcard: {
    paint: pen => {
      sheet(pen, 74, '#fbf6ea')
      const picture = pen.box(-68, -94, 136, 88, pen.main('#86c5e8'), 1)
      pen.clip(picture, () => {
        pen.ovalFlat(-36, -72, 11, 11, '#fbe08a')
        pen.boxFlat(-70, -46, 140, 20, '#2f8fb8')
        pen.shapeFlat([-74, -26, -20, -32, 40, -26, 74, -30, 74, 0, -74, 0], '#f0dcae')
        pen.line([38, -20, 44, -44, 40, -66], 4, '#7a5436')
        for (const angle of [-2.9, -2.2, -1.2, -0.5, 0.2])
          pen.line(
            [40, -66, 40 + Math.cos(angle) * 14, -70 + Math.sin(angle) * 8, 40 + Math.cos(angle) * 24, -64 + Math.sin(angle) * 10],
            4,
            '#3f8f4a',
          )
      })
    },
    anchors: { panel: { x: 0, y: -50, width: 120, height: 60 } },
  },
  mandala: {
    paint: pen => {
      const colour = pen.main('#8a3f9a')
      const petals = (count: number, radius: number, size: number, tone: string) => {
        for (let i = 0; i < count; i++) {
          const angle = (i / count) * Math.PI * 2
          pen.oval(Math.cos(angle) * radius, -50 + Math.sin(angle) * radius, size, size * 0.44, tone, angle)
        }
      }
      pen.ovalFlat(0, -50, 50, 50, shade(colour, 0.55))
      petals(24, 42, 8, colour)
      petals(16, 31, 9, '#e0913a')
      petals(12, 21, 9, '#2f9a9a')
      petals(8, 11, 8, '#d8446a')
      pen.ring(0, -50, 49, 49, 2, colour)
      for (const radius of [37, 26]) pen.ring(0, -50, radius, radius, 0.8, shade(colour, -0.2))
      pen.oval(0, -50, 5, 5, '#f2c63a')
    },
  },
}
