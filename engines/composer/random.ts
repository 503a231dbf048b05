import { randomNumbers } from '@generation-gateway/kit/random.ts'

/** Numbers that depend on nothing but a seed and the names of what asks for them. */
export interface Random {
  /** 0 up to, not including, 1. */
  next(): number
  between(low: number, high: number): number
  /** 0 up to, not including, `count`. */
  index(count: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** One of the items, by their weights. */
  weighted<Item>(items: readonly (readonly [Item, number])[]): Item
  /** About 0, rarely beyond -1 to 1. */
  wobble(): number
  /** Numbers of their own: what is drawn here does not move what is drawn there. */
  fork(name: string): Random
}

/** The same numbers for the same name, on every machine. */
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

/** Item number `index`, counted around; throws for an empty list. */
export function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[((index % items.length) + items.length) % items.length]
  if (item === undefined) throw new RangeError('a list without items')
  return item
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}
