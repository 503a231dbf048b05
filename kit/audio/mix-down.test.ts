import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeSound } from './decode.ts'
import { MixDown } from './mix-down.ts'
import { pcmBytes, samplesOf, wavHeader } from './pcm.ts'

const sampleRate = 16_000
const tone = (seconds: number, hertz = 440) =>
  Float32Array.from({ length: seconds * sampleRate }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / sampleRate))
const power = (samples: Float32Array) => samples.reduce((sum, value) => sum + value * value, 0) / samples.length
/** Returns the power of the mixed channel divided by the power of the left channel. The right
 *  channel is a changed copy of the left one. */
const heard = (left: Float32Array, right: Float32Array) => power(new MixDown(sampleRate).mix(left, right)) / power(left)
/** Returns noise of -0.5 to 0.5; the same in each run. */
function noise(length: number, seed: number): Float32Array {
  let state = seed
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  })
}

test('an inverted channel is mixed in like an equal one: as a whole, in parts, quieter, and with its own noise', () => {
  const left = tone(4)
  const middle = (at: number) => at > sampleRate && at < 3 * sampleRate
  assert.ok(Math.abs(heard(left, left) - 1) < 1e-6)
  const inverted = left.map(value => -value)
  assert.ok(heard(left, inverted) > 0.99)
  assert.ok(
    heard(
      left,
      left.map((value, at) => (middle(at) ? -value : value)),
    ) > 0.93,
  )
  assert.ok(
    heard(
      left,
      left.map(value => -0.5 * value),
    ) > 0.5,
  )
  const hiss = noise(left.length, 7)
  assert.ok(
    heard(
      left,
      left.map((value, at) => 0.3 * hiss[at]! - value),
    ) > 0.9,
  )
})

test('an inverted channel is recognised whatever constant level both channels share', () => {
  const wave = tone(2).map(value => 0.2 * value)
  const at = (sign: number) => wave.map(value => sign * value + 0.5)
  const mixed = new MixDown(sampleRate).mix(at(1), at(-1))
  const mean = mixed.reduce((sum, value) => sum + value, 0) / mixed.length
  assert.ok(power(mixed.map(value => value - mean)) > 0.9 * power(wave))
})

test('a single channel is audible, and two unrelated channels are added as usual', () => {
  const left = tone(2)
  assert.ok(Math.abs(heard(left, new Float32Array(left.length)) - 0.25) < 1e-6)
  const [one, other] = [noise(left.length, 1), noise(left.length, 2)]
  const sum = one.map((value, at) => (value + other[at]!) / 2)
  assert.deepEqual(new MixDown(sampleRate).mix(one, other), sum)
})

test('a stereo file with an inverted channel decodes to its speech, a mono file unchanged, both with the same length', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'mix-down-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const left = tone(3.21)
  const decoded = async (name: string, channels: Float32Array[]) => {
    const samples = Float32Array.from(
      { length: left.length * channels.length },
      (_, at) => channels[at % channels.length]![Math.floor(at / channels.length)]!,
    )
    const bytes = pcmBytes(samples)
    const path = join(folder, `${name}.wav`)
    await writeFile(path, Buffer.concat([wavHeader({ sampleRate, channels: channels.length, dataBytes: bytes.length }), bytes]))
    const {
      seconds,
      channels: [sound],
    } = await decodeSound(path, { scratch: folder, sampleRate, channels: 'mixed', signal: new AbortController().signal, name })
    assert.equal(Math.round(seconds * sampleRate), left.length)
    return power(samplesOf(await readFile(sound?.path ?? ''))) / power(left)
  }
  const inverted = left.map(value => -value)
  const silence = new Float32Array(left.length)
  assert.ok((await decoded('last-of-three', [silence, silence, left])) > 0.05)
  assert.ok((await decoded('fourth-of-six', [silence, silence, silence, left, silence, silence])) > 0.02)
  for (const [name, channels] of Object.entries({ mono: [left], alike: [left, left], inverted: [left, inverted] }))
    assert.ok(Math.abs((await decoded(name, channels)) - 1) < 0.01, name)
  assert.ok((await decoded('six', [left, left, left, left, left, left])) > 0.5)
})
