import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from './parse.ts'

const parse = (prompt: string) => parsePrompt(prompt, { seed: '3' })

test('words for an art technique choose the style, and the thing is not drawn on a sheet of paper', () => {
  for (const [prompt, style, noun] of [
    ["a child's drawing of a house", 'crayon', 'house'],
    ['a drawing of a house by a five-year-old child', 'crayon', 'house'],
    ['a crayon drawing of a dog', 'crayon', 'dog'],
    ['a coloring book page of a unicorn', 'line-art', 'unicorn'],
    ['a doodle of a rocket', 'line-art', 'rocket'],
    ['a ukiyo-e print of a boat', 'ukiyo-e', 'boat'],
    ['a pointillist painting of a boat', 'pointillism', 'boat'],
    ['a fresco of an angel', 'fresco', 'angel'],
    ['a medieval tapestry of a lion', 'tapestry', 'lion'],
    ['a synthwave sports car', 'synthwave', 'sports car'],
  ] as const) {
    const scene = parse(prompt)
    assert.deepEqual([scene.style, scene.subjects[0]?.noun, scene.notDrawn], [style, noun, []], prompt)
  }
})

test('a tapestry or a colouring book in a place is a thing', () => {
  assert.equal(parse('a tapestry on a wall').style, 'illustration')
  assert.equal(parse('a woman in front of a tapestry').style, 'illustration')
})

test('the board of a chalk drawing is no thing, and an unsupported technique is reported as not drawn', () => {
  const board = parse('a chalk drawing of a bicycle on a blackboard')
  assert.deepEqual([board.style, board.subjects.map(({ noun }) => noun)], ['chalk', ['bicycle']])
  assert.deepEqual(parse('a double exposure of a wolf and a pine forest').notDrawn, ['double exposure'])
  assert.deepEqual(parse('an isometric drawing of a house').notDrawn, ['isometric'])
  assert.ok(parse('a steampunk owl').notDrawn.includes('steampunk'))
  assert.ok(!parse('an owl with steampunk goggles').notDrawn.includes('steampunk'))
})

test('a child’s drawing of a house is on grass, and one of a cup on bare paper', () => {
  assert.ok(parse("a child's drawing of a house").setting.details.includes('lawn'))
  assert.ok(!parse("a child's drawing of a cup").setting.details.includes('lawn'))
})
