/** Matches a run of more than 200 combining marks. U+FF9E and U+FF9F are no marks, but NFKC and
 *  NFKD convert them to marks. */
const longRun = /(?<![\p{M}\uFF9E\uFF9F])([\p{M}\uFF9E\uFF9F]{200})[\p{M}\uFF9E\uFF9F]+/gu

/** Returns the text in a normal form of Unicode, in time proportional to its length. Of a run of
 *  more than 200 combining marks, only the first 200 stay; Unicode's standard annex 15 calls 30
 *  enough for any language. `String.prototype.normalize` sorts the marks of each character in
 *  quadratic time: 256,000 marks take 40 s to 240 s. */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(longRun, '$1').normalize(form)
}
