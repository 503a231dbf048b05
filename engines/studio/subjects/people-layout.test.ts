import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeScene } from '../compose.ts'
import { parsePrompt } from '../language/parse.ts'
import type { Box, PlacedSubject } from './placed.ts'

/** Returns a function that lists the positions of a noun's copies, from left to right. */
function placed(prompt: string): (noun: string) => (PlacedSubject & { box: Box })[] {
  const scene = parsePrompt(prompt, { seed: '7' })
  const all = placeScene(scene, { width: 512, height: 512 })
  return noun => {
    const id = scene.subjects.find(subject => subject.noun === noun)?.id
    const found = all.filter(one => one.subject === id).sort((a, b) => a.box.x - b.box.x)
    assert.ok(found.length > 0, `no ${noun} in "${prompt}"`)
    return found
  }
}

function first(list: readonly PlacedSubject[]): Box {
  const [one] = list
  assert.ok(one)
  return one.box
}
const right = (box: Box) => box.x + box.width
const bottom = (box: Box) => box.y + box.height
const center = (box: Box) => box.x + box.width / 2

test('a portrait is cut off by the lower edge of the picture', () => {
  for (const prompt of ['an angry man', 'a close-up portrait of a smiling woman holding a phone'])
    assert.ok(Math.abs(bottom(first(placed(prompt)(prompt.includes('woman') ? 'woman' : 'man'))) - 1) < 0.01, prompt)
})

test('hands that shake touch, and a couple that hugs is close together', () => {
  const [a, b] = placed('two people shaking hands')('person').map(one => one.box)
  assert.ok(a && b && Math.abs(b.x - right(a)) < 0.03, `gap ${b && a && b.x - right(a)}`)
  const [c, d] = placed('two people hugging')('person').map(one => one.box)
  assert.ok(c && d && right(c) - d.x > c.width * 0.3)
})

test('two people at a table sit at its ends and look at each other', () => {
  const at = placed('two men playing chess')
  const [a, b] = at('man')
  const table = first(at('chess table'))
  assert.ok(a && b)
  assert.ok(center(a.box) < center(table) && center(b.box) > center(table))
  assert.notEqual(a.flip, b.flip)
})

test('a driver is behind the windows of the car', () => {
  const at = placed('a man driving a car')
  const [man, car] = [first(at('man')), first(at('car'))]
  assert.ok(man.x > car.x && right(man) < right(car) && man.y >= car.y - 0.01 && bottom(man) < car.y + car.height * 0.6)
  assert.ok(man.height < car.height * 0.5)
})

test('a parrot on the shoulder is beside the head, not on it', () => {
  const at = placed('a man with a parrot on his shoulder')
  const [man, parrot] = [first(at('man')), first(at('parrot'))]
  assert.ok(bottom(parrot) > man.y + man.height * 0.12 && bottom(parrot) < man.y + man.height * 0.35)
  assert.ok(Math.abs(center(parrot) - center(man)) > man.width * 0.08)
})

test('a person who pushes stands behind the pushed thing', () => {
  const at = placed('a nurse pushing an old man in a wheelchair')
  const [nurse] = at('nurse')
  const [chair] = at('wheelchair')
  assert.ok(nurse && chair)
  // The wheelchair is drawn from the side, and must face away from the nurse who pushes it.
  assert.ok(Math.abs(center(nurse.box) - center(chair.box)) > chair.box.width * 0.4)
})

test('a subject in a tree, at the drums or in a transparent box is large enough to be seen', () => {
  const panda = placed('a red panda asleep in a tree')
  assert.ok(first(panda('red panda')).width > first(panda('tree')).width * 0.2)
  const band = placed('an octopus playing the drums')
  assert.ok(first(band('octopus')).y < first(band('drums')).y)
  const clear = placed('a blue ball inside a glass box')
  const [ball, box] = [first(clear('ball')), first(clear('box'))]
  assert.ok(ball.y > box.y && bottom(ball) < bottom(box) && ball.x > box.x && right(ball) < right(box))
})

test('several birds on one branch sit side by side, in the same size', () => {
  const birds = placed('four toucans on a branch')('toucan').map(one => one.box)
  for (const [index, box] of birds.slice(1).entries()) {
    const before = birds[index]
    assert.ok(before && box.x > before.x + before.width * 0.9 && Math.abs(bottom(box) - bottom(before)) < 0.01)
    assert.ok(Math.abs(box.height - before.height) < 0.01)
  }
})

test('a person in a tub is within its walls, and one in a pool is cut off by the water', () => {
  const at = placed('a man in a bathtub')
  const [man, tub] = [first(at('man')), first(at('bathtub'))]
  assert.ok(man.y < tub.y && bottom(man) < bottom(tub) && center(man) > tub.x && center(man) < right(tub))
  assert.equal(at('man')[0]?.attachment, 'inside')
  assert.equal(placed('a woman in a swimming pool')('woman')[0]?.lane, 'water')
})

test('each of four people on a bench has a separate place, also the one with a book', () => {
  const scene = parsePrompt('four boys on a bench, one of them reading a book', { seed: '7' })
  const boys = placeScene(scene, { width: 512, height: 512 }).filter(({ subject }) =>
    scene.subjects.some(({ id, noun }) => id === subject && noun === 'boy'),
  )
  const middles = boys.map(({ box }) => center(box)).sort((a, b) => a - b)
  assert.equal(middles.length, 4)
  for (const [index, x] of middles.slice(1).entries()) assert.ok(x - (middles[index] ?? 0) > 0.05, `${middles}`)
})

test('a rescuer stands at the foot of the tree that the kitten is in', () => {
  const at = placed('a firefighter rescuing a kitten from a tree')
  const [kitten, man, tree] = [first(at('kitten')), first(at('firefighter')), first(at('tree'))]
  assert.ok(bottom(kitten) < bottom(man) - 0.1 && Math.abs(bottom(man) - bottom(tree)) < 0.1)
  assert.ok(center(kitten) > tree.x && center(kitten) < right(tree))
})

test('people back to back look away from each other, and two dancers look at each other', () => {
  const [left, right] = placed('two girls standing back to back')('girl')
  assert.deepEqual([left?.flip, right?.flip], [true, false])
  const [man, woman] = placed('a couple dancing the tango')('couple')
  assert.deepEqual([man?.flip, woman?.flip], [false, true])
})
