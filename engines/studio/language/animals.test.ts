import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from './parse.ts'
import { assertFacts } from './testing/facts.ts'

test('animals wear, hold and are framed as people are', () => {
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

test('a breed is drawn with its own coat, and by no dog at work', () => {
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
