import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../random.ts'
import { clarifyRow, grainRow, mixFloatRows, screenRow, shadeRow, weighPixelRow } from './light-kernels.ts'
import {
  addPixelRow,
  gatherPixelRow,
  gradeColoursOfRow,
  keepDetailsOfRow,
  meansAlongRows,
  meansDownRow,
  scaleTonesOfRow,
} from './pixel-kernels.ts'
import { halveRow, inkRow, spreadPixelRow, spreadRow, weightedAlong, weightedDown } from './plane-kernels.ts'
import { inRoom, take, views } from './room.ts'
import { expandRow, mixRow, repeatEdges, shrinkRow, sumAlong, sumDown, weighRow } from './smooth-kernels.ts'

const random = createRandom('kernels')
const count = 256
/** Returns random pixels in which every alpha from 0 to 255 occurs. */
const pixels = (length = count * 4) => Uint8Array.from({ length }, (_, k) => (k % 4 === 3 ? (k >> 2) % 256 : random.integer(0, 255)))
const floats = (length: number, most = 1) => Float32Array.from({ length }, () => random.between(0, most))
const clampByte = (value: number) => Math.max(0, Math.min(255, value))

/** Copies values into the WebAssembly memory of the filters and returns their address. */
function put(values: Uint8Array | Float32Array | Int32Array): number {
  const at = take(values.byteLength + 64)
  views().bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at)
  return at
}
const bytesAt = (at: number, length: number) => [...views().bytes.slice(at, at + length)]
const floatsAt = (at: number, length: number) => [...views().floats.slice(at / 4, at / 4 + length)]
const wordsAt = (at: number, length: number) => [...views().words.slice(at / 4, at / 4 + length)]

/** Checks that each value differs by at most `off` from the value that a plain loop computes. */
function near(actual: readonly number[], plain: readonly number[], off: number): void {
  assert.equal(actual.length, plain.length)
  for (const [k, value] of actual.entries()) assert.ok(Math.abs(value - plain[k]!) <= off, `at ${k}: ${value} against ${plain[k]}`)
}

const colours = [0, 1, 2] as const
const lumaOf = (row: Uint8Array, k: number) => row[k * 4]! * 0.299 + row[k * 4 + 1]! * 0.587 + row[k * 4 + 2]! * 0.114

test('kernels: brightness of pixels, and mixed rows of floats', () =>
  inRoom(() => {
    const row = pixels()
    const [from, to, weights] = [put(row), take(count * 4), put(Float32Array.of(0.42, 0.5, 0.08))]
    weighPixelRow(to, from, count / 4, weights)
    const plain = Array.from({ length: count }, (_, k) => row[k * 4]! * 0.42 + row[k * 4 + 1]! * 0.5 + row[k * 4 + 2]! * 0.08)
    near(floatsAt(to, count), plain, 1e-3)
    const [a, b] = [floats(count), floats(count)]
    mixFloatRows(to, put(a), put(b), count / 4, put(Float32Array.of(0.3)))
    near(
      floatsAt(to, count),
      [...a].map((value, k) => value + (b[k]! - value) * 0.3),
      1e-6,
    )
  }))

test('kernels: light and shade over pixels, grain and clarity', () =>
  inRoom(() => {
    const [row, other] = [pixels(), pixels()]
    const perColour = (of: (k: number, c: number) => number) => Array.from({ length: count * 3 }, (_, at) => of(Math.floor(at / 3), at % 3))
    const coloursAt = (at: number) => bytesAt(at, count * 4).filter((_, k) => k % 4 !== 3)
    const keepsAlpha = (at: number) =>
      assert.deepEqual(
        bytesAt(at, count * 4).filter((_, k) => k % 4 === 3),
        bytesAt(put(row), count * 4).filter((_, k) => k % 4 === 3),
      )
    for (const strength of [0, 0.12, 0.5, 1]) {
      const lit = put(row)
      screenRow(lit, put(other), count / 4, Math.round(strength * 257))
      near(
        coloursAt(lit),
        perColour((k, c) => row[k * 4 + c]! + ((255 - row[k * 4 + c]!) * other[k * 4 + c]! * strength) / 255),
        1.5,
      )
      keepsAlpha(lit)
    }
    const factors = floats(count)
    factors.set([0, 1])
    const shaded = put(row)
    shadeRow(shaded, put(factors), count / 4)
    near(
      coloursAt(shaded),
      perColour((k, c) => row[k * 4 + c]! * factors[k]!),
      1,
    )
    keepsAlpha(shaded)
    const noise = Float32Array.from({ length: count }, () => random.between(-1, 1))
    const grained = put(row)
    grainRow(grained, put(noise), count / 4, put(Float32Array.of(20)))
    const steps = (k: number) => {
      const light = row[k * 4 + 1]! / 255
      return noise[k]! * 20 * (light * (1 - light) * 2.6 + 0.35)
    }
    near(
      coloursAt(grained),
      perColour((k, c) => clampByte(row[k * 4 + c]! + steps(k))),
      1,
    )
    keepsAlpha(grained)
    const clear = put(row)
    clarifyRow(clear, put(other), count / 4, put(Float32Array.of(0.6)))
    const change = (k: number) => {
      const light = lumaOf(row, k)
      return Math.max(
        -28,
        Math.min(28, (light - (lumaOf(other, k) * 255) / Math.max(1, other[k * 4 + 3]!)) * 0.6 * (1 - Math.abs(light - 128) / 128)),
      )
    }
    near(
      coloursAt(clear),
      perColour((k, c) => clampByte(row[k * 4 + c]! + change(k))),
      1,
    )
    keepsAlpha(clear)
  }))

