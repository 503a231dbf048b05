import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scene } from '../scene.ts'
import { parseVaried } from './vary.ts'

const seeds = ['100', '101', '102', '103', '104', '105']

function scenesOf(prompt: string, negativePrompt?: string): Scene[] {
  return seeds.map(seed => parseVaried(prompt, { seed, ...(negativePrompt ? { negativePrompt } : {}) }))
}

function different<T>(scenes: readonly Scene[], of: (scene: Scene) => T): number {
  return new Set(scenes.map(scene => JSON.stringify(of(scene)))).size
}

test('details that a prompt leaves open differ between seeds', () => {
  for (const prompt of ['a cat', '一只猫', 'a red car']) {
    const scenes = scenesOf(prompt)
    assert.ok(different(scenes, ({ time }) => time) >= (prompt === 'a red car' ? 3 : 5), `${prompt}: times`)
    assert.ok(different(scenes, ({ setting }) => setting.kind) >= 4, `${prompt}: places`)
    assert.ok(different(scenes, ({ camera }) => camera) >= 3, `${prompt}: cameras`)
    assert.ok(different(scenes, ({ subjects }) => subjects[0]?.place?.horizontal) >= 3, `${prompt}: sides`)
    assert.ok(different(scenes, ({ moods }) => moods) >= 3, `${prompt}: palettes`)
  }
  assert.ok(different(scenesOf('a cat'), ({ subjects }) => subjects[0]?.pose) >= 3)
})

test('details that a prompt names are the same with every seed', () => {
  const said = 'a close-up of a black cat sleeping on the left in a snowy forest at night, low angle, foggy, muted colors'
  const parts = scenesOf(said).map(({ seed: _, ...scene }) => scene)
  assert.equal(new Set(parts.map(scene => JSON.stringify(scene))).size, 1)
})

test('a thing with a named colour is shown in daylight', () => {
  for (const { time } of scenesOf('a photo of a white bus')) assert.ok(time === 'morning' || time === 'day' || time === 'afternoon', time)
})

test('a thing without a named place is never shown from afar, and a hoofed animal neither sits nor lies', () => {
  const scenes = scenesOf('a zebra')
  assert.ok(scenes.every(({ camera }) => camera.framing !== 'wide'))
  assert.ok(scenes.every(({ subjects }) => /standing|walking/.test(subjects[0]?.pose ?? '')))
})

test('excluded values are never chosen', () => {
  const scenes = scenesOf('a cat', 'sunset, autumn, clouds, garden, cold colors, blurry')
  for (const { time, season, weather, setting } of scenes) {
    assert.notEqual(time, 'sunset')
    assert.notEqual(season, 'autumn')
    assert.notEqual(setting.kind, 'garden')
    assert.ok(!weather.includes('cloudy'))
  }
  assert.ok(different(scenes, ({ time }) => time) >= 4)
})

test('equal seeds give equal scenes', () => {
  assert.deepEqual(scenesOf('two dogs and a robot'), scenesOf('two dogs and a robot'))
})

test('a single thing on a plain background is in the middle with every seed', () => {
  for (const seed of ['1', '2', '3', '4', '5', '6'])
    assert.equal(parseVaried('a pencil sketch of a teapot', { seed }).subjects[0]?.place, undefined, seed)
})
