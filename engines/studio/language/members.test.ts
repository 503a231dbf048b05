import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from './parse.ts'

/** Returns the subjects of the scene as text, such as `2 woman, 1 woman crown`: the number and the
 *  noun of each subject, its garments and the things that it holds. */
function told(prompt: string): string {
  const { subjects } = parsePrompt(prompt, { seed: '1' })
  const nounOf = (id: string) => subjects.find(subject => subject.id === id)?.noun
  return subjects
    .map(({ count, noun, person, relations }) =>
      [
        count,
        noun,
        ...(person?.wears.map(({ kind }) => kind) ?? []),
        ...(person?.clothes.map(({ kind }) => kind) ?? []),
        ...relations.map(({ kind, of }) => `${kind} ${nounOf(of)}`),
      ].join(' '),
    )
    .join(', ')
}

test('details of one member of a group belong to that member only', () => {
  for (const [prompt, expected] of [
    ['three women, one wearing a crown', '2 woman, 1 woman crown'],
    ['three women, one of them is wearing a crown', '2 woman, 1 woman crown'],
    ['two men, the taller one in a red shirt', '1 man, 1 man shirt'],
    ['five children, one of them holding a balloon', '4 child, 1 child holding balloon, 1 balloon'],
    [
      'two chefs, one holding a knife and the other holding a frying pan',
      '1 chef holding frying pan, 1 chef holding knife, 1 knife, 1 frying pan',
    ],
    ['four men in suits. One of them is laughing', '3 man suit, 1 man suit'],
  ] as const)
    assert.equal(told(prompt), expected, prompt)
})

test('a number with its own noun is no member of the group before', () => {
  assert.equal(told('two dogs and one cat'), '2 dog, 1 cat')
  assert.equal(told('two people, the other side of the street'), '2 person')
})

test('the taller one is higher than the other', () => {
  const [other, taller] = parsePrompt('two men, the taller one in a red shirt', { seed: '1' }).subjects
  assert.ok(other && taller && taller.heightMetres > other.heightMetres)
})

test('food is fed from a thing in the hand, and a rescued animal is in the arms', () => {
  assert.equal(told('a farmer feeding chickens from a bucket'), '1 farmer facing chicken holding bucket, 3 chicken, 1 bucket')
  assert.equal(told('a firefighter rescuing a kitten'), '1 firefighter holding kitten, 1 kitten')
})
