import assert from 'node:assert/strict'
import test from 'node:test'
import { parsePrompt } from './parse.ts'

const read = (prompt: string) => parsePrompt(prompt, { seed: '1' })

test('a deck is the setting, with its view behind it', () => {
  const { setting } = read('a wooden deck overlooking a mountain valley')
  assert.equal(setting.kind, 'rooftop')
  assert.ok(setting.details.includes('deck') && setting.details.includes('mountains'))
})

test('small things are on a table, a thing beside a boat is on the beach, and a table below something is drawn', () => {
  for (const prompt of ['a toothbrush', 'three spoons', 'a toaster', 'a handbag']) assert.equal(read(prompt).setting.kind, 'table', prompt)
  assert.equal(read('a couch and a toaster').setting.kind, 'room')
  assert.equal(read('a boat and a cat').setting.kind, 'beach')
  assert.equal(read('a cat in a boat').setting.kind, 'sea')
  assert.notEqual(read('a person left of a kite').setting.kind, 'sky')
  assert.ok(read('a tie above a dining table').subjects.some(({ noun }) => noun === 'dining table'))
})

test('a moon in a day sky does not make it night, and has its phase', () => {
  const { time, setting } = read('a half moon in the day sky')
  assert.deepEqual([time, setting.kind], ['day', 'sky'])
  assert.ok(setting.details.includes('half-moon'))
  assert.equal(read('a crescent moon above the sea').time, 'night')
})

test('a house is in the hills, a shop front in a street, a skyline across the water', () => {
  assert.equal(read('a small house').setting.kind, 'hills')
  assert.equal(read('a store front').setting.kind, 'street')
  assert.ok(read('the skyline of New York City').setting.details.includes('skyline'))
})

test('landmarks have their own drawings and settings', () => {
  const rows: [string, string, string][] = [
    ['the Sydney Opera House', 'drawn:sydney-opera-house', 'harbour'],
    ['a whale in front of the Sydney Opera House', 'drawn:sydney-opera-house', 'harbour'],
    ['the Millennium Wheel', 'drawn:ferris-wheel', 'park'],
    ["the Statue of Liberty on the moon's surface", 'drawn:liberty-statue', 'moon'],
  ]
  for (const [prompt, art, kind] of rows) {
    const { subjects, setting } = read(prompt)
    assert.ok(
      subjects.some(subject => subject.art === art),
      prompt,
    )
    assert.equal(setting.kind, kind, prompt)
  }
})

test('a landscape is of the named kind', () => {
  const kinds = ['a desert landscape', 'a peaceful lakeside landscape', 'an underwater landscape', 'a landscape']
  assert.deepEqual(
    kinds.map(prompt => read(prompt).setting.kind),
    ['desert', 'lake', 'underwater', 'hills'],
  )
  assert.equal(read('people dancing in the square').setting.kind, 'village')
})

test('windows of a street are in its houses, and a vehicle with wheels drives beside the sea, not on it', () => {
  for (const prompt of ['a street with glowing windows at night', 'a village with lit windows'])
    assert.deepEqual(
      read(prompt).subjects.map(({ noun }) => noun),
      [],
      prompt,
    )
  for (const prompt of ['a red truck driving along the sea', 'a man on a bicycle by the sea'])
    assert.equal(read(prompt).setting.kind, 'beach', prompt)
  assert.equal(read('a sailboat and a truck on the sea').setting.kind, 'sea')
  assert.equal(read('a candle flame').subjects[0]?.noun, 'candle')
})

test('snowy mountains at a lake are part of the setting, and mountains behind a forest rise above it', () => {
  for (const prompt of ['a lake below snowy mountains', 'a village below snow-covered mountains', 'mountains behind a meadow'])
    assert.deepEqual(read(prompt).subjects, [], prompt)
  const { setting, subjects } = read('mountains behind a forest at noon')
  assert.deepEqual([setting.kind, subjects], ['mountains', []])
  assert.equal(read('a blue mountain in a forest').subjects.length, 1)
})
