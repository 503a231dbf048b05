import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterVoices } from './cluster.ts'
import { likeness, unit } from './encoder.ts'

const giveWay = async (): Promise<void> => {}

/** Returns a unit vector in the plane at an angle in degrees. */
const at = (degrees: number): Float32Array =>
  unit(Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)))

test('similar voices are one group, and groups are numbered in order of appearance', async () => {
  assert.deepEqual(await clusterVoices([80, 0, 85, 3, 82, 1].map(at), { alike: 0.9, giveWay }), [0, 1, 0, 1, 0, 1])
})

test('there are never more groups than allowed: the nearest ones are joined', async () => {
  assert.deepEqual(await clusterVoices([0, 30, 90].map(at), { alike: 0.99, most: 2, giveWay }), [0, 0, 1])
  assert.deepEqual(await clusterVoices([0, 30, 90].map(at), { alike: 0.99, most: 1, giveWay }), [0, 0, 0])
})

test('zero voices and one voice can be grouped too', async () => {
  assert.deepEqual(await clusterVoices([], { alike: 0.5, giveWay }), [])
  assert.deepEqual(await clusterVoices([at(1)], { alike: 0.5, most: 1, giveWay }), [0])
})

test('the groups are joined like in a plain implementation of average linkage', async () => {
  let seed = 3
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  for (let round = 0; round < 20; round++) {
    const voices = Array.from({ length: 25 }, () => unit(Float32Array.from({ length: 6 }, random)))
    assert.deepEqual(await clusterVoices(voices, { alike: 0.85, giveWay }), plainClusters(voices, 0.85))
  }
})

/** Reference implementation: repeatedly joins the two most similar groups. */
function plainClusters(voices: readonly Float32Array[], alike: number): number[] {
  const groups = voices.map((_, index) => [index])
  for (;;) {
    let best = { one: -1, other: -1, mean: alike }
    for (const [one, group] of groups.entries())
      for (const [other, second] of groups.slice(0, one).entries()) {
        const pairs = group.flatMap(a => second.map(b => likeness(voices[a] ?? at(0), voices[b] ?? at(0))))
        const mean = pairs.reduce((sum, value) => sum + value, 0) / pairs.length
        if (mean >= best.mean) best = { one, other, mean }
      }
    if (best.one < 0) break
    groups[best.other]?.push(...(groups.splice(best.one, 1)[0] ?? []))
  }
  groups.sort((one, other) => Math.min(...one) - Math.min(...other))
  return voices.map((_, index) => groups.findIndex(group => group.includes(index)))
}
