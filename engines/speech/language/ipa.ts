/** The alphabet of Kokoro, and IPA written in it. */

const vocabulary = new Set(
  ';:,.!?—…"()“” \u0303ʣʥʦʨᵝꭧAIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔˈˌːʰʲ↓→↗↘ᵻ',
)

/** IPA of any writing in Kokoro's alphabet: diphthongs and affricates as its single letters; what has no sign there is left out. */
export function fromIpa(ipa: string): string {
  let text = ipa.normalize('NFD').replaceAll('g', 'ɡ').replaceAll('͡', '').replaceAll("'", 'ˈ').replaceAll('ç', 'ç')
  for (const [from, to] of english) text = text.replaceAll(from, to)
  return [...text].filter(char => vocabulary.has(char)).join('')
}

/** Whether every character is in the vocabulary. */
export function isSpeakable(phonemes: string): boolean {
  return [...phonemes].every(char => vocabulary.has(char))
}

const english: readonly [string, string][] = [
  ['eɪ', 'A'],
  ['aɪ', 'I'],
  ['oʊ', 'O'],
  ['əʊ', 'Q'],
  ['aʊ', 'W'],
  ['ɔɪ', 'Y'],
  ['dʒ', 'ʤ'],
  ['tʃ', 'ʧ'],
  ['ɝ', 'ɜɹ'],
  ['ɚ', 'əɹ'],
  ['ɫ', 'l'],
  ['r', 'ɹ'],
  ['ɾ', 'T'],
]
