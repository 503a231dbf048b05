import { likeness, type Voice } from './encoder.ts'

/** Groups voices by similarity (average linkage). Returns a group number, from 0, for each voice.
 *  Groups are joined while their mean similarity is at least `alike`. If more than `most` groups
 *  are left then, further groups are joined until there are `most`. Memory grows with the square of
 *  the number of voices: 36 MB for 3000. `giveWay` is awaited between parts of the work, so that
 *  other jobs can run. */
export async function clusterVoices(
  voices: readonly Voice[],
  { alike, most = Number.POSITIVE_INFINITY, giveWay }: { alike: number; most?: number | undefined; giveWay(): Promise<void> },
): Promise<number[]> {
  const table = await likenessTable(voices, giveWay)
  await giveWay()
  const joins = joinsOf(voices, table).sort((one, other) => other.alike - one.alike)
  const parents = voices.map((_, index) => index)
  const root = (index: number): number => {
    let at = index
    while (parents[at] !== at) at = parents[at] ?? at
    return at
  }
  let count = voices.length
  for (const join of joins) {
    if (join.alike < alike && count <= most) break
    parents[root(join.other)] = root(join.one)
    count--
  }
  const numbers = new Map<number, number>()
  return voices.map((_, index) => {
    const own = root(index)
    const number = numbers.get(own) ?? numbers.size
    numbers.set(own, number)
    return number
  })
}

interface Join {
  one: number
  other: number
  alike: number
}

/** Returns all joins from single voices to one group, found by the nearest-neighbour chain
 *  algorithm (F. Murtagh, 1983). The result is exact; the time grows with the square of the number
 *  of voices. */
function joinsOf(voices: readonly Voice[], table: Float32Array): Join[] {
  const count = voices.length
  const sizes = new Float64Array(count).fill(1)
  const joins: Join[] = []
  const chain: number[] = []
  while (joins.length < count - 1) {
    if (chain.length === 0) chain.push(sizes.findIndex(size => size > 0))
    const last = chain.at(-1) ?? 0
    const before = chain.at(-2)
    const next = nearest({ table, sizes, count }, last, before)
    if (next !== before) {
      chain.push(next)
      continue
    }
    chain.length -= 2
    joins.push({ one: next, other: last, alike: table[next * count + last] ?? 0 })
    join({ table, sizes, count }, next, last)
  }
  return joins
}

interface Groups {
  /** Mean similarity of each pair of groups, indexed by one member of each group. */
  table: Float32Array
  /** Number of members of each group; 0 for a group that was joined to another. */
  sizes: Float64Array
  count: number
}

/** Returns the group most similar to group `of`. On a tie it returns `before`, the previous group
 *  of the chain; otherwise the chain could go round in a circle. */
function nearest({ table, sizes, count }: Groups, of: number, before: number | undefined): number {
  let best = before ?? -1
  let bestAlike = before === undefined ? Number.NEGATIVE_INFINITY : (table[of * count + before] ?? 0)
  for (let index = 0; index < count; index++) {
    const alike = table[of * count + index] ?? 0
    if (index === of || sizes[index] === 0 || alike <= bestAlike) continue
    best = index
    bestAlike = alike
  }
  return best
}

function join({ table, sizes, count }: Groups, one: number, other: number): void {
  const [size = 0, otherSize = 0] = [sizes[one], sizes[other]]
  for (let index = 0; index < count; index++) {
    const mean = ((table[one * count + index] ?? 0) * size + (table[other * count + index] ?? 0) * otherSize) / (size + otherSize)
    table[one * count + index] = mean
    table[index * count + one] = mean
  }
  sizes[one] = size + otherSize
  sizes[other] = 0
}

/** Number of table rows computed between two calls of `giveWay`; a row has at most 3000 products of
 *  vectors with 256 numbers. */
const rowsAtOnce = 100

async function likenessTable(voices: readonly Voice[], giveWay: () => Promise<void>): Promise<Float32Array> {
  const count = voices.length
  const table = new Float32Array(count * count)
  for (const [row, voice] of voices.entries()) {
    for (let column = 0; column < row; column++) {
      const alike = likeness(voice, voices[column] ?? voice)
      table[row * count + column] = alike
      table[column * count + row] = alike
    }
    if (row % rowsAtOnce === rowsAtOnce - 1) await giveWay()
  }
  return table
}
