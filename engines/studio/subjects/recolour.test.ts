import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hueDistance, parseHex } from '../colour.ts'
import { rgbToHsl } from './colour.ts'
import { dominantHue, recolour } from './recolour.ts'

/** Returns a picture in one colour, with a lighter and a darker half, and a stripe in another
 *  hue. */
function picture(base: [number, number, number], stripe: [number, number, number]): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(30 * 30 * 4)
  for (let i = 0; i < 900; i++) {
    const share = i < 450 ? 1.15 : 0.8
    const colour = i % 30 < 4 ? stripe : base.map(channel => channel * share)
    pixels.set([...colour, 255], i * 4)
  }
  return pixels
}

test('the dominant hue becomes the requested colour', () => {
  for (const hex of ['#2f6fc4', '#2ecc71', '#8e44ad', '#f1c40f']) {
    const pixels = picture([200, 60, 50], [40, 90, 200])
    recolour(pixels, { hex, name: '' })
    const hue = dominantHue(pixels)
    assert.ok(hue !== undefined && hueDistance(hue, rgbToHsl(parseHex(hex)).h) < 14, `${hex} became hue ${hue}`)
  }
})

test('other hues do not change, and light areas stay lighter than shaded ones', () => {
  const pixels = picture([200, 60, 50], [40, 90, 200])
  recolour(pixels, { hex: '#2ecc71', name: 'green' })
  assert.deepEqual([...pixels.slice(0, 3)], [40, 90, 200])
  const at = (index: number) => (pixels[index * 4] ?? 0) + (pixels[index * 4 + 1] ?? 0) + (pixels[index * 4 + 2] ?? 0)
  assert.ok(at(10) > at(460))
})

test('a grey thing gets the colour as a whole', () => {
  const pixels = picture([150, 150, 152], [150, 150, 152])
  recolour(pixels, { hex: '#2f6fc4', name: 'blue' })
  const hue = dominantHue(pixels)
  assert.ok(hue !== undefined && hueDistance(hue, 214) < 16)
})

test('recolouring to black or white removes the hue', () => {
  for (const [hex, isLight] of [
    ['#111111', false],
    ['#ffffff', true],
  ] as const) {
    const pixels = picture([200, 60, 50], [200, 60, 50])
    recolour(pixels, { hex, name: '' })
    const { s, l } = rgbToHsl({ r: pixels[40] ?? 0, g: pixels[41] ?? 0, b: pixels[42] ?? 0 })
    assert.ok(s < 0.2 && (isLight ? l > 0.8 : l < 0.4), `${hex}: s ${s} l ${l}`)
  }
})

test('in a white thing with black patches the white gets the colour', () => {
  const pixels = new Uint8ClampedArray(400)
  for (let i = 0; i < 100; i++) pixels.set(i % 3 === 0 ? [60, 60, 60, 255] : [245, 245, 245, 255], i * 4)
  recolour(pixels, { hex: '#f48fb1', name: 'pink' })
  assert.deepEqual(
    [...pixels.slice(4, 7)].map(value => Math.round(value / 20)),
    [12, 7, 9],
  )
})
