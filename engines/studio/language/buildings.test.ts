import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from './parse.ts'

const parse = (prompt: string) => parsePrompt(prompt, { seed: '1' })

test('roof, door and windows of a house have their own colours, and are no separate things', () => {
  const { subjects, notDrawn } = parse('a white house with a red roof and a blue door')
  assert.deepEqual(
    subjects.map(({ noun, parts }) => [noun, parts?.map(({ part, colour }) => `${part} ${colour.name}`)]),
    [['house', ['roof red', 'door blue']]],
  )
  assert.deepEqual(notDrawn, [])
})

test('a house has the requested number of storeys, and no windows if the prompt says so', () => {
  for (const [prompt, art] of [
    ['a three-storey house', 'drawn:house-of-three-storeys'],
    ['a two-story home by a lake', 'drawn:house-of-two-storeys'],
    ['a house without any windows', 'drawn:blind-house'],
  ] as const) {
    const { subjects, notDrawn } = parse(prompt)
    assert.deepEqual([subjects.map(({ art: key, count }) => [key, count]), notDrawn], [[[art, 1]], []], prompt)
  }
})

test('words for things of a street choose the street as place, and a lamp there is a street lamp', () => {
  const { setting, subjects } = parse('a street musician playing under a lamp at night')
  assert.deepEqual([setting.kind, subjects.map(({ noun }) => noun)], ['street', ['street musician', 'street lamp']])
})

test('a building with something in front of it is seen from outside', () => {
  const { setting, subjects } = parse('a school bus parked in front of a school')
  assert.ok(!['classroom', 'room'].includes(setting.kind), setting.kind)
  assert.deepEqual(subjects.map(({ noun }) => noun).sort(), ['school', 'school bus'])
  assert.equal(parse('children reading in a school').setting.kind, 'classroom')
})

test('a waterfall in the jungle is the setting, with the jungle around it', () => {
  const { setting, notDrawn } = parse('a waterfall in the jungle')
  assert.deepEqual([setting.kind, setting.details, notDrawn], ['waterfall', ['jungle'], []])
})
