/** The engine's own synthesisers. They make sounds that a General MIDI sound bank lacks: those of
 *  video-game chips and drum machines, and deep basses. */
import { fastExp, fastSin, fastTanh } from '@generation-gateway/kit/audio/fast-math.ts'
import { type Random, randomOf } from '../random.ts'
import type { OwnInstrument } from '../score.ts'
import { hertzOf } from '../theory/key.ts'
import { type Stereo, sampleRate } from './rate.ts'

interface OwnNote {
  /** Index of the note's first sample in the piece. */
  start: number
  /** Number of samples until the note is released. */
  length: number
  pitch: number
  /** Loudness, 0 to 1. */
  loudness: number
}

/** A note that sounds. A call adds the samples from `from` up to `to` (counted from the beginning
 *  of the piece) to `out`, and returns true if the note sounds after them. */
export type Voice = (out: Stereo, range: { from: number; to: number; pan: number }) => boolean

export function voiceOf(instrument: OwnInstrument, note: OwnNote): Voice {
  const chance = randomOf(`${instrument}/${note.start}/${note.pitch}`)
  const make = instrument === 'chip drums' ? chipDrum(note, chance) : makers[instrument](note, chance)
  const end = note.start + note.length + make.release * sampleRate
  return (out, { from, to, pan }) => {
    const last = Math.min(to, end)
    const left = note.loudness * Math.min(1, 1 - pan)
    const right = note.loudness * Math.min(1, 1 + pan)
    for (let at = Math.max(from, note.start); at < last; at++) {
      const value = make.next(at - note.start)
      const index = at - from
      out.left[index] = (out.left[index] ?? 0) + value * left
      out.right[index] = (out.right[index] ?? 0) + value * right
    }
    return end > to
  }
}

interface Oscillator {
  /** Seconds for which the note still sounds after its release. */
  release: number
  /** Returns sample number `at` of the note. Calls must ask for consecutive samples. */
  next(at: number): number
}

/** Returns an envelope: a function of the sample's number that rises from 0 to 1 (attack), falls to
 *  a level (decay), stays there (sustain) and falls to 0 (release). The three times are in
 *  seconds. */
function envelope({ length }: OwnNote, [attack, decay, level, release]: readonly [number, number, number, number]) {
  const held = length / sampleRate
  return (at: number): number => {
    const time = at / sampleRate
    const on = time < attack ? time / attack : level + (1 - level) * fastExp(-(time - attack) / decay)
    return time < held ? on : on * Math.max(0, 1 - (time - held) / release)
  }
}

/** Returns a function that gives the next sample of several sawtooth waves together, without
 *  aliasing. `phases` are the phases at which they begin. */
function sumOfSaws(steps: Float64Array, phases: Float64Array): () => number {
  return () => {
    let sum = 0
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index]!
      let at = phases[index]! + step
      if (at >= 1) at -= 1
      phases[index] = at
      const edge = at < step ? blep(at / step) : at > 1 - step ? -blep((1 - at) / step) : 0
      sum += 2 * at - 1 - edge
    }
    return sum
  }
}

function blep(part: number): number {
  return 2 * part - part * part - 1
}

/** Returns a low-pass filter of second order with resonance. Each call passes one sample and the
 *  cut-off frequency in hertz. */
function lowPass(resonance: number): (value: number, hertz: number) => number {
  // The state of the filter is in a typed array: JavaScript would allocate memory for each new
  // value of a number in a closure.
  const kept = new Float64Array(2)
  const damping = 1 - 0.96 * resonance
  return (value, hertz) => {
    const f = Math.min(0.9, 2 * fastSin((Math.PI * Math.min(hertz, 12_000)) / (sampleRate * 2)))
    let low = kept[0]!
    let band = kept[1]!
    for (let pass = 0; pass < 2; pass++) {
      low += f * band
      band += f * (value - low - damping * band)
    }
    kept[0] = low
    kept[1] = band
    return low
  }
}

type OscillatorMaker = (note: OwnNote, chance: Random) => Oscillator

function pulseOf(duty: number): OscillatorMaker {
  return note => {
    const step = hertzOf(note.pitch) / sampleRate
    const level = envelope(note, [0.002, 0.5, 0.6, 0.03])
    let at = 0
    return {
      release: 0.03,
      next: index => {
        at += step
        if (at >= 1) at -= 1
        const up = at < step ? blep(at / step) : at > 1 - step ? -blep((1 - at) / step) : 0
        const past = at >= duty ? at - duty : at - duty + 1
        const down = past < step ? blep(past / step) : past > 1 - step ? -blep((1 - past) / step) : 0
        return 0.22 * level(index) * ((at < duty ? 1 : -1) + up - down)
      },
    }
  }
}

