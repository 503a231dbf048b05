/** The engine's own synthesisers, for sounds that a sampled General MIDI bank lacks: video-game
 *  chips, drum machines, deep sine basses. */
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

/** A sounding note. Adds its samples number `from` to `to` (counted from the beginning of the
 *  piece) to `out`, and returns whether it continues after them. */
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
  /** Seconds of sound after the release. */
  release: number
  /** Returns sample `at` of the note; must be called for consecutive samples. */
  next(at: number): number
}

/** Creates an envelope (0 to 1) from attack, decay, sustain level and release; the three times are
 *  in seconds. */
function envelope({ length }: OwnNote, [attack, decay, level, release]: readonly [number, number, number, number]) {
  const held = length / sampleRate
  return (at: number): number => {
    const time = at / sampleRate
    const on = time < attack ? time / attack : level + (1 - level) * fastExp(-(time - attack) / decay)
    return time < held ? on : on * Math.max(0, 1 - (time - held) / release)
  }
}

/** Creates a sum of band-limited sawtooth waves; `phases` are their initial phases. */
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

/** Creates a two-pole low-pass filter with resonance; each sample has its own cut-off in hertz. */
function lowPass(resonance: number): (value: number, hertz: number) => number {
  // The low-pass and band-pass state; in an array because numbers in a closure would be allocated
  // anew for each sample.
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
  /** Returns the cut-off of the filter in hertz, at `time` seconds into the note. */
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
        // The wave is quantised to sixteen levels, as in the old sound chips.
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

/** Creates the drums of a sound chip: its noise channel, and a kick. */
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
  // The noise holds each value for some samples: fewer samples sound brighter.
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
