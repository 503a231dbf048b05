import assert from 'node:assert/strict'
import { test } from 'node:test'
import { letterMakes } from '../scene.ts'
import { drawLettering } from './lettering.ts'
import type { Raster } from './pixels.ts'

const [width, height] = [240, 120]
const within = { x: 10, y: 10, width: 220, height: 100 }

function sheet(grey: number): Raster {
  const data = new Uint8ClampedArray(width * height * 4).fill(grey)
  for (let i = 3; i < data.length; i += 4) data[i] = 255
  return { data, width, height }
}

/** Returns the share of pixels that differ from the background, and the mean colour of these
 *  pixels. */
function drawnOn(grey: number, made?: (typeof letterMakes)[number], hex?: string) {
  const out = drawLettering(sheet(grey), { text: 'OAK', ...(made ? { made } : {}), ...(hex ? { colour: { hex, name: 'x' } } : {}) }, within)
  const sums = [0, 0, 0]
  let count = 0
  for (let i = 0; i < out.data.length; i += 4) {
    if (Math.abs(out.data[i]! - grey) + Math.abs(out.data[i + 1]! - grey) + Math.abs(out.data[i + 2]! - grey) < 30) continue
    count++
    for (let k = 0; k < 3; k++) sums[k]! += out.data[i + k]!
  }
  return { share: count / (width * height), colour: sums.map(sum => sum / Math.max(1, count)), data: out.data }
}

test('letters of every material cover about the area of their outlines, and no two materials look equal', () => {
  const seen = letterMakes.map(make => ({ make, ...drawnOn(90, make) }))
  const plain = drawnOn(90).share
  for (const { make, share } of seen) assert.ok(share > plain * 0.4 && share < plain * 5, `${make} covers ${share}`)
  for (const [k, one] of seen.entries())
    for (const other of seen.slice(k + 1)) assert.notDeepEqual(one.data, other.data, `${one.make} and ${other.make}`)
})

test('letters have the requested colour', () => {
  for (const make of letterMakes) {
    const { colour } = drawnOn(90, make, '#2040e0')
    assert.ok(colour[2]! > colour[0]! + 20, `${make}: ${colour}`)
  }
})

test('neon glows beyond its outline', () => {
  assert.ok(drawnOn(20, 'neon').share > drawnOn(20).share * 1.05)
})
