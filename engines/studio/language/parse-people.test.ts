import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scene, Subject } from '../scene.ts'
import { parsePrompt } from './parse.ts'

const read = (prompt: string): Scene => parsePrompt(prompt, { seed: '1' })
const named = (scene: Scene, noun: string): Subject => {
  const found = scene.subjects.find(subject => subject.noun === noun)
  assert.ok(found, `no ${noun} in "${scene.prompt}": ${scene.subjects.map(subject => subject.noun)}`)
  return found
}
/** Returns the relations of a subject as text: `holding sword, facing woman`. */
const ties = (scene: Scene, noun: string): string =>
  named(scene, noun)
    .relations.map(({ kind, of, part }) => `${part ?? kind} ${scene.subjects.find(subject => subject.id === of)?.noun}`)
    .join(', ')

test('a word for a group of people gives as many people as it says', () => {
  for (const [prompt, noun, count] of [
    ['a family of four posing in front of a house', 'family', 4],
    ['a team of five', 'team', 5],
    ['a four-piece band on a stage', 'band', 4],
    ['a couple', 'couple', 2],
    ['a choir', 'choir', 9],
    ['people packed on a bus', 'person', 10],
  ] as const)
    assert.equal(named(read(prompt), noun).count, count, prompt)
})

test('a famous person is drawn from a description, and the name is reported as not drawn', () => {
  const scene = read('Abraham Lincoln wearing sunglasses')
  const { person } = named(scene, 'abraham lincoln')
  assert.equal(person?.beard, true)
  assert.deepEqual(
    person?.wears.map(({ kind }) => kind),
    ['top-hat', 'sunglasses'],
  )
  assert.deepEqual(scene.notDrawn, ['Abraham Lincoln (drawn as man)'])
  assert.equal(person?.skin, undefined)
  assert.equal(named(read('Nelson Mandela on a stage'), 'nelson mandela').person?.skin, '#6b4229')
})

test('a pronoun without an earlier noun is a person, and "reading" is no lettering', () => {
  const scene = read('she reads in the library')
  assert.equal(named(scene, 'woman').pose, 'reading')
  assert.equal(scene.setting.kind, 'library')
  assert.deepEqual(scene.letterings, [])
  assert.equal(read('a man and his dog. he is smiling').subjects.length, 2)
})

test('what people do with a thing depends on the thing', () => {
  for (const [prompt, noun, expected] of [
    ['a man playing guitar', 'man', 'holding guitar'],
    ['a woman singing into a microphone', 'woman', 'holding microphone'],
    ['a man giving flowers to a woman', 'man', 'holding bouquet, facing woman'],
    ['two men playing chess', 'man', 'beside chess table'],
    ['a man banging on a door', 'man', 'facing door'],
    ['a boy playing with a tiger', 'boy', 'facing tiger'],
    ['a woman hugging a man', 'woman', 'facing man'],
    ['a girl hugging a teddy bear', 'girl', 'holding teddy bear'],
    ['a man working on a laptop at a desk', 'laptop', 'on desk'],
  ] as const)
    assert.equal(ties(read(prompt), noun), expected, prompt)
})

test('shoulders, laps and heads are places on a person where things can be', () => {
  for (const [prompt, noun, expected] of [
    ['a man with a parrot on his shoulder', 'parrot', 'shoulder man'],
    ["a horse sitting on an astronaut's shoulders", 'horse', 'shoulder astronaut'],
    ['a father carrying his son on his shoulders', 'son', 'shoulder father'],
    ["a cat on a woman's lap", 'cat', 'lap woman'],
  ] as const)
    assert.equal(ties(read(prompt), noun), expected, prompt)
})

test('a face is seen from near, and "the back of" turns the camera to the back', () => {
  assert.equal(read('an angry man').camera.framing, 'medium')
  assert.equal(named(read('an old man with green eyes'), 'old man').person?.eyes, '#3f9a5f')
  assert.equal(read('a man with brown eyes and blue jeans').camera.framing, 'full')
  assert.equal(read("a close-up of a woman's face").camera.framing, 'close-up')
  assert.equal(read('the back of an astronaut').camera.side, 'back')
})

test('each of several people has a thing that is named without a number', () => {
  assert.equal(named(read('a couple drinking wine'), 'wine').count, 2)
  assert.equal(named(read('a couple holding a baby'), 'baby').count, 1)
})

test('a person who fights faces the opponent, which fights back', () => {
  const scene = read('a knight fighting a bear')
  assert.deepEqual([named(scene, 'knight').pose, named(scene, 'bear').pose], ['fighting', 'fighting'])
  assert.equal(ties(scene, 'knight'), 'facing bear')
})

test('a smoked pipe and a board that somebody writes on are drawn', () => {
  const sailor = read('an old sailor smoking a pipe')
  assert.deepEqual([named(sailor, 'sailor').looks.includes('with pipe'), sailor.notDrawn], [true, []])
  assert.equal(ties(read('a teacher writing on a chalkboard'), 'teacher'), 'in-front-of blackboard')
})

test('a person who is carried out of a house is in the arms of the carrier, outside the house', () => {
  const scene = read('a firefighter carrying a child out of a burning building')
  assert.equal(ties(scene, 'child'), '')
  assert.match(ties(scene, 'firefighter'), /holding child/)
})

test('the owner in "throwing her bouquet" is not the thing that is thrown', () => {
  assert.equal(ties(read('a bride throwing her bouquet'), 'bride'), 'holding bouquet')
})

test('played cards are in the hands, and a person who is washed in a tub is in it', () => {
  const cards = read('three old men playing cards at a table')
  assert.equal(ties(cards, 'old man'), 'holding playing card, beside table')
  assert.equal(read('a deck of playing cards').subjects.length, 1)
  const wash = read('a boy washing a dog in a tub')
  assert.equal(ties(wash, 'dog'), 'in tub')
  assert.equal(ties(wash, 'boy'), 'facing tub')
})

test('a saxophonist, a violinist and a drummer are musicians', () => {
  for (const noun of ['saxophonist', 'violinist', 'drummer']) assert.equal(read(`a ${noun}`).subjects[0]?.person?.role, 'musician')
  assert.equal(read('six schoolchildren').subjects[0]?.count, 6)
})

test('each of several people who fly kites has one', () => {
  const scene = read('a boy and a girl flying kites')
  const kites = scene.subjects.flatMap(({ relations }) => relations.map(({ of }) => of))
  assert.equal(new Set(kites).size, 2)
  assert.deepEqual([ties(scene, 'boy'), ties(scene, 'girl')], ['holding kite', 'holding kite'])
})

test('clothes have the pattern that the prompt names', () => {
  for (const [prompt, noun, kind, pattern] of [
    ['a smiling girl in a polka dot dress', 'girl', 'dress', 'spotted'],
    ['a man wearing a striped shirt', 'man', 'shirt', 'striped'],
  ] as const)
    assert.deepEqual(named(read(prompt), noun).person?.clothes, [{ kind, pattern }], prompt)
})

test('a robot that waters holds a can, and a barista holds the coffee', () => {
  assert.match(ties(read('a robot watering flowers'), 'robot'), /holding watering can/)
  assert.match(ties(read('a barista making coffee'), 'barista'), /holding/)
  assert.deepEqual(
    read('a wedding couple on a beach').subjects.map(({ noun }) => noun),
    ['bride', 'groom'],
  )
})
