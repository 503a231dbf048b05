/** Pronounces Japanese lyrics in kana: maps each mora (a unit of rhythm, about one kana) to the
 *  phones that an English voice has. */

const rows =
  'あいうえお かきくけこ さしすせそ たちつてと なにぬねの はひふへほ まみむめも や_ゆ_よ らりるれろ わ___を がぎぐげご ざじずぜぞ だぢづでど ばびぶべぼ ぱぴぷぺぽ'
const rowPhones = ['', 'k', 's', 't', 'n', 'hh', 'm', 'y', 'r', 'w', 'g', 'z', 'd', 'b', 'p'] as const
const vowels = ['aa', 'iy', 'uw', 'eh', 'ow'] as const
const special: Readonly<Record<string, string>> = {
  し: 'sh iy',
  ち: 'ch iy',
  つ: 't s uw',
  ふ: 'f uw',
  じ: 'jh iy',
  ぢ: 'jh iy',
  づ: 'z uw',
  を: 'ow',
  ん: 'n',
  ゔ: 'v uw',
}
const small: Readonly<Record<string, string>> = { ゃ: 'aa', ゅ: 'uw', ょ: 'ow' }
/** Small vowel signs. Such a sign replaces the vowel of the sign before it (ファ, ティ), and changes
 *  nothing if both are the same (ねぇ). */
const smallVowels: Readonly<Record<string, string>> = { ぁ: 'aa', ぃ: 'iy', ぅ: 'uw', ぇ: 'eh', ぉ: 'ow' }

const table = new Map<string, string>(
  rows
    .split(' ')
    .flatMap((row, index) => [...row].map((kana, column) => [kana, `${rowPhones[index] ?? ''} ${vowels[column] ?? ''}`.trim()] as const)),
)

/** Returns the phones of each mora of a text in kana. A small ya, yu or yo and a final n belong
 *  to the mora before them; a small tsu and the sign of a long vowel are left out. Undefined
 *  when the text contains other characters. */
export function kanaMorae(text: string): string[][] | undefined {
  const morae: string[][] = []
  // Converts katakana to hiragana. In Unicode, both have the same order.
  const plain = text.replace(/[ァ-ヴ]/g, kana => String.fromCodePoint((kana.codePointAt(0) ?? 0) - 0x60))
  for (const kana of plain) {
    const before = morae.at(-1)
    const vowel = smallVowels[kana]
    const glide = small[kana]
    if (vowel !== undefined) {
      if (before && before.at(-1) !== 'n') morae[morae.length - 1] = withVowel(before, vowel)
      else morae.push([vowel])
    } else if (glide !== undefined && before)
      morae[morae.length - 1] = [...before.slice(0, -1), ...(['sh', 'ch', 'jh'].includes(before[0] ?? '') ? [] : ['y']), glide]
    else if (kana === 'ん' && before) before.push('n')
    else if (kana === 'っ' || kana === 'ー') continue
    else {
      const phones = special[kana] ?? table.get(kana)
      if (phones === undefined) return undefined
      morae.push(phones.split(' '))
    }
  }
  return morae
}

function withVowel(mora: readonly string[], vowel: string): string[] {
  const onset = mora.filter(phone => !vowels.some(each => each === phone))
  // In ウィ, ウェ and ウォ, the vowel u becomes the consonant w.
  return onset.length === 0 && mora[0] === 'uw' ? ['w', vowel] : [...onset, vowel]
}
