/** Japanese lyrics in kana: morae in the phones that an English voice has. */

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
}
const small: Readonly<Record<string, string>> = { ゃ: 'aa', ゅ: 'uw', ょ: 'ow' }

const table = new Map<string, string>(
  rows
    .split(' ')
    .flatMap((row, index) => [...row].map((kana, column) => [kana, `${rowPhones[index] ?? ''} ${vowels[column] ?? ''}`.trim()] as const)),
)

/** Phones of each mora of a text of kana: a small ya, yu or yo joins the one before, a final n and a long vowel lengthen it. Undefined where something else stands in it. */
export function kanaMorae(text: string): string[][] | undefined {
  const morae: string[][] = []
  // Both kinds of kana run in the same order.
  const plain = text.replace(/[ァ-ヶ]/g, kana => String.fromCodePoint((kana.codePointAt(0) ?? 0) - 0x60))
  for (const kana of plain) {
    const before = morae.at(-1)
    const glide = small[kana]
    if (glide !== undefined && before)
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
