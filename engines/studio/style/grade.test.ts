import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../random.ts'
import { softBlur } from './blur.ts'
import { keepDetails } from './details.ts'
import { type Grade, grade } from './grade.ts'
import { copyRaster, type Raster } from './pixels.ts'
import { testPicture } from './test-picture.ts'
import { evenTones } from './tones.ts'

const fields: Readonly<Record<keyof Grade, Grade>> = {
  exposure: { exposure: -0.4 },
  contrast: { contrast: 0.5 },
  saturation: { saturation: 0.6 },
  temperature: { temperature: -0.5 },
  fade: { fade: 0.6 },
  shadows: { shadows: { r: 20, g: 70, b: 90, strength: 0.5 } },
  highlights: { highlights: { r: 255, g: 190, b: 90, strength: 0.5 } },
  vignette: { vignette: 0.8 },
  grain: { grain: 0.4 },
  bloom: { bloom: 0.6 },
  clarity: { clarity: 0.6 },
}
const looksAround: ReadonlySet<string> = new Set(['bloom', 'clarity'])
const every: Grade = Object.assign({}, ...Object.values(fields))

/** Returns a picture with 256 columns whose alpha rises from 0 to 255 in every row. */
function layer(): Raster {
  const picture = testPicture(256, 192)
  for (let i = 3; i < picture.data.length; i += 4) picture.data[i] = (i >> 2) % 256
  return picture
}

function graded(raster: Raster, wanted: Grade): Raster {
  const copy = copyRaster(raster)
  grade(copy, wanted, createRandom('grade'))
  return copy
}

const alphas = ({ data }: Raster) => data.filter((_, k) => k % 4 === 3)
const colours = ({ data }: Raster) => data.filter((_, k) => k % 4 !== 3)

/** Compares bytes, and reports only the first difference: if the assertion printed whole pictures,
 *  it would take minutes. */
function sameBytes(actual: Uint8ClampedArray, expected: Uint8ClampedArray, name?: string): void {
  const at = actual.findIndex((value, k) => value !== expected[k])
  assert.ok(at < 0 && actual.length === expected.length, `${name ?? ''} at ${at}: ${actual[at]} instead of ${expected[at]}`)
}

test('grades keep the alpha of every pixel, alone and combined', () => {
  const given = layer()
  for (const [name, wanted] of [...Object.entries(fields), ['every field', every] as const])
    sameBytes(alphas(graded(given, wanted)), alphas(given), name)
})

test('the colour of a pixel is graded the same whatever its alpha is', () => {
  const given = layer()
  const solid = testPicture(256, 192)
  for (const [name, wanted] of Object.entries(fields))
    if (!looksAround.has(name)) sameBytes(colours(graded(given, wanted)), colours(graded(solid, wanted)), name)
})

test('a pixel affects its surroundings in proportion to its alpha: invisible pixels have no effect', () => {
  const [dark, bright] = [layer(), layer()]
  for (const [raster, value] of [
    [dark, 0],
    [bright, 255],
  ] as const)
    for (let i = 0; i < raster.data.length; i += 4) if ((i >> 2) % 256 < 128) raster.data.set([value, value, value, 0], i)
  for (const name of looksAround) {
    const wanted: Grade = { [name]: 0.6 }
    const [a, b] = [graded(dark, wanted), graded(bright, wanted)]
    const seen = (raster: Raster) => colours(raster).filter((_, k) => Math.floor(k / 3) % 256 >= 128)
    sameBytes(seen(a), seen(b), name)
  }
})

test('clarity at the edge of a layer ignores the empty area beside it', () => {
  const even = testPicture(256, 192)
  for (let i = 0; i < even.data.length; i += 4) even.data.set((i >> 2) % 256 < 128 ? [0, 0, 0, 0] : [120, 120, 120, 255], i)
  const out = graded(even, { clarity: 1 })
  for (let i = 0; i < out.data.length; i += 4) if (out.data[i + 3] === 255) assert.ok(Math.abs(out.data[i]! - 120) <= 1)
})

test('tones and details keep the alpha of every pixel, and a blur blurs it', () => {
  const given = layer()
  sameBytes(alphas(evenTones(copyRaster(given), 120, 0.8)), alphas(given))
  const other = testPicture(256, 192)
  sameBytes(alphas(keepDetails(copyRaster(given), other, { radius: 0, least: 10 })), alphas(given))
  for (const sigma of [1, 3, 12]) {
    const soft = alphas(softBlur(given, sigma))
    // Far from the edges, a blur does not change a linear ramp, so the expected values are known
    // there.
    for (let x = 64; x < 192; x++) assert.ok(Math.abs(soft[96 * 256 + x]! - x) <= 3, `sigma ${sigma}, alpha ${x}: ${soft[96 * 256 + x]}`)
  }
})