test('kernels: pixels are added to floats, and floats converted to pixels', () =>
  inRoom(() => {
    const [row, sums] = [pixels(), floats(count * 4, 50)]
    const to = put(sums)
    addPixelRow(to, put(row), count / 4, put(Float32Array.of(0.25)))
    near(
      floatsAt(to, count * 4),
      [...sums].map((value, k) => value + row[k]! * 0.25),
      1e-4,
    )
    const source = floats(count * 4 + 16, 200)
    const starts = Int32Array.from({ length: count }, (_, k) => k * 16)
    const weights = Float32Array.from({ length: count * 3 }, (_, k) => [0.2, 0.5, 0.3][k % 3]!)
    const out = take(count * 4)
    gatherPixelRow(out, put(source), count - 2, put(starts), put(weights), 3)
    const plain = Array.from({ length: (count - 2) * 4 }, (_, k) =>
      Math.round(source[k]! * 0.2 + source[k + 4]! * 0.5 + source[k + 8]! * 0.3),
    )
    near(bytesAt(out, plain.length), plain, 1)
  }))

test('kernels: details are restored where the brightness differs by more than the threshold', () =>
  inRoom(() => {
    const [row, original] = [pixels(), pixels()]
    for (let i = 3; i < original.length; i += 4) original[i] = 255 - original[i]!
    const to = put(row)
    keepDetailsOfRow(to, put(original), count / 2, 30 * 256)
    const plain = Array.from({ length: count * 4 }, (_, at) => {
      if (at % 4 === 3) return row[at]!
      const k = Math.floor(at / 4) * 4
      const light = [90, 128, 38].reduce((sum, weight, c) => sum + (original[k + c]! - row[k + c]!) * weight, 0) / 256
      const share = Math.min(1, Math.max(0, (Math.abs(light) - 30) / 40))
      return row[at]! + (original[at]! - row[at]!) * share
    })
    near(bytesAt(to, count * 4), plain, 2)
  }))

test('kernels: tones scaled by brightness, colours looked up, spread and tinted', () =>
  inRoom(() => {
    const row = pixels()
    // The factors fall as steeply with brightness as `evenTones` makes them for a dark picture.
    const factors = Int32Array.from({ length: 256 }, (_, k) => Math.round((263 / (k + 8)) * 4096))
    const lightOf = (k: number) => (row[k * 4]! * 77 + row[k * 4 + 1]! * 150 + row[k * 4 + 2]! * 29) >> 8
    const to = put(row)
    scaleTonesOfRow(to, count, put(factors))
    const scaled = [...row].map((value, at) => (at % 4 === 3 ? value : clampByte((value * factors[lightOf(at >> 2)]! + 2048) >> 12)))
    assert.deepEqual(bytesAt(to, count * 4), scaled)
    const tables = new Int32Array(768 + 1024)
    // Strong grades produce values below 0 and above 255, which the routine must limit.
    for (let k = 0; k < 256; k++) {
      tables[k] = k * 390 - 20_000
      tables[256 + k] = k * 256
      tables[512 + k] = k * 220
      tables.set([k * 40, -k * 40, 40, 0], 768 + k * 4)
    }
    for (const saturation of [0, 256, 300, 512]) {
      const graded = put(row)
      gradeColoursOfRow(graded, count, put(tables), saturation)
      const plain = [...row].map((value, at) => {
        if (at % 4 === 3) return value
        const k = (at >> 2) * 4
        const looked = colours.map(c => tables[c * 256 + row[k + c]!]!)
        const grey = (looked[0]! * 77 + looked[1]! * 150 + looked[2]! * 29) >> 8
        const tint = tables[768 + (Math.max(0, Math.min(65_280, grey)) >> 8) * 4 + (at % 4)]!
        return clampByte((grey + (((looked[at % 4]! - grey) * saturation) >> 8) + tint + 128) >> 8)
      })
      assert.deepEqual(bytesAt(graded, count * 4), plain)
    }
  }))

