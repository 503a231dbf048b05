import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseVaried } from '@generation-gateway/studio/variety/vary.ts'
import { createFlashes } from '../weather/flashes.ts'
import { ambienceOf, soundsOf } from './ambience.ts'

const scenes = (prompt: string) => ({ scene: parseVaried(prompt, { seed: '7' }), seconds: 2, seed: '7/0' })

function level(samples: Float32Array, from = 0, to = samples.length): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += (samples[i] ?? 0) ** 2
  return 10 * Math.log10(Math.max(1e-12, sum / (to - from)))
}

test('each scene has its own sounds', () => {
  const heard = (prompt: string) => soundsOf(scenes(prompt)).map(({ kind }) => kind)
  assert.deepEqual(heard('rainy city street at night'), ['city', 'rain'])
  assert.ok(heard('a campfire in a forest at night').includes('fire'))
  assert.ok(heard('sailing boat on waves at sunset').includes('waves'))
  assert.ok(heard('a fox running through snow').includes('gallop'))
  assert.ok(heard('a woman walking in the park on a summer morning').includes('footsteps'))
})

test('the sound is as long as the film, about -20 LUFS, never clipped, and has no click at its ends', () => {
  for (const prompt of ['rainy city street at night', 'a campfire in a forest', 'a boat on the sea', 'a cat on a sofa']) {
    const samples = ambienceOf([scenes(prompt)], 2)
    assert.equal(samples.length, 2 * 48_000 * 2)
    assert.ok(Math.abs(level(samples) + 18.5) < 2.5, `${prompt}: ${level(samples)}`)
    assert.ok(samples.every(value => Math.abs(value) < 1))
    assert.ok(Math.abs(samples[0] ?? 1) < 0.001 && Math.abs(samples.at(-1) ?? 1) < 0.01)
  }
})

test('thunder follows its lightning, and equal seeds give similar sound', () => {
  const shot = scenes('a thunderstorm over hills with lightning')
  const { times } = createFlashes(shot.scene, shot)
  assert.ok(times.length > 0)
  const at = Math.round(((times[0] ?? 0) + 0.3) * 96_000)
  const samples = ambienceOf([shot], 2)
  assert.ok(level(samples, at, at + 24_000) > level(samples, at - 48_000, at - 24_000) + 4)
  assert.deepEqual(samples.subarray(0, 2000), ambienceOf([shot], 2).subarray(0, 2000))
})
