import assert from 'node:assert/strict'
import { test } from 'node:test'
import { charactersIn, wordErrors, wordsIn } from './word-errors.ts'

const errors = (reference: string, heard: string) => wordErrors(wordsIn(reference), wordsIn(heard))

test('insertions, deletions and substitutions count one each', () => {
  assert.deepEqual(errors('the cat sat on the mat', 'The cat sat on the mat.'), { errors: 0, of: 6 })
  assert.deepEqual(errors('the cat sat on the mat', 'the cat on the big mat'), { errors: 2, of: 6 })
  assert.deepEqual(errors('the cat', ''), { errors: 2, of: 2 })
  assert.deepEqual(errors('the cat', 'a dog barked'), { errors: 3, of: 2 })
})

test('words keep their accents and inner apostrophes; hyphens part them', () => {
  assert.deepEqual(wordsIn("C’est l'été — well-known “quotes”"), ["c'est", "l'été", 'well', 'known', 'quotes'])
  assert.deepEqual(charactersIn('火车，来晚了。'), ['火', '车', '来', '晚', '了'])
})
