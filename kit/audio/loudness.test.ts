import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoudnessMeter, loudnessOf } from './loudness.ts'

const rate = 48_000
const tone = (seconds: number, level: number) =>
  Float32Array.from({ length: seconds * rate }, (_, index) => level * Math.sin((2 * Math.PI * 997 * index) / rate))

test('a tone of 997 Hz at full scale has -3.01 LUFS in one channel and 0 in two, however it is split', () => {
  const sound = tone(3, 1)
  assert.ok(Math.abs(loudnessOf(sound, rate) + 3.01) < 0.05)
  const meter = createLoudnessMeter(rate, 2)
  for (let at = 0; at < sound.length; at += 1234) meter.add([sound.subarray(at, at + 1234), sound.subarray(at, at + 1234)])
  assert.ok(Math.abs(meter.integrated()) < 0.05)
})

test('quiet parts do not count, and silence has no loudness', () => {
  const meter = createLoudnessMeter(rate, 1)
  meter.add([tone(4, 0.1)])
  const alone = meter.integrated()
  meter.add([tone(8, 0.001)])
  assert.ok(Math.abs(meter.integrated() - alone) < 0.3)
  assert.equal(loudnessOf(new Float32Array(rate), rate), Number.NEGATIVE_INFINITY)
})
