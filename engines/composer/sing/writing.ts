/** Splits lines of lyrics into words, in a spelling that the voice can read. */
import { normalForm } from '@generation-gateway/kit/normal-form.ts'

/** Latin letters that Unicode does not split into a base letter and an accent, with their usual
 *  spelling. */
const latin: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', ø: 'o', ß: 'ss', ð: 'th', þ: 'th', ł: 'l', đ: 'd', ħ: 'h', ı: 'i', ŋ: 'ng', ŧ: 't' },
}

/** Returns the words of a line in the form that the voice reads: in lower case, without punctuation
 *  and accents. Each word has letters of one script. Japanese that mixes kana with Han characters
 *  is not split, because the voice cannot read it. */
export function wordsOf(line: string): string[] {
  const plain = normalForm(line, 'NFKD')
    .toLowerCase()
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .replace(/[æœøßðþłđħıŋŧ]/g, letter => latin[letter] ?? letter)
    .normalize('NFC')
    .replace(/[’‘`]/g, "'")
  const isMixed = /[\u3040-\u30ff]/.test(plain)
  const parts = isMixed
    ? /[a-z0-9]+(?:'[a-z]+)*|[^\P{L}a-z]+|[\p{L}\p{N}ー]+/gu
    : /[a-z0-9]+(?:'[a-z]+)*|\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu
  return [...plain.matchAll(parts)].map(([word]) => word)
}

export function isForeign(word: string): boolean {
  return /[^\p{ASCII}]/u.test(word)
}

/** True when the voice reads the script of the word. For a rare Han character, the reading may
 *  still be unknown. */
export function isReadable(word: string): boolean {
  return !isForeign(word) || /^(?:[\u3040-\u30ff]+|\p{Script=Han}+|[\uac00-\ud7a3]+)$/u.test(word)
}

export function unreadable(word: string): string {
  const shown = [...word].length > 40 ? `${[...word].slice(0, 40).join('')}…` : word
  return `“${shown}” cannot be sung: the voice reads Latin letters, Chinese, Korean, and Japanese in kana.`
}
