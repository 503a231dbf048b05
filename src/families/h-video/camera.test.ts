import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cameraWords, readCamera } from './camera.ts'

test('every camera word of the interface is one step, in either case', () => {
  assert.equal(cameraWords.length, 15)
  for (const word of cameraWords) {
    const { prompt, camera } = readCamera(`a boat [${word.toUpperCase()}]`)
    assert.deepEqual([prompt, camera.length], ['a boat', 1], word)
  }
  const steps = (words: string) => readCamera(`x ${words}`).camera
  assert.deepEqual(steps('[Pan Left]'), [{ horizontal: -5 }])
  assert.deepEqual(steps('[Tilt Left]'), [{ pan: -5 }])
  assert.deepEqual(steps('[Zoom In]'), [{ zoom: -5 }])
  assert.deepEqual(steps('[Follow]'), [{ follow: true }])
})

test('instructions in one bracket act at the same time, and brackets act one after another', () => {
  const { prompt, camera } = readCamera('A kite [Push In, Pan  Left,Ascend] over dunes [Fixed], then a gull [Shake]. The end')
  assert.equal(prompt, 'A kite over dunes, then a gull. The end')
  assert.deepEqual(camera, [{ horizontal: -5, depth: 5, vertical: 5 }, {}, { shake: 5 }])
  assert.deepEqual(readCamera('[Zoom in，zoom in、zoom out] a door').camera, [{ zoom: 0 }])
})

test('text that is no instruction stays, and a prompt without instructions is unchanged', () => {
  assert.deepEqual(readCamera('a sign [open] and [Push In, neon]  light'), {
    prompt: 'a sign [open] and [neon]  light',
    camera: [{ depth: 5 }],
  })
  assert.deepEqual(readCamera('  push in [] [constructor] [[a]'), { prompt: '  push in [] [constructor] [[a]', camera: [] })
})
