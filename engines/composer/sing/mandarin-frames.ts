/** How the frames of the Chinese voice lie in its file: a byte that is 1 where it is voiced, the tones at some frequencies, the hiss at fewer. */
import type { HibariFrames } from '@generation-gateway/kit/voice/hibari-sound.ts'

const bins = 601
const binHertz = 20

/** Hertz at which the envelope of the tones is kept. */
export const points: readonly number[] = [...spaced(100, 2000, 100), ...spaced(2200, 5000, 200), ...spaced(5500, 12_000, 500)]
/** Hertz at which the hiss is kept. */
export const hissPoints: readonly number[] = spaced(250, 11_750, 500)
export const frameBytes = 1 + points.length + hissPoints.length

/** Logarithms from -13 to 2.9, in steps of a sixteenth. */
export function byteOf(level: number): number {
  return Math.max(0, Math.min(255, Math.round((level + 13) * 16)))
}

/** The initial of a syllable of pinyin; y and w are none. */
export function initialOf(syllable: string): string {
  return /^(?:zh|ch|sh|[bpmfdtnlgkhjqxzcsr])(?=[a-z])/.exec(syllable)?.[0] ?? ''
}

/** Frames as the signal part takes them. */
export function framesOf(frames: readonly Uint8Array[]): HibariFrames {
  const count = frames.length
  const size = bins * count
  const lh = new Float32Array(size)
  const ln = new Float32Array(size)
  frames.forEach((bytes, frame) => {
    spread(lh, { bytes, from: 1, at: tonePlaces, frame, count })
    spread(ln, { bytes, from: 1 + points.length, at: hissPlaces, frame, count })
  })
  return {
    frames: count,
    ...{ lh, ln, theta: new Float32Array(size), lr: new Float32Array(size).fill(-16), phi: new Float32Array(size) },
    // Any pitch: the tune's comes in its place.
    f0: Float32Array.from(frames, bytes => (bytes[0] === 1 ? 250 : 0)),
  }
}

const tonePlaces = placesIn(points)
const hissPlaces = placesIn(hissPoints)

/** For each bin the number of the point below it, and the part of the way to the next. */
function placesIn(list: readonly number[]): Float32Array {
  return Float32Array.from({ length: bins }, (_, bin) => {
    const hertz = bin * binHertz
    const after = list.findIndex(point => point > hertz)
    if (after === 0) return 0
    if (after < 0) return list.length - 1
    const [low, high] = [list[after - 1] ?? 0, list[after] ?? 1]
    return after - 1 + (hertz - low) / (high - low)
  })
}

interface Spreading {
  bytes: Uint8Array
  /** Of its points in the bytes. */
  from: number
  at: Float32Array
  frame: number
  count: number
}

function spread(target: Float32Array, { bytes, from, at, frame, count }: Spreading): void {
  for (let bin = 0; bin < bins; bin++) {
    const place = at[bin]!
    const below = Math.floor(place)
    const low = bytes[from + below]!
    const high = place > below ? bytes[from + below + 1]! : low
    target[bin * count + frame] = (low + (place - below) * (high - low)) / 16 - 13
  }
}

function spaced(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)
}
