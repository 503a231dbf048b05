/** The memory in which a film is drawn. It holds prepared pictures (sprites) and drawing targets
 *  (surfaces). */

import { createMemory } from '@generation-gateway/kit/simd/assembler.ts'
import type { Canvas } from '@napi-rs/canvas'
import { type Kernels, kernelsOn } from './kernels.ts'

/** A picture prepared for drawing: premultiplied RGBA, with a margin of `margin` readable pixels on
 *  all sides. */
export interface Sprite {
  /** Address of the upper left pixel (the margin is before it). */
  at: number
  width: number
  height: number
  /** Bytes from one row to the next. */
  stride: number
  /** The runs of each pair of neighbouring rows. The first pair is the margin above the picture and
   *  its first row; the last pair is its last row and the margin below. */
  runs: readonly Runs[]
  /** The picture is drawn only for source coordinates from `left` up to but not including
   *  `right`. On a side where the picture continues, this limit is the edge of the picture,
   *  because its next copy begins there. */
  left: number
  right: number
  half?: Sprite
}

/** The parts of a row that are not empty, from left to right. Each run has three numbers: its first
 *  pixel, the pixel after its last one, and 1 if the whole run is opaque, else 0. */
type Runs = readonly number[]

export const margin = 2
/** Two numbers of consecutive pixels: the fewest empty ones that are left out between two runs,
 *  and the fewest opaque ones that form a run of their own. */
const [leastEmpty, leastSolid] = [24, 16]

/** Changes the colours of a picture in place: straight RGBA, 0 to 255; must not change the
 *  alpha. */
export type Tone = (pixels: { data: Uint8ClampedArray; width: number; height: number }) => void

interface Edges {
  /** The sides at which the picture continues beyond its edge. There, the pixels of the margin
   *  equal the pixels at the edge. */
  left?: boolean
  right?: boolean
  top?: boolean
  bottom?: boolean
}

/** A target for drawing: premultiplied RGBA, and opaque when a frame is complete. */
export interface Surface {
  at: number
  width: number
  height: number
  stride: number
}

const page = 65_536
const slack = 256

export interface Store {
  kernels: Kernels
  /** Address of memory for one temporary row. */
  scratch: number
  bytes(): Uint8Array
  /** Allocates `bytes` bytes, zeroed, and returns the address, a multiple of 64. */
  take(bytes: number): number
  /** The mark that `mark` returned when the store was still empty. */
  start: number
  /** Returns a mark; `release(mark)` frees everything that was allocated after it. */
  mark(): number
  release(mark: number): void
  surface(width: number, height: number): Surface
  /** Returns the prepared copy of a canvas. The copy is made at the first call for a canvas; later
   *  changes of the canvas have no effect on the copy. */
  sprite(canvas: Canvas, edges?: Edges): Sprite
  /** Sets the colour change that is applied to all pictures prepared from now on. */
  useTone(tone: Tone | undefined): void
}

let shared: Store | undefined

/** Returns the store of this process, emptied. The process draws one film at a time, so each film
 *  can use the memory of the one before. */
export function emptiedStore(): Store {
  shared ??= createStore()
  shared.release(shared.start)
  shared.useTone(undefined)
  return shared
}

/** Creates a store of at most 4 GiB; throws `RangeError` when the machine has less memory. */
export function createStore(): Store {
  const memory = createMemory(16, 65_536)
  const kernels = kernelsOn(memory)
  let top = 64
  let view = new Uint8Array(memory.buffer)
  const bytes = () => {
    if (view.buffer !== memory.buffer) view = new Uint8Array(memory.buffer)
    return view
  }
  let tone: Tone | undefined
  let sprites = new WeakMap<Canvas, Sprite>()
  const take = (size: number): number => {
    const at = top
    top = Math.ceil((at + size + slack) / 64) * 64
    const missing = Math.ceil((top + slack - memory.buffer.byteLength) / page)
    if (missing > 0) memory.grow(Math.max(missing, 64))
    bytes().fill(0, at, top)
    return at
  }
  const surface = (width: number, height: number): Surface => {
    const stride = Math.ceil(width / 16) * 64
    return { at: take(stride * height), width, height, stride }
  }
  const scratch = take(page)
  return {
    kernels,
    scratch,
    start: top,
    bytes,
    take,
    mark: () => top,
    release: mark => {
      top = mark
      sprites = new WeakMap()
    },
    surface,
    sprite: (canvas, edges = {}) => {
      const known = sprites.get(canvas)
      if (known) return known
      const { width, height } = canvas
      const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
      tone?.({ data, width, height })
      const sprite = emptySprite(take, width, height)
      fill(bytes(), sprite, data)
      extend(bytes(), sprite, edges)
      if (edges.left) sprite.left = -0.5
      if (edges.right) sprite.right = width - 0.5
      sprite.runs = Array.from({ length: height + 1 }, (_, row) => runsOf(bytes(), sprite, row, edges))
      sprites.set(canvas, sprite)
      return sprite
    },
    useTone: given => {
      tone = given
      sprites = new WeakMap()
    },
  }
}

