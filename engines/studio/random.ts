import type { Random } from './drawing.ts'

/** Creates a random number generator from a text: the scene's seed, followed by the names passed to
 *  `fork`. The algorithm is sfc32, started from a 128-bit hash of the text. Equal texts give equal
 *  numbers on every platform. */
export function createRandom(seed: string): Random {
  const next = sfc32(hash128(seed))
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: list => {
      const item = list[Math.floor(next() * list.length)]
      if (item === undefined) throw new RangeError('pick needs a list with at least one item')
      return item
    },
    fork: name => createRandom(`${seed}/${name}`),
  }
}

type Words = [number, number, number, number]

function hash128(text: string): Words {
  const words: Words = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0xdeadbeef]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    words[0] = Math.imul(words[0] ^ code, 597399067) ^ (words[1] >>> 15)
    words[1] = Math.imul(words[1] ^ code, 2869860233) ^ (words[2] >>> 13)
    words[2] = Math.imul(words[2] ^ code, 951274213) ^ (words[3] >>> 16)
    words[3] = Math.imul(words[3] ^ code, 2716044179) ^ (words[0] >>> 14)
  }
  return words
}

function sfc32([a, b, c, d]: Words): () => number {
  const step = () => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4294967296
  }
  for (let i = 0; i < 15; i++) step()
  return step
}
