/** Frames of speech on a melody: drawn out and closed up in time, on another pitch, by a smaller or larger throat. */
import { type HibariFrames, hibariSound } from '@generation-gateway/kit/voice/hibari-sound.ts'
import { randomOf } from '../random.ts'

/** Hertz of the sound. */
export const voiceRate = 24_000
const bins = 601
/** Hertz: a speaker has a pitch above it. */
const leastVoice = 70
/** Of logarithms of magnitudes: nothing. */
const nothing = -16

/** A stretch of the target that a stretch of the source fills. All in frames. */
export interface Stretch {
  from: number
  to: number
  sourceFrom: number
  sourceTo: number
  /** Has the tune's pitch throughout; another one where the source has a pitch. */
  isHeld: boolean
  /** Factor on the sound, at its beginning and at its end. */
  gains: readonly [number, number]
}

export interface RevoiceAsk {
  source: HibariFrames
  /** In order; what no stretch covers is silent. */
  stretches: readonly Stretch[]
  /** Hertz at a frame of the target. */
  hertzAt(at: number): number
  /** Frames of the target. */
  length: number
  /** Size of the throat: 1 as the speaker's, 1.18 a man's. */
  throat: number
}

/** Mono samples at `voiceRate`, 300 for each frame. */
export function revoice({ source, stretches, hertzAt, length, throat }: RevoiceAsk): Float32Array {
  const size = bins * length
  const target: HibariFrames = {
    frames: length,
    lh: new Float32Array(size).fill(nothing),
    theta: new Float32Array(size),
    ln: new Float32Array(size).fill(nothing),
    lr: new Float32Array(size).fill(nothing),
    phi: new Float32Array(size),
    f0: new Float32Array(length),
  }
  const places = placesOf(throat)
  const chance = randomOf('phases')
  let index = 0
  for (let frame = 0; frame < length; frame++) {
    while (index + 1 < stretches.length && frame >= stretches[index]!.to) index += 1
    const stretch = stretches[index]
    if (!stretch || frame < stretch.from || frame >= stretch.to) continue
    const part = (frame - stretch.from) / Math.max(1e-6, stretch.to - stretch.from)
    const place = stretch.sourceFrom + part * (stretch.sourceTo - stretch.sourceFrom)
    const isVoiced = stretch.isHeld || (source.f0[Math.round(place)] ?? 0) > leastVoice
    target.f0[frame] = isVoiced ? hertzAt(frame) : 0
    const gain = Math.log(Math.max(1e-4, stretch.gains[0] + part * (stretch.gains[1] - stretch.gains[0])))
    copyFrame({ source, target, places, place, frame, gain, turn: isVoiced ? () => 2 * Math.PI * chance.next() : undefined })
  }
  return hibariSound(target, 1)
}

interface Copying {
  source: HibariFrames
  target: HibariFrames
  places: Float32Array
  place: number
  frame: number
  gain: number
  /** Phases of what is neither tone nor hiss, where those of the source would sound of its pitch. */
  turn: (() => number) | undefined
}

function copyFrame({ source, target, places, place, frame, gain, turn }: Copying): void {
  const most = source.frames - 1
  const before = Math.max(0, Math.min(most, Math.floor(place)))
  const after = Math.min(most, before + 1)
  const share = Math.max(0, Math.min(1, place - before))
  const near = share < 0.5 ? before : after
  for (let bin = 0; bin < bins; bin++) {
    const from = places[bin]!
    const to = bin * target.frames + frame
    if (from >= bins - 1) continue
    const below = Math.floor(from)
    const part = from - below
    const one = below * source.frames
    const two = one + source.frames
    const at = (values: Float32Array) =>
      (1 - part) * ((1 - share) * values[one + before]! + share * values[one + after]!) +
      part * ((1 - share) * values[two + before]! + share * values[two + after]!)
    target.lh[to] = at(source.lh) + gain
    target.theta[to] = at(source.theta)
    target.ln[to] = at(source.ln) + gain
    target.lr[to] = at(source.lr) + gain
    target.phi[to] = turn ? turn() : source.phi[(part < 0.5 ? one : two) + near]!
  }
}

/** Where in the source each bin comes from. */
function placesOf(throat: number): Float32Array {
  return Float32Array.from({ length: bins }, (_, bin) => bin * throat)
}
