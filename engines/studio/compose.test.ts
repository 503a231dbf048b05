import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeScene, placeScene } from './compose.ts'
import { sceneOf, subjectOf } from './subjects/testing.ts'

const scene = sceneOf([
  subjectOf('s1', 'rig:fox', 0.6, { pose: 'sitting', relations: [{ kind: 'under', of: 's2' }] }),
  subjectOf('s2', 'tree:cherry', 7),
  subjectOf('s3', 'noto:balloon', 0.4, { count: 3, habitat: 'air', colour: { hex: '#2f6fc4', name: 'blue' } }),
])

test('a scene is drawn in exactly the requested size, with equal bytes each time', async () => {
  const first = await composeScene(scene, { width: 320, height: 200 })
  const second = await composeScene(scene, { width: 320, height: 200 })
  assert.deepEqual([first.width, first.height], [320, 200])
  assert.ok(Buffer.from(first.data()).equals(Buffer.from(second.data())))
})

test('another seed gives another picture', async () => {
  const first = await composeScene(scene, { width: 160, height: 160 })
  const second = await composeScene({ ...scene, seed: '12' }, { width: 160, height: 160 })
  assert.ok(!Buffer.from(first.data()).equals(Buffer.from(second.data())))
})

test('subjects are painted where the layout places them', async () => {
  const size = { width: 300, height: 300 }
  const empty = await composeScene({ ...scene, subjects: [] }, size)
  const full = await composeScene(scene, size)
  const [a, b] = [empty.data(), full.data()]
  for (const { box, subject } of placeScene(scene, size)) {
    let changed = 0
    let all = 0
    for (let y = Math.ceil(box.y * 300); y < (box.y + box.height) * 300 - 1; y++) {
      for (let x = Math.ceil(box.x * 300); x < (box.x + box.width) * 300 - 1; x++) {
        const i = (y * 300 + x) * 4
        all++
        if (
          Math.abs((a[i] ?? 0) - (b[i] ?? 0)) + Math.abs((a[i + 1] ?? 0) - (b[i + 1] ?? 0)) + Math.abs((a[i + 2] ?? 0) - (b[i + 2] ?? 0)) >
          24
        )
          changed++
      }
    }
    assert.ok(changed / all > 0.25, `${subject}: ${changed} of ${all} pixels changed`)
  }
})

test('pictures of one pixel row, of extreme ratio and without subjects are drawn', async () => {
  for (const size of [
    { width: 64, height: 64 },
    { width: 1024, height: 64 },
    { width: 64, height: 1024 },
  ]) {
    const canvas = await composeScene(scene, size)
    assert.deepEqual([canvas.width, canvas.height], [size.width, size.height])
  }
  assert.equal((await composeScene({ ...scene, subjects: [] }, { width: 64, height: 64 })).width, 64)
})

test('an unknown drawing is refused by name', async () => {
  await assert.rejects(composeScene(sceneOf([subjectOf('s1', 'drawn:perpetual-motion', 1)]), { width: 64, height: 64 }), /perpetual-motion/)
})
