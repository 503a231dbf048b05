/** Splits a line of lyrics that is too long for one breath into phrases. */

/** Usual number of syllables in a phrase; a line of up to `mostPhrase` syllables is not split. */
const usualPhrase = 16
const mostPhrase = 22
/** A cut may be moved by fewer than this many syllables from its ideal position, so that it falls
 *  between words. */
const reach = 7

/** Returns the line in phrases of about the same length, cut after punctuation, else between words,
 *  else anywhere; joined they equal the line. The number of syllables is estimated from the
 *  spelling, because an error of one syllable is harmless. */
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

/** Returns the index of the character before which the line is cut. */
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
  // A line is never cut right before a space: the space stays with the word before it.
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
