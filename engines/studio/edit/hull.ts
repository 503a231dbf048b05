/** Returns a grid with 1 in every cell that lies inside the convex hull of the given cells, or at
 *  most `margin` cells outside the hull. The grid is all 0 when the cells lie on one line. */
export function hullOf(cells: readonly number[], size: { width: number; height: number }, margin: number): Uint8Array {
  const out = new Uint8Array(size.width * size.height)
  const hull = convexHull(cells.map(i => ({ x: i % size.width, y: Math.floor(i / size.width) })))
  if (hull.length < 3) return out
  const edges = edgesOf(hull)
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) if (distanceOutside(edges, x, y) <= margin) out[y * size.width + x] = 1
  }
  return out
}

interface Point {
  x: number
  y: number
}

/** Returns the corners of the convex hull in order (monotone chain algorithm). */
function convexHull(points: Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y)
  const half = (list: Point[]) => {
    const chain: Point[] = []
    for (const point of list) {
      while (chain.length > 1 && turn(chain[chain.length - 2]!, chain[chain.length - 1]!, point) <= 0) chain.pop()
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.toReversed())]
}

function turn(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/** A side of the hull: its first corner, and the vector to the next one. */
interface Edge extends Point {
  dx: number
  dy: number
  length: number
}

function edgesOf(hull: readonly Point[]): Edge[] {
  return hull.map(({ x, y }, k) => {
    const next = hull[(k + 1) % hull.length]!
    const [dx, dy] = [next.x - x, next.y - y]
    return { x, y, dx, dy, length: Math.hypot(dx, dy) || 1 }
  })
}

/** Returns the distance by which a point lies outside the hull, in cells; negative inside. */
function distanceOutside(edges: readonly Edge[], x: number, y: number): number {
  let most = Number.NEGATIVE_INFINITY
  for (const edge of edges) most = Math.max(most, -(edge.dx * (y - edge.y) - edge.dy * (x - edge.x)) / edge.length)
  return most
}
