/** Applies the pronunciations of a request. */

import { firstGiven, mostGiven } from './english/tokens.ts'
import { fromIpa } from './ipa.ts'

/** Returns the text with the words of `list` replaced: by the text to say, or, for IPA between
 *  slashes, by a placeholder whose phonemes are in `given`. */
export function withPronunciations(text: string, list: readonly { word: string; say: string }[]): { text: string; given: string[] } {
  const given: string[] = []
  // The characters of the placeholders' range have no meaning of their own, so those of the text
  // are removed.
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

/** Returns a pattern of the word itself, not as a part of a longer one. */
function bounded(word: string): string {
  const start = /^[\p{L}\p{N}]/u.test(word) ? '(?<![\\p{L}\\p{N}])' : ''
  const end = /[\p{L}\p{N}]$/u.test(word) ? '(?![\\p{L}\\p{N}])' : ''
  return `${start}${word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}${end}`
}
