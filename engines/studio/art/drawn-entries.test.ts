import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawnEntries } from './drawn-entries.ts'
import { personWords } from './person-words.ts'

test('every code-drawn thing has one row, a Chinese name and a believable shape', () => {
  const keys = drawnEntries.map(({ key }) => key)
  assert.equal(new Set(keys).size, keys.length)
  for (const { key, wordsZh, ratio, heightMetres } of drawnEntries) {
    assert.ok(wordsZh.length > 0, key)
    assert.ok(ratio >= 0.05 && ratio <= 40 && heightMetres > 0, key)
  }
})

test('no word names two code-drawn things', () => {
  const owners = new Map<string, string>()
  for (const { key, noun, words, wordsZh } of drawnEntries) {
    for (const word of new Set([noun, ...words, ...wordsZh])) {
      assert.equal(owners.get(word), undefined, `${word} names ${owners.get(word)} and ${key}`)
      owners.set(word, key)
    }
  }
})

test('no word names two kinds of people', () => {
  const owners = new Map<string, string>()
  for (const { noun, words, wordsZh } of personWords) {
    for (const word of new Set([noun, ...words, ...wordsZh])) {
      assert.equal(owners.get(word), undefined, `${word} names ${owners.get(word)} and ${noun}`)
      owners.set(word, noun)
    }
  }
})
