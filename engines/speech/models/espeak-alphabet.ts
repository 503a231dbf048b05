/** Converts American English from misaki's letters to eSpeak's, with which Piper's voices were
 *  trained: two letters for diphthongs and affricates, long vowels marked. */
export function inEspeakAlphabet(phonemes: string): string {
  let text = phonemes
  for (const [from, to] of rules) text = text.replaceAll(from, to)
  return text
}

const rules: readonly [string | RegExp, string][] = [
  ['ɜɹ', 'ɜː'],
  ['əɹ', 'ɚ'],
  ['A', 'eɪ'],
  ['I', 'aɪ'],
  ['O', 'oʊ'],
  ['Q', 'əʊ'],
  ['W', 'aʊ'],
  ['Y', 'ɔɪ'],
  ['ʧ', 'tʃ'],
  ['ʤ', 'dʒ'],
  ['T', 'ɾ'],
  ['ᵊ', 'ə'],
  // An unstressed i at the end of a word is short (happy).
  [/([ˈˌ])i(?!ː)/g, '$1iː'],
  [/u(?!ː)/g, 'uː'],
  [/ɑ(?!ː)/g, 'ɑː'],
  [/ɔ(?![ɪː])/g, 'ɔː'],
]
