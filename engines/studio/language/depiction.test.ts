import assert from 'node:assert/strict'
import test from 'node:test'
import { parsePrompt } from './parse.ts'

const read = (prompt: string) => parsePrompt(prompt, { seed: '1' })
/** Returns each `printed-on` relation of the scene as text, such as "cat printed-on mug". */
const prints = (prompt: string) => {
  const { subjects } = read(prompt)
  return subjects.flatMap(({ noun, relations }) =>
    relations.filter(({ kind }) => kind === 'printed-on').map(({ of }) => `${noun} on ${subjects.find(({ id }) => id === of)?.art}`),
  )
}

test('a painting of a thing is that thing, painted', () => {
  const { subjects, style } = read('a painting of a fox')
  assert.deepEqual([subjects.map(({ noun }) => noun), style], [['fox'], 'oil'])
  assert.equal(read('a watercolor painting of a fox').style, 'watercolor')
})

test('a painting on a wall, on an easel or in a hand is a thing with a picture on it', () => {
  assert.deepEqual(prints('a painting of a cat on a white wall'), ['cat on drawn:canvas'])
  assert.deepEqual(prints('an oil painting of a raccoon on an easel'), ['raccoon on drawn:easel-canvas'])
  assert.deepEqual(prints('a woman holding a painting of a dog'), ['dog on drawn:canvas'])
  assert.equal(read('a yellow wall with two framed sketches').subjects[0]?.count, 2)
})

test('a picture on a thing is printed on it and does not choose the setting', () => {
  assert.deepEqual(prints('a flag with a dinosaur on it'), ['dinosaur on drawn:flag'])
  assert.deepEqual(prints('a van with a dragon painted on it'), ['dragon on noto:minibus'])
  assert.deepEqual(prints('a table with three apples on it'), [])
  assert.notEqual(read('a mug with a whale on it').setting.kind, 'underwater')
})

test('graffiti is on a wall that fills the picture', () => {
  for (const prompt of ['graffiti of a dog', 'graffiti of a funny dog on a street wall', 'a wall along a street with a mural of foxes'])
    assert.equal(read(prompt).setting.kind, 'wall', prompt)
})
