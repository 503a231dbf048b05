import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeScene } from '../compose.ts'
import { parsePrompt } from './parse.ts'
import { takeReflection } from './water-reflection.ts'

test('a reflection in water is distinguished from a thing in the water', () => {
  for (const prompt of [
    'a bridge reflected in a calm river',
    'a swan and its reflection in a pond',
    'a lighthouse with its reflection in the water',
    'a scooter reflected in a puddle on the street',
    'the reflection of a windmill in a lake',
  ]) {
    const { setting, subjects, notDrawn } = parsePrompt(prompt, { seed: '2' })
    assert.ok(setting.details.includes('mirrored'), prompt)
    assert.deepEqual([subjects.length, subjects[0]?.relations, notDrawn], [1, [], []], prompt)
  }
  for (const prompt of ['a duck in a pond', 'a cat reflected in a mirror', 'a tree reflected in the sunroof of a car'])
    assert.equal(takeReflection(prompt).isMirrored, false, prompt)
})

test('the water shows what is above the shore, upside down and darker', async () => {
  const canvas = await composeScene(parsePrompt('a red barn reflected in a lake', { seed: '2' }), { width: 200, height: 200 })
  const { data } = canvas.getContext('2d').getImageData(0, 0, 200, 200)
  const redRows = Array.from({ length: 200 }, (_, y) => {
    let red = 0
    for (let x = 0; x < 200; x++) {
      const i = (y * 200 + x) * 4
      if ((data[i] ?? 0) > 70 && (data[i] ?? 0) > 1.8 * Math.max(data[i + 1] ?? 0, data[i + 2] ?? 0)) red++
    }
    return red
  })
  const above = redRows.slice(0, 118).filter(red => red > 8).length
  const below = redRows.slice(124).filter(red => red > 8).length
  assert.ok(above > 20 && below > above * 0.4, `${above} rows above, ${below} below`)
})
