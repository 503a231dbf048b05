/** The alphabet of the voices Kokoro and Hibari (from config.json of Kokoro-82M): the token number
 *  of each phonetic symbol. */
const numbers: ReadonlyMap<string, number> = new Map([
  ...pairs(';:,.!?', 1),
  ...pairs('—…"()“” \u0303ʣʥʦʨᵝ\uab67', 9),
  ...pairs('AI', 24),
  ...pairs('O', 31),
  ...pairs('Q', 33),
  ...pairs('ST', 35),
  ...pairs('W', 39),
  ...pairs('Yᵊabcdef', 41),
  ...pairs('hijklmnopqrstuvwxyzɑɐɒæ', 50),
  ...pairs('βɔɕç', 75),
  ...pairs('ɖðʤə', 80),
  ...pairs('ɚɛɜ', 85),
  ...pairs('ɟ', 90),
  ...pairs('ɡ', 92),
  ...pairs('ɥ', 99),
  ...pairs('ɨɪʝ', 101),
  ...pairs('ɯɰŋɳɲɴø', 110),
  ...pairs('ɸθœ', 118),
  ...pairs('ɹ', 123),
  ...pairs('ɾɻ', 125),
  ...pairs('ʁɽʂʃʈʧ', 128),
  ...pairs('ʊʋ', 135),
  ...pairs('ʌɣɤ', 138),
  ...pairs('χʎ', 142),
  ...pairs('ʒʔ', 147),
  ...pairs('ˈˌː', 156),
  ...pairs('ʰ', 162),
  ...pairs('ʲ', 164),
  ...pairs('↓', 169),
  ...pairs('→↗↘', 171),
  ...pairs('ᵻ', 177),
])

/** Largest number of phonetic symbols of one utterance: Kokoro has a style vector for each length
 *  up to this one and none for longer ones. */
const mostTokens = 510

/** Returns the token numbers of a string of phonetic symbols, with a 0 at both ends. Symbols
 *  that are not in the alphabet are left out. After the first 510 known symbols, the rest is
 *  left out. */
export function tokensOf(phonemes: string): BigInt64Array {
  const known = [...phonemes].flatMap(sign => numbers.get(sign) ?? []).slice(0, mostTokens)
  return BigInt64Array.from([0, ...known, 0], BigInt)
}

function pairs(signs: string, first: number): [string, number][] {
  return [...signs].map((sign, index) => [sign, first + index])
}
