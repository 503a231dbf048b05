import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from './parse.ts'
import { assertFacts } from './testing/facts.ts'

test('animals can wear and hold things, and are framed like people', () => {
  for (const [prompt, facts] of [
    ['a raccoon wearing a suit and a cowboy hat', 'raccoon clothes suit; raccoon wears cowboy-hat'],
    ['a fox dressed as a pirate', 'fox role pirate; !pirate'],
    ['an astronaut cat', 'cat role astronaut'],
    ['a king cobra', '!cobra role king'],
    ['an owl on top of an elephant', 'owl on elephant'],
    ["an owl on an elephant's back", 'owl on elephant'],
    ["an ostrich's face", 'ostrich; framing close-up'],
    ['a crocodile holding a flag', 'crocodile holding flag'],
    ['a dog with a bone in its mouth', 'dog holding bone; dog looks in mouth'],
    ['a frog singing into a microphone', 'frog holding microphone'],
    ['a cat playing chess against a dog', 'cat playing; dog playing'],
    ['a wombat', '!night'],
  ] as const)
    assertFacts(parsePrompt(prompt, { seed: '7' }), facts)
})

test('each breed of dog has its own drawing', () => {
  for (const [prompt, art] of [
    ['a golden retriever puppy', 'rig:golden-retriever'],
    ['a poodle on a sofa', 'rig:poodle'],
    ['two german shepherds', 'rig:german-shepherd'],
    ['a pomeranian in a bag', 'rig:pomeranian'],
    ['a dog', 'rig:dog'],
    ['一只金毛', 'rig:golden-retriever'],
  ] as const)
    assert.equal(parsePrompt(prompt, { seed: '7' }).subjects.find(({ art: key }) => key.startsWith('rig:'))?.art, art, prompt)
})

test('the relatives of an animal are animals of its kind', () => {
  for (const [prompt, kinds, sizes] of [
    ['a baby elephant with its mother', ['noto:elephant', 'noto:elephant'], 'smaller first'],
    ['a fox with her babies', ['rig:fox', 'rig:fox'], 'larger first'],
    ['a whale swimming with its calf', ['noto:whale', 'noto:whale'], 'larger first'],
    ['a lioness and two cubs', ['rig:lioness', 'rig:lioness'], 'larger first'],
    ['a boy with his mother', ['rig:person', 'rig:person'], 'smaller first'],
  ] as const) {
    const { subjects } = parsePrompt(prompt, { seed: '7' })
    assert.deepEqual(
      subjects.map(({ art }) => art),
      kinds,
      prompt,
    )
    const [first = 0, second = 0] = subjects.map(({ heightMetres }) => heightMetres)
    assert.equal(first < second, sizes === 'smaller first', prompt)
  }
})

test('a chewed thing is in the mouth of the animal, and spread wings or sliding are passed on to the drawing', () => {
  for (const [prompt, facts] of [
    ['a puppy chewing on a red shoe', 'puppy holding shoe; puppy looks in mouth'],
    ['a horse eating an apple', 'horse holding apple; horse looks in mouth'],
    ['a macaw with its wings spread', 'macaw looks wings spread'],
    ['an eagle spreading its wings', 'eagle looks wings spread'],
    ['penguins sliding on ice', 'penguin looks sliding'],
    ['a snail crawling on a leaf', 'snail on broad leaf'],
    ['a cat hugging a dog', 'cat hugging; dog hugging; cat facing dog'],
  ] as const)
    assertFacts(parsePrompt(prompt, { seed: '7' }), facts)
})

test('each animal of a band has an instrument', () => {
  for (const prompt of ['a jazz band of foxes', 'a fox jazz band', 'a mural of a jazz band of foxes on a brick wall']) {
    const { subjects } = parsePrompt(prompt, { seed: '7' })
    assert.deepEqual(
      subjects.map(({ art, count, person }) => [art, count, person?.role]),
      [['rig:fox', 4, 'band']],
      prompt,
    )
  }
})

test('an animal in a window is on the sill, with the moon outside if it is named', () => {
  for (const [prompt, details] of [
    ['a black cat sitting on a windowsill looking at the moon', ['moon']],
    ['a cat looking out of a window', ['window']],
    ['a cat sleeping in the window', ['window']],
  ] as const) {
    const { setting, time } = parsePrompt(prompt, { seed: '7' })
    assert.equal(setting.kind, 'window-table', prompt)
    assert.deepEqual(setting.details, details, prompt)
    if (prompt.includes('moon')) assert.equal(time, 'night')
  }
})

test('an elephant sprays water, a spider is in its web, a giraffe is beside the tree it eats from', () => {
  for (const [prompt, facts] of [
    ['an elephant spraying water with its trunk', 'elephant looks spraying'],
    ['a spider in its web', 'spider in web'],
    ['a giraffe eating leaves from a tall tree', 'giraffe beside tree'],
    ['a squirrel holding an acorn', 'squirrel holding acorn'],
  ] as const)
    assertFacts(parsePrompt(prompt, { seed: '7' }), facts)
  const { subjects } = parsePrompt('a baby elephant spraying water at its mother', { seed: '7' })
  assert.equal(subjects.length, 2)
})
