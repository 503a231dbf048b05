/** Splits a line of lyrics into phrases if it is too long to be sung in one breath. */

/** Number of syllables that a phrase usually has. A line of up to `mostPhrase` syllables is not
 *  split. */
const usualPhrase = 16
const mostPhrase = 22
/** A cut must be less than this many syllables away from its ideal position. Within this distance,
 *  the best place between words is chosen. */
const reach = 7

/** Returns the phrases of a line, of about equal length. The line is cut after punctuation if
 *  possible, else between words, else inside a word. The phrases joined give the line again. The
 *  number of syllables is estimated from the spelling, because an error of a syllable does no
 *  harm. */
export function phrasesOf(line: string): string[] {
  const signs = [...line]
  let sum = 0
  const before = signs.map(sign => {
    sum += weightOf(sign)
    return sum
  })
  if (sum <= mostPhrase) return [line]
  const count = Math.ceil(sum / usualPhrase)
  const cuts = Array.from({ length: count - 1 }, (_, index) => cutNear(signs, before, (sum * (index + 1)) / count))
  const edges = [0, ...new Set(cuts), signs.length]
  return edges
    .slice(1)
    .map((edge, index) => signs.slice(edges[index], edge).join(''))
    .filter(phrase => phrase.trim() !== '')
}

/** Returns the index of the character before which the line is cut. `wanted` is the ideal number of
 *  syllables before the cut. */
function cutNear(signs: readonly string[], before: readonly number[], wanted: number): number {
  const first = before.findIndex(sum => sum >= wanted)
  let best = { at: first + 1, cost: Number.POSITIVE_INFINITY }
  const look = (at: number) => {
    const far = Math.abs((before[at - 1] ?? 0) - wanted)
    const cost = far + costOf(signs.slice(Math.max(0, at - 2), at).join(''), signs[at] ?? '')
    if (far < reach && cost < best.cost) best = { at, cost }
  }
  for (let at = first + 1; at > 0 && wanted - (before[at - 1] ?? 0) < reach; at--) look(at)
  for (let at = first + 2; at < signs.length && (before[at - 1] ?? 0) - wanted < reach; at++) look(at)
  return best.at
}

function costOf(last: string, next: string): number {
  // The line is not cut before a space, because the space belongs to the phrase that ends there.
  if (/\s/.test(next)) return Number.POSITIVE_INFINITY
  if (/[,.;:!?，。、；：！？…—]\s*$/u.test(last)) return 0
  if (/\s$/.test(last)) return 4
  return isWhole(last.at(-1) ?? '') && isWhole(next) ? 6 : 14
}

/** True for a character that is a syllable by itself (Chinese, Korean, Japanese kana). */
function isWhole(sign: string): boolean {
  return /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sign)
}

function weightOf(sign: string): number {
  if (isWhole(sign)) return 1
  if (/\p{N}/u.test(sign)) return 1.5
  return /\p{L}/u.test(sign) ? 0.32 : 0
}
