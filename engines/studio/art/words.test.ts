import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normaliseWord, singularForms } from './words.ts'

test('words are stored without case, accents, hyphens and apostrophes', () => {
  assert.equal(normaliseWord('Crème-Brûlée'), 'creme brulee')
  assert.equal(normaliseWord("  Bird's   Nest "), 'birds nest')
  assert.equal(normaliseWord('T-Rex'), 't rex')
})

test('regular and irregular plurals give their singulars, the most likely one first', () => {
  const cases: [string, string][] = [
    ['dogs', 'dog'],
    ['foxes', 'fox'],
    ['churches', 'church'],
    ['cherries', 'cherry'],
    ['cookies', 'cookie'],
    ['leaves', 'leaf'],
    ['wolves', 'wolf'],
    ['gloves', 'glove'],
    ['waves', 'wave'],
    ['geese', 'goose'],
    ['children', 'child'],
    ['potatoes', 'potato'],
    ['houses', 'house'],
    ['horses', 'horse'],
    ['vases', 'vase'],
    ['octopuses', 'octopus'],
    ['boxes', 'box'],
    ['axes', 'axe'],
    ['fire trucks', 'fire truck'],
    ['snowmen', 'snowman'],
  ]
  for (const [plural, singular] of cases) assert.equal(singularForms(plural)[0], singular, plural)
})

test('words that only end like plurals stay as they are', () => {
  for (const word of ['glass', 'bus', 'gas', 'dress', 'octopus', 'hibiscus', 'dog', 'grass', 'wine glass'])
    assert.deepEqual(singularForms(word), [], word)
})
