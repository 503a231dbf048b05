/** Returns the Delaunay triangulation of the points: the indices of three points for each triangle.
 *  Points are added one by one; each new point replaces the triangles whose circumcircle contains
 *  it. No two points may be equal. Points that are neighbours in the list should be near each
 *  other, because the search for the triangle that contains a point starts at the newest
 *  triangle. */
export function triangulate(xs: Float64Array, ys: Float64Array): Uint32Array {
  const count = xs.length
  const mesh = createMesh(xs, ys)
  for (let point = 0; point < count; point++) insert(mesh, point)
  const out: number[] = []
  for (let t = 0; t < mesh.used; t++) {
    const a = mesh.points[t * 3]!
    if (a < 0) continue
    const b = mesh.points[t * 3 + 1]!
    const c = mesh.points[t * 3 + 2]!
    if (a < count && b < count && c < count) out.push(a, b, c)
  }
  return Uint32Array.from(out)
}

interface Mesh {
  xs: Float64Array
  ys: Float64Array
  /** Indices of the three corners of each triangle, counter-clockwise. A removed triangle has the
   *  index -1. */
  points: Int32Array
  /** For each triangle and each corner k, the index of the triangle on the other side of the edge
   *  from corner k to the next one; -1 where there is none. */
  across: Int32Array
  used: number
  free: number[]
  /** The triangle at which the next search starts. */
  last: number
}

function createMesh(xs: Float64Array, ys: Float64Array): Mesh {
  const count = xs.length
  let reach = 1
  for (let i = 0; i < count; i++) reach = Math.max(reach, Math.abs(xs[i]!), Math.abs(ys[i]!))
  const far = reach * 40
  const points = new Int32Array((count * 2 + 8) * 6).fill(-1)
  points.set([count, count + 1, count + 2])
  return {
    xs: Float64Array.of(...xs, -far, far, 0),
    ys: Float64Array.of(...ys, -far, -far, far),
    points,
    across: new Int32Array(points.length).fill(-1),
    used: 1,
    free: [],
    last: 0,
  }
}

function insert(mesh: Mesh, point: number): void {
  const cavity = [locate(mesh, point)]
  const inside = new Set(cavity)
  for (let k = 0; k < cavity.length; k++) {
    for (let edge = 0; edge < 3; edge++) {
      const next = mesh.across[cavity[k]! * 3 + edge]!
      if (next < 0 || inside.has(next) || !circleHolds(mesh, next, point)) continue
      inside.add(next)
      cavity.push(next)
    }
  }
  fan(mesh, point, { cavity, inside })
}

/** Fills the hole that the removed triangles leave: connects the new point with every edge of the
 *  hole. */
function fan(mesh: Mesh, point: number, hole: { cavity: number[]; inside: Set<number> }): void {
  const { points, across } = mesh
  const rim: { from: number; to: number; outer: number }[] = []
  for (const t of hole.cavity) {
    for (let edge = 0; edge < 3; edge++) {
      const outer = across[t * 3 + edge]!
      if (outer >= 0 && hole.inside.has(outer)) continue
      rim.push({ from: points[t * 3 + edge]!, to: points[t * 3 + ((edge + 1) % 3)]!, outer })
    }
  }
  for (const t of hole.cavity) {
    points[t * 3] = -1
    mesh.free.push(t)
  }
  const byStart = new Map<number, number>()
  const made = rim.map(edge => {
    const t = mesh.free.pop() ?? mesh.used++
    points.set([edge.from, edge.to, point], t * 3)
    across[t * 3] = edge.outer
    if (edge.outer >= 0) relink(mesh, edge.outer, { from: edge.to, to: edge.from, t })
    byStart.set(edge.from, t)
    return t
  })
  for (const t of made) {
    const next = byStart.get(points[t * 3 + 1]!)!
    across[t * 3 + 1] = next
    across[next * 3 + 2] = t
  }
  mesh.last = made[0]!
}

function relink(mesh: Mesh, triangle: number, edge: { from: number; to: number; t: number }): void {
  for (let k = 0; k < 3; k++) {
    if (mesh.points[triangle * 3 + k] === edge.from && mesh.points[triangle * 3 + ((k + 1) % 3)] === edge.to)
      mesh.across[triangle * 3 + k] = edge.t
  }
}

/** Returns the triangle that contains the point. The search starts at the newest triangle and moves
 *  from triangle to triangle towards the point. */
function locate(mesh: Mesh, point: number): number {
  let t = mesh.last
  for (let step = 0; step < mesh.used * 2; step++) {
    let moved = false
    for (let edge = 0; edge < 3 && !moved; edge++) {
      const a = mesh.points[t * 3 + edge]!
      const b = mesh.points[t * 3 + ((edge + 1) % 3)]!
      const next = mesh.across[t * 3 + edge]!
      if (next < 0 || side(mesh, a, b, point) >= 0) continue
      t = next
      moved = true
    }
    if (!moved) return t
  }
  return t
}

function side(mesh: Mesh, a: number, b: number, p: number): number {
  const { xs, ys } = mesh
  return (xs[b]! - xs[a]!) * (ys[p]! - ys[a]!) - (ys[b]! - ys[a]!) * (xs[p]! - xs[a]!)
}

function circleHolds(mesh: Mesh, triangle: number, p: number): boolean {
  const { xs, ys, points } = mesh
  const a = points[triangle * 3]!
  const b = points[triangle * 3 + 1]!
  const c = points[triangle * 3 + 2]!
  const ax = xs[a]! - xs[p]!
  const ay = ys[a]! - ys[p]!
  const bx = xs[b]! - xs[p]!
  const by = ys[b]! - ys[p]!
  const cx = xs[c]! - xs[p]!
  const cy = ys[c]! - ys[p]!
  const a2 = ax * ax + ay * ay
  const b2 = bx * bx + by * by
  const c2 = cx * cx + cy * cy
  return a2 * (bx * cy - cx * by) - b2 * (ax * cy - cx * ay) + c2 * (ax * by - bx * ay) > 0
}
