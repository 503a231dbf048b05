import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlacedSubject } from './layout-types.ts'
import { layoutOf, sceneOf, subjectOf } from './testing.ts'

const of = (placed: readonly PlacedSubject[], id: string) => placed.filter(one => one.subject === id)
const one = (placed: readonly PlacedSubject[], id: string) => {
  const found = of(placed, id)[0]
  assert.ok(found, `${id} was not placed`)
  return found
}
const middle = (placed: PlacedSubject) => placed.box.x + placed.box.width / 2
const bottom = (placed: PlacedSubject) => placed.box.y + placed.box.height

test('every requested copy is placed, from 1 to 60', () => {
  for (const count of [1, 2, 3, 5, 7, 12, 30, 60]) {
    const placed = layoutOf(
      sceneOf([subjectOf('s1', 'rig:sheep', 0.95, { count }), subjectOf('s2', 'noto:balloon', 0.4, { count, habitat: 'air' })]),
    )
    assert.equal(of(placed, 's1').length, count)
    assert.equal(of(placed, 's2').length, count)
    assert.equal(new Set(of(placed, 's1').map(copy => copy.copy)).size, count)
  }
})

test('everything stays inside the picture at all ratios', () => {
  for (const [width, height] of [
    [800, 800],
    [1600, 400],
    [400, 1600],
    [2400, 150],
    [1280, 720],
  ] as const) {
    const scene = sceneOf([
      subjectOf('s1', 'rig:person', 1.7, { count: 4 }),
      subjectOf('s2', 'tree:oak', 12, { count: 3, isBackground: true }),
      subjectOf('s3', 'noto:balloon', 0.4, { count: 5, habitat: 'air' }),
      subjectOf('s4', 'drawn:moon', 3.4e6, { habitat: 'space' }),
    ])
    for (const { box, subject } of layoutOf(scene, width, height)) {
      assert.ok(
        box.x >= 0 && box.y >= 0 && box.x + box.width <= 1 && box.y + box.height <= 1,
        `${subject} at ${width}x${height}: ${JSON.stringify(box)}`,
      )
    }
  }
})

test('boxes are the same fractions of the picture at 512 and at 1024', () => {
  const scene = sceneOf([
    subjectOf('s1', 'rig:fox', 0.6, { relations: [{ kind: 'under', of: 's2' }] }),
    subjectOf('s2', 'tree:cherry', 7),
    subjectOf('s3', 'noto:cat', 0.36, { count: 6 }),
  ])
  const small = layoutOf(scene, 512, 512)
  const large = layoutOf(scene, 1024, 1024)
  assert.equal(small.length, large.length)
  small.forEach((placed, index) => {
    const other = large[index]
    assert.ok(other)
    for (const side of ['x', 'y', 'width', 'height'] as const)
      assert.ok(Math.abs(placed.box[side] - other.box[side]) < 0.004, `${placed.subject} ${side}`)
  })
})

test('sizes follow real heights, and the smallest is still visible', () => {
  const scene = sceneOf([
    subjectOf('elephant', 'noto:elephant', 3.2),
    subjectOf('person', 'rig:person', 1.7),
    subjectOf('cat', 'noto:cat', 0.36),
    subjectOf('mouse', 'noto:mouse', 0.07),
  ])
  const placed = layoutOf(scene)
  const heights = ['elephant', 'person', 'cat', 'mouse'].map(id => one(placed, id).box.height)
  for (let i = 1; i < heights.length; i++) assert.ok((heights[i] ?? 0) < (heights[i - 1] ?? 0), heights.join(' '))
  assert.ok((heights[3] ?? 0) > 0.04, `mouse is ${heights[3]} of the picture`)
})

test('a single subject fills a good part of the picture, more in a close-up than in a wide view', () => {
  const at = (framing: 'close-up' | 'full' | 'wide') =>
    one(layoutOf(sceneOf([subjectOf('s1', 'rig:fox', 0.6)], { camera: { framing, angle: 'eye', bokeh: false } })), 's1').box.height
  assert.ok(at('full') > 0.4)
  assert.ok(at('close-up') > at('full') && at('full') > at('wide'))
})

