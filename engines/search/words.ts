/** Prepares text for the full-text index, whose tokenizer only splits at blanks. In scripts without
 *  blanks each character becomes a word, and a word of a query becomes a phrase of them. */

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+|[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]]+/gv

/** Returns the text as stored in the index. */
export function indexed(text: string): string {
  return text.normalize('NFKC').replace(unspaced, ' $& ')
}

/** Returns the words of a search as phrases of the index's query language; empty for a search
 *  without letters or digits. */
export function phrasesOf(search: string): string[] {
  const found = search.normalize('NFKC').match(runs) ?? []
  return found.map(run => `"${indexed(run).trim()}"`)
}
