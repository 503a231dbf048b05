import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cameraPath } from './path.ts'
import { readCamera } from './words.ts'

test('brackets are steps in order, and instructions in one bracket are simultaneous', () => {
  const { steps, prompt } = readCamera('A castle at dawn [Pan Left, Push In], then birds rise [Tilt Up] [Fixed]')
  assert.equal(prompt, 'A castle at dawn, then birds rise')
  assert.equal(steps.length, 3)
  assert.ok((steps[0]?.pan ?? 0) < 0 && (steps[0]?.depth ?? 0) > 0)
  assert.ok((steps[1]?.tilt ?? 0) > 0)
  assert.deepEqual(steps[2], {})
})

test('all fifteen camera instructions of family H are understood', () => {
  const words = [
    'Pan Left',
    'Pan Right',
    'Tilt Left',
    'Tilt Right',
    'Push In',
    'Pull Out',
    'Ascend',
    'Descend',
    'Tilt Up',
    'Tilt Down',
    'Zoom In',
    'Zoom Out',
    'Shake',
    'Follow',
    'Fixed',
  ]
  for (const word of words) assert.equal(readCamera(`a house [${word}]`).steps.length, 1, word)
  const seen = new Set(words.map(word => JSON.stringify(readCamera(`a house [${word}]`).steps)))
  assert.equal(seen.size, 15, 'each does something else')
})

test('words for camera movements move the camera and are not drawn', () => {
  const cases: [string, string, Record<string, number | true>][] = [
    ['a lake, slow pan left', 'a lake', { pan: -3.3 }],
    ['zoom in on a red door', 'on a red door', { zoom: -6 }],
    ['a drone shot of a forest', 'of a forest', { vertical: 3, depth: 5 }],
    ['雪地里的狐狸，镜头推近', '雪地里的狐狸', { depth: 6 }],
    ['a runner, the camera follows', 'a runner', { follow: true }],
  ]
  for (const [given, prompt, step] of cases) {
    const read = readCamera(given)
    const [first = {}] = read.steps
    for (const [name, value] of Object.entries(step)) {
      const found = Object.entries(first).find(([key]) => key === name)?.[1]
      if (value === true) assert.equal(found, true, given)
      else assert.ok(Math.abs(Number(found) - value) < 0.01, `${given}: ${JSON.stringify(first)}`)
    }
    assert.equal(read.prompt, prompt)
  }
  assert.deepEqual(readCamera('a frying pan and a fox that follows nobody by name').steps.length <= 1, true)
  assert.deepEqual(readCamera('a pan on the left of the stove').steps, [])
})

test('a camera path is smooth, continues from step to step, and never shows less than its widest view', () => {
  const path = cameraPath([{ zoom: -6 }, { pan: 6 }], { seconds: 4, seed: '1' })
  assert.ok(Math.abs(path(0).zoom) < 1e-9 && path(2).zoom > 0.3 && Math.abs(path(4).zoom - path(2).zoom) < 1e-9)
  assert.ok(Math.abs(path(2).pan - path(0).pan) < 1e-9 && path(4).pan > path(2).pan)
  for (let t = 0; t < 4; t += 0.05) assert.ok(Math.abs(path(t + 0.05).zoom - path(t).zoom) < 0.02)
  const out = cameraPath([{ zoom: 6 }], { seconds: 2, seed: '1' })
  assert.ok(out(0).zoom > 0.3 && Math.abs(out(2).zoom) < 1e-9)
})