/** Returns a sprite with zeroed pixels. The caller must fill in the pixels and the runs. */
export function emptySprite(take: Store['take'], width: number, height: number): Sprite {
  const stride = Math.ceil((width + margin * 2) / 4) * 16
  const at = take(stride * (height + margin * 2)) + stride * margin + margin * 4
  const whole: Runs = [0, width, 0]
  const runs = Array.from({ length: height + 1 }, () => whole)
  return { at, width, height, stride, runs, left: -1, right: width }
}

function fill(memory: Uint8Array, { at, width, height, stride }: Sprite, data: Uint8ClampedArray): void {
  const source = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const target = new Uint32Array(memory.buffer)
  for (let y = 0; y < height; y++) {
    const to = (at + y * stride) >> 2
    const row = y * width
    for (let x = 0; x < width; x++) {
      const pixel = source[row + x]!
      const alpha = pixel >>> 24
      if (alpha === 0) continue
      if (alpha === 255) {
        target[to + x] = pixel
        continue
      }
      const red = ((pixel & 255) * alpha + 127) / 255
      const green = (((pixel >>> 8) & 255) * alpha + 127) / 255
      const blue = (((pixel >>> 16) & 255) * alpha + 127) / 255
      target[to + x] = (alpha << 24) | (blue << 16) | (green << 8) | red
    }
  }
}

/** Fills the margin with copies of the pixels at the picture's edge, on each side where the
 *  picture continues beyond that edge (`edges`). */
function extend(memory: Uint8Array, { at, width, height, stride }: Sprite, edges: Edges): void {
  const target = new Uint32Array(memory.buffer)
  for (let y = 0; y < height; y++) {
    const row = (at + y * stride) >> 2
    for (let i = 1; i <= margin; i++) {
      if (edges.left) target[row - i] = target[row]!
      if (edges.right) target[row + width - 1 + i] = target[row + width - 1]!
    }
  }
  const copy = (from: number, to: number) => {
    const start = at - margin * 4 + from * stride
    memory.copyWithin(at - margin * 4 + to * stride, start, start + stride)
  }
  for (let i = 1; i <= margin; i++) {
    if (edges.top) copy(0, -i)
    if (edges.bottom) copy(height - 1, height - 1 + i)
  }
}

/** Returns the runs of row `row` and the row before it. A mixed run (which is possibly of length 0)
 *  always lies between an empty part and an opaque run. Coordinates between the two are
 *  interpolated, and belong to this mixed run. */
function runsOf(memory: Uint8Array, { at, width, stride }: Sprite, row: number, edges: Edges): Runs {
  const lower = at + row * stride + 3
  const upper = lower - stride
  const [first, end] = [edges.left ? -margin : 0, edges.right ? width + margin : width]
  const runs: number[] = []
  let mixed = first
  const close = (to: number, isNeeded: boolean) => {
    if (to > mixed || isNeeded) runs.push(mixed, to, 0)
  }
  let from = first
  while (from < end) {
    const kind = memory[upper + from * 4]! + memory[lower + from * 4]!
    let to = from + 1
    while (to < end && memory[upper + to * 4]! + memory[lower + to * 4]! === kind) to++
    const isEdge = from === first || to === end
    if (kind === 510 && to - from >= leastSolid) {
      close(from, from > first || !edges.left)
      runs.push(from, to, 1)
      mixed = to
    } else if (kind === 0 && (to - from >= leastEmpty || isEdge)) {
      close(from, runs.length > 0 && runs.at(-1) === 1)
      mixed = to
    }
    from = to
  }
  close(end, runs.at(-1) === 1 && !edges.right)
  return runs
}

/** Returns the picture at half the size; each pixel is the mean of four. */
export function halfOf(store: Store, sprite: Sprite): Sprite {
  if (sprite.half) return sprite.half
  const [width, height] = [Math.ceil(sprite.width / 2), Math.ceil(sprite.height / 2)]
  const half = emptySprite(store.take, width, height)
  const bytes = store.bytes()
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = sprite.at + y * 2 * sprite.stride + x * 8
      const to = half.at + y * half.stride + x * 4
      for (let i = 0; i < 4; i++)
        bytes[to + i] =
          (bytes[from + i]! + bytes[from + 4 + i]! + bytes[from + sprite.stride + i]! + bytes[from + sprite.stride + 4 + i]! + 2) >> 2
    }
  }
  sprite.half = half
  return half
}
