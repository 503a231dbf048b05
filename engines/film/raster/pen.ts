/** Draws pictures on a surface, moved, rotated and scaled. A pen is ten times faster than a
 *  canvas. */
import type { Canvas } from '@napi-rs/canvas'
import type { BlendMode } from './kernels.ts'
import { halfOf, margin, type Sprite, type Store, type Surface } from './store.ts'

/** A transformation: x' = a x + c y + e, y' = b x + d y + f. */
interface Matrix {
  a: number
  b: number
  c: number
  d: number
  e: number
  f: number
}

interface Position {
  x: number
  y: number
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

const one = 65_536
const rest: Matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }

export class Pen {
  readonly store: Store
  readonly width: number
  readonly height: number
  /** Opacity, 0 to 1. */
  alpha = 1
  mode: BlendMode = 'over'
  #surface: Surface
  #matrix: Matrix = rest
  readonly #saved: { matrix: Matrix; alpha: number; mode: BlendMode }[] = []

  constructor(store: Store, surface: Surface) {
    this.store = store
    this.#surface = surface
    this.width = surface.width
    this.height = surface.height
  }

  /** Returns the surface on which the pen draws. */
  get surface(): Surface {
    return this.#surface
  }

  /** Calls `draw`; until it returns, the pen draws on another surface of the same size. */
  on(surface: Surface, draw: () => void): void {
    const before = this.#surface
    this.#surface = surface
    draw()
    this.#surface = before
  }

  save(): void {
    this.#saved.push({ matrix: this.#matrix, alpha: this.alpha, mode: this.mode })
  }

  restore(): void {
    const state = this.#saved.pop()
    if (!state) return
    this.#matrix = state.matrix
    this.alpha = state.alpha
    this.mode = state.mode
  }

  translate(x: number, y: number): void {
    this.transform(1, 0, 0, 1, x, y)
  }

  scale(x: number, y: number): void {
    this.transform(x, 0, 0, y, 0, 0)
  }

  rotate(angle: number): void {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    this.transform(cos, sin, -sin, cos, 0, 0)
  }

  transform(...[a, b, c, d, e, f]: [a: number, b: number, c: number, d: number, e: number, f: number]): void {
    this.#matrix = product(this.#matrix, { a, b, c, d, e, f })
  }

