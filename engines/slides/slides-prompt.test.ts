import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOf } from './limits.ts'
import { readSlides, slidesPrompt } from './slides-prompt.ts'

const request = { title: 'Tides', slides: 6 }

test('the prompt contains the title, the number of slides, the language and the document', () => {
  const { system, user, schema } = slidesPrompt({ ...request, language: 'fr' }, { source: 'La marée monte.' })
  assert.match(user, /about 6 slides in French on: Tides/)
  assert.match(user, /<document>\nLa marée monte\.\n<\/document>/)
  assert.match(system, /Never make up a number/)
  assert.equal(schema.type, 'object')
})

test('an answer is read whatever text surrounds its JSON', () => {
  const answer = `<think>{"slides": []}</think>Here it is:\n\`\`\`json\n${JSON.stringify({
    title: 'The tide',
    slides: [
      { layout: 'title', title: 'The tide', subtitle: 'Twice a day' },
      { layout: 'bullets', title: 'Why', points: ['**Moon**: it pulls', 'Sun: it helps'], notes: 'Say it.' },
    ],
  })}\n\`\`\``
  const deck = readSlides(answer, request)
  assert.equal(deck.title, 'The tide')
  assert.deepEqual(deck.slides[1], { layout: 'points', title: 'Why', points: ['Moon: it pulls', 'Sun: it helps'], notes: 'Say it.' })
  assert.match(deck.comment ?? '', /not checked/)
})

test('an invalid table or chart becomes points, an empty slide is left out and counted, and the result can be laid out', () => {
  const slides = [
    { layout: 'table', title: 'Broken', table: { head: ['a', 'b'], rows: [['only one']] } },
    { layout: 'chart', title: 'No numbers', chart: { kind: 'bar', labels: ['a'], series: [{ name: 'n', values: ['many'] }] } },
    {
      layout: 'chart',
      title: 'Numbers',
      points: ['one'],
      chart: { kind: 'line', labels: ['a', 'b'], series: [{ name: 'n', values: [1, 2] }] },
    },
    { layout: 'timeline', title: 'Steps', steps: [{ title: 'x'.repeat(300), text: 'y'.repeat(300) }] },
    { layout: 'quote', title: 'Words', quote: { text: 'z'.repeat(900) } },
    { layout: 'figures', title: 'Big', figures: [{ value: 42, label: 'answers' }] },
    { layout: 'nonsense', title: 'Odd', points: ['kept'] },
    { title: '' },
    'nothing',
  ]
  const deck = readSlides(JSON.stringify({ slides }), request)
  assert.equal(problemOf(deck, 0), undefined)
  assert.deepEqual(
    deck.slides.map(({ layout }) => layout),
    ['title', 'points', 'points', 'chart', 'timeline', 'quote', 'figures', 'points'],
  )
  assert.match(deck.comment ?? '', /2 of its 9 slides could not be shown/)
})

test('an answer without slides is an error', () => {
  for (const answer of ['I cannot.', '{"slides": []}', '[]', '{"slides": "none"}', '{broken'])
    assert.throws(() => readSlides(answer, request), { code: 'upstream_error' })
})
