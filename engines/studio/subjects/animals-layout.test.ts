import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breaches } from './breach.ts'
import { layoutOf, sceneOf, subjectOf } from './testing.ts'

const boxOf = (placed: ReturnType<typeof layoutOf>, id: string) => {
  const found = placed.find(({ subject }) => subject === id)
  assert.ok(found, `${id} was not placed`)
  return found
}

test('a small ball stays smaller than the elephant that stands on it', () => {
  const placed = layoutOf(
    sceneOf([
      subjectOf('s1', 'rig:elephant', 3.2, { pose: 'standing', relations: [{ kind: 'on', of: 's2' }] }),
      subjectOf('s2', 'drawn:plain-ball', 0.22, { size: 'small' }),
    ]),
  )
  const [elephant, ball] = [boxOf(placed, 's1').box, boxOf(placed, 's2').box]
  assert.ok(ball.height < elephant.height * 0.5, `${ball.height} to ${elephant.height}`)
  assert.ok(Math.abs(elephant.y + elephant.height - ball.y) < ball.height * 0.1)
})

test('a draught animal is in front of its load and looks ahead', () => {
  const placed = layoutOf(
    sceneOf([
      subjectOf('s1', 'rig:husky', 0.6, { pose: 'pushing', looks: ['pulling'], relations: [{ kind: 'facing', of: 's2' }] }),
      subjectOf('s2', 'noto:sled', 0.4),
    ]),
  )
  const [dog, sled] = [boxOf(placed, 's1'), boxOf(placed, 's2')]
  // The drawing faces right, so it is mirrored when the sled is on the left.
  assert.equal(dog.flip, dog.box.x < sled.box.x)
})

test('an animal that lives under water breaks the surface when it jumps', () => {
  assert.ok(breaches({ pose: 'jumping', habitat: 'underwater' }))
  assert.ok(!breaches({ pose: 'jumping', habitat: 'ground' }))
})
