/** Transliterates words of other scripts into Latin letters, so that an English voice can say
 *  them. */
import { pinyin } from 'pinyin-pro'

const greekNames =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega'.split(
    ' ',
  )
const pairs = (from: string, to: string): Map<string, string> => {
  const targets = to.split(' ')
  return new Map([...from].map((char, index) => [char, targets[index]?.replace('_', '') ?? '']))
}
const greek = pairs('αβγδεζηθικλμνξοπρσςτυφχψω', 'a v g d e z i th i k l m n x o p r s s t i f kh ps o')
const cyrillic = pairs(
  'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґјљњћђџ',
  'a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya yo i yi ye g y ly ny ch j j',
)
const hebrew = pairs('אבגדהוזחטיכךלמםנןסעפףצץקרשת', 'a v g d h o z kh t i k k l m m n n s a p f ts ts k r sh t')
const arabic = pairs(
  'ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأإؤئىةپچژگکی',
  'a b t th j h kh d dh r z s sh s d t z a gh f q k l m n h w y _ a a i u i a a p ch zh g k i',
)
const kana = pairs(
  'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをんがぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽ',
  'a i u e o ka ki ku ke ko sa shi su se so ta chi tsu te to na ni nu ne no ha hi fu he ho ma mi mu me mo ya yu yo ra ri ru re ro wa o n ga gi gu ge go za ji zu ze zo da ji zu de do ba bi bu be bo pa pi pu pe po',
)
const leads = 'g kk n d tt r m b pp s ss _ j jj ch k t p h'.split(' ').map(part => part.replace('_', ''))
const middles = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ')
const tails = '_ k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ').map(part => part.replace('_', ''))
const devanagari = pairs(
  'कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह',
  'k kh g gh n ch chh j jh n t th d dh n t th d dh n p ph b bh m y r l v sh sh s h',
)
const devanagariVowels = pairs('ािीुूृेैोौंँः', 'a i ee u oo ri e ai o au n n h')
const devanagariInitials = pairs('अआइईउऊऋएऐओऔ', 'a aa i ee u oo ri e ai o au')

/** Returns the text in Latin letters. A word in a script that has no table here is replaced by the
 *  name of the script: `Thai letters`. */
export function romanised(text: string): string {
  if (!/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text)) return text
  return text
    .replace(/(?<!\p{L})[\u0370-\u03FF](?!\p{L})/gu, letter => greekName(letter))
    .replace(/\p{Script=Greek}+/gu, word => spelledBy(greek, word.normalize('NFD').replace(/\p{M}/gu, '')))
    .replace(/\p{Script=Cyrillic}+/gu, word => spelledBy(cyrillic, word))
    .replace(/[\p{Script=Hebrew}]+/gu, word => spelledBy(hebrew, word.normalize('NFD').replace(/\p{M}/gu, '')))
    .replace(/[\p{Script=Arabic}]+/gu, word => spelledBy(arabic, word.replace(/\p{M}/gu, '')))
    .replace(/[\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu, romaji)
    .replace(/\p{Script=Hangul}+/gu, hangul)
    .replace(/\p{Script=Devanagari}+/gu, hindi)
    .replace(/\p{Script=Han}+/gu, word => ` ${pinyin(word, { toneType: 'none', v: false })} `)
    .replace(/(?:(?!\p{Script=Latin})\p{L}[\p{L}\p{M}]*\s*)+/gu, run =>
      /^[\p{Script=Latin}\uE000-\uF8FF]/u.test(run) ? run : ` ${scriptOf(run)} letters `,
    )
}

function spelledBy(table: ReadonlyMap<string, string>, word: string): string {
  const latin = [...word.toLowerCase()].map(char => table.get(char) ?? '').join('')
  return word.charAt(0) !== word.charAt(0).toLowerCase() ? latin.charAt(0).toUpperCase() + latin.slice(1) : latin
}

function greekName(letter: string): string {
  const plain = letter.toLowerCase().normalize('NFD').charAt(0)
  return greekNames['αβγδεζηθικλμνξοπρσςτυφχψω'.indexOf(plain)] ?? letter
}

function romaji(word: string): string {
  const hiragana = word.replace(/[ァ-ヶ]/g, char => String.fromCharCode(char.charCodeAt(0) - 0x60))
  return hiragana
    .replace(
      /(.)([ゃゅょ])/g,
      (_, lead, small) =>
        (kana.get(lead) ?? '').replace(/i$/, /^(?:sh|ch|j)/.test(kana.get(lead) ?? '') ? '' : 'y') +
        { ゃ: 'a', ゅ: 'u', ょ: 'o' }[small as 'ゃ'],
    )
    .replace(/[ぁぃぅぇぉ]/g, small => ({ ぁ: 'a', ぃ: 'i', ぅ: 'u', ぇ: 'e', ぉ: 'o' })[small as 'ぁ'] ?? '')
    .replace(/っ(?=(.))/g, (_, next) => (kana.get(next) ?? '').charAt(0))
    .replace(/[ーっ]/g, '')
    .replace(/[ぁ-ゖ]/g, char => kana.get(char) ?? '')
}

function hangul(word: string): string {
  return word.normalize('NFC').replace(/[가-힣]/g, syllable => {
    const code = syllable.charCodeAt(0) - 0xac00
    return leads[Math.floor(code / 588)]! + middles[Math.floor((code % 588) / 28)]! + tails[code % 28]!
  })
}

/** Transliterates a Hindi word. In Devanagari, a consonant without a vowel sign includes the vowel
 *  `a`, except at the end of a word. */
function hindi(word: string): string {
  const chars = [...word.normalize('NFC').replaceAll('़', '')]
  return chars
    .map((char, index) => {
      const consonant = devanagari.get(char)
      const next = chars[index + 1]
      if (consonant === undefined) return devanagariVowels.get(char) ?? devanagariInitials.get(char) ?? ''
      return next === undefined || next === '्' || (devanagariVowels.has(next) && !'ंँः'.includes(next)) ? consonant : `${consonant}a`
    })
    .join('')
}

const scripts = [
  'Thai',
  'Armenian',
  'Georgian',
  'Bengali',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Gujarati',
  'Gurmukhi',
  'Sinhala',
  'Khmer',
  'Lao',
  'Myanmar',
  'Tibetan',
  'Ethiopic',
  'Mongolian',
  'Cherokee',
]

function scriptOf(text: string): string {
  return scripts.find(script => new RegExp(`\\p{Script=${script}}`, 'u').test(text)) ?? 'foreign'
}
