import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

const outline = [
  -82, 0, -78, -14, -70, -26, -72, -44, -62, -60, -64, -84, -40, -94, 0, -97, 38, -95, 56, -88, 52, -70, 60, -56, 57, -36, 68, -22, 72, -8,
  80, 0,
]

/** Drawings of cliffs that are steep on all sides, for castles and other things that stand high
 *  above their surroundings. */
export const cliffs: Record<string, Drawing> = {
  cliff: {
    paint: pen => {
      const rock = pen.main('#8f7f70')
      const body = pen.poly(outline, rock, 8)
      pen.clip(body, () => {
        paintFaces(pen, rock)
        paintStrata(pen, rock)
      })
      paintTurf(pen)
      paintRubble(pen, rock)
    },
    anchors: { top: { x: -4, y: -95, width: 88 } },
  },
}

/** Draws buttresses with a lit and a shaded side each. */
function paintFaces(pen: Pen, rock: string): void {
  const edges = [-78, -58, -37, -18, 2, 21, 39, 56, 78]
  for (const [i, x] of edges.entries()) {
    const next = edges[i + 1] ?? 90
    const middle = x + (next - x) * (0.42 + 0.16 * pen.random.next())
    const foot = pen.random.between(-4, 5)
    pen.polyFlat([x, -100, middle, -100, middle + foot, -52, middle - foot, 0, x - 4, 0, x + 2, -48], shade(rock, 0.12 - 0.02 * i))
    pen.polyFlat(
      [middle, -100, next, -100, next + 2, -48, next - 4, 0, middle - foot, 0, middle + foot, -52],
      shade(rock, -0.14 - 0.03 * i),
    )
    pen.line([middle, -96, middle + foot, -52, middle - foot, 0], 0.8, shade(rock, -0.4))
  }
}

/** Draws ledges with a light upper edge, and cracks. */
function paintStrata(pen: Pen, rock: string): void {
  for (let y = -84; y < -4; y += 11)
    for (let x = -80; x < 78; ) {
      const width = pen.random.between(8, 26)
      const rise = pen.random.between(-2.4, 2.4)
      if (pen.random.next() < 0.62) {
        pen.polyFlat([x, y, x + width, y + rise, x + width - 2, y + rise + 3, x + 2, y + 3.4], `${shade(rock, -0.3)}99`)
        pen.line([x, y, x + width, y + rise], 0.9, shade(rock, 0.3))
      }
      x += width + pen.random.between(1, 7)
    }
  for (let i = 0; i < 16; i++) {
    const x = pen.random.between(-70, 66)
    const y = pen.random.between(-88, -20)
    pen.line([x, y, x + pen.random.between(-3, 3), y + 8, x + pen.random.between(-4, 4), y + 17], 0.7, shade(rock, -0.45))
  }
}

/** Draws grass on the top, hanging over the edge in tufts. */
function paintTurf(pen: Pen): void {
  const green = '#6b9a44'
  pen.shape([-66, -84, -50, -95, -18, -100, 20, -100, 48, -95, 58, -87, 40, -88, 20, -91, 0, -90, -24, -91, -46, -87], green, 3)
  for (let x = -63; x < 56; x += 4.2) {
    const edge = -86 - 5 * (1 - Math.abs(x) / 62)
    const drop = pen.random.between(3, 9)
    pen.polyFlat([x - 2.4, edge - 2, x + 2.6, edge - 2, x + 0.6, edge + drop], shade(green, -0.16))
  }
  for (let x = -58; x < 54; x += 3.4) pen.line([x, -94 + Math.abs(x) * 0.1, x + 0.8, -98 + Math.abs(x) * 0.1], 0.9, shade(green, 0.22))
}

function paintRubble(pen: Pen, rock: string): void {
  for (const [x, width, height] of [
    [-86, 16, 9],
    [-66, 20, 12],
    [-40, 14, 7],
    [-14, 18, 8],
    [14, 14, 7],
    [40, 20, 11],
    [66, 22, 10],
    [86, 14, 7],
  ] as const)
    pen.shape(
      [x - width / 2, 0, x - width * 0.4, -height * 0.7, x - width * 0.1, -height, x + width * 0.3, -height * 0.8, x + width / 2, 0],
      shade(rock, -0.12 + pen.random.next() * 0.16),
      2,
    )
}
