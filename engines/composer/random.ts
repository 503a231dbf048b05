import { randomNumbers } from '@generation-gateway/kit/random.ts'

/** A source of pseudo-random numbers. The numbers depend only on the seed and on the names passed
 *  to `fork`. */
export interface Random {
  /** Returns a number from 0 up to, not including, 1. */
  next(): number
  between(low: number, high: number): number
  /** Returns an integer from 0 to `count` - 1. */
  index(count: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Returns one of the items; an item with a higher weight is returned more often. */
  weighted<Item>(items: readonly (readonly [Item, number])[]): Item
  /** Returns a random value from -1 to 1, mostly near 0. */
  wobble(): number
  /** Returns an independent source. Numbers drawn from it do not change the numbers of this
   *  source. */
  fork(name: string): Random
}

/** Returns the source of pseudo-random numbers for a name. The numbers are the same on every
 *  machine. */
export function randomOf(name: string): Random {
  const next = randomNumbers(hashOf(name))
  const index = (count: number): number => Math.floor(next() * count)
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    index,
    chance: probability => next() < probability,
    pick: items => itemAt(items, index(items.length)),
    weighted: items => {
      let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of items) {
        left -= weight
        if (left < 0) return item
      }
      return itemAt(items, items.length - 1)[0]
    },
    wobble: () => (next() + next() + next() - 1.5) / 1.5,
    fork: part => randomOf(`${name}/${part}`),
  }
}

/** Returns the item at `index`, counted modulo the length of the list. Throws for an empty list. */
export function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[((index % items.length) + items.length) % items.length]
  if (item === undefined) throw new RangeError('a list without items')
  return item
}

/** Returns the FNV-1a hash of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}
