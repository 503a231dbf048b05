/** Kokoro's phonetic alphabet, and the conversion of IPA to it. */

const vocabulary = new Set(
  ';:,.!?—…"()“” \u0303ʣʥʦʨᵝꭧAIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔˈˌːʰʲ↓→↗↘ᵻ',
)

/** Converts IPA to Kokoro's alphabet: the diphthongs and affricates of English become single
 *  letters; sounds without a letter are left out. */
export function fromIpa(ipa: string): string {
  let text = ipa.normalize('NFD').replaceAll('g', 'ɡ').replaceAll('͡', '').replaceAll("'", 'ˈ').replaceAll('ç', 'ç')
  for (const [from, to] of english) text = text.replaceAll(from, to)
  return [...text].filter(char => vocabulary.has(char)).join('')
}

/** True when every character is in Kokoro's vocabulary. */
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

/** Converts eSpeak's IPA (printed with `--tie=^`) to Kokoro's alphabet, in the way in which
 *  Kokoro's training texts in languages other than English were converted: each pair of `tied`
 *  becomes one letter, and of all other pairs only the tie is removed. */
export function fromESpeak(line: string): string {
  let text = line
    .replace(/\([\^a-z-]+\)/g, '')
    .normalize('NFD')
    .replaceAll('ç', 'ç')
  for (const [from, to] of tied) text = text.replaceAll(from, to)
  return [...text]
    .map(char => (vocabulary.has(char) ? char : (nearest[char] ?? '')))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

const tied: readonly [string, string][] = [
  ['a^ɪ', 'I'],
  ['a^ʊ', 'W'],
  ['d^z', 'ʣ'],
  ['d^ʒ', 'ʤ'],
  ['e^ɪ', 'A'],
  ['o^ʊ', 'O'],
  ['ə^ʊ', 'Q'],
  ['t^s', 'ʦ'],
  ['t^ʃ', 'ʧ'],
  ['ɔ^ɪ', 'Y'],
  ['d^ʑ', 'ʥ'],
  ['t^ɕ', 'ʨ'],
  ['^', ''],
]
/** Nearest letters for sounds that Kokoro's alphabet lacks. */
const nearest: Record<string, string> = {
  g: 'ɡ',
  ɫ: 'l',
  ɭ: 'l',
  ɬ: 'l',
  ʑ: 'ʒ',
  ʐ: 'ʒ',
  ɦ: 'h',
  ħ: 'h',
  ʉ: 'u',
  ɵ: 'o',
  ʏ: 'y',
  ɓ: 'b',
  ɗ: 'd',
  ɱ: 'm',
  ɐ: 'ɐ',
  ʀ: 'ʁ',
  ɘ: 'ə',
  ɞ: 'ɜ',
  ɝ: 'ɜ',
  ɶ: 'œ',
  ʍ: 'w',
  ⱱ: 'v',
  ɮ: 'l',
  ʟ: 'l',
  ɢ: 'ɡ',
  ʙ: 'b',
  ɺ: 'ɾ',
  ˑ: 'ː',
}
