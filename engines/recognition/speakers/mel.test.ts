import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bands, melFrames } from './mel.ts'

/** Returns one second of a sine tone. */
const tone = (hertz: number): Float32Array =>
  Float32Array.from({ length: 16_000 }, (_, index) => Math.sin((2 * Math.PI * hertz * index) / 16_000))

test('a tone is strongest in its own band: linear up to 1000 Hz, logarithmic above', () => {
  // Expected centre frequencies: the scale from 0 to 45.25 mels has 41 steps of 1.1 mels, and below
  // 1000 Hz a step is 73.6 Hz.
  const centres = [
    [3, 294.3],
    [9, 735.8],
    [20, 1707],
    [35, 5327],
  ] as const
  for (const [band, hertz] of centres) {
    const row = [...melFrames(tone(hertz), 60).slice(50 * bands, 51 * bands)]
    assert.equal(row.indexOf(Math.max(...row)), band, `${hertz} Hz`)
  }
})

test('a row has the power of the tone, not its logarithm: twice the amplitude is four times the value', () => {
  const [one, two] = [tone(500), tone(500).map(sample => 2 * sample)].map(samples => melFrames(samples, 60).slice(50 * bands, 51 * bands))
  for (const [band, value] of (one ?? []).entries()) assert.ok(Math.abs((two?.[band] ?? 0) / value - 4) < 1e-3)
  // The expected power is 136: a sine has (400 / 4)^2 in its bin with a Hann window of 400 samples,
  // and the triangular filter of the band multiplies this power by the height of the triangle, 2 /
  // 147 Hz.
  const most = Math.max(...(one ?? []))
  assert.ok(most > 100 && most < 200, `${most}`)
})

test('before and after the samples silence is assumed', () => {
  const rows = melFrames(new Float32Array(100).fill(1), 20)
  assert.equal(rows.length, 20 * bands)
  assert.ok(rows.slice(5 * bands).every(value => value === 0))
})
