import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { heaped } from './heaps.ts'
import type { Node } from './layout-types.ts'
import { type Cut, takeApart } from './pieces.ts'

function plate(): Canvas {
  const canvas = createCanvas(100, 100)
  const context = canvas.getContext('2d')
  context.fillStyle = '#c02020'
  context.fillRect(4, 4, 92, 92)
  return canvas
}

/** Returns the share of the picture that is painted, and the share of the painted pixels that are
 *  much paler than the plate: they show its cut surface. */
function sharesOf(cut: Cut): { painted: number; pale: number } {
  const { data } = plateOf(cut)
  let painted = 0
  let pale = 0
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 3] ?? 0) < 128) continue
    painted++
    if ((data[at + 2] ?? 0) > 90) pale++
  }
  return { painted: painted / 10000, pale: pale / Math.max(1, painted) }
}

function plateOf(cut: Cut) {
  const canvas = takeApart(plate(), cut)
  assert.deepEqual([canvas.width, canvas.height], [100, 100])
  return canvas.getContext('2d').getImageData(0, 0, 100, 100)
}

test('broken things keep most of their pixels and have gaps', () => {
  for (const cut of ['halved', 'sliced', 'broken'] as const) {
    const { painted } = sharesOf(cut)
    assert.ok(painted > 0.45 && painted < 0.8, `${cut}: ${painted}`)
  }
})

test('cut things show their inside, broken ones do not', () => {
  assert.ok(sharesOf('halved').pale > 0.08)
  assert.ok(sharesOf('sliced').pale > 0.08)
  assert.equal(sharesOf('broken').pale, 0)
})

const box = (): Node =>
  ({
    item: { subject: { art: 'noto:package' }, bounds: { left: -50, right: 50, top: -100, bottom: 0 } },
    x: 0,
    y: 0,
    unit: 0.01,
    z: 0,
    attachment: 'none',
  }) as unknown as Node

test('a stack is one column, and a pile has fewer things in each higher row', () => {
  const rows = (looks: string[]) => {
    const nodes = heaped(Array.from({ length: 6 }, box), looks)
    const levels = new Map<string, number>()
    for (const { y } of nodes) levels.set(y.toFixed(2), (levels.get(y.toFixed(2)) ?? 0) + 1)
    return [...levels.values()]
  }
  assert.deepEqual(rows(['stacked']), [1, 1, 1, 1, 1, 1])
  assert.deepEqual(rows(['piled']), [3, 2, 1])
  assert.deepEqual(rows(['filling']), [4, 2])
})
