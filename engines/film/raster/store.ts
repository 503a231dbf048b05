/** The memory that a film is drawn in: pictures that were made ready for it, and the surfaces it is drawn on. */
import type { Canvas } from '@napi-rs/canvas'
import { createMemory } from './assembler.ts'
import { type Kernels, kernelsOn } from './kernels.ts'

/** Pixels, premultiplied RGBA, with a margin of `margin` on all sides that may be read. */
export interface Sprite {
  /** Address of the first pixel inside the margin. */
  at: number
  width: number
  height: number
  /** Bytes from row to row. */
  stride: number
  /** Of each row: what is not empty, and the longest run of opaque pixels. */
  spans: { from: Int32Array; to: Int32Array; solidFrom: Int32Array; solidTo: Int32Array }
  half?: Sprite
}

export const margin = 2

/** Changes colours, RGBA and not premultiplied, in place. */
export type Tone = (pixels: { data: Uint8ClampedArray; width: number; height: number }) => void

export interface Edges {
  /** Sides at which the picture goes on: what is beyond is as what is there. */
  left?: boolean
  right?: boolean
  top?: boolean
  bottom?: boolean
}

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
  /** Room for one row, for what is made of a row on the way. */
  scratch: number
  bytes(): Uint8Array
  /** Address of so much zeroed memory, at a multiple of 64. */
  take(bytes: number): number
  /** What was taken after a mark is given back. */
  mark(): number
  release(mark: number): void
  surface(width: number, height: number): Surface
  /** A picture made ready, once; one that is drawn on afterwards stays what it was. */
  sprite(canvas: Canvas, edges?: Edges): Sprite
  /** What colours of pictures that come from now on become. */
  useTone(tone: Tone | undefined): void
}

/** At most 4 GiB; throws `RangeError` where the machine has not that much. */
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
  return {
    kernels,
    scratch: take(page),
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
      fillSprite(bytes(), sprite, data)
      extend(bytes(), sprite, edges)
      sprites.set(canvas, sprite)
      return sprite
    },
    useTone: given => {
      tone = given
      sprites = new WeakMap()
    },
  }
}

export function emptySprite(take: Store['take'], width: number, height: number): Sprite {
  const stride = Math.ceil((width + margin * 2) / 4) * 16
  const at = take(stride * (height + margin * 2)) + stride * margin + margin * 4
  const row = () => new Int32Array(height)
  return { at, width, height, stride, spans: { from: row(), to: row(), solidFrom: row(), solidTo: row() } }
}

function fillSprite(memory: Uint8Array, { at, width, height, stride, spans }: Sprite, data: Uint8ClampedArray): void {
  const source = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const target = new Uint32Array(memory.buffer)
  for (let y = 0; y < height; y++) {
    const to = (at + y * stride) >> 2
    const row = y * width
    let first = width
    let last = 0
    let run = 0
    let best = 0
    let bestEnd = 0
    for (let x = 0; x < width; x++) {
      const pixel = source[row + x]!
      const alpha = pixel >>> 24
      if (alpha === 0) {
        run = 0
        continue
      }
      if (first === width) first = x
      last = x + 1
      if (alpha === 255) {
        target[to + x] = pixel
        run++
        if (run > best) {
          best = run
          bestEnd = x + 1
        }
        continue
      }
      run = 0
      const red = ((pixel & 255) * alpha + 127) / 255
      const green = (((pixel >>> 8) & 255) * alpha + 127) / 255
      const blue = (((pixel >>> 16) & 255) * alpha + 127) / 255
      target[to + x] = (alpha << 24) | (blue << 16) | (green << 8) | red
    }
    spans.from[y] = Math.min(first, last)
    spans.to[y] = last
    spans.solidFrom[y] = bestEnd - best
    spans.solidTo[y] = bestEnd
  }
}

/** Repeats the outermost pixels in the margin of the sides that go on. */
function extend(memory: Uint8Array, sprite: Sprite, edges: Edges): void {
  const { at, width, height, stride, spans } = sprite
  const target = new Uint32Array(memory.buffer)
  for (let y = 0; y < height; y++) {
    const row = (at + y * stride) >> 2
    for (let i = 1; i <= margin; i++) {
      if (edges.left) target[row - i] = target[row]!
      if (edges.right) target[row + width - 1 + i] = target[row + width - 1]!
    }
    if (edges.left && spans.solidFrom[y] === 0 && (spans.solidTo[y] ?? 0) > 0) spans.solidFrom[y] = -margin
    if (edges.right && spans.solidTo[y] === width) spans.solidTo[y] = width + margin
    if (edges.left && (spans.from[y] ?? 0) === 0 && (spans.to[y] ?? 0) > 0) spans.from[y] = -margin
    if (edges.right && spans.to[y] === width) spans.to[y] = width + margin
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
