/** Building blocks of ambience: noise, filters and slow changes. All at 48 kHz. */
import type { Random } from '@generation-gateway/studio/drawing.ts'

export const rate = 48_000

export function whiteNoise(length: number, random: Random): Float32Array {
  return Float32Array.from({ length }, () => random.next() * 2 - 1)
}

/** Returns noise whose spectrum falls by 6 dB per octave, with an amplitude of about 1. */
export function brownNoise(length: number, random: Random): Float32Array {
  const out = new Float32Array(length)
  let value = 0
  for (let i = 0; i < length; i++) {
    value = (value + (random.next() * 2 - 1) * 0.06) * 0.995
    out[i] = value * 2.4
  }
  return out
}

type FilterKind = 'low' | 'high' | 'band'

/** Applies a second-order filter in place (Audio EQ Cookbook). `hertz` is the corner or centre
 *  frequency, `q` the sharpness. */
export function filter(samples: Float32Array, kind: FilterKind, hertz: number, q = 0.7): Float32Array {
  const w = (2 * Math.PI * hertz) / rate
  const alpha = Math.sin(w) / (2 * q)
  const cos = Math.cos(w)
  const [b0, b1, b2] =
    kind === 'low'
      ? [(1 - cos) / 2, 1 - cos, (1 - cos) / 2]
      : kind === 'high'
        ? [(1 + cos) / 2, -1 - cos, (1 + cos) / 2]
        : [alpha, 0, -alpha]
  const a0 = 1 + alpha
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  for (let i = 0; i < samples.length; i++) {
    const x = samples[i] ?? 0
    const y = (b0 * x + b1 * x1 + b2 * x2 + 2 * cos * y1 - (1 - alpha) * y2) / a0
    x2 = x1
    x1 = x
    y2 = y1
    y1 = y
    samples[i] = y
  }
  return samples
}

/** Multiplies the samples in place by a slowly changing level. */
export function shaped(samples: Float32Array, level: (seconds: number) => number): Float32Array {
  let value = level(0)
  for (let i = 0; i < samples.length; i++) {
    // The level is computed for every 64th sample only. That is enough, because it changes over
    // tenths of seconds.
    if ((i & 63) === 0) value = level(i / rate)
    samples[i] = (samples[i] ?? 0) * value
  }
  return samples
}

/** Returns a level between 0 and 1 that changes slowly, about once in `period` seconds. */
export function wander(random: Random, period: number): (seconds: number) => number {
  const waves = Array.from({ length: 4 }, (_, i) => ({
    speed: (1 / period) * (0.6 + i * 0.55) * random.between(0.8, 1.2),
    phase: random.next() * 6.28,
  }))
  return t => 0.5 + waves.reduce((sum, { speed, phase }) => sum + Math.sin(t * speed * 6.283 + phase), 0) / 8
}

/** Adds a short sound to `into` at the given second. */
export function place(into: Float32Array, sound: Float32Array, seconds: number, gain: number): void {
  const start = Math.round(seconds * rate)
  for (let i = 0; i < sound.length && start + i < into.length; i++)
    if (start + i >= 0) into[start + i] = (into[start + i] ?? 0) + (sound[i] ?? 0) * gain
}

/** Returns a decaying burst of filtered noise. */
export function burst(
  random: Random,
  { seconds, hertz, kind, q }: { seconds: number; hertz: number; kind: FilterKind; q?: number },
): Float32Array {
  const sound = filter(whiteNoise(Math.round(seconds * rate), random), kind, hertz, q)
  for (let i = 0; i < sound.length; i++) sound[i] = (sound[i] ?? 0) * Math.exp((-5 * i) / sound.length)
  return sound
}
