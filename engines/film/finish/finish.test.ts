import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StyleKind, styleKinds } from '@generation-gateway/studio/scene.ts'
import { createStore } from '../raster/store.ts'
import { createFinish } from './finish.ts'

/** A layer of straight-alpha pixels; each row has every alpha from 0 to 255. */
function layer(height: number) {
  const data = new Uint8ClampedArray(256 * height * 4)
  for (let i = 0; i < data.length; i += 4) data.set([(i >> 2) % 199, (i >> 3) % 255, (i >> 5) % 255, (i >> 2) % 256], i)
  return { data, width: 256, height }
}

test('every style and mood changes the colours of a layer and keeps its alpha', () => {
  const store = createStore()
  const looks: [StyleKind, string[]][] = [
    ...styleKinds.map((style): [StyleKind, string[]] => [style, []]),
    ['illustration', ['dark', 'dreamy', 'magical', 'vivid']],
  ]
  for (const [style, moods] of looks) {
    const { tone } = createFinish({ style, moods, seed: '7' }, { width: 64, height: 36 }, store)
    // Only layers that are at least 160 pixels high get bloom, so one height is below that limit
    // and the other above it.
    for (const height of [40, 170]) {
      const [given, toned] = [layer(height), layer(height)]
      tone?.(toned)
      const at = toned.data.findIndex((value, i) => i % 4 === 3 && value !== given.data[i])
      assert.equal(at, -1, `${style}: alpha ${given.data[at]} has become ${toned.data[at]}`)
    }
  }
})
