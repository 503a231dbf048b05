/** Converts money, percentages, units, ordinals, fractions, ranges and plain numbers to spoken
 *  words. */
import { cardinal, fraction, ordinal, plural, spokenDigits } from './numbers.ts'
import { letters, type NormaliserContext, type NormaliserStep, numberPattern, spokenNumber, spokenOrdinal, spokenYear } from './speaking.ts'
import { scaledUnits, units } from './units.ts'

interface Currency {
  one: string
  many: string
  cent?: [one: string, many: string]
}
const cents: [string, string] = ['cent', 'cents']
const pence: [string, string] = ['penny', 'pence']
const currencies: Record<string, Currency> = {
  $: { one: 'dollar', many: 'dollars', cent: cents },
  US$: { one: 'U·S· dollar', many: 'U·S· dollars', cent: cents },
  A$: { one: 'Australian dollar', many: 'Australian dollars', cent: cents },
  C$: { one: 'Canadian dollar', many: 'Canadian dollars', cent: cents },
  R$: { one: 'real', many: 'reais' },
  '£': { one: 'pound', many: 'pounds', cent: pence },
  '€': { one: 'euro', many: 'euros', cent: cents },
  '¥': { one: 'yen', many: 'yen' },
  '₹': { one: 'rupee', many: 'rupees' },
  '₩': { one: 'won', many: 'won' },
  '₽': { one: 'ruble', many: 'rubles' },
  '₺': { one: 'lira', many: 'lira' },
  '₪': { one: 'shekel', many: 'shekels' },
  '₿': { one: 'bitcoin', many: 'bitcoin' },
}
const codes: Record<string, string> = { USD: 'US$', EUR: '€', GBP: '£', JPY: '¥', INR: '₹', CAD: 'C$', AUD: 'A$' }
const magnitudes: Record<string, string> = {
  k: 'thousand',
  m: 'million',
  mn: 'million',
  b: 'billion',
  bn: 'billion',
  t: 'trillion',
  tn: 'trillion',
}
const signs = '(?:US|A|C|R)?\\$|[£€¥₹₩₽₺₪₿]'
const scale = '(?:[ -]?(thousand|million|billion|trillion)\\b|(k|mn?|bn?|tn?)\\b)?'

export const readMoney: NormaliserStep = (text, speaking) =>
  text
    .replace(
      new RegExp(`([-−+]?)(${signs}) ?(${numberPattern})${scale}(?:[-–—](?:\\2)?(${numberPattern})${scale})?`, 'gi'),
      (_, before, sign, from, big, small, to, bigTo, smallTo) => {
        const currency = currencies[sign.toUpperCase()]!
        if (to === undefined) return spokenSign(before) + amount(currency, from, big ?? small, speaking)
        const size = bigTo ?? smallTo
        const first = spokenNumber(from, speaking) + magnitude(big ?? small)
        return `${spokenSign(before)}${first} to ${amount(currency, to, size, speaking)}`
      },
    )
    .replace(
      new RegExp(
        `(${numberPattern})${scale} ?(${signs.replace('(?:US|A|C|R)?\\$|', '')}|\\$(?!\\d)|\\b(?:${Object.keys(codes).join('|')})\\b)`,
        'g',
      ),
      (_, number, big, small, sign) => amount(currencies[codes[sign] ?? sign]!, number, big ?? small, speaking),
    )
    .replace(new RegExp(`\\b(${Object.keys(codes).join('|')}) (${numberPattern})${scale}`, 'g'), (_, code, number, big, small) =>
      amount(currencies[codes[code]!]!, number, big ?? small, speaking),
    )
    .replace(
      new RegExp(`(${numberPattern}) ?¢`, 'g'),
      (_, number) => `${spokenNumber(number, speaking)} ${Number(number) === 1 ? 'cent' : 'cents'}`,
    )
    .replace(/\b(\d+)p\b(?=\s|[.,;!?]|$)/g, (whole, number) =>
      speaking.accent === 'gb' && number.length < 3 ? `${cardinal(number)} ${number === '1' ? 'penny' : 'pence'}` : whole,
    )

function magnitude(size: string | undefined): string {
  return size === undefined ? '' : ` ${magnitudes[size.toLowerCase()] ?? size.toLowerCase()}`
}

function amount({ one, many, cent }: Currency, number: string, size: string | undefined, speaking: NormaliserContext): string {
  const [whole = '0', part = ''] = number.replaceAll(',', '').split('.')
  if (size !== undefined || !cent || part.length !== 2)
    return `${spokenNumber(number, speaking)}${magnitude(size)} ${number === '1' && size === undefined ? one : many}`
  const small = Number(part) === 0 ? '' : `${cardinal(part)} ${Number(part) === 1 ? cent[0] : cent[1]}`
  if (Number(whole || '0') === 0 && small !== '') return small
  const large = `${spokenNumber(whole, speaking)} ${Number(whole) === 1 ? one : many}`
  return small === '' ? large : `${large} and ${small}`
}

