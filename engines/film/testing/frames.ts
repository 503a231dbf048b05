/** Helpers for tests of films: frame measurements, and an engine that is opened for a test file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openEngine } from '@generation-gateway/kit/open-engine.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { decodeFrames } from '@generation-gateway/kit/video/decode.ts'
import film from '../driver.ts'
import { Pen } from '../raster/pen.ts'
import { createStore } from '../raster/store.ts'
import type { Clip } from '../world/clip.ts'

export interface Shape {
  width: number
  height: number
}

export const requested: VideoGenerateRequest = {
  prompt: '',
  width: 320,
  height: 180,
  seconds: 1,
  framesPerSecond: 12,
  count: 1,
  seed: '7',
  sound: false,
  expandPrompt: false,
  safetyTolerance: 2,
  watermark: false,
}

/** Opens the film engine with one core and a folder of its own. After the tests of the file, the
 *  engine is closed and the folder removed. */
export function openFilm() {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-film-'))
  const engine = openEngine(film, { folder, cores: 1 })
  after(async () => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { engine, folder }
}

/** Returns the pixels of a clip at the given second. */
export function frameAt(clip: Clip, { width, height }: Shape, seconds: number): Uint8Array {
  const pen = penOf({ width, height })
  clip.draw(pen, seconds)
  const { at, stride } = pen.surface
  const pixels = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) pixels.set(pen.store.bytes().subarray(at + y * stride, at + y * stride + width * 4), y * width * 4)
  return pixels
}

/** One pen for each picture size. Clips keep surfaces in the store of their pen, so all frames of a
 *  clip must use the same pen, as they do in a film. */
const pens = new Map<string, Pen>()

function penOf({ width, height }: Shape): Pen {
  const key = `${width}x${height}`
  const known = pens.get(key)
  if (known) return known
  const store = createStore()
  const pen = new Pen(store, store.surface(width, height))
  pens.set(key, pen)
  return pen
}

export async function framesOf(path: string, size: Shape): Promise<Uint8Array[]> {
  const frames: Uint8Array[] = []
  for await (const frame of decodeFrames(path, { ...size, signal: AbortSignal.timeout(60_000) })) frames.push(frame)
  return frames
}

/** Returns the mean difference between the colour channels of two frames, 0 to 255. */
export function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) if (i % 4 !== 3) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0))
  return sum / ((a.length / 4) * 3)
}

/** Returns the peak signal-to-noise ratio in dB. */
export function psnr(a: Uint8Array, b: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) if (i % 4 !== 3) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2
  return 10 * Math.log10(255 ** 2 / Math.max(1e-9, sum / ((a.length / 4) * 3)))
}

/** Returns by how many columns the content moved to the right from one frame to the other. The rows
 *  `top` to `bottom` are compared at each possible shift; the best match is returned. */
export function shiftRight(a: Uint8Array, b: Uint8Array, { width }: Shape, { top, bottom }: { top: number; bottom: number }): number {
  const reach = Math.floor(width / 3)
  let best = { shift: 0, cost: Infinity }
  for (let shift = -reach; shift <= reach; shift++) {
    let sum = 0
    let count = 0
    for (let y = top; y < bottom; y += 2)
      for (let x = Math.max(0, -shift); x < Math.min(width, width - shift); x++, count++)
        sum += Math.abs((a[(y * width + x) * 4 + 1] ?? 0) - (b[(y * width + x + shift) * 4 + 1] ?? 0))
    if (sum / count < best.cost) best = { shift, cost: sum / count }
  }
  return best.shift
}
