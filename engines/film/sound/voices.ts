/** The kinds of ambient sound. Each function returns mono samples of one kind in any requested
 *  length, all of about the same loudness. */
import type { Random } from '@generation-gateway/studio/drawing.ts'
import { brownNoise, burst, filter, place, rate, shaped, wander, whiteNoise } from './filters.ts'

export type SoundKind =
  | 'rain'
  | 'wind'
  | 'waves'
  | 'stream'
  | 'birds'
  | 'crickets'
  | 'fire'
  | 'city'
  | 'crowd'
  | 'room'
  | 'underwater'
  | 'space'
  | 'engine'
  | 'thunder'
  | 'footsteps'
  | 'gallop'
  | 'wings'
  | 'gulls'

export interface VoiceOrder {
  /** Length in samples. */
  length: number
  random: Random
  /** Times, in seconds, of single events such as lightning strikes or steps. */
  times?: readonly number[]
  /** Kind of ground under walking feet. */
  floor?: string
}

export function voiceOf(kind: SoundKind, order: VoiceOrder): Float32Array {
  return voices[kind](order)
}

const voices: Record<SoundKind, (order: VoiceOrder) => Float32Array> = {
  rain: ({ length, random }) => {
    const bed = filter(filter(whiteNoise(length, random), 'high', 900), 'low', 7500)
    shaped(bed, t => 0.28 + 0.05 * Math.sin(t * 1.3))
    const drop = Array.from({ length: 6 }, () =>
      burst(random, { seconds: random.between(0.012, 0.04), hertz: random.between(1800, 5200), kind: 'band', q: 3 }),
    )
    const seconds = length / rate
    for (let i = 0; i < seconds * 46; i++) place(bed, random.pick(drop), random.next() * seconds, random.between(0.4, 1.4))
    return bed
  },
  wind: ({ length, random }) => {
    const level = wander(random, 4)
    const low = shaped(filter(brownNoise(length, random), 'band', 320, 0.6), t => 0.6 + level(t) * 1.6)
    const gust = wander(random, 2.6)
    const whistle = shaped(filter(whiteNoise(length, random), 'band', 780, 5), t => 0.4 * gust(t) ** 2)
    return mixed(low, whistle)
  },
  waves: ({ length, random }) => {
    const period = random.between(4.4, 6)
    const phase = random.next()
    const swell = (t: number, shift: number): number => {
      const at = (((t / period + phase + shift) % 1) + 1) % 1
      return at < 0.35 ? (at / 0.35) ** 2 : Math.exp(-(at - 0.35) * 4.2)
    }
    const deep = shaped(filter(brownNoise(length, random), 'low', 420), t => 0.35 + 0.9 * swell(t, 0))
    const foam = shaped(filter(filter(whiteNoise(length, random), 'high', 1400), 'low', 6800), t => 0.03 + 0.32 * swell(t, -0.07) ** 1.5)
    const far = shaped(filter(whiteNoise(length, random), 'band', 700, 0.5), t => 0.04 + 0.1 * swell(t, 0.45))
    return mixed(deep, foam, far)
  },
  stream: ({ length, random }) => {
    const bed = shaped(filter(whiteNoise(length, random), 'band', 1500, 0.5), () => 0.35)
    const seconds = length / rate
    for (let i = 0; i < seconds * 22; i++) place(bed, gurgle(random), random.next() * seconds, random.between(0.05, 0.16))
    return bed
  },
  birds: ({ length, random }) => {
    const out = new Float32Array(length)
    const seconds = length / rate
    for (let t = random.between(0.1, 0.6); t < seconds; t += random.between(0.5, 1.5)) {
      const pitch = random.between(2300, 4600)
      const count = random.integer(2, 6)
      const rise = random.between(-900, 1300)
      for (let i = 0; i < count; i++)
        place(
          out,
          chirp({ from: pitch + i * 60, to: pitch + rise, seconds: random.between(0.05, 0.12), random }),
          t + i * random.between(0.09, 0.16),
          random.between(0.1, 0.4),
        )
    }
    return mixed(
      out,
      shaped(filter(whiteNoise(length, random), 'band', 900, 0.5), () => 0.025),
    )
  },
  gulls: ({ length, random }) => {
    const out = new Float32Array(length)
    const seconds = length / rate
    for (let t = random.between(0.4, 1.4); t < seconds; t += random.between(1.6, 3.4))
      for (let i = 0; i < random.integer(1, 3); i++) place(out, chirp({ from: 1500, to: 950, seconds: 0.34, random }), t + i * 0.42, 0.3)
    return out
  },
  crickets: ({ length, random }) => {
    const out = new Float32Array(length)
    for (const hertz of [4100, 4480, 4750]) {
      const speed = random.between(13, 19)
      const phase = random.next() * 6
      const level = wander(random, 3)
      for (let i = 0; i < length; i++) {
        const t = i / rate
        const beat = Math.max(0, Math.sin(t * speed * 6.283 + phase)) ** 2 * (Math.sin(t * 2.1 + phase) > -0.3 ? 1 : 0.1)
        out[i] = (out[i] ?? 0) + Math.sin(t * hertz * 6.283) * beat * 0.05 * (0.4 + level(t))
      }
    }
    return mixed(
      out,
      shaped(filter(brownNoise(length, random), 'low', 300), () => 0.12),
    )
  },
  fire: ({ length, random }) => {
    const level = wander(random, 0.8)
    const roar = shaped(filter(brownNoise(length, random), 'low', 480), t => 0.3 + 0.5 * level(t))
    const hiss = shaped(filter(whiteNoise(length, random), 'high', 3000), t => 0.03 + 0.05 * level(t))
    const out = mixed(roar, hiss)
    const seconds = length / rate
    for (let i = 0; i < seconds * 15; i++) {
      const snap = burst(random, { seconds: random.between(0.004, 0.03), hertz: random.between(900, 4200), kind: 'band', q: 1.6 })
      place(out, snap, random.next() * seconds, random.next() ** 2.2 * 3.4)
    }
    return out
  },
  city: ({ length, random }) => {
    const hum = shaped(filter(brownNoise(length, random), 'low', 260), () => 0.8)
    const pass = wander(random, 3.4)
    const cars = shaped(filter(whiteNoise(length, random), 'band', 520, 0.6), t => 0.05 + 0.26 * pass(t) ** 2)
    return mixed(hum, cars)
  },
  crowd: ({ length, random }) => {
    const voicesInIt = Array.from({ length: 7 }, (_, i) => {
      const level = wander(random, 0.35 + i * 0.06)
      return shaped(filter(whiteNoise(length, random), 'band', 280 + i * 210, 4), t => Math.max(0, level(t) - 0.42) * 3.2)
    })
    return mixed(...voicesInIt)
  },
  room: ({ length, random }) => shaped(filter(brownNoise(length, random), 'low', 200), () => 0.3),
  underwater: ({ length, random }) => {
    const level = wander(random, 3)
    const out = shaped(filter(brownNoise(length, random), 'low', 220), t => 0.6 + 0.7 * level(t))
    const seconds = length / rate
    for (let i = 0; i < seconds * 5; i++) place(out, gurgle(random), random.next() * seconds, random.between(0.1, 0.4))
    return out
  },
  space: ({ length, random }) => {
    const out = new Float32Array(length)
    for (const hertz of [55, 82.4, 110.3, 165.2]) {
      const level = wander(random, 5)
      const phase = random.next() * 6
      for (let i = 0; i < length; i++) out[i] = (out[i] ?? 0) + Math.sin((i / rate) * hertz * 6.283 + phase) * 0.16 * level(i / rate)
    }
    return out
  },
  engine: ({ length, random }) => {
    const base = random.between(46, 62)
    const out = new Float32Array(length)
    for (let i = 0; i < length; i++) {
      const t = i / rate
      let value = 0
      for (let k = 1; k <= 7; k++) value += Math.sin(t * base * k * 6.283 * (1 + 0.004 * Math.sin(t * 5)) + k) / k
      out[i] = value * 0.22
    }
    return mixed(
      filter(out, 'low', 900),
      shaped(filter(brownNoise(length, random), 'low', 700), () => 0.5),
    )
  },
  thunder: ({ length, random, times = [] }) => {
    const out = new Float32Array(length)
    for (const time of times) {
      const clap = filter(brownNoise(Math.round(2.8 * rate), random), 'low', 900)
      const rumble = wander(random, 0.4)
      shaped(clap, t => Math.exp(-t * 1.4) * (0.6 + rumble(t)) * Math.min(1, t * 40) * 2.6)
      place(out, clap, time + 0.25, 1)
    }
    return out
  },
  footsteps: ({ length, random, times = [], floor = 'soil' }) => {
    const out = new Float32Array(length)
    for (const time of times) place(out, step(random, floor), time + random.between(-0.012, 0.012), random.between(0.8, 1.15))
    return out
  },
  gallop: ({ length, random, times = [], floor = 'soil' }) => {
    const out = new Float32Array(length)
    for (const time of times)
      for (const [shift, gain] of [
        [0, 1],
        [0.07, 0.8],
        [0.19, 0.9],
      ] as const)
        place(out, step(random, floor), time + shift, gain)
    return out
  },
  wings: ({ length, random, times = [] }) => {
    const out = new Float32Array(length)
    for (const time of times) place(out, burst(random, { seconds: 0.16, hertz: 520, kind: 'band', q: 0.8 }), time, 0.5)
    return out
  },
}

