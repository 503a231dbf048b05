import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from './parse.ts'

const parse = (prompt: string) => parsePrompt(prompt, { seed: '1' })

test('counted candles are on a cake that has no candles in its drawing', () => {
  for (const [prompt, count] of [
    ['a birthday cake with six candles', 6],
    ['a cake with one candle', 1],
    ['a chocolate cake with three candles on top', 3],
  ] as const) {
    const [cake, candle] = parse(prompt).subjects
    assert.equal(cake?.art, 'drawn:bare-cake', prompt)
    assert.equal(candle?.count, count, prompt)
    assert.equal(candle?.relations[0]?.kind, 'on', prompt)
  }
  assert.equal(parse('a birthday cake with candles').subjects[0]?.art, 'noto:birthday-cake')
})

test('a map of a country is drawn as one of the world, and that is reported', () => {
  assert.deepEqual(parse('a map of Italy').notDrawn, ['map of Italy (drawn as a map of the world)'])
  assert.deepEqual(parse('a map of the World').notDrawn, [])
})

test('a heart-shaped balloon keeps its basket, and a skull is not drawn as a skeleton', () => {
  assert.equal(parse('a hot air balloon shaped like a heart').subjects[0]?.art, 'drawn:heart-balloon')
  const balloon = parse('a blue heart-shaped hot air balloon over the hills').subjects
  assert.deepEqual(
    balloon.map(({ art, colour }) => [art, colour?.name]),
    [['drawn:heart-balloon', 'blue']],
  )
  assert.equal(parse('a skull').subjects[0]?.art, 'noto:skull')
  assert.equal(parse('a skeleton').subjects[0]?.art, 'drawn:skeleton')
})
