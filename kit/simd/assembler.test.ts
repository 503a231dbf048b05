import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as simd from './assembler.ts'

const memory = simd.createMemory(1, 4)
const [from, second, to] = [256, 512, 1024]
const bytes = () => new Uint8Array(memory.buffer)

/** Runs an expression of two vectors on these bytes, and returns the resulting vector. */
function resultOf(make: (a: simd.Code, b: simd.Code) => simd.Code, a: ArrayLike<number> & ArrayBufferView, b = a): Uint8Array {
  const { run } = simd.assemble(
    {
      run: {
        parameters: ['to', 'a', 'b'],
        body: ({ get }) => [simd.storeVector(get('to'), make(simd.loadVector(get('a')), simd.loadVector(get('b'))))],
      },
    },
    memory,
  )
  bytes().set(new Uint8Array(a.buffer), from)
  bytes().set(new Uint8Array(b.buffer), second)
  run(to, from, second)
  return bytes().slice(to, to + 16)
}

const wordsOf = (value: Uint8Array) => [...new Int32Array(value.buffer)]
const shortsOf = (value: Uint8Array) => [...new Int16Array(value.buffer)]
const floatsOf = (value: Uint8Array) => [...new Float32Array(value.buffer)]

const words = [Int32Array.of(5, -7, 70_000, -2_000_000), Int32Array.of(3, 9, -90_000, 41)] as const
const shorts = [Int16Array.of(1, -2, 300, -400, 32_000, -32_000, 7, 0), Int16Array.of(9, 8, -7, 600, 3, 40, -5, 1)] as const
const floats = [Float32Array.of(1.5, -2.25, 1000.75, 0.5), Float32Array.of(4, 0.125, -3, 2.5)] as const

test('arithmetic of words, shorts and floats equals that of plain numbers, lane by lane', () => {
  const [a, b] = words
  for (const [make, plain] of [
    [simd.addWords, (x: number, y: number) => (x + y) | 0],
    [simd.subWords, (x: number, y: number) => (x - y) | 0],
    [simd.timesWords, Math.imul],
    [simd.minWords, Math.min],
    [simd.maxWords, Math.max],
    [simd.both, (x: number, y: number) => x & y],
    [simd.either, (x: number, y: number) => x | y],
    [simd.xor, (x: number, y: number) => x ^ y],
  ] as const)
    assert.deepEqual(
      wordsOf(resultOf(make, a, b)),
      [...a].map((x, k) => plain(x, b[k]!)),
    )
  const [c, d] = shorts
  for (const [make, plain] of [
    [simd.addShorts, (x: number, y: number) => x + y],
    [simd.subShorts, (x: number, y: number) => x - y],
    [simd.timesShorts, (x: number, y: number) => x * y],
    [simd.fixedProduct, (x: number, y: number) => (x * y + 16_384) >> 15],
  ] as const)
    assert.deepEqual(shortsOf(resultOf(make, c, d)), [...Int16Array.from(c, (x, k) => plain(x, d[k]!))])
  const [e, f] = floats
  for (const [make, plain] of [
    [simd.addFloats, (x: number, y: number) => x + y],
    [simd.subFloats, (x: number, y: number) => x - y],
    [simd.timesFloats, (x: number, y: number) => x * y],
    [simd.overFloats, (x: number, y: number) => x / y],
    [simd.minFloats, Math.min],
    [simd.maxFloats, Math.max],
  ] as const)
    assert.deepEqual(floatsOf(resultOf(make, e, f)), [...Float32Array.from(e, (x, k) => plain(x, f[k]!))])
})

