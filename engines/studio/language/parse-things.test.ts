import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from './parse.ts'
import { assertFacts } from './testing/facts.ts'

function check(rows: readonly (readonly [string, string])[]): void {
  for (const [prompt, facts] of rows) assertFacts(parsePrompt(prompt, { seed: '1' }), facts)
}

test('brands are drawn as their general kind, which is reported, and years are no counts', () => {
  check([
    ['a yellow Porsche 911 on the road', '1 porsche 911; porsche 911 is yellow; undrawn porsche 911 (drawn as sports car)'],
    ['a blue 1977 Corvette', '1 corvette; undrawn corvette (drawn as sports car)'],
    ['a red 1997 Ford F-150', '1 ford f-150; undrawn ford f-150 (drawn as pickup truck)'],
  ])
})

test('a thing "full of" something contains it', () => {
  check([
    ['a basket filled with apples', 'apple in basket; !basket in apple'],
    ['a dump truck full of pumpkins', 'pumpkin in dump truck'],
    ['a tree full of birds', 'bird on tree'],
  ])
})

test('things that are named together are drawn as things, in a setting with room for all', () => {
  check([
    ['a photo of a suitcase and a dining table', 'suitcase; dining table'],
    ['a photo of a person and an apple', '!@table'],
    ['a photo of a white banana and a black elephant', '!@table'],
    ['a photo of a black kite and a green bear', '!@sky'],
    ['a photo of a purple hair drier', 'hair drier is purple'],
    ['a photo of a skis', '1 ski'],
    ['a pair of scissors', '1 scissors'],
    ['a sunken submarine at the bottom of the ocean', 'submarine; @underwater'],
    ['an airplane parked on a runway', '@road; airplane lives ground'],
  ])
})

test('parts have their own colours if the drawing has such parts, and are reported otherwise', () => {
  const car = parsePrompt('a yellow car with black wheels', { seed: '1' })
  assert.deepEqual(
    car.subjects.map(({ art, parts }) => [art, parts?.map(({ part, colour }) => `${part} ${colour.name}`)]),
    [['drawn:car', ['wheels black']]],
  )
  assert.deepEqual(car.notDrawn, [])
  check([['a cat with green whiskers', 'cat; undrawn green whiskers']])
})

test('a left-out noun is the one before or after it', () => {
  check([
    ['two red apples and a green one', '2 apple; 1 apple; apple is green'],
    ['two red and one blue balloon', '2 balloon; 1 balloon; balloon is red'],
    ['two white cats and one black', '2 cat; 1 cat; cat is white'],
  ])
  const colours = (prompt: string) => parsePrompt(prompt, { seed: '1' }).subjects.map(({ count, colour }) => `${count} ${colour?.name}`)
  assert.deepEqual(colours('a group of balloons: three yellow, two green and one red'), ['3 yellow', '2 green', '1 red'])
  assert.deepEqual(colours('five kites, four red and one blue'), ['4 red', '1 blue'])
  // In a group, each thing gets one of the colours. Only the coat of an animal and a pattern have
  // several colours on one thing.
  assert.deepEqual(colours('five red and white balloons'), ['3 red', '2 white'])
})

test('a square is a plain shape', () => {
  check([
    ['a circle and a red square', '1 circle; 1 square; square is red'],
    ['a circular logo', '1 circular logo'],
  ])
})