test('kernels: means along two rows and down columns equal those of each window', () =>
  inRoom(() => {
    const [a, b] = [pixels((count + 257) * 4), pixels((count + 257) * 4)]
    const [to, toOther] = [take(count * 4), take(count * 4)]
    for (const taps of [3, 5, 257]) {
      meansAlongRows(to, toOther, put(a), put(b), count, taps, Math.round(2 ** 20 / taps))
      for (const [at, row] of [
        [to, a],
        [toOther, b],
      ] as const)
        near(
          bytesAt(at, count * 4),
          Array.from(
            { length: count * 4 },
            (_, k) => Array.from({ length: taps }, (_, tap) => row[k + tap * 4]!).reduce((sum, value) => sum + value, 0) / taps,
          ),
          0.6,
        )
    }
    const rows = [pixels(), pixels(), pixels(), pixels()]
    const sums = new Uint8Array(count * 8)
    const shorts = new Int16Array(sums.buffer)
    for (let k = 0; k < count * 4; k++) shorts[k] = rows[0]![k]! + rows[1]![k]! + rows[2]![k]!
    const [column, held] = [take(count * 4), put(sums)]
    for (const [first, entering] of [
      [0, 3],
      [1, 3],
    ] as const) {
      meansDownRow(column, held, put(rows[entering]!), put(rows[first]!), count / 2, Math.round(2 ** 20 / 3))
      const of = first === 0 ? [0, 1, 2] : [1, 2, 3]
      near(
        bytesAt(column, count * 4),
        Array.from({ length: count * 4 }, (_, k) => of.reduce((sum, r) => sum + rows[r]![k]!, 0) / 3),
        0.51,
      )
    }
  }))

test('kernels: weighted sums of floats along and down, halving and interpolation', () =>
  inRoom(() => {
    const [source, other, third] = [floats(count * 2 + 16), floats(count * 2), floats(count * 2)]
    const weights = Float32Array.of(0.25, 0.5, 0.25)
    const to = take(count * 4 + 64)
    const [a, b, c] = [put(source), put(other), put(third)]
    weightedAlong(to, a, count / 16, put(weights), weights.length * 4)
    near(
      floatsAt(to, count),
      Array.from({ length: count }, (_, k) => source[k]! * 0.25 + source[k + 1]! * 0.5 + source[k + 2]! * 0.25),
      1e-6,
    )
    weightedDown(to, put(Int32Array.of(a, b, c)), count / 16, put(weights), weights.length * 4)
    near(
      floatsAt(to, count),
      Array.from({ length: count }, (_, k) => source[k]! * 0.25 + other[k]! * 0.5 + third[k]! * 0.25),
      1e-6,
    )
    halveRow(to, a, b, count / 4)
    const half = Array.from({ length: count }, (_, k) => (source[k * 2]! + source[k * 2 + 1]! + other[k * 2]! + other[k * 2 + 1]!) / 4)
    near(floatsAt(to, count), half, 1e-6)
    const [u, du] = [9000, 41_000]
    spreadRow(to, a, count / 16, u, du)
    const between = Array.from({ length: count }, (_, k) => {
      const place = (u + du * k) / 65_536
      const low = Math.floor(place)
      return source[low]! + (source[low + 1]! - source[low]!) * (place - low)
    })
    near(floatsAt(to, count), between, 1e-5)
    const row = pixels((count + 4) * 4)
    spreadPixelRow(to, put(row), count / 2, u, du)
    const seen = Array.from({ length: count * 4 }, (_, at) => {
      const place = (u + du * (at >> 2)) / 65_536
      const low = Math.floor(place)
      const [left, right] = [row[low * 4 + (at % 4)]!, row[low * 4 + 4 + (at % 4)]!]
      return left + (right - left) * (place - low)
    })
    near(bytesAt(to, count * 4), seen, 1.5)
  }))

test('kernels: ink is only on the dark side of edges', () =>
  inRoom(() => {
    const [narrow, wide] = [floats(count, 255), floats(count, 255)]
    const shape = [0.98, -0.6, 20] as const
    const to = put(narrow)
    inkRow(to, put(wide), count / 16, put(Float32Array.from(shape)))
    const limited = (value: number) => Math.max(0, Math.min(1, value))
    const plain = [...narrow].map((value, k) => {
      const line = limited((value - wide[k]! * shape[0]) * shape[1] + shape[2])
      return line * line * (3 - 2 * line) * limited((wide[k]! - value - 0.5) * 0.7)
    })
    near(floatsAt(to, count), plain, 1e-3)
  }))

