/** Prepares text for the full-text index, which separates words only at spaces and punctuation.
 *  In scripts that are written without spaces, each character is indexed as a word of its own,
 *  and a word in a search becomes a sequence of characters. */
import { normalForm } from '@generation-gateway/kit/normal-form.ts'

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+|[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]]+/gv

/** Returns the text in the form in which the index stores it. */
export function indexed(text: string): string {
  return normalForm(text, 'NFKC').replace(unspaced, ' $& ')
}

/** Returns the words of a search as phrases in the query language of the index. Empty when the
 *  search contains no letters or digits. */
export function phrasesOf(search: string): string[] {
  const found = normalForm(search, 'NFKC').match(runs) ?? []
  return found.map(run => `"${indexed(run).trim()}"`)
}
