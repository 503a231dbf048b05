import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../random.ts'
import type { ArtKey, RelationKind, Subject } from '../scene.ts'
import { formation } from './formation.ts'
import type { Box, PlacedSubject } from './layout-types.ts'
import { layoutOf, sceneOf, subjectOf } from './testing.ts'

const overlap = (a: Box, b: Box) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y))

test('most of each of up to nine copies is visible, whatever their shape', () => {
  const things: [ArtKey, number][] = [
    ['drawn:skateboard', 0.2],
    ['noto:zebra', 1.5],
    ['drawn:chair', 0.95],
    ['drawn:train', 4],
    ['noto:red-apple', 0.08],
  ]
  for (const [art, metres] of things)
    for (let count = 2; count <= 9; count++) {
      const boxes = layoutOf(sceneOf([subjectOf('s1', art, metres, { count })])).map(placed => placed.box)
      boxes.forEach((box, index) => {
        for (const other of boxes.slice(index + 1))
          assert.ok(overlap(box, other) < 0.22 * box.width * box.height, `${count} ${art}: ${JSON.stringify([box, other])}`)
      })
    }
})

test('the far row of a group is smaller than the near one and is visible in its gaps', () => {
  const boxes = layoutOf(sceneOf([subjectOf('s1', 'noto:elephant', 3, { count: 4 })])).map(placed => placed.box)
  const [far, , near] = boxes.sort((a, b) => a.y + a.height - b.y - b.height)
  assert.ok(far && near && far.y + far.height < near.y + near.height - 0.05, 'two rows')
  assert.ok(far.height < near.height * 0.85)
  const middles = boxes.map(({ x, width }) => x + width / 2).sort((a, b) => a - b)
  middles.slice(1).forEach((middle, index) => {
    assert.ok(middle - (middles[index] ?? 0) > near.width * 0.3, `${middles}`)
  })
})

test('a few upright copies are in one row, although they would be slightly larger in two rows', () => {
  const size = { lane: 'ground', width: 0.8, height: 1, aspect: 1, depth: 0.45, random: createRandom('7') } as const
  const rowsOf = (count: number) => new Set(formation({ ...size, count }).map(({ y }) => Math.round(y))).size
  assert.deepEqual([rowsOf(3), rowsOf(6)], [1, 2])
})

test('any number of mountains stand on one horizon', () => {
  const boxes = layoutOf(sceneOf([subjectOf('s1', 'drawn:mountain', 900, { count: 4 })])).map(placed => placed.box)
  const feet = boxes.map(({ y, height }) => y + height)
  assert.ok(Math.max(...feet) - Math.min(...feet) < 0.12, `${feet}`)
})

test('of two things that stand apart the smaller one is a good part of the larger', () => {
  const placed = layoutOf(
    sceneOf([subjectOf('s1', 'noto:elephant', 3.2), subjectOf('s2', 'noto:toothbrush', 0.18, { habitat: 'surface' })]),
  )
  const [elephant, brush] = placed.map(one => Math.max(one.box.width, one.box.height)).sort((a, b) => b - a)
  assert.ok(elephant !== undefined && brush !== undefined && brush > elephant / 3, `${brush} beside ${elephant}`)
})

test('things above or below others are placed so, and a hanging thing casts no shadow on the ground', () => {
  const pair = (kind: RelationKind): Subject[] => [
    subjectOf('s1', 'noto:bear', 1.4, { relations: [{ kind, of: 's2' }] }),
    subjectOf('s2', 'noto:spoon', 0.18, { habitat: 'surface' }),
  ]
  for (const kind of ['above', 'under'] as const) {
    const placed = layoutOf(sceneOf(pair(kind)))
    const [first, second] = ['s1', 's2'].map(id => placed.find(one => one.subject === id))
    assert.ok(first && second)
    const [upper, lower]: PlacedSubject[] = kind === 'above' ? [first, second] : [second, first]
    assert.ok(upper && lower && upper.box.y + upper.box.height <= lower.box.y + 1e-6, kind)
    assert.equal(upper.attachment, 'aloft')
  }
})
