/** Frames of speech on a melody: drawn out and closed up in time, on another pitch, by a smaller
 *  or larger throat. */
import { type HibariFrames, hibariSound } from '@generation-gateway/kit/voice/hibari-sound.ts'
import { type Random, randomOf } from '../random.ts'

/** Hertz of the sound. */
export const voiceRate = 24_000
const bins = 601
const samplesOfFrame = 300
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

interface RevoiceRequest {
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
export function revoice(ask: RevoiceRequest): Float32Array {
  // What is silent before and behind is not computed.
  const first = Math.max(0, Math.floor(ask.stretches[0]?.from ?? 0) - 2)
  const last = Math.min(ask.length, Math.ceil(ask.stretches.at(-1)?.to ?? 0) + 2)
  const sound = new Float32Array(ask.length * samplesOfFrame)
  if (last > first) sound.set(hibariSound(framesOf(ask, first, last - first), 1), first * samplesOfFrame)
  return sound
}

/** `length` frames of the target from the frame `first`. */
function framesOf({ source, stretches, hertzAt, throat }: RevoiceRequest, first: number, length: number): HibariFrames {
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
  for (let at = 0; at < length; at++) {
    const frame = first + at
    while (index + 1 < stretches.length && frame >= stretches[index]!.to) index += 1
    const stretch = stretches[index]
    if (!stretch || frame < stretch.from || frame >= stretch.to) continue
    const part = (frame - stretch.from) / Math.max(1e-6, stretch.to - stretch.from)
    const place = stretch.sourceFrom + part * (stretch.sourceTo - stretch.sourceFrom)
    const isVoiced = stretch.isHeld || (source.f0[Math.round(place)] ?? 0) > leastVoice
    target.f0[at] = isVoiced ? hertzAt(frame) : 0
    const gain = Math.log(Math.max(1e-4, stretch.gains[0] + part * (stretch.gains[1] - stretch.gains[0])))
    copyFrame({ source, target, places, place, frame: at, gain })
    turnFrame({ source, target, places, place, frame: at, chance: isVoiced ? chance : undefined })
  }
  return target
}

interface FrameCopy {
  source: HibariFrames
  target: HibariFrames
  places: Float32Array
  place: number
  frame: number
}

function copyFrame({ source, target, places, place, frame, gain }: FrameCopy & { gain: number }): void {
  const { before, after, share } = timeOf(source, place)
  const step = source.frames
  for (let bin = 0; bin < bins; bin++) {
    const from = places[bin]!
    if (from >= bins - 1) break
    const below = Math.floor(from)
    const part = from - below
    const to = bin * target.frames + frame
    const early = below * step + before
    const late = below * step + after
    target.lh[to] = between(source.lh, { early, late, step, part, share }) + gain
    target.theta[to] = between(source.theta, { early, late, step, part, share })
    target.ln[to] = between(source.ln, { early, late, step, part, share }) + gain
    target.lr[to] = between(source.lr, { early, late, step, part, share }) + gain
  }
}

interface FramePosition {
  early: number
  late: number
  step: number
  part: number
  share: number
}

/** Of the four values around a place: two bins, `step` apart, at two times. */
function between(values: Float32Array, { early, late, step, part, share }: FramePosition): number {
  const one = (1 - share) * values[early]! + share * values[late]!
  const two = (1 - share) * values[early + step]! + share * values[late + step]!
  return (1 - part) * one + part * two
}

/** Phases of what is neither tone nor hiss: drawn where there is a voice, since those of the
 *  source would sound of its pitch. */
function turnFrame({ source, target, places, place, frame, chance }: FrameCopy & { chance: Random | undefined }): void {
  const { before, after, share } = timeOf(source, place)
  const near = share < 0.5 ? before : after
  for (let bin = 0; bin < bins; bin++) {
    const from = places[bin]!
    if (from >= bins - 1) break
    target.phi[bin * target.frames + frame] = chance ? 2 * Math.PI * chance.next() : source.phi[Math.round(from) * source.frames + near]!
  }
}

/** The frames around a place of the source, and how near it is to the later one. */
function timeOf(source: HibariFrames, place: number): { before: number; after: number; share: number } {
  const most = source.frames - 1
  const before = Math.max(0, Math.min(most, Math.floor(place)))
  return { before, after: Math.min(most, before + 1), share: Math.max(0, Math.min(1, place - before)) }
}

/** Where in the source each bin comes from. */
function placesOf(throat: number): Float32Array {
  return Float32Array.from({ length: bins }, (_, bin) => bin * throat)
}
