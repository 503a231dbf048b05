/** Finds names that resemble a given one, for sentences such as "did you mean ...?". */

/** Only the first 200 characters of a name are compared, which limits the work; real names are
 *  shorter. */
const mostCompared = 200
const usualLeast = 0.5

/** A list of names to compare with. It is prepared once, so that many comparisons are fast. */
export interface NameList {
  /** Returns the names most similar to `wanted`, best first: at most `most` names, each with a
   *  similarity of at least `least` (0 to 1). Ignores case. */
  near(wanted: string, options?: { most?: number; least?: number }): string[]
}

export function nameList(names: Iterable<string>): NameList {
  const known = [...new Set(names)].map(name => ({ name, pairs: pairsOf(name) }))
  return {
    near: (wanted, { most = 3, least = usualLeast } = {}) => {
      const pairs = pairsOf(wanted)
      const scored = known.map(({ name, pairs: own }) => ({ name, score: likeness(pairs, own) }))
      const near = scored.filter(({ score }) => score >= least).sort((a, b) => b.score - a.score)
      return near.slice(0, most).map(({ name }) => name)
    },
  }
}

/** Returns the end of a sentence, such as `near are a, b and c`; undefined without names. */
export function nearText(names: readonly string[]): string | undefined {
  const last = names.at(-1)
  if (last === undefined) return undefined
  return names.length === 1 ? `near is ${last}` : `near are ${names.slice(0, -1).join(', ')} and ${last}`
}

interface Pairs {
  counts: ReadonlyMap<string, number>
  total: number
}

/** Returns the pairs of neighbouring characters with their counts. A mark at each end of the name
 *  forms a pair with the first or last character, so that a short name has enough pairs to
 *  compare. */
function pairsOf(name: string): Pairs {
  const text = `^${name.slice(0, mostCompared).toLowerCase()}$`
  const counts = new Map<string, number>()
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2)
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return { counts, total: text.length - 1 }
}

/** Returns the similarity of two names, 0 to 1: the Sørensen-Dice coefficient of their multisets of
 *  pairs. */
function likeness(a: Pairs, b: Pairs): number {
  let shared = 0
  for (const [pair, count] of a.counts) shared += Math.min(count, b.counts.get(pair) ?? 0)
  return (2 * shared) / (a.total + b.total)
}
