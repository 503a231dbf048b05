import assert from 'node:assert/strict'
import test from 'node:test'
import { parsePrompt } from './parse.ts'

const read = (prompt: string) => parsePrompt(prompt, { seed: '1' })

test('shapes, logos and sketches have a plain background unless a place is named', () => {
  for (const prompt of ['a red cube', 'a logo of a fox', 'a sketch of a horse', 'the word "hello" above the word "bye"'])
    assert.equal(read(prompt).setting.kind, 'backdrop', prompt)
  assert.equal(read('a sketch of a horse on a beach').setting.kind, 'beach')
})

test('a pyramid with a colour or beside another solid is a geometric solid; otherwise it is the one in Egypt', () => {
  assert.equal(read('a green pyramid in front of a blue box').subjects[0]?.art, 'drawn:plain-pyramid')
  assert.equal(read('the pyramid in the desert').subjects[0]?.art, 'drawn:pyramid')
})

test('a silhouette keeps the scene and makes its things dark', () => {
  const { setting, style, subjects } = read('the silhouette of an elephant at sunset')
  assert.ok(setting.details.includes('silhouette'))
  assert.equal(style, 'illustration')
  assert.equal(subjects[0]?.noun, 'elephant')
})
