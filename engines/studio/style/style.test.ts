import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import { styleKinds } from '../scene.ts'
import { moodGrades } from './moods.ts'
import type { Pixels } from './pixels.ts'
import { applyStyle } from './style.ts'
import { testPicture } from './test-picture.ts'

const picture = testPicture(256, 192)
const styled = new Map(styleKinds.map(style => [style, applyStyle(picture, style, { seed: '7' })]))

test('every style keeps the size, is opaque and leaves its input alone', () => {
  const before = testPicture(256, 192)
  for (const [style, out] of styled) {
    assert.equal(out.width, 256, style)
    assert.equal(out.height, 192, style)
    assert.equal(out.data.length, 256 * 192 * 4, style)
    assert.ok(isOpaque(out), `${style} has see-through pixels`)
  }
  assert.deepEqual(picture.data, before.data)
})

test('every style differs from its input and from every other style', () => {
  const kinds = [...styled.keys()]
  for (const [k, style] of kinds.entries()) {
    const own = styled.get(style)!
    assert.ok(difference(own, picture) > (style === 'illustration' ? 0.5 : 2), `${style} looks like the input`)
    for (const other of kinds.slice(k + 1)) assert.ok(difference(own, styled.get(other)!) > 2, `${style} looks like ${other}`)
  }
})

test('the same seed gives the same bytes and another seed does not change the picture beyond recognition', () => {
  const small = testPicture(128, 96)
  for (const style of styleKinds) {
    const [first, again, other] = ['7', '7', '8'].map(seed => applyStyle(small, style, { seed }))
    assert.deepEqual(first!.data, again!.data, style)
    assert.ok(difference(other!, first!) < 45, style)
  }
})

test('odd sizes are styled: tiny, one row, extreme ratios', () => {
  for (const [width, height] of [
    [64, 64],
    [1, 1],
    [3, 40],
    [97, 33],
    [512, 32],
  ] as const) {
    const small = testPicture(width, height)
    for (const style of styleKinds) {
      const out = applyStyle(small, style, { seed: '1' })
      assert.deepEqual([out.width, out.height, out.data.length], [width, height, width * height * 4], `${style} ${width}x${height}`)
      assert.ok(isOpaque(out), `${style} ${width}x${height}`)
    }
  }
})

test('a style looks alike at two sizes', () => {
  const large = testPicture(512, 384)
  for (const style of styleKinds) {
    const small = styled.get(style)!
    const big = applyStyle(large, style, { seed: '7' })
    const means = [small, big].map(out => mean(out))
    assert.ok(Math.abs(means[0]! - means[1]!) < 14, `${style}: mean ${means[0]} against ${means[1]}`)
  }
})

test('a transparent input is drawn over white', () => {
  const clear = { data: new Uint8Array(64 * 64 * 4), width: 64, height: 64 }
  assert.ok(mean(applyStyle(clear, 'illustration', { seed: '1' })) > 225)
})

test('data that does not fit the size is refused', () => {
  assert.throws(() => applyStyle({ data: new Uint8ClampedArray(12), width: 2, height: 2 }, 'oil', { seed: '1' }), RangeError)
})

test('black and white styles have no colour, pixel art has square dots and at most 40 colours', () => {
  const noir = styled.get('noir')!
  for (let i = 0; i < noir.data.length; i += 4)
    assert.ok(Math.max(Math.abs(noir.data[i]! - noir.data[i + 1]!), Math.abs(noir.data[i]! - noir.data[i + 2]!)) <= 1)
  const pixel = styled.get('pixel')!
  const colours = new Set<number>()
  for (let y = 0; y < 192; y++) {
    for (let x = 0; x < 256; x++) {
      const i = (y * 256 + x) * 4
      const cell = ((y & ~1) * 256 + (x & ~1)) * 4
      assert.deepEqual(pixel.data.subarray(i, i + 3), pixel.data.subarray(cell, cell + 3))
      colours.add((pixel.data[i]! << 16) | (pixel.data[i + 1]! << 8) | pixel.data[i + 2]!)
    }
  }
  assert.ok(colours.size <= 40 && colours.size > 8, `${colours.size} colours`)
})

test('watercolor leaves a border of bare paper', () => {
  const { data } = styled.get('watercolor')!
  assert.ok(data[0]! > 235 && data[1]! > 235 && data[2]! > 220)
  const middle = (96 * 256 + 40) * 4
  assert.ok(data[middle]! < 230)
})

test('moods change light and colour as their words say', () => {
  const plain = styled.get('illustration')!
  const mood = (name: string) => applyStyle(picture, 'illustration', { seed: '7', moods: [name] })
  for (const name of Object.keys(moodGrades)) assert.ok(difference(mood(name), plain) > 2, name)
  assert.ok(mean(mood('dark')) < mean(plain) - 10)
  assert.ok(mean(mood('bright')) > mean(plain) + 10)
  assert.ok(warmth(mood('warm')) > warmth(plain) + 5)
  assert.ok(warmth(mood('cold')) < warmth(plain) - 5)
  assert.ok(colourfulness(mood('vivid')) > colourfulness(plain) + 5)
  assert.ok(colourfulness(mood('muted')) < colourfulness(plain) - 5)
  assert.deepEqual(mood('unheard-of').data, plain.data)
})

test('each style takes at most three times its budget of 350 ms at 1024 x 1024', () => {
  const large = testPicture(1024, 1024)
  for (const style of styleKinds) {
    const ms = leastCpuMs(() => applyStyle(large, style, { seed: '1' }), 1050)
    assert.ok(ms < 1050, `${style} took ${ms.toFixed(0)} ms`)
  }
})

function isOpaque({ data }: Pixels): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return false
  return true
}

/** Returns the mean difference of all channels, 0 to 255. */
function difference(a: Pixels, b: Pixels): number {
  let sum = 0
  for (let i = 0; i < a.data.length; i++) sum += Math.abs(a.data[i]! - b.data[i]!)
  return sum / ((a.data.length / 4) * 3)
}

function mean({ data }: Pixels): number {
  let sum = 0
  for (let i = 0; i < data.length; i += 4) sum += data[i]! + data[i + 1]! + data[i + 2]!
  return sum / ((data.length / 4) * 3)
}

function warmth({ data }: Pixels): number {
  let sum = 0
  for (let i = 0; i < data.length; i += 4) sum += data[i]! - data[i + 2]!
  return sum / (data.length / 4)
}

function colourfulness({ data }: Pixels): number {
  let sum = 0
  for (let i = 0; i < data.length; i += 4)
    sum += Math.max(data[i]!, data[i + 1]!, data[i + 2]!) - Math.min(data[i]!, data[i + 1]!, data[i + 2]!)
  return sum / (data.length / 4)
}
