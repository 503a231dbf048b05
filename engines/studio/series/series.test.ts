import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scene, Subject } from '../scene.ts'
import { species } from '../subjects/animals/species.ts'
import { seriesScenes } from './series.ts'

const tell = (prompt: string, most = 15) => seriesScenes(prompt, { seed: '7', most })

function only(scene: Scene | undefined, noun: string): Subject {
  const found = scene?.subjects.filter(subject => subject.noun === noun) ?? []
  assert.equal(found.length, 1, `${noun} in ${scene?.prompt}`)
  return found[0] as Subject
}

test('the number of pictures is the one of the prompt, or of its steps, or four, and never above the limit', () => {
  const cases: [string, number, number][] = [
    ['First a fox finds a lantern, then it walks through the forest, finally it sleeps', 15, 3],
    ['a four-panel story about a robot', 15, 4],
    ['three images of a lighthouse: dawn, noon, dusk', 15, 3],
    ['A fox wakes up. It walks in the forest. It sleeps under the stars.', 15, 3],
    ['Panel 1: a knight rides a horse. Panel 2: the knight meets a dragon.', 15, 2],
    ['a courtyard across the seasons', 15, 4],
    ['画三张图：一个男孩，第一张在海边，第二张骑自行车，第三张睡觉', 15, 3],
    ['首先一只小猫在花园里玩，然后它在河边钓鱼，最后它睡觉', 15, 3],
    ['画四张一只猫的图', 15, 4],
    ['一组图片，一只狗在海边', 15, 4],
    ['a cat', 15, 4],
    ['a cat', 2, 2],
    ['ten pictures of a cat', 9, 9],
    ['six scenes of a dog: sleeping, running, eating', 15, 6],
  ]
  for (const [prompt, most, count] of cases) assert.equal(tell(prompt, most).scenes.length, count, prompt)
})

test('every animal can be the main character of a series, dressed or not', () => {
  for (const name of Object.keys(species))
    for (const words of [
      `a ${name} on a beach`,
      `a ${name} wearing a suit and a cowboy hat`,
      `a furry ${name} made of wood reading a book`,
    ])
      assert.equal(tell(words).scenes.length, 4, words)
})

test('steps that get no picture are reported', () => {
  assert.deepEqual(tell('First a fox wakes up, then it eats an apple, finally it sleeps', 2).leftOut, ['it sleeps'])
})

test('pronouns mean the main character, which keeps its look in all pictures', () => {
  const { scenes } = tell('First a blue cat with a hat sits in a garden, then it runs on the beach, finally it sleeps at night')
  const cats = scenes.map(scene => only(scene, 'cat'))
  assert.deepEqual(
    cats.map(({ pose }) => pose),
    ['sitting', 'running', 'sleeping'],
  )
  for (const { art, colour, id } of cats) assert.deepEqual([art, colour?.name, id], ['rig:cat', 'blue', 's1'])
  assert.deepEqual(
    scenes.map(({ setting }) => setting.kind),
    ['garden', 'beach', 'beach'],
  )
  assert.equal(scenes[2]?.time, 'night')
  assert.equal(new Set(scenes.map(({ seed }) => seed)).size, 1)
})

test('a person keeps her clothes, and a step without a subject is about her', () => {
  const { scenes } = tell(
    'A story of a girl with a red coat: 1. she wakes up in her bedroom 2. walking on the street 3. she reads in the library',
  )
  for (const scene of scenes) assert.deepEqual(only(scene, 'girl').person?.clothes, [{ kind: 'coat', colour: '#d32f2f' }])
  assert.deepEqual(
    scenes.map(({ setting }) => setting.kind),
    ['bedroom', 'street', 'library'],
  )
})

test('seasons and times are steps, in English and Chinese', () => {
  const seasons = ['spring', 'summer', 'autumn', 'winter']
  for (const prompt of [
    'four pictures of the same cat in spring, summer, autumn and winter',
    '画四张图：同一只猫在春天、夏天、秋天、冬天',
  ]) {
    const { scenes } = tell(prompt)
    assert.deepEqual(
      scenes.map(({ season }) => season),
      seasons,
    )
    for (const scene of scenes) only(scene, 'cat')
  }
  assert.deepEqual(
    tell('three images of a lighthouse: dawn, noon, dusk').scenes.map(({ time }) => time),
    ['dawn', 'day', 'dusk'],
  )
})

test('all pictures have one style', () => {
  const { scenes } = tell('First a fox wakes up, then it walks, finally it sleeps, watercolor')
  assert.deepEqual(
    scenes.map(({ style }) => style),
    ['watercolor', 'watercolor', 'watercolor'],
  )
})

test('without steps the same subjects have different settings and poses', () => {
  const { scenes } = tell('four pictures of a dog')
  assert.ok(new Set(scenes.map(({ setting }) => setting.kind)).size >= 3)
  assert.ok(new Set(scenes.map(scene => only(scene, 'dog').pose)).size >= 2)
})

test('a series from a picture continues with its subjects', () => {
  const from = tell('a blue cat with a scarf', 1).scenes[0]
  assert.ok(from)
  const { scenes } = seriesScenes('first it runs on the beach, then it sleeps', { seed: '9', most: 9, from })
  for (const scene of scenes) assert.equal(only(scene, 'cat').colour?.name, only(from, 'cat').colour?.name)
  assert.equal(scenes.length, 2)
})
