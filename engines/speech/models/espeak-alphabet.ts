/** American English in misaki's letters, as Piper's voices had it from eSpeak: two letters for
 *  diphthongs and affricates, long vowels marked. */
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
  // At the end of a word, without stress, it is short (happy).
  [/([ˈˌ])i(?!ː)/g, '$1iː'],
  [/u(?!ː)/g, 'uː'],
  [/ɑ(?!ː)/g, 'ɑː'],
  [/ɔ(?![ɪː])/g, 'ɔː'],
]