function sawsOf({ cents, shape, cut, resonance }: SawFacts): OscillatorMaker {
  return (note, chance) => {
    const hertz = hertzOf(note.pitch)
    const steps = Float64Array.from(cents, each => (hertz * 2 ** (each / 1200)) / sampleRate)
    const saws = sumOfSaws(
      steps,
      steps.map(() => chance.next()),
    )
    const filter = lowPass(resonance)
    const level = envelope(note, shape)
    const gain = 0.3 / Math.sqrt(steps.length)
    return {
      release: shape[3],
      next: at => gain * level(at) * filter(saws(), cut(at / sampleRate, hertz, note.loudness)),
    }
  }
}

interface SawFacts {
  cents: readonly number[]
  shape: readonly [number, number, number, number]
  /** Returns the cut-off frequency of the filter in hertz, `time` seconds after the beginning of
   *  the note. */
  cut(time: number, hertz: number, loudness: number): number
  resonance: number
}

const makers: Record<Exclude<OwnInstrument, 'chip drums'>, OscillatorMaker> = {
  pulse: pulseOf(0.25),
  square: pulseOf(0.5),
  triangle: note => {
    const step = hertzOf(note.pitch) / sampleRate
    const level = envelope(note, [0.002, 2, 0.9, 0.02])
    let at = 0
    return {
      release: 0.02,
      next: index => {
        at = (at + step) % 1
        // The wave has only sixteen levels, as in old sound chips.
        return 0.4 * level(index) * (Math.round((Math.abs(4 * at - 2) - 1) * 8) / 8)
      },
    }
  },
  saw: sawsOf({
    ...{ cents: [-6, 6], shape: [0.004, 0.4, 0.7, 0.08], resonance: 0.25 },
    cut: (time, hertz) => hertz * 4 + 3200 * fastExp(-time / 0.12),
  }),
  supersaw: sawsOf({
    ...{ cents: [-18, -10, -3, 4, 11, 19], shape: [0.01, 1, 0.8, 0.16], resonance: 0.1 },
    cut: (time, hertz) => hertz * 3 + 4200 * fastExp(-time / 0.35),
  }),
  acid: sawsOf({
    ...{ cents: [0], shape: [0.002, 0.18, 0.5, 0.03], resonance: 0.86 },
    cut: (time, hertz, loudness) => hertz * 1.5 + (600 + 2600 * loudness) * fastExp(-time / 0.09),
  }),
  reese: sawsOf({
    ...{ cents: [-22, 0, 23], shape: [0.01, 1, 0.9, 0.1], resonance: 0.2 },
    cut: (time, hertz) => hertz * 4 + 450 * (1 + fastSin(2 * Math.PI * 1.3 * time)),
  }),
  pluck: sawsOf({
    ...{ cents: [-4, 5], shape: [0.002, 0.14, 0.05, 0.12], resonance: 0.35 },
    cut: (time, hertz) => hertz * 2 + 5200 * fastExp(-time / 0.07),
  }),
  sub: note => {
    const hertz = hertzOf(note.pitch)
    const level = envelope(note, [0.003, 0.9, 0.45, 0.12])
    let phase = 0
    return {
      release: 0.12,
      next: at => {
        phase += (hertz * (1 + 1.2 * fastExp(-at / sampleRate / 0.02))) / sampleRate
        return 0.45 * fastTanh(1.9 * level(at) * fastSin(2 * Math.PI * phase))
      },
    }
  },
}

/** Returns the drum for a note in the sound of an old sound chip: a kick drum for low pitches,
 *  noise for all others. */
function chipDrum({ pitch }: OwnNote, chance: Random): Oscillator {
  if (pitch <= 36) {
    let phase = 0
    return {
      release: 0.16,
      next: at => {
        const time = at / sampleRate
        phase += (60 + 340 * Math.exp(-time / 0.025)) / sampleRate
        return 0.6 * Math.exp(-time / 0.08) * (phase % 1 < 0.5 ? 1 : -1)
      },
    }
  }
  const isSnare = pitch <= 40
  const fall = isSnare ? 0.07 : pitch === 46 || pitch === 49 ? 0.14 : 0.022
  // Each random value is held for several samples. The fewer samples it is held, the brighter the
  // noise sounds.
  const hold = isSnare ? 5 : 2
  let value = 0
  return {
    release: isSnare ? 0.3 : 0.4,
    next: at => {
      if (at % hold === 0) value = chance.next() < 0.5 ? -1 : 1
      return (isSnare ? 0.4 : 0.16) * Math.exp(-at / sampleRate / fall) * value
    },
  }
}