  /** Draws a picture, or the part `part` of it, into a box. */
  image(picture: Canvas | Sprite, box: Box, part?: Box): void {
    if (this.alpha <= 0) return
    const whole = 'at' in picture ? picture : this.store.sprite(picture)
    const from = part ?? { x: 0, y: 0, width: whole.width, height: whole.height }
    const [kx, ky] = [box.width / from.width, box.height / from.height]
    const matrix = product(this.#matrix, { a: kx, b: 0, c: 0, d: ky, e: box.x - from.x * kx, f: box.y - from.y * ky })
    if (part) drawAligned(this, whole, matrix, part)
    else draw(this, whole, matrix)
  }

  /** Draws another surface with the pen's transformation. After the transformation, the edges of
   *  that surface must lie outside of the target. */
  surfaceImage(surface: Surface, x: number, y: number): void {
    drawTurned(this, { ...surface, runs: [], left: -1, right: surface.width }, product(this.#matrix, { ...rest, e: x, f: y }))
  }

  /** Fills a box of the target surface with a part of a picture. The part is a quadrilateral;
   *  `places` lists the corners of this quadrilateral in the picture in the order upper left, upper
   *  right, lower left, lower right. */
  patch(sprite: Sprite, box: { left: number; right: number; top: number; bottom: number }, places: readonly Position[]): void {
    drawPatch(this, sprite, box, places)
  }

  /** Draws one horizontal row of a layer that lies flat, such as the ground. The row starts at the
   *  source coordinate (`u`, `v`) and advances by `du` per pixel. Coordinates refer to pixel
   *  centres. From the pen's transformation, only the translation is used, rounded to whole
   *  pixels. */
  row(sprite: Sprite, y: number, { u, v, du }: { u: number; v: number; du: number }): void {
    const { e, f } = this.#matrix
    const row = y + Math.round(f)
    if (row >= 0 && row < this.height) drawRow(this, sprite, row, { u: u - Math.round(e) * du, v, du, low: -Infinity, high: Infinity })
  }

  /** Brightens the surface, or darkens it for negative values. A value of 1 changes the middle
   *  tones of a channel by a quarter of the range. */
  light(red: number, green: number, blue: number): void {
    const amounts = this.store.scratch
    new Int16Array(this.store.bytes().buffer, amounts, 8).set(
      [red, green, blue, 0, red, green, blue, 0].map(value => Math.round(value * 256)),
    )
    const { at, stride, height } = this.#surface
    this.store.kernels.light(at, (stride / 16) * height, amounts)
  }

  /** Draws another surface of the same size over this one, with opacity `share` (0 to 1). */
  mix(from: Surface, share: number): void {
    const { at, stride, height } = this.#surface
    this.store.kernels.mix(at, at, from.at, (stride / 16) * height, Math.round(share * 256))
  }
}

function product(m: Matrix, n: Matrix): Matrix {
  return {
    a: m.a * n.a + m.c * n.b,
    b: m.b * n.a + m.d * n.b,
    c: m.a * n.c + m.c * n.d,
    d: m.b * n.c + m.d * n.d,
    e: m.a * n.e + m.c * n.f + m.e,
    f: m.b * n.e + m.d * n.f + m.f,
  }
}

function draw(pen: Pen, sprite: Sprite, matrix: Matrix): void {
  const { a, b, c, d } = matrix
  const size = Math.max(Math.hypot(a, b), Math.hypot(c, d))
  // A strongly reduced picture is drawn from a copy of half its size, so that no pixel is skipped.
  // Each copy is averaged from the next larger one.
  if (size < 0.5 && Math.min(sprite.width, sprite.height) > 3)
    draw(pen, halfOf(pen.store, sprite), { ...matrix, a: a * 2, b: b * 2, c: c * 2, d: d * 2 })
  else if (Math.abs(b) * sprite.width < 0.02 && Math.abs(c) * sprite.height < 0.02)
    drawAligned(pen, sprite, matrix, { x: 0, y: 0, width: sprite.width, height: sprite.height })
  else drawTurned(pen, sprite, matrix)
}

/** Draws a picture that is not rotated; `part` limits the drawn area. */
function drawAligned(pen: Pen, sprite: Sprite, { a, d, e, f }: Matrix, part: Box): void {
  if (a === 0 || d === 0) return
  const isWhole = part.width === sprite.width && part.height === sprite.height
  const reach = isWhole ? 1 : 0.5
  const [y0, y1] = [part.y * d + f, (part.y + part.height) * d + f]
  const soft = isWhole ? Math.abs(d) * 0.5 : 0
  const first = Math.max(0, Math.ceil(Math.min(y0, y1) - 0.5 - soft))
  const last = Math.min(pen.height - 1, Math.ceil(Math.max(y0, y1) - 0.5 + soft) - 1)
  const du = 1 / a
  const u = (0.5 - e) * du - 0.5
  const [low, high] = isWhole ? [-Infinity, Infinity] : [part.x - reach, part.x + part.width - 1 + reach]
  if (isWhole && Math.abs(sprite.width * a) < smallWidth) {
    stamp(pen, sprite, { u, du, first, last, v: (first + 0.5 - f) / d - 0.5, dv: 1 / d })
    return
  }
  for (let y = first; y <= last; y++) drawRow(pen, sprite, y, { u, v: (y + 0.5 - f) / d - 0.5, du, low, high })
}

/** Largest width in pixels of a picture that is drawn by a single kernel call. */
const smallWidth = 72

interface Stamp {
  u: number
  v: number
  du: number
  dv: number
  /** First and last row of the surface on which the picture is drawn. */
  first: number
  last: number
}

function stamp(pen: Pen, { at, width, height, stride }: Sprite, { u, v, du, dv, first, last }: Stamp): void {
  const [start, end] = pixelsBetween(pen.width, { u, du, low: -1, high: width })
  // The rows whose source coordinate lies in the picture or in its margin.
  const [top, bottom] = within(v, dv, { low: -1, high: height, most: last - first + 1 })
  if (start >= end || top >= bottom) return
  const { surface, store } = pen
  store.kernels.stamps[pen.mode](
    surface.at + (first + top) * surface.stride + start * 4,
    end - start,
    at - margin * stride - margin * 4,
    stride,
    Math.round((u + start * du + margin) * one),
    Math.round((v + top * dv + margin) * one),
    Math.round(du * one),
    Math.round(dv * one),
    Math.round(pen.alpha * 256),
    surface.stride,
    bottom - top,
  )
}

interface Row {
  /** Sprite coordinates (`u` across, `v` down) of the first pixel of the target row, and the
   *  change of `u` from one target pixel to the next (`du`). */
  u: number
  v: number
  du: number
  /** Only pixels whose `u` lies between `low` and `high` are drawn. */
  low: number
  high: number
}

function drawRow(pen: Pen, sprite: Sprite, y: number, { u, v, du, low, high }: Row): void {
  const upper = Math.floor(v)
  const runs = sprite.runs[upper + 1]
  if (!runs) return
  const share = Math.round((v - upper) * 256)
  const { surface, mode } = pen
  const { kernels } = pen.store
  const alpha = Math.round(pen.alpha * 256)
  const step = Math.round(du * one)
  const [first, last] = overlap(pixelsBetween(pen.width, { u, du, low, high }), pixelsFrom(sprite, u, du))
  for (let i = 0; i < runs.length; i += 3) {
    const isSolid = runs[i + 2] === 1
    // A position between an opaque run and the next pixel is interpolated from both, so it is not
    // opaque. It belongs to the mixed run that is always beside an opaque run.
    const x0 = ((isSolid ? runs[i]! : runs[i]! - 1) - u) / du
    const x1 = ((isSolid ? runs[i + 1]! - 1 : runs[i + 1]!) - u) / du
    const [left, right] = x0 < x1 ? [x0, x1] : [x1, x0]
    const start = Math.max(first, isSolid ? Math.ceil(left) : Math.floor(left) + 1)
    const end = Math.min(last, isSolid ? Math.floor(right) + 1 : Math.ceil(right))
    if (start >= end) continue
    const row = rowOf(pen, sprite, { upper, share, low: u + start * du, high: u + (end - 1) * du })
    const to = surface.at + y * surface.stride + start * 4
    const way = isSolid && mode === 'over' && alpha === 256 ? 'copy' : mode
    const done = alpha === 256 && du === 1 ? layPlainly(pen, way, { to, from: row + Math.round(u + start) * 4, count: end - start, u }) : 0
    if (start + done < end)
      kernels.across[way](to + done * 4, end - start - done, row, Math.round((u + (start + done) * du) * one), step, alpha)
  }
}

/** Draws pixels without interpolation when the source lies on the pixel grid. Returns the number of
 *  pixels drawn; 0 when it lies between the pixels, or the mode is neither `copy` nor `over`. */
function layPlainly(
  { store }: Pen,
  mode: BlendMode,
  { to, from, count, u }: { to: number; from: number; count: number; u: number },
): number {
  if (Math.abs(u - Math.round(u)) > 1e-4) return 0
  if (mode === 'copy') {
    store.bytes().copyWithin(to, from, from + count * 4)
    return count
  }
  if (mode !== 'over') return 0
  const groups = count >> 2
  store.kernels.lay(to, from, groups)
  return groups * 4
}

/** Returns the range of target pixels whose source coordinate lies between `low` and `high`: the
 *  first pixel, and the pixel after the last one. */
function pixelsBetween(width: number, { u, du, low, high }: { u: number; du: number; low: number; high: number }): [number, number] {
  const [x0, x1] = [(low - u) / du, (high - u) / du]
  const start = Math.ceil(Math.min(x0, x1) + 1e-4)
  const end = Math.floor(Math.max(x0, x1) - 1e-4) + 1
  return [Math.max(0, start), Math.min(width, end)]
}

/** Returns the range of target pixels at which a sprite is drawn. Where two copies of a repeated
 *  layer meet, both compute the same boundary, so each pixel is drawn by exactly one of them. In
 *  a translucent layer, a pixel that both draw, or neither, would show as a line. */
function pixelsFrom({ left, right }: Sprite, u: number, du: number): [number, number] {
  const [x0, x1] = [(left - u) / du, (right - u) / du]
  return [Math.ceil(Math.min(x0, x1) - 1e-4), Math.ceil(Math.max(x0, x1) - 1e-4)]
}

/** Returns the address of a source row. For a coordinate between two rows, that is the address of a
 *  temporary row in which both are mixed. */
function rowOf(
  pen: Pen,
  { at, stride, height }: Sprite,
  { upper, share, low, high }: { upper: number; share: number; low: number; high: number },
): number {
  const first = at + upper * stride
  if (share === 0 || height + margin < upper) return first
  if (share === 256) return first + stride
  const left = Math.floor(Math.min(low, high)) - 1
  const right = Math.floor(Math.max(low, high)) + 3
  const { scratch, kernels } = pen.store
  // The temporary row begins 64 bytes into the scratch memory, because `light` stores its amounts
  // at the beginning.
  kernels.mix(scratch + 64, first + left * 4, first + stride + left * 4, Math.ceil((right - left) / 4), share)
  return scratch + 64 - left * 4
}

function drawTurned(pen: Pen, sprite: Sprite, { a, b, c, d, e, f }: Matrix): void {
  const determinant = a * d - b * c
  if (Math.abs(determinant) < 1e-9) return
  const inverse = { a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant }
  const { at, stride, width, height, left, right } = sprite
  const corners = [
    [-1, -1],
    [width + 1, -1],
    [-1, height + 1],
    [width + 1, height + 1],
  ].map(([x = 0, y = 0]) => b * x + d * y + f)
  const first = Math.max(0, Math.floor(Math.min(...corners)))
  const last = Math.min(pen.height - 1, Math.ceil(Math.max(...corners)))
  const { surface, store } = pen
  const spots = store.kernels.spots[pen.mode]
  const alpha = Math.round(pen.alpha * 256)
  const [du, dv] = [Math.round(inverse.a * one), Math.round(inverse.b * one)]
  for (let y = first; y <= last; y++) {
    const [x0, y0] = [0.5 - e, y + 0.5 - f]
    const u = inverse.a * x0 + inverse.c * y0 - 0.5
    const v = inverse.b * x0 + inverse.d * y0 - 0.5
    const [start, end] = overlap(
      within(u, inverse.a, { low: left, high: right, most: pen.width }),
      within(v, inverse.b, { low: -1, high: height, most: pen.width }),
    )
    if (start >= end) continue
    // The coordinates count from the upper left corner of the margin, because the fixed-point
    // numbers must not be negative.
    spots(
      surface.at + y * surface.stride + start * 4,
      end - start,
      at - margin * stride - margin * 4,
      stride,
      Math.round((u + start * inverse.a + margin) * one),
      Math.round((v + start * inverse.b + margin) * one),
      du,
      dv,
      alpha,
    )
  }
}

function drawPatch(
  pen: Pen,
  { at, stride, width, height }: Sprite,
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
  [a, b, c, d]: readonly Position[],
): void {
  if (!a || !b || !c || !d || left >= right) return
  const copy = pen.store.kernels.spots.copy
  const inside = (value: number, most: number) => Math.max(0, Math.min(most, value - 0.5)) + margin
  for (let y = top; y < bottom; y++) {
    const share = (y + 0.5 - top) / (bottom - top)
    const from = { x: a.x + (c.x - a.x) * share, y: a.y + (c.y - a.y) * share }
    const to = { x: b.x + (d.x - b.x) * share, y: b.y + (d.y - b.y) * share }
    const half = 0.5 / (right - left)
    const u = inside(from.x + (to.x - from.x) * half, width - 1)
    const v = inside(from.y + (to.y - from.y) * half, height - 1)
    const steps = Math.max(1, right - left - 1)
    const du = (inside(to.x - (to.x - from.x) * half, width - 1) - u) / steps
    const dv = (inside(to.y - (to.y - from.y) * half, height - 1) - v) / steps
    const { surface } = pen
    copy(
      surface.at + y * surface.stride + left * 4,
      right - left,
      at - margin * stride - margin * 4,
      stride,
      Math.round(u * one),
      Math.round(v * one),
      Math.round(du * one),
      Math.round(dv * one),
      256,
    )
  }
}

/** Returns the range of indices at which `from + index * step` lies between `low` and `high`: the
 *  first index, and the index after the last one. */
function within(from: number, step: number, { low, high, most }: { low: number; high: number; most: number }): [number, number] {
  if (Math.abs(step) < 1e-9) return from >= low && from <= high ? [0, most] : [0, 0]
  const [x0, x1] = [(low - from) / step, (high - from) / step]
  return [Math.max(0, Math.ceil(Math.min(x0, x1) + 1e-3)), Math.min(most, Math.floor(Math.max(x0, x1) - 1e-3) + 1)]
}

function overlap(a: [number, number], b: [number, number]): [number, number] {
  return [Math.max(a[0], b[0]), Math.min(a[1], b[1])]
}
