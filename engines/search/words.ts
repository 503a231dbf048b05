/** Prepares text for the full-text index, whose tokenizer splits only at spaces. In scripts without
 *  spaces, each character is indexed as a word, and a search word becomes a phrase of
 *  characters. */

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+|[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]]+/gv

/** Returns the text in the form in which it is indexed. */
export function indexed(text: string): string {
  return text.normalize('NFKC').replace(unspaced, ' $& ')
}

/** Returns the words of a search as phrases of the index's query language; empty when the search
 *  has no letters or digits. */
export function phrasesOf(search: string): string[] {
  const found = search.normalize('NFKC').match(runs) ?? []
  return found.map(run => `"${indexed(run).trim()}"`)
}
