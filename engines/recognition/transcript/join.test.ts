import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joined } from './join.ts'
import type { SpokenSegment } from './words.ts'

/** Returns a segment whose words start at `from` seconds and follow each other every `each`
 *  seconds. */
function said(text: string, from: number, each = 0.3): SpokenSegment[] {
  const words = text.split(' ').map((word, index) => ({
    ...{ text: ` ${word}`, startSeconds: from + index * each, endSeconds: from + index * each + each * 0.8, tokens: [] },
  }))
  return [{ words }]
}
const textOf = (parts: SpokenSegment[][]) =>
  parts
    .flat()
    .flatMap(({ words }) => words.map(({ text }) => text.trim()))
    .join(' ')

test('each word of two overlapping windows occurs once in the joined text', () => {
  const parts = joined(said('we walked along the old wall to the', 18), said('the old wall to the harbor and sat down', 18.9), 19.9)
  assert.equal(textOf(parts), 'we walked along the old wall to the harbor and sat down')
})

test('wrong times at the edge do no harm: the windows are joined at the words that both have', () => {
  // All words of the second window have the same time, its very beginning.
  const parts = joined(
    said('and then the boats came home', 18.5),
    said('The boats, came home. Nobody had told her that it was closed', 18.9, 0.05),
    19.9,
  )
  assert.equal(textOf(parts), 'and then the boats, came home. Nobody had told her that it was closed'.replace('boats,', 'boats'))
})

test('windows without a common word are joined at the given time, and no sentence is lost', () => {
  assert.equal(textOf(joined(said('one two three', 18.9), said('four five six', 20), 19.9)), 'one two three four five six')
  const bunched = joined(said('one two three', 18.9), said('a b c d e f g h i j k l m n', 18.9, 0.05), 19.9)
  assert.equal(textOf(bunched), 'one two three g h i j k l m n')
})

test('windows are not joined at a frequent word in another place', () => {
  const parts = joined(said('the man saw the dog', 17), said('cats and the birds', 19.9), 19.8)
  assert.equal(textOf(parts), 'the man saw the dog cats and the birds')
})

test('windows are not joined at repeated words whose times are far apart', () => {
  const parts = joined(
    said('woman he might have been made still more respectable than he', 15.4),
    said('than he was he might even have been made amiable himself', 17.9),
    18.4,
  )
  assert.equal(
    textOf(parts),
    'woman he might have been made still more respectable than he was he might even have been made amiable himself',
  )
})