test('shifts, widening, narrowing and rounding equal those of plain numbers', () => {
  const [a] = words
  assert.deepEqual(
    wordsOf(resultOf(x => simd.rightWords(x, 3), a)),
    [...a].map(x => x >> 3),
  )
  assert.deepEqual(wordsOf(resultOf(x => simd.absWords(x), a)), [...a].map(Math.abs))
  const [c, d] = shorts
  assert.deepEqual(
    shortsOf(resultOf(x => simd.rightSignedShorts(x, 2), c)),
    [...c].map(x => x >> 2),
  )
  assert.deepEqual(shortsOf(resultOf(x => simd.rightShorts(x, 2), c)), [...Int16Array.from(c, x => (x & 65_535) >> 2)])
  assert.deepEqual(
    wordsOf(resultOf(simd.pairProducts, c, d)),
    [0, 1, 2, 3].map(k => c[k * 2]! * d[k * 2]! + c[k * 2 + 1]! * d[k * 2 + 1]!),
  )
  const narrow = (x: number) => Math.max(0, Math.min(255, x))
  assert.deepEqual([...resultOf(simd.packBytes, c, d)], [...c, ...d].map(narrow))
  const short = (x: number) => Math.max(-32_768, Math.min(32_767, x))
  assert.deepEqual(shortsOf(resultOf(simd.packShorts, ...words)), [...words[0], ...words[1]].map(short))
  const pixels = Uint8Array.from({ length: 16 }, (_, k) => k * 16 + 3)
  assert.deepEqual(shortsOf(resultOf(x => simd.lowShorts(x), pixels)), [...pixels.slice(0, 8)])
  assert.deepEqual(shortsOf(resultOf(x => simd.highShorts(x), pixels)), [...pixels.slice(8)])
  assert.deepEqual(wordsOf(resultOf(x => simd.wordsOf(x), floats[0])), [...floats[0]].map(Math.trunc))
  assert.deepEqual(floatsOf(resultOf(x => simd.nearestFloats(x), floats[0])), [2, -2, 1001, 0])
  assert.deepEqual(floatsOf(resultOf(x => simd.floatsOf(x), words[0])), [...words[0]])
})

test('bytes are picked by index from two vectors, and a value fills all lanes', () => {
  const [a, b] = [Uint8Array.from({ length: 16 }, (_, k) => k), Uint8Array.from({ length: 16 }, (_, k) => 100 + k)]
  const order = [0, 31, 16, 15, 1, 2, 3, 4, 20, 21, 22, 23, 8, 8, 8, 8]
  assert.deepEqual(
    [...resultOf((x, y) => simd.pick(x, y, order), a, b)],
    order.map(k => (k < 16 ? a[k] : b[k - 16])),
  )
  assert.deepEqual(wordsOf(resultOf((x, y) => simd.pickWords(x, y, [7, 0, 5, 2]), ...words)), [
    words[1][3],
    words[0][0],
    words[1][1],
    words[0][2],
  ])
  assert.deepEqual(floatsOf(resultOf(() => simd.allFloats(0.75), a)), [0.75, 0.75, 0.75, 0.75])
  assert.deepEqual(wordsOf(resultOf(x => simd.splatWord(simd.wordOf(x, 2)), words[0])), [70_000, 70_000, 70_000, 70_000])
})

test('a routine loops, branches and counts with numbers of every length, negative ones too', () => {
  for (const step of [1, 63, 64, 127, 128, 8191, 8192, 1_000_000, -1, -64, -65, -8193]) {
    const { count } = simd.assemble(
      {
        count: {
          parameters: ['to', 'times'],
          numbers: ['sum'],
          body: ({ get, set, add, forward }) => [
            set('sum', simd.number(7)),
            simd.during(get('times'), [add('sum', simd.number(step)), forward({ times: -1 })]),
            simd.when(simd.isLess(get('sum'), simd.number(0)), [set('sum', simd.minus(simd.number(0), get('sum')))]),
            simd.storeVector(get('to'), simd.splatWord(get('sum'))),
          ],
        },
      },
      memory,
    )
    count(to, 5)
    assert.equal(wordsOf(bytes().slice(to, to + 16))[0], Math.abs(7 + 5 * step), String(step))
  }
})

test('a local that is not declared is refused', () => {
  const routine = { parameters: ['to'], body: ({ get }: simd.Locals) => [simd.storeVector(get('from'), simd.allWords(0))] }
  assert.throws(() => simd.assemble({ routine }, memory), /no local from/)
})