const unitNames = [...units.keys()].sort((left, right) => right.length - left.length).map(name => name.replace(/[/.$^]/g, '\\$&'))
const unitPattern = new RegExp(
  `(?<![\\w.])([-−+±~≈]?)(${numberPattern})(?:( ?[-–—] ?| to )(${numberPattern}))?( ?|-)(${unitNames.join('|')})(?:\\.(?=\\s+[a-z])|(?![\\p{L}\\d]))`,
  'gu',
)

export const readUnits: NormaliserStep = (text, speaking) =>
  text
    .replace(/\b(\d{1,2})['′] ?(\d{1,2})(?:["″”]|'')/g, (_, feet, inches) => `${cardinal(feet)} foot ${cardinal(inches)}`)
    .replace(unitPattern, (whole, sign, first, _range, second, gap, unit) => {
      const [one, many] = units.get(unit)!
      // After a space, these letters and words are often not units: `5 C`, `3 in the`, `2 T`. So
      // the text is not changed.
      if (gap === ' ' && /^(?:in|at|K|C|F|T|M|A|V|W|B|N|J)$/.test(unit)) return whole
      const last = second ?? first
      const isOne = Number(last.replaceAll(',', '')) === 1 && second === undefined
      const number =
        second === undefined ? spokenNumber(first, speaking) : `${spokenNumber(first, speaking)} to ${spokenNumber(second, speaking)}`
      return `${spokenSign(sign)}${number} ${isOne || gap === '-' ? one : many}`
    })
    .replace(
      new RegExp(`(?<![\\w.])(${numberPattern})( ?[½¼¾⅓⅔⅛])? ?(${scaledUnits})\\b`, 'g'),
      (_, number, _part, unit) => `${spokenNumber(number, speaking)} ${letters(unit)}`,
    )
    // Matches the slash between an amount, which is already in words, and the next word: `five
    // dollars/month`, `ten kilometers / day`.
    .replace(
      /(?<=(?:dollars?|cents?|pounds?|euros?|yen|rupees?|meters?|kilometers?|miles?|grams?|bits?|bytes?|percent|times|tons?|liters?|calls|people|requests) ?)\/ ?(?=\p{L})/gu,
      ' per ',
    )

function spokenSign(sign: string): string {
  if (sign === '-' || sign === '−') return 'minus '
  if (sign === '+') return 'plus '
  return sign === '±' ? 'plus or minus ' : sign === '' ? '' : 'about '
}

const vulgar: Record<string, string> = {
  '½': '1/2',
  '⅓': '1/3',
  '⅔': '2/3',
  '¼': '1/4',
  '¾': '3/4',
  '⅕': '1/5',
  '⅛': '1/8',
  '⅜': '3/8',
  '⅝': '5/8',
  '⅞': '7/8',
}
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Converts one-character fractions (½), powers, and superscript or subscript digits. */
const readPowers: NormaliserStep = (text, speaking) => {
  const number = (digits: string): string => spokenNumber(digits, speaking)
  return text
    .replace(/(\d)?([½⅓⅔¼¾⅕⅛⅜⅝⅞])/g, (_, whole, part) => `${whole ? `${whole} ` : ''}${vulgar[part]}`)
    .replace(/(\d+(?:\.\d+)?) ?[×x*] ?10(?:\^([-−]?\d+)|([⁻]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+))/g, (_, base, power, minus, up) => {
      const exponent = power ?? `${minus ? '-' : ''}${[...up].map(digit => raised.indexOf(digit)).join('')}`
      return `${number(base)} times ten to the ${powerOf(exponent, speaking)}`
    })
    .replace(
      /\b(\d+(?:\.\d+)?)e([-+]?\d{1,3})\b/gi,
      (_, base, power) => `${number(base)} times ten to the ${powerOf(power.replace('+', ''), speaking)}`,
    )
    .replace(/(?<=[\p{L}\d)])([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/gu, (_, up) => raisedTo([...up].map(digit => raised.indexOf(digit)).join(''), speaking))
    .replace(/(?<=[\p{L}\d)])\^([-−]?\d+)/gu, (_, power) => raisedTo(power, speaking))
    .replace(/[₀-₉]/g, digit => String(digit.charCodeAt(0) - 0x2080))
}

/** Converts all remaining digits. */
export const readNumbers: NormaliserStep = (text, speaking) => {
  const number = (digits: string): string => spokenNumber(digits, speaking)
  return (
    readPowers(text, speaking)
      .replace(/(?<=\d) ?[x×] ?(?=\d)/g, text.includes('=') ? ' times ' : ' by ')
      // Matches groups of digits: ISBN, part numbers.
      .replace(/(?<![\w-])\d+(?:-\d+){2,}(?![\w-])/g, groups =>
        groups
          .split('-')
          .map(group => spokenDigits(group))
          .join(', '),
      )
      .replace(/(?<=\b(?:call|dial|ring|phone|area code|zip code|zip|PIN|code|extension) )\d{3,5}\b(?![.,:]\d)/gi, (digits: string) =>
        /^\d00+$|^[12]\d{3}$/.test(digits) ? digits : spokenDigits(digits),
      )
      .replace(/\b50\/50\b/g, 'fifty fifty')
      .replace(/\b(\d{1,3}(?:,\d{3})+|\d+)(st|nd|rd|th)\b/gi, (_, digits) => spokenOrdinal(digits, speaking))
      .replace(/(?<![\d/.])(?:(\d+) )?(\d{1,3})\/(\d{1,3})(?![\d/])/g, (whole, before, above, below) =>
        Number(below) < 2 || (Number(above) > Number(below) && before === undefined && Number(below) > 16)
          ? `${before ? `${number(before)} ` : ''}${number(above)} slash ${number(below)}`
          : `${before ? `${number(before)} and ` : ''}${mixed(above, below, before !== undefined, speaking) || whole}`,
      )
      .replace(
        new RegExp(`(${numberPattern})(?: ?[-–—] ?(${numberPattern}))? ?(%|‰)`, 'g'),
        (_, from, to, sign) => `${number(from)}${to ? ` to ${number(to)}` : ''} ${sign === '%' ? 'percent' : 'per mille'}`,
      )
      .replace(
        /\b(1[1-9]\d\d|20\d\d) ?[-–—] ?(1[1-9]\d\d|20\d\d|\d\d)\b(?![-–—]\d)/g,
        (_, from, to) =>
          `${spokenYear(from, speaking)} to ${to.length === 4 ? spokenYear(to, speaking) : to.startsWith('0') ? spokenDigits(to, 'oh') : cardinal(to)}`,
      )
      .replace(
        new RegExp(`(?<![\\w-])(${numberPattern}) ?[-–—] ?(${numberPattern})(?![\\w-])`, 'g'),
        (_, from, to) => `${number(from)} to ${number(to)}`,
      )
      .replace(
        /(?<=(?:[Rr]oom|[Ff]light|[Rr]oute|[Hh]ighway|Interstate|[Cc]hannel|Boeing|Area|[Bb]us|[Ss]uite|[Ee]xtension|Apartment|Airbus A) )([1-9])(\d\d)\b(?![,.]\d)/g,
        (_, first, rest) =>
          rest === '00'
            ? `${cardinal(first)} hundred`
            : `${cardinal(first)} ${rest.startsWith('0') ? spokenDigits(rest, 'oh') : cardinal(rest)}`,
      )
      .replace(/(?<![\d.,])(1[1-9]\d\d|20\d\d)(?![\d]|[.,]\d|s\b)/g, digits => spokenYear(digits, speaking))
      .replace(/(?<![\p{L}\d])[-−](?=\.?\d)/gu, 'minus ')
      .replace(/(?<![\p{L}\d])\+(?=\.?\d)/gu, 'plus ')
      .replace(/(\d+)(?:'|’)?s\b/g, (_, digits) => plural(number(digits)))
      .replace(/(\d)x\b(?!\d)/g, '$1 times')
      // Separates letters from digits within a word: MP3, B2B, 3D.
      .replace(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ')
      .replace(/(?<=\p{L})-(?=\d)/gu, ' ')
      .replace(/(?<=\d)-(?=\p{L})/gu, '-')
      .replace(new RegExp(numberPattern, 'g'), digits => number(digits))
      .replace(/\p{Nd}+/gu, digits => spokenDigits([...digits].map(asciiDigit).join('')))
  )
}

/** Returns the value of a digit in any script: the ten digits of a script are consecutive in
 *  Unicode. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

function powerOf(exponent: string, speaking: NormaliserContext): string {
  const isNegative = /^[-−]/.test(exponent)
  const digits = exponent.replace(/^[-−]/, '')
  return isNegative ? `minus ${cardinal(digits)}` : spokenOrdinal(digits, speaking)
}

function raisedTo(power: string, speaking: NormaliserContext): string {
  if (power === '2') return ' squared'
  return power === '3' ? ' cubed' : ` to the ${powerOf(power, speaking)}`
}

function mixed(above: string, below: string, hasWhole: boolean, { accent }: NormaliserContext): string {
  if (hasWhole && above === '1') return below === '2' ? 'a half' : below === '4' ? 'a quarter' : `one ${ordinal(below, accent === 'gb')}`
  return fraction(above, below, accent === 'gb')
}