test('kernels: blocks are shrunk, edges repeated, and sums are those of each window', () =>
  inRoom(() => {
    const [upper, lower] = [pixels(count * 8), pixels(count * 8)]
    const space = take((count + 8) * 16)
    const to = space + 64
    shrinkRow(to, put(upper), put(lower), count)
    const means = Array.from({ length: count * 3 }, (_, at) => {
      const [k, c] = [Math.floor(at / 3) * 8, at % 3]
      return (upper[k + c]! + upper[k + 4 + c]! + lower[k + c]! + lower[k + 4 + c]! + 2) >> 2
    })
    assert.deepEqual(
      wordsAt(to, count * 4).filter((_, k) => k % 4 !== 3),
      means,
    )
    repeatEdges(to, count, 4)
    assert.deepEqual(wordsAt(space, 4), wordsAt(to, 4))
    assert.deepEqual(wordsAt(to + (count + 3) * 16, 4), wordsAt(to + (count - 1) * 16, 4))
    const words = Int32Array.from({ length: (count + 4) * 4 }, () => random.integer(0, 9999))
    const [from, sums] = [put(words), take(count * 16)]
    sumAlong(sums, from, count, 3)
    const plain = Array.from({ length: count * 4 }, (_, k) => words[k]! + words[k + 4]! + words[k + 8]!)
    assert.deepEqual(wordsAt(sums, count * 4), plain)
    const given = take(count * 16)
    sumDown(given, sums, from, from + 64, count)
    assert.deepEqual(wordsAt(given, count * 4), plain)
    assert.deepEqual(
      wordsAt(sums, count * 4),
      plain.map((value, k) => value + words[k]! - words[k + 16]!),
    )
  }))

test('kernels: colours weighted by how even their brightness is, mixed from eight neighbours, and expanded', () =>
  inRoom(() => {
    const colour = Int32Array.from({ length: count * 4 }, () => random.integer(0, 4000))
    const light = Int32Array.from({ length: count * 4 }, (_, k) => (k % 4 === 3 ? random.integer(0, 16_000_000) : random.integer(0, 4000)))
    const to = take(count * 16)
    const [colourShare, lightShare] = [1 / 16, 1 / 20]
    weighRow(to, put(colour), put(light), count, put(Float32Array.of(colourShare, lightShare)))
    const weighed = Array.from({ length: count * 4 }, (_, at) => {
      const k = (at >> 2) * 4
      const mean = (light[k]! * 2 + light[k + 1]! * 5 + light[k + 2]!) * lightShare
      const variance = Math.max(0, (light[k + 3]! * lightShare - mean * mean) / 64)
      return (at % 4 === 3 ? 1 : colour[at]! * colourShare) / (4 + variance * variance)
    })
    const found = floatsAt(to, count * 4)
    for (const [k, value] of found.entries()) assert.ok(Math.abs(value - weighed[k]!) <= 1e-3 * Math.abs(weighed[k]!) + 1e-4, String(k))
    const width = count + 8
    const field = Float32Array.from({ length: width * 9 * 4 }, (_, k) => (k % 4 === 3 ? 1 : 0) * 0.5 + random.between(0.1, 100))
    const out = take(count * 4)
    const middle = put(field) + (4 * width + 4) * 16
    const [far, close] = [3, 2]
    mixRow(out, middle, count, far * 16, close * 16, far * width * 16, close * width * 16)
    const steps = [
      [far, 0],
      [-far, 0],
      [0, far],
      [0, -far],
      [close, close],
      [-close, close],
      [close, -close],
      [-close, -close],
    ] as const
    const mixed = Array.from({ length: count * 4 }, (_, at) => {
      if (at % 4 === 3) return 255
      const sum = (c: number) => steps.reduce((total, [x, y]) => total + field[((4 + y) * width + 4 + (at >> 2) + x) * 4 + c]!, 0)
      return clampByte(Math.floor(sum(at % 4) / sum(3) + 0.5))
    })
    near(bytesAt(out, count * 4), mixed, 1)
    const [own, other] = [pixels((count + 4) * 4), pixels((count + 4) * 4)]
    const wide = take(count * 8)
    expandRow(wide, put(own) + 4, put(other) + 4, count / 2)
    const expanded = Array.from({ length: count * 8 }, (_, at) => {
      const [x, c] = [at >> 2, at % 4]
      const k = ((x >> 1) + 1) * 4 + c
      const next = k + (x % 2 === 0 ? -4 : 4)
      return (9 * own[k]! + 3 * own[next]! + 3 * other[k]! + other[next]! + 8) >> 4
    })
    assert.deepEqual(bytesAt(wide, count * 8), expanded)
  }))
