/** Counts in how many ways a text can match a grammar. For every token of the vocabulary, llama.cpp
 *  follows all of these ways at the same time. So a grammar with many ways delays every
 *  conversation. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { CharSet } from './char-set.ts'
import type { Pattern } from './pattern-form.ts'
import type { StepBudget } from './step-budget.ts'

/** `tried` is the length, in characters, of the text for which the ways are counted. `mostWays` is
 *  the largest number of ways, after one way for each place of the automaton has been subtracted; a
 *  grammar with more ways is refused (decision 0012). */
const tried = 8
const mostWays = 4_000
/** Largest number of nodes of the automaton. The number can be large, because each rule of the
 *  grammar is copied to every place that uses it. */
const mostNodes = 200_000
/** Deepest nesting of repetitions whose contents may be empty, as in `((a*)*)*`. */
const deepestEmptyLoop = 2

/** Throws `invalid_request` when a text can match in so many ways that the engine would stall.
 *  `patterns` are the rules by name; `where` is the start of the message. */
export function refuseAmbiguous(patterns: ReadonlyMap<string, Pattern>, where: string, budget: StepBudget): void {
  const places = new PatternAutomaton(patterns)
  const follow = places.isTooLarge ? undefined : places.follow(budget)
  if (follow === undefined || waysToRead(places.sets, follow, budget) > mostWays) {
    throw new GatewayError(
      'invalid_request',
      `${where} is too ambiguous: too many of its parts may be left out or repeated at one place, so that a text can be read in too many ways.`,
    )
  }
}

/** A nondeterministic automaton of the patterns. It has nodes with empty transitions, and places
 *  that read one character. A rule is copied to each place that uses it. Where a rule uses itself,
 *  the automaton has a place that matches no character, so ambiguity that arises only through
 *  recursion is not found. */
class PatternAutomaton {
  /** For each place of the automaton, the characters that it reads. `#after` has the node that
   *  follows each place. */
  readonly sets: CharSet[] = []
  readonly #after: number[] = []
  readonly #steps: number[][] = []
  /** Index of the place that starts at a node. */
  readonly #placeAt = new Map<number, number>()
  readonly #patterns: ReadonlyMap<string, Pattern>
  /** The rules that are being copied at the moment. A rule among them that is used again is
   *  recursive. */
  readonly #open = new Set<string>()
  isTooLarge = false

  constructor(patterns: ReadonlyMap<string, Pattern>) {
    this.#patterns = patterns
    const [first] = patterns.has('start') ? ['start'] : patterns.keys()
    if (first !== undefined) this.#rule(first, this.#node(), 0)
  }

  /** Returns for each place the places that may read the next character; undefined when finding
   *  them exceeds the budget. */
  follow(budget: StepBudget): number[][] | undefined {
    const follow: number[][] = []
    for (const start of this.#after) {
      const seen = new Set([start])
      const found: number[] = []
      for (const node of seen) {
        const place = this.#placeAt.get(node)
        if (place !== undefined) found.push(place)
        for (const next of this.#steps[node] ?? []) seen.add(next)
      }
      budget.steps -= seen.size
      if (budget.steps < 0) return undefined
      follow.push(found)
    }
    return follow
  }

  #node(): number {
    return this.#steps.push([]) - 1
  }