test('a single subject is larger on a plain background than in a place', () => {
  const setting = { kind: 'backdrop' as const, words: '', details: [] }
  const at = (over: object) => one(layoutOf(sceneOf([subjectOf('s1', 'rig:fox', 0.6)], over)), 's1').box.height
  assert.ok(at({ setting }) > at({}) * 1.15)
})

test('a thing on a table stands on the table top', () => {
  const placed = layoutOf(
    sceneOf([
      subjectOf('vase', 'drawn:vase', 0.35, { habitat: 'surface', relations: [{ kind: 'on', of: 'table' }] }),
      subjectOf('table', 'drawn:table', 0.76),
    ]),
  )
  const [vase, table] = [one(placed, 'vase'), one(placed, 'table')]
  // The table is seen slightly from above, so its surface is the upper seventh of the drawing.
  assert.ok(bottom(vase) > table.box.y && bottom(vase) < table.box.y + 0.15 * table.box.height)
  assert.ok(middle(vase) > table.box.x && middle(vase) < table.box.x + table.box.width)
  assert.equal(vase.attachment, 'resting')
  assert.ok(vase.order > table.order)
})

test('two things on one sofa sit side by side', () => {
  const placed = layoutOf(
    sceneOf([
      subjectOf('cat', 'noto:cat', 0.36, { relations: [{ kind: 'on', of: 'sofa' }] }),
      subjectOf('dog', 'noto:dog', 0.6, { relations: [{ kind: 'on', of: 'sofa' }] }),
      subjectOf('sofa', 'drawn:sofa', 0.85),
    ]),
  )
  const [cat, dog] = [one(placed, 'cat'), one(placed, 'dog')]
  assert.ok(cat.box.x + cat.box.width < dog.box.x + 0.01)
})

test('a subject under a tree is at its foot, in front of the trunk and within the crown', () => {
  const placed = layoutOf(
    sceneOf([subjectOf('fox', 'rig:fox', 0.6, { relations: [{ kind: 'under', of: 'tree' }] }), subjectOf('tree', 'tree:oak', 12)]),
  )
  const [fox, tree] = [one(placed, 'fox'), one(placed, 'tree')]
  assert.ok(tree.box.height > fox.box.height * 1.5)
  assert.ok(middle(fox) > tree.box.x && middle(fox) < tree.box.x + tree.box.width)
  assert.ok(bottom(fox) >= bottom(tree) - 0.01 && fox.order > tree.order)
})

test('a subject under several trees is in front of a grove, and as large as without them', () => {
  for (const kind of ['under', 'beside', 'in-front-of'] as const) {
    const placed = layoutOf(
      sceneOf([
        subjectOf('deer', 'noto:deer', 1.5, { count: 2, relations: [{ kind, of: 'trees' }] }),
        subjectOf('trees', 'tree:oak', 12, { count: 5 }),
      ]),
    )
    const deer = of(placed, 'deer')
    assert.equal(deer.length, 2, kind)
    for (const { box } of deer) assert.ok(box.height > 0.2, `${kind}: ${box.height}`)
  }
})

test('left of, right of, behind, in front of and above are true of the boxes', () => {
  const pair = (kind: 'left-of' | 'right-of' | 'behind' | 'in-front-of' | 'above') => {
    const placed = layoutOf(sceneOf([subjectOf('a', 'rig:fox', 0.6, { relations: [{ kind, of: 'b' }] }), subjectOf('b', 'rig:bear', 1)]))
    return { a: one(placed, 'a'), b: one(placed, 'b') }
  }
  const left = pair('left-of')
  assert.ok(left.a.box.x + left.a.box.width <= left.b.box.x + 1e-6)
  const right = pair('right-of')
  assert.ok(right.a.box.x >= right.b.box.x + right.b.box.width - 1e-6)
  const behind = pair('behind')
  assert.ok(behind.a.order < behind.b.order && bottom(behind.a) < bottom(behind.b))
  const front = pair('in-front-of')
  assert.ok(front.a.order > front.b.order && bottom(front.a) > bottom(front.b))
  const above = pair('above')
  assert.ok(bottom(above.a) < above.b.box.y + 1e-6)
})

