import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../random.ts'
import { blurPlane, boxBlur, softBlur } from './blur.ts'
import { triangulate } from './delaunay.ts'
import { lumaPlane } from './edges.ts'
import { kuwahara } from './kuwahara.ts'
import { fractalNoise, grainTile, repeat } from './noise.ts'
import { findPalette } from './palette.ts'
import { createPlane, createRaster } from './pixels.ts'
import { resizeRaster } from './resize.ts'
import { stretch } from './stretch.ts'
import { testPicture } from './test-picture.ts'

test('blurs keep the mean, and do not change a plain picture', () => {
  const even = createRaster(40, 30)
  even.data.fill(77)
  for (const out of [boxBlur(even, 3), softBlur(even, 9)])
    for (let i = 0; i < out.data.length; i++) if (i % 4 !== 3) assert.equal(out.data[i], 77)
  const plane = createPlane(65, 65)
  plane.data[32 * 65 + 32] = 1000
  for (const sigma of [0.6, 1.7, 3, 6]) {
    const soft = blurPlane(plane, sigma)
    const sum = soft.data.reduce((total, value) => total + value, 0)
    assert.ok(Math.abs(sum - 1000) < 40, `sigma ${sigma}: ${sum}`)
    const peak = 1000 / (2 * Math.PI * sigma * sigma)
    assert.ok(Math.abs(soft.data[32 * 65 + 32]! - peak) < peak * 0.35, `sigma ${sigma}: peak ${soft.data[32 * 65 + 32]} for ${peak}`)
  }
})

test('resizing keeps means, and enlarging and shrinking a picture restores it', () => {
  const picture = testPicture(90, 60)
  const back = resizeRaster(resizeRaster(picture, 270, 180), 90, 60)
  let off = 0
  for (let i = 0; i < back.data.length; i++) off += Math.abs(back.data[i]! - picture.data[i]!)
  assert.ok(off / back.data.length < 4)
  const mean = (data: Uint8ClampedArray) => data.reduce((sum, value) => sum + value, 0) / data.length
  assert.ok(Math.abs(mean(resizeRaster(picture, 31, 17).data) - mean(picture.data)) < 1.5)
})

test('a plane is read at another size row by row', () => {
  const plane = { data: Float32Array.of(0, 10, 20, 30), width: 2, height: 2 }
  const row = new Float32Array(4)
  stretch(plane, 4, 4)(0, row)
  assert.deepEqual([...row], [0, 2.5, 7.5, 10])
})

test('Kuwahara evens textures out and keeps borders', () => {
  const picture = testPicture(128, 128)
  const out = kuwahara(picture, 6)
  const spread = (data: Float32Array) => {
    let sum = 0
    for (let x = 100; x < 120; x++) for (let y = 100; y < 120; y++) sum += Math.abs(data[y * 128 + x]! - data[y * 128 + x + 1]!)
    return sum
  }
  assert.ok(spread(lumaPlane(out).data) < spread(lumaPlane(picture).data) / 3)
  const redInside = out.data[(74 * 128 + 64) * 4]!
  const greenOutside = out.data[(74 * 128 + 100) * 4 + 1]!
  assert.ok(redInside > 180 && greenOutside > 90)
})

test('noise stays in range, and tiles have no seam', () => {
  const noise = fractalNoise(createRandom('n'), { width: 50, height: 40 }, 12, 4)
  for (const value of noise.data) assert.ok(value >= 0 && value <= 1)
  const tile = grainTile(createRandom('t'), 32, 1)
  const row = new Float32Array(64)
  repeat(tile, 64, 1)(0, row)
  for (let x = 0; x < 32; x++) assert.equal(row[x], row[x + 32])
})

test('a palette contains a small accent as well as the large areas', () => {
  const picture = createRaster(100, 100)
  for (let i = 0; i < picture.data.length; i += 4) picture.data.set([30, 80, 160, 255], i)
  for (let y = 40; y < 46; y++) for (let x = 40; x < 46; x++) picture.data.set([250, 220, 20, 255], (y * 100 + x) * 4)
  const palette = findPalette(picture, 6)
  assert.ok(palette.some(({ r, g, b }) => r > 240 && g > 210 && b < 30))
  assert.ok(palette.some(({ b }) => b > 150))
})

test('the triangles cover the hull exactly once, and no circle around one contains a fourth point', () => {
  const random = createRandom('points')
  const xs = Float64Array.from({ length: 60 }, () => random.next() * 100)
  const ys = Float64Array.from({ length: 60 }, () => random.next() * 100)
  const triangles = triangulate(xs, ys)
  let area = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!]
    area += Math.abs((xs[b]! - xs[a]!) * (ys[c]! - ys[a]!) - (ys[b]! - ys[a]!) * (xs[c]! - xs[a]!)) / 2
    assert.ok(isEmptyCircle(xs, ys, [a, b, c]), `circle of ${a} ${b} ${c}`)
  }
  assert.ok(area > 7000 && area < 10000, `${area}`)
})

function isEmptyCircle(xs: Float64Array, ys: Float64Array, [a, b, c]: [number, number, number]): boolean {
  const d = 2 * (xs[a]! * (ys[b]! - ys[c]!) + xs[b]! * (ys[c]! - ys[a]!) + xs[c]! * (ys[a]! - ys[b]!))
  const square = (k: number) => xs[k]! ** 2 + ys[k]! ** 2
  const x = (square(a) * (ys[b]! - ys[c]!) + square(b) * (ys[c]! - ys[a]!) + square(c) * (ys[a]! - ys[b]!)) / d
  const y = (square(a) * (xs[c]! - xs[b]!) + square(b) * (xs[a]! - xs[c]!) + square(c) * (xs[b]! - xs[a]!)) / d
  const radius = Math.hypot(xs[a]! - x, ys[a]! - y)
  return xs.every((px, k) => k === a || k === b || k === c || Math.hypot(px - x, ys[k]! - y) > radius - 1e-6)
}
