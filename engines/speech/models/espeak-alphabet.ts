/** Converts American English phonemes from misaki's alphabet to eSpeak's, on which Piper's voices
 *  were trained. In eSpeak's alphabet, diphthongs and affricates have two letters, and long vowels
 *  have a length mark. */
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
  // An unstressed i stays short (as at the end of "happy"), so only a stressed i gets the length
  // mark.
  [/([ˈˌ])i(?!ː)/g, '$1iː'],
  [/u(?!ː)/g, 'uː'],
  [/ɑ(?!ː)/g, 'ɑː'],
  [/ɔ(?![ɪː])/g, 'ɔː'],
]
