/** Tests how prompts about full containers, contents and poured drinks are read, and where the
 *  things are placed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeScene } from '../compose.ts'
import { parsePrompt } from './parse.ts'

const parse = (prompt: string) => parsePrompt(prompt, { seed: '1' })
const placed = (prompt: string) => {
  const scene = parse(prompt)
  const idOf = (noun: string) => scene.subjects.find(subject => subject.noun === noun)?.id ?? assert.fail(noun)
  const things = placeScene(scene, { width: 512, height: 512 })
  return (noun: string) => things.filter(({ subject }) => subject === idOf(noun))
}

for (const [prompt, art, content] of [
  ['a basket of oranges', 'noto:basket', 'orange'],
  ['a crate of apples', 'drawn:open-crate', 'apple'],
  ['a box full of donuts', 'drawn:open-box', 'donut'],
  ['a bag of potatoes', 'drawn:sack', 'potato'],
] as const)
  test(`${prompt}: the contents are visible in their container`, () => {
    const [holder, inside] = parse(prompt).subjects
    assert.equal(holder?.art, art)
    assert.equal(inside?.noun, content)
    assert.deepEqual(inside?.relations, [{ kind: 'in', of: holder.id }])
    assert.ok(inside.count >= 5)
  })

test('in a heap in a bowl no row floats above the row below', () => {
  const of = placed('a wooden bowl full of red apples')
  const rows = of('apple').sort((a, b) => a.box.y - b.box.y)
  const [top] = rows
  const next = rows.find(({ box }) => box.y > (top?.box.y ?? 0) + 0.001)
  assert.ok(top && next)
  assert.ok(next.box.y - top.box.y <= top.box.height * 0.95, `${next.box.y - top.box.y} for a height of ${top.box.height}`)
})

test('two kinds of things in one bowl have the same scale', () => {
  const of = placed('a bowl with six oranges and two apples')
  const [orange, apple] = [of('orange')[0]?.box.height ?? 0, of('apple')[0]?.box.height ?? 0]
  assert.ok(orange / apple > 0.6 && orange / apple < 1.7, `${orange} and ${apple}`)
})

test('flowers in a vase have their heads above it, in a fan, and the vase is on a table', () => {
  const scene = parse('a vase of sunflowers')
  assert.equal(scene.setting.kind, 'table')
  const of = placed('a vase of three sunflowers')
  const [vase] = of('vase')
  assert.ok(vase)
  const flowers = of('sunflower')
  assert.equal(flowers.length, 3)
  assert.deepEqual(flowers.map(({ tilt }) => Math.sign(tilt)).sort(), [-1, 0, 1])
  for (const { box } of flowers) {
    assert.ok(box.height > vase.box.height * 0.6, 'as high as a flower is')
    assert.ok(box.y < vase.box.y - vase.box.height * 0.3, 'its head is over the rim')
  }
  for (const prompt of ['a vase with sunflowers on a table', 'three balls on a table', 'a bowl of apples on the kitchen table'])
    assert.equal(parse(prompt).setting.kind, 'table', prompt)
})

test('a person who pours holds the vessel, and something that is poured by nobody is drawn with the vessel', () => {
  assert.deepEqual(
    parse('a teapot pouring tea into a cup').subjects.map(({ art }) => art),
    ['drawn:pouring-tea'],
  )
  assert.deepEqual(
    parse('milk is being poured into a glass').subjects.map(({ art }) => art),
    ['drawn:pouring-milk'],
  )
  const { subjects, notDrawn } = parse('a waiter pouring coffee into a cup')
  assert.ok(subjects.some(({ person, pose }) => person && pose === 'pouring'))
  assert.deepEqual(notDrawn, [])
})

test('a towel on the beach lies flat, and one in a bathroom hangs', () => {
  assert.equal(parse('a striped towel on the beach').subjects[0]?.art, 'drawn:beach-towel')
  assert.equal(parse('a red towel in a bathroom').subjects[0]?.art, 'drawn:towel')
})