test('a subject between two things is in the middle', () => {
  const placed = layoutOf(
    sceneOf([
      subjectOf('a', 'noto:cat', 0.36, { relations: [{ kind: 'between', of: 'b', and: 'c' }] }),
      subjectOf('b', 'noto:dog', 0.6),
      subjectOf('c', 'rig:fox', 0.6),
    ]),
  )
  const [a, b, c] = [one(placed, 'a'), one(placed, 'b'), one(placed, 'c')]
  assert.ok(middle(b) < middle(a) && middle(a) < middle(c))
})

test('a rider sits on the mount and turns with it', () => {
  const placed = layoutOf(
    sceneOf([
      subjectOf('rider', 'rig:person', 1.7, { pose: 'riding', relations: [{ kind: 'riding', of: 'horse' }] }),
      subjectOf('horse', 'rig:horse', 2.1),
    ]),
  )
  const [rider, horse] = [one(placed, 'rider'), one(placed, 'horse')]
  assert.equal(rider.attachment, 'riding')
  assert.equal(rider.flip, horse.flip)
  assert.ok(bottom(rider) < bottom(horse) && rider.box.y < horse.box.y)
  assert.ok(middle(rider) > horse.box.x && middle(rider) < horse.box.x + horse.box.width)
})

test('a held thing is at its holder, and smaller', () => {
  const placed = layoutOf(
    sceneOf([
      subjectOf('girl', 'rig:person', 1.2, { relations: [{ kind: 'holding', of: 'ball' }] }),
      subjectOf('ball', 'noto:soccer-ball', 0.22),
    ]),
  )
  const [girl, ball] = [one(placed, 'girl'), one(placed, 'ball')]
  assert.equal(ball.attachment, 'held')
  assert.deepEqual(ball.host, { subject: 'girl', copy: 0 })
  assert.ok(ball.box.height < girl.box.height / 2)
  assert.ok(middle(ball) > girl.box.x - girl.box.width && middle(ball) < girl.box.x + girl.box.width * 2)
})

test('subjects are in the named places of the frame', () => {
  const at = (place: 'left' | 'right') =>
    middle(one(layoutOf(sceneOf([subjectOf('s1', 'rig:fox', 0.6, { place: { horizontal: place } })])), 's1'))
  assert.ok(at('left') < 0.42 && at('right') > 0.58)
  const corner = one(
    layoutOf(sceneOf([subjectOf('s1', 'noto:balloon', 0.4, { habitat: 'air', place: { horizontal: 'right', vertical: 'top' } })])),
    's1',
  )
  assert.ok(middle(corner) > 0.6 && corner.box.y < 0.3)
})

test('boats float on the water, and far scenery is small and at the back', () => {
  const water = { topY: 420, bottomY: 800 }
  const boats = layoutOf(sceneOf([subjectOf('s1', 'noto:sailboat', 9, { count: 3, habitat: 'water-surface' })]), 800, 800, {
    water,
    floor: 'water',
  })
  for (const boat of boats) {
    assert.equal(boat.lane, 'water')
    assert.ok(boat.baseline * 800 >= water.topY && boat.baseline * 800 <= water.bottomY)
  }
  const placed = layoutOf(sceneOf([subjectOf('fox', 'rig:fox', 0.6), subjectOf('house', 'noto:house', 7, { isBackground: true })]))
  assert.ok(one(placed, 'house').baseline < one(placed, 'fox').baseline && one(placed, 'house').order < one(placed, 'fox').order)
})

test('two animals of the same kind look at each other', () => {
  const placed = of(layoutOf(sceneOf([subjectOf('dog', 'noto:dog', 0.6, { count: 2 })])), 'dog').sort((a, b) => a.box.x - b.box.x)
  // The stored drawing faces left, so the copy on the left is mirrored.
  assert.deepEqual(
    placed.map(dog => dog.flip),
    [true, false],
  )
})

test('the same scene always has the same layout', () => {
  const scene = sceneOf([
    subjectOf('s1', 'rig:sheep', 0.95, { count: 9 }),
    subjectOf('s2', 'tree:oak', 12, { count: 4, isBackground: true }),
  ])
  assert.deepEqual(layoutOf(scene), layoutOf(scene))
})
