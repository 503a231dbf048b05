/** Turns spoken sound into singing: stretches or shortens it, changes its pitch to that of the
 *  tune, and changes the size of the vocal tract. */
import { type HibariFrames, hibariSound } from '@generation-gateway/kit/voice/hibari-sound.ts'
import { type Random, randomOf } from '../random.ts'

/** Sample rate of the sound, hertz. */
export const voiceRate = 24_000
const bins = 601
const samplesOfFrame = 300
/** A sound of the speaker counts as voiced when its pitch is above this value, in hertz. */
const leastVoice = 70
/** Logarithm of the magnitude that is used for silence. */
const nothing = -16

/** A part of the sung sound (`from`, `to`), and the part of the spoken sound that fills it
 *  (`sourceFrom`, `sourceTo`). Positions are in frames. */
export interface Stretch {
  from: number
  to: number
  sourceFrom: number
  sourceTo: number
  /** True when the whole part is sung at the pitch of the tune. When false, only the frames that
   *  have a pitch in the spoken sound, such as voiced consonants, are sung at the pitch of the
   *  tune. */
  isHeld: boolean
  /** Gain factors at the beginning and at the end of the stretch. */
  gains: readonly [number, number]
}

interface RevoiceRequest {
  source: HibariFrames
  /** The parts in order. Between two parts, the output is silent. */
  stretches: readonly Stretch[]
  /** Returns the pitch, in hertz, at a frame of the sung sound. */
  hertzAt(at: number): number
  /** Length of the sung sound in frames. */
  length: number
  /** Size of the vocal tract: 1 is that of the speaker; about 1.18 makes a woman's voice sound like
   *  a man's. */
  throat: number
}

/** Returns the sung sound as mono samples at `voiceRate`, 300 for each frame. */
export function revoice(ask: RevoiceRequest): Float32Array {
  // The silence before the first and after the last part is not computed.
  const first = Math.max(0, Math.floor(ask.stretches[0]?.from ?? 0) - 2)
  const last = Math.min(ask.length, Math.ceil(ask.stretches.at(-1)?.to ?? 0) + 2)
  const sound = new Float32Array(ask.length * samplesOfFrame)
  if (last > first) sound.set(hibariSound(framesOf(ask, first, last - first), 1), first * samplesOfFrame)
  return sound
}

/** Returns `length` frames of the sung sound, from frame `first` on. */
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

/** Returns a value interpolated between two frequency bins (`step` apart in the array) and between
 *  two frames. */
function between(values: Float32Array, { early, late, step, part, share }: FramePosition): number {
  const one = (1 - share) * values[early]! + share * values[late]!
  const two = (1 - share) * values[early + step]! + share * values[late + step]!
  return (1 - part) * one + part * two
}

/** Sets the phases of those parts of the sound that are neither tone nor noise. In voiced frames,
 *  these phases are set at random, because the phases of the spoken sound still contain the pitch
 *  of the speech. */
function turnFrame({ source, target, places, place, frame, chance }: FrameCopy & { chance: Random | undefined }): void {
  const { before, after, share } = timeOf(source, place)
  const near = share < 0.5 ? before : after
  for (let bin = 0; bin < bins; bin++) {
    const from = places[bin]!
    if (from >= bins - 1) break
    target.phi[bin * target.frames + frame] = chance ? 2 * Math.PI * chance.next() : source.phi[Math.round(from) * source.frames + near]!
  }
}

/** Returns the two frames around a fractional position in the spoken sound, and the weight (0 to 1)
 *  of the later one. */
function timeOf(source: HibariFrames, place: number): { before: number; after: number; share: number } {
  const most = source.frames - 1
  const before = Math.max(0, Math.min(most, Math.floor(place)))
  return { before, after: Math.min(most, before + 1), share: Math.max(0, Math.min(1, place - before)) }
}

/** Returns for each frequency bin of the output the (fractional) bin of the spoken sound that is
 *  copied to it. A larger vocal tract lowers all resonances, so the bin of the spoken sound is
 *  higher. */
function placesOf(throat: number): Float32Array {
  return Float32Array.from({ length: bins }, (_, bin) => bin * throat)
}
