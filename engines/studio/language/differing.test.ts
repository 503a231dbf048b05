import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setStage } from '../compose.ts'
import { parsePrompt } from './parse.ts'

const parse = (prompt: string) => parsePrompt(prompt, { seed: '1' })

test('one of a group has its own colour, and the others do not', () => {
  for (const [prompt, at] of [
    ['three cupcakes, the middle one is green', 'middle'],
    ['a stack of five blocks, the top one is yellow', 'top'],
    ['five eggs on a table, one of them is brown', 'any'],
    ['three balloons with the one on the left in red', 'left'],
    ['four blue cups in a row, and the second one is red', 1],
  ] as const) {
    const { subjects, notDrawn } = parse(prompt)
    const group = subjects.find(({ count }) => count > 2)
    assert.equal(group?.differing?.[0]?.at, at, prompt)
    assert.notEqual(group?.colour?.name, group?.differing?.[0]?.colour.name, prompt)
    assert.deepEqual(notDrawn, [], prompt)
  }
})

test('a different one without a group is reported as not drawn', () => {
  assert.match(parse('an apple, the middle one is green').notDrawn.join(), /the middle one is green/)
})

test('the different one is in the place that the prompt names', () => {
  const placedAt = (prompt: string, axis: 'x' | 'y') => {
    const { placed } = setStage(parse(prompt), { width: 512, height: 512 })
    return [...placed].sort((a, b) => a.box[axis] - b.box[axis]).findIndex(({ copy }) => copy === 0)
  }
  assert.equal(placedAt('three cupcakes, the middle one is green', 'x'), 1)
  assert.equal(placedAt('three cupcakes, the one on the right is green', 'x'), 2)
  assert.equal(placedAt('a stack of five blocks, the top one is yellow', 'y'), 0)
  assert.equal(placedAt('a stack of five blocks, the bottom one is yellow', 'y'), 4)
})
