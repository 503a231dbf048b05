/** Rewrites what eSpeak NG reads wrongly: dates, times, money, units, abbreviations and symbols.
 *  Plain and decimal numbers, percentages and emoji stay, because eSpeak reads them well. */
import { normalForm } from '@generation-gateway/kit/normal-form.ts'
import { withOrdinals } from './ordinals.ts'
import { type ESpeakLanguage, type Words, wordsOf } from './words.ts'

export type { ESpeakLanguage } from './words.ts'

/** Returns a sentence in the form that eSpeak should read. */
export function normaliseFor(language: ESpeakLanguage, sentence: string): string {
  const words = wordsOf[language]
  const text = normalForm(sentence, 'NFC')
    .replace(/[\u00AD\u200B-\u200F\u2060\uFEFF]/g, mark => (mark === '\u200D' ? mark : ''))
    .replace(/(?<=\d)[\u00a0\u202f](?=\d{3}(?!\d))/g, '')
  const dated = withDates(
    words,
    withAbbreviations(words, text)
      .replace(/https?:\/\//gi, '')
      .replace(emphasis, '$2'),
  )
  const measured = withUnits(words, withMoney(words, withOrdinals(language, dated)))
  return withSigns(words, withMarks(withRanges(words, withFractions(words, measured))))
    .replace(/\s+/g, ' ')
    .trim()
}

const emphasis = /(\*{1,3}|~~|`+)(?=\S)([^*~`]*[^\s*~`])\1/g
/** Pattern of an amount. A dot, a comma or a space may separate its groups of three digits. */
const amount = '\\d+(?:[., ]\\d{3}(?!\\d))*(?:[.,]\\d+)?'

function withAbbreviations({ abbreviations, ofNumbers }: Words, text: string): string {
  let whole = text
  const replace = (short: string, long: string, behind: string): void => {
    whole = whole.replace(new RegExp(`(?<![\\p{L}\\p{N}.])${escaped(short)}(?![\\p{L}\\p{N}])${behind}`, 'gu'), long)
  }
  for (const [short, long] of Object.entries(ofNumbers)) replace(short, long, '(?= ?\\d)')
  for (const [short, long] of Object.entries(abbreviations)) replace(short, long, '')
  return whole
}

function withDates({ months, date, time, timeWords }: Words, text: string): string {
  const month = (number: string): string | undefined => months.split(' ')[Number(number) - 1]
  const dateOf = (all: string, day: string, number: string, year: string): string => {
    const name = month(number)
    return name === undefined ? all : date(String(Number(day)), name, year)
  }
  const timeOf = (_: string, hours: string, minutes: string): string => time(String(Number(hours)), minutes)
  const dated = text
    .replace(/\b(\d{4})-(\d{2})-(\d{2})\b/g, (all, year, number, day) => dateOf(all, day, number, year))
    .replace(/\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/g, dateOf)
    .replace(/\b([01]?\d|2[0-4])(?::| ?h ?)([0-5]\d)(?: ?h| ?min)?\b/g, timeOf)
  if (timeWords === undefined) return dated
  return dated.replace(new RegExp(`(?<=\\b(?:${timeWords}) )([01]?\\d|2[0-4])\\.([0-5]\\d)(?![\\d.,])`, 'gi'), timeOf)
}

function withMoney(words: Words, text: string): string {
  const { money, and } = words
  const signs = Object.keys(money).map(escaped).join('|')
  const spoken = (sign: string, given: string): string => {
    const [one, many] = money[sign]!
    const [whole = '', cents] = given.split(/[.,](?=\d{2}$)/)
    const digits = whole.replace(/[., ](?=\d{3}(?!\d))/g, '')
    return `${digits} ${digits === '1' ? one : many}${cents === undefined || cents === '00' ? '' : ` ${and} ${cents}`}`
  }
  return withMillions(words, text)
    .replace(new RegExp(`(\\d+) ?(${signs})(\\d{2})(?!\\d)`, 'g'), (_, whole, sign, cents) => spoken(sign, `${whole},${cents}`))
    .replace(new RegExp(`(${signs}) ?(${amount})`, 'g'), (_, sign, given) => spoken(sign, given))
    .replace(new RegExp(`(${amount}) ?(${signs})`, 'g'), (_, given, sign) => spoken(sign, given))
}

/** Converts amounts of money in thousands, millions or billions; the currency sign may be before
 *  or after the number: `1,5 M€`, `R$ 3 bi`. */
function withMillions({ money, millions, isOneMillion }: Words, text: string): string {
  const signs = Object.keys(money).map(escaped).join('|')
  const shorts = Object.keys(millions).join('|')
  const spoken = (sign: string, given: string, short: string): string => {
    const [one, many] = millions[short]!
    const of = isOneMillion.test(given) ? one : many
    return elided(`${given} ${of} ${money[sign]![1]}`)
  }
  return text
    .replace(new RegExp(`(${amount}) ?(${shorts}) ?(${signs})`, 'gu'), (_, given, short, sign) => spoken(sign, given, short))
    .replace(new RegExp(`(${signs}) ?(${amount}) ?(${shorts})(?!\\p{L})`, 'gu'), (_, sign, given, short) => spoken(sign, given, short))
}

/** Corrects the French "d’" to "de" before a consonant. */
function elided(text: string): string {
  return text.replace(/d’ (?=[aeiou])/, 'd’').replace('d’ ', 'de ')
}

function withUnits({ units, one }: Words, text: string): string {
  const names = Object.keys(units)
    .sort((left, right) => right.length - left.length)
    .map(escaped)
    .join('|')
  return text.replace(
    new RegExp(`(?<![\\d.,/])(\\d/\\d|${amount}) ?(${names})(?![\\p{L}\\p{N}/])`, 'gu'),
    (_, given: string, unit: string) => {
      const many = units[unit] ?? ''
      return `${given.replace(/ /g, '')} ${given === '1' || given.includes('/') ? one(many) : many}`
    },
  )
}

/** Converts fractions such as `1/2`, but not inside `1/2/3`. */
function withFractions({ fractions, halves }: Words, text: string): string {
  const ofNouns = halves
    ? text.replace(
        /(?<![\d/.,])1\/2 (?!(?:della|dell|delle|para|entre|como)\b)(?=\p{Ll}*(\p{Ll})(?<=\p{Ll}{4})(?!\p{L}))/gu,
        (_, last) => `${halves[last === 'a' ? 1 : 0]} `,
      )
    : text
  return ofNouns.replace(/(?<![\d/.,])\d\/\d(?![\d/.,]\d|\d)/g, fraction => fractions[fraction] ?? fraction)
}

/** Converts ranges of numbers: `3-5` becomes `3 a 5` in Spanish. When the first number has at least
 *  three digits and the second is smaller, the pair is a telephone number or a reference and not a
 *  range, so the dash becomes a space. */
function withRanges({ to, minus }: Words, text: string): string {
  return text
    .replace(/(\d+) ?[-–—] ?(?=(\d+))/g, (_, from: string, until: string) => {
      const isNumber = from.length >= 3 && Number(until) < Number(from)
      return isNumber ? `${from} ` : `${from} ${to} `
    })
    .replace(/(?<![\p{L}\p{N}])[-−](?=\d)/gu, `${minus} `)
}

function withMarks(text: string): string {
  return text
    .replace(/[‘’]/g, "'")
    .replace(/(?<=\s|^)[–—-]{1,3}(?=\s)|[—―]|--+/g, ' — ')
    .replace(/\.{3,}/g, '…')
    .replace(/[[{]/g, '(')
    .replace(/[\]}]/g, ')')
    .replace(/[«»„“”]/g, '"')
}

function withSigns({ signs }: Words, text: string): string {
  let whole = text
  for (const [sign, name] of Object.entries(signs)) whole = whole.replaceAll(sign, ` ${name} `)
  return whole
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
