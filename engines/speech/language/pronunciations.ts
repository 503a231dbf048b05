/** Applies the pronunciations that a request specifies. */

import { firstGiven, mostGiven } from './english/tokens.ts'
import { fromIpa } from './ipa.ts'

/** Returns the text with the words of `list` replaced: by the text to say, or by a placeholder
 *  character when `say` is IPA between slashes. `given` has the phonemes of the placeholders. */
export function withPronunciations(text: string, list: readonly { word: string; say: string }[]): { text: string; given: string[] } {
  const given: string[] = []
  // Placeholders are private-use characters, so private-use characters of the text itself are
  // removed first.
  const plain = text.replace(/[\uE000-\uF8FF]/g, ' ')
  const replacements = new Map<string, string>()
  for (const { word, say } of list) {
    if (word.trim() === '' || replacements.has(word)) continue
    const ipa = /^\/(.+)\/$/u.exec(say.trim())?.[1]
    if (ipa === undefined || given.length >= mostGiven) replacements.set(word, say)
    else replacements.set(word, String.fromCharCode(firstGiven + given.push(fromIpa(ipa)) - 1))
  }
  if (replacements.size === 0) return { text: plain, given }
  const words = [...replacements.keys()].sort((left, right) => right.length - left.length)
  const pattern = new RegExp(words.map(bounded).join('|'), 'gu')
  return { text: plain.replace(pattern, word => replacements.get(word) ?? word), given }
}

/** Returns a pattern that matches the word only as a whole. */
function bounded(word: string): string {
  const start = /^[\p{L}\p{N}]/u.test(word) ? '(?<![\\p{L}\\p{N}])' : ''
  const end = /[\p{L}\p{N}]$/u.test(word) ? '(?![\\p{L}\\p{N}])' : ''
  return `${start}${word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}${end}`
}