  #step(from: number, to: number): void {
    this.#steps[from]?.push(to)
  }

  #place(set: CharSet, from: number): number {
    const own = this.#node()
    this.#step(from, own)
    const to = this.#node()
    this.#placeAt.set(own, this.sets.push(set) - 1)
    this.#after.push(to)
    return to
  }

  /** Adds a pattern to the automaton, starting at node `from`; returns the node at which it
   *  ends. */
  #add(pattern: Pattern, from: number, loops: number): number {
    switch (pattern.kind) {
      case 'chars':
        return this.#place(pattern.set, from)
      case 'text':
        return [...pattern.text].reduce((at, char) => this.#place([[char.codePointAt(0) ?? 0, char.codePointAt(0) ?? 0]], at), from)
      case 'sequence':
        return pattern.items.reduce((at, item) => this.#add(item, at, loops), from)
      case 'choice': {
        const to = this.#node()
        for (const item of pattern.items) this.#step(this.#add(item, from, loops), to)
        return to
      }
      case 'repeat':
        return this.#repeat(pattern, from, loops)
      case 'rule':
        return this.#rule(pattern.name, from, loops)
    }
  }

  #rule(name: string, from: number, loops: number): number {
    const pattern = this.#patterns.get(name)
    if (this.#steps.length > mostNodes) this.isTooLarge = true
    if (pattern === undefined || this.isTooLarge) return from
    if (this.#open.has(name)) return this.#place([], from)
    this.#open.add(name)
    const to = this.#add(pattern, from, loops)
    this.#open.delete(name)
    return to
  }

  #repeat({ item, min, max }: Extract<Pattern, { kind: 'repeat' }>, from: number, loops: number): number {
    const deeper = max === undefined && mayBeEmpty(item) ? loops + 1 : loops
    if (deeper > deepestEmptyLoop) this.isTooLarge = true
    const end = this.#node()
    let at = from
    for (let count = 0; count < (max ?? Math.max(1, min)) && this.#steps.length <= mostNodes; count += 1) {
      if (count >= min) this.#step(at, end)
      const begin = this.#node()
      this.#step(at, begin)
      at = this.#add(item, begin, deeper)
      if (max === undefined && count === Math.max(1, min) - 1) this.#step(at, begin)
    }
    this.#step(at, end)
    return end
  }
}

/** True when a pattern can match the empty text. Rules that the pattern uses are not examined; they
 *  count as not empty. */
function mayBeEmpty(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case 'chars':
    case 'rule':
      return false
    case 'text':
      return pattern.text === ''
    case 'sequence':
      return pattern.items.every(mayBeEmpty)
    case 'choice':
      return pattern.items.some(mayBeEmpty)
    case 'repeat':
      return pattern.min === 0 || mayBeEmpty(pattern.item)
  }
}

/** Returns the number of ways in which a text of `tried` characters can match, minus one for each
 *  place. The text is chosen to be as ambiguous as possible: at each position, it has the character
 *  that continues the most matches. */
function waysToRead(sets: readonly CharSet[], follow: readonly number[][], budget: StepBudget): number {
  if (follow.every(places => places.length < 2)) return 0
  const each = [...follow, ...sets].reduce((sum, { length }) => sum + length, 0)
  budget.steps -= tried * each
  if (budget.steps < 0) return Number.POSITIVE_INFINITY
  let ways = new Float64Array(sets.length).fill(1)
  let most = 0
  for (let step = 0; step < tried; step += 1) {
    const next = new Float64Array(sets.length)
    for (const [from, places] of follow.entries()) for (const to of places) next[to] = (next[to] ?? 0) + (ways[from] ?? 0)
    const { code, total } = commonest(sets, next)
    most = Math.max(most, total - sets.length)
    ways = next.map((count, place) => (sets[place]?.some(([from, to]) => from <= code && code <= to) ? count : 0))
  }
  return most
}

/** Returns the code point of the character that continues the most matches, and the number of these
 *  matches. */
function commonest(sets: readonly CharSet[], ways: Float64Array): { code: number; total: number } {
  const changes: [code: number, by: number][] = []
  for (const [place, set] of sets.entries())
    for (const [from, to] of set) changes.push([from, ways[place] ?? 0], [to + 1, -(ways[place] ?? 0)])
  changes.sort((one, other) => one[0] - other[0])
  let best = { code: 0, total: 0 }
  let total = 0
  for (const [index, [code, by]] of changes.entries()) {
    total += by
    if (changes[index + 1]?.[0] !== code && total > best.total) best = { code, total }
  }
  return best
}
