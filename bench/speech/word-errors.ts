/** Counts the errors in a transcript, word by word. */

export interface Errors {
  /** Number of insertions, deletions and substitutions that turn the reference into the
   *  transcript. */
  errors: number
  /** Number of words in the reference. */
  of: number
}

/** Returns the smallest number of insertions, deletions and substitutions that turn one list of
 *  words into the other. */
export function wordErrors(reference: readonly string[], heard: readonly string[]): Errors {
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index)
  for (const [done, word] of reference.entries()) {
    const next = [done + 1]
    for (const [index, other] of heard.entries()) {
      next.push(Math.min((row[index] ?? 0) + (word === other ? 0 : 1), (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return { errors: row.at(-1) ?? 0, of: reference.length }
}

export function sumOf(all: readonly Errors[]): Errors {
  return all.reduce((sum, one) => ({ errors: sum.errors + one.errors, of: sum.of + one.of }), { errors: 0, of: 0 })
}

/** Returns the words of a text in lower case, without punctuation. Accents stay, and so do
 *  apostrophes within a word. A hyphen separates two words. */
export function wordsIn(text: string): string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[’‘]/g, "'")
    .split(/[^\p{L}\p{M}\p{N}']+/u)
    .map(word => word.replaceAll(/^'+|'+$/g, ''))
    .filter(word => word !== '')
}

/** Returns the characters of a text without spaces and punctuation. */
export function charactersIn(text: string): string[] {
  return [...text.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]+/gu, '')]
}
