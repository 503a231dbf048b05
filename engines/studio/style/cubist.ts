import type { Random } from '../drawing.ts'
import { grade } from './grade.ts'
import { clamp, copyRaster, createRaster, type Raster, shortSide } from './pixels.ts'

interface Facet {
  x: number
  y: number
  /** Direction, as a unit vector, in which the facet gets brighter. */
  dx: number
  dy: number
  /** Distance in pixels by which the part of the picture in this facet is shifted. */
  shiftX: number
  shiftY: number
  turn: number
  scale: number
}

/** Number of facets along the short side. */
const across = 8

/** Draws a cubist painting in earthy colours. The picture is split into facets with straight edges;
 *  the picture inside each facet is slightly shifted and turned, and its brightness changes from
 *  one edge to the other. */
export function cubist(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const source = copyRaster(raster)
  grade(source, { saturation: -0.12, contrast: 0.2 }, random)
  const cell = shortSide(raster) / across
  const columns = Math.ceil(width / cell) + 2
  const facets = facetsOf({ cell, columns, rows: Math.ceil(height / cell) + 2 }, random)
  const out = createRaster(width, height)
  const edge = cell * 0.035
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / cell) + 1
    for (let x = 0; x < width; x++) {
      const column = Math.floor(x / cell) + 1
      let first = facets[row * columns + column]!
      let least = Number.POSITIVE_INFINITY
      let second = least
      for (let i = row - 1; i <= row + 1; i++) {
        for (let k = column - 1; k <= column + 1; k++) {
          const facet = facets[i * columns + k]
          if (!facet) continue
          const distance = (facet.x - x) ** 2 + (facet.y - y) ** 2
          if (distance < least) {
            second = least
            least = distance
            first = facet
          } else if (distance < second) second = distance
        }
      }
      paintFacet({ source, out, x, y }, first, { cell, border: (Math.sqrt(second) - Math.sqrt(least)) / edge })
    }
  }
  return out
}

function facetsOf({ cell, columns, rows }: { cell: number; columns: number; rows: number }, random: Random): Facet[] {
  return Array.from({ length: columns * rows }, (_, index) => {
    const angle = random.between(0, Math.PI * 2)
    return {
      x: ((index % columns) - 0.5 + random.between(-0.46, 0.46)) * cell,
      y: (Math.floor(index / columns) - 0.5 + random.between(-0.46, 0.46)) * cell,
      dx: Math.cos(angle),
      dy: Math.sin(angle),
      shiftX: random.between(-0.17, 0.17) * cell,
      shiftY: random.between(-0.17, 0.17) * cell,
      turn: random.between(-0.16, 0.16),
      scale: random.between(0.86, 1.12),
    }
  })
}

function paintFacet(
  at: { source: Raster; out: Raster; x: number; y: number },
  facet: Facet,
  { cell, border }: { cell: number; border: number },
): void {
  const { source, out, x, y } = at
  const { width, height } = source
  const [ox, oy] = [(x - facet.x) * facet.scale, (y - facet.y) * facet.scale]
  const fromX = clamp(Math.round(facet.x + facet.shiftX + ox - oy * facet.turn), 0, width - 1)
  const fromY = clamp(Math.round(facet.y + facet.shiftY + oy + ox * facet.turn), 0, height - 1)
  const light = 1 + clamp((ox * facet.dx + oy * facet.dy) / cell, -0.7, 0.7) * 0.46
  const line = border < 1 ? 0.5 + 0.5 * border : 1
  const from = (fromY * width + fromX) * 4
  const to = (y * width + x) * 4
  // Adds ochre to all colours, as in the paintings of analytic cubism.
  out.data[to] = (source.data[from]! * 0.82 + 36) * light * line
  out.data[to + 1] = (source.data[from + 1]! * 0.82 + 28) * light * line
  out.data[to + 2] = (source.data[from + 2]! * 0.8 + 14) * light * line
  out.data[to + 3] = 255
}
