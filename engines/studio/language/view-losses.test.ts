import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from './parse.ts'

const parse = (prompt: string) => parsePrompt(prompt, { seed: '1' })

test('cars have drawings from the front and from above', () => {
  for (const [prompt, art, angle] of [
    ['front view of a blue car', 'noto:oncoming-automobile', 'eye'],
    ['a red car seen from above', 'drawn:car-from-above', 'top'],
    ["bird's-eye view of a yellow car", 'drawn:car-from-above', 'top'],
    ['front view of a bus', 'noto:oncoming-bus', 'eye'],
  ] as const) {
    const { subjects, camera, notDrawn } = parse(prompt)
    assert.deepEqual([subjects.map(({ art: key }) => key), camera.angle, notDrawn], [[art], angle, []], prompt)
  }
})

test('views that a drawing does not have are reported', () => {
  for (const [prompt, lost] of [
    ['front view of a motorcycle', 'front view'],
    ['a castle seen from below', 'from below'],
    ["bird's-eye view of a living room", "bird's-eye view"],
    ['aerial view of a horse', 'aerial view'],
    ['a blue van seen from above', 'seen from above'],
  ] as const)
    assert.deepEqual(parse(prompt).notDrawn, [lost], prompt)
  assert.deepEqual(parse('aerial view of a forest').notDrawn, [])
  assert.deepEqual(parse('top view of a pizza').notDrawn, [])
})

test('a building on a cliff is on top of it, and a lighthouse is at the sea', () => {
  const { setting, subjects } = parse('a lighthouse on a rocky cliff during a storm')
  assert.equal(setting.kind, 'sea')
  assert.deepEqual(
    subjects.map(({ noun, relations }) => [noun, relations.map(({ kind }) => kind)]),
    [
      ['lighthouse', ['on']],
      ['cliff', []],
    ],
  )
})