/** Returns the sound of one step: snow and sand crunch, a hard floor taps. */
function step(random: Random, floor: string): Float32Array {
  if (floor === 'snow' || floor === 'sand') {
    const sound = new Float32Array(Math.round(0.17 * rate))
    for (let i = 0; i < 16; i++)
      place(
        sound,
        burst(random, { seconds: 0.02, hertz: random.between(1500, 4200), kind: 'band', q: 1.2 }),
        random.next() * 0.12,
        random.between(0.2, 0.7),
      )
    place(sound, burst(random, { seconds: 0.12, hertz: 300, kind: 'low' }), 0, 0.8)
    return sound
  }
  const isHard = /stone|asphalt|wood|tile/.test(floor)
  const sound = burst(random, { seconds: isHard ? 0.07 : 0.11, hertz: isHard ? 420 : 170, kind: isHard ? 'band' : 'low', q: 1.4 })
  for (let i = 0; i < sound.length; i++) sound[i] = (sound[i] ?? 0) * 2.2
  if (isHard) place(sound, burst(random, { seconds: 0.012, hertz: 2600, kind: 'band' }), 0, 0.6)
  return sound
}

function chirp({ from, to, seconds, random }: { from: number; to: number; seconds: number; random: Random }): Float32Array {
  const sound = new Float32Array(Math.round(seconds * rate))
  const shake = random.between(0, 60)
  let phase = 0
  for (let i = 0; i < sound.length; i++) {
    const t = i / sound.length
    phase += (6.283 * (from + (to - from) * t + shake * Math.sin(t * 40))) / rate
    sound[i] = (Math.sin(phase) + 0.2 * Math.sin(phase * 2)) * Math.sin(Math.PI * t) ** 1.5
  }
  return sound
}

function gurgle(random: Random): Float32Array {
  const low = random.between(280, 900)
  return chirp({ from: low, to: low * random.between(1.3, 2.1), seconds: random.between(0.03, 0.09), random })
}

function mixed(...parts: Float32Array[]): Float32Array {
  const [first = new Float32Array(0), ...others] = parts
  for (const other of others) for (let i = 0; i < first.length; i++) first[i] = (first[i] ?? 0) + (other[i] ?? 0)
  return first
}
