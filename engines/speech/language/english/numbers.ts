/** Converts numbers to English words. All functions take digits as text, so that long numbers lose
 *  no precision. */

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const thousands =
  ' thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion undecillion duodecillion'.split(
    ' ',
  )
const irregular = new Map([
  ['one', 'first'],
  ['two', 'second'],
  ['three', 'third'],
  ['five', 'fifth'],
  ['eight', 'eighth'],
  ['nine', 'ninth'],
  ['twelve', 'twelfth'],
])

/** Converts `105` to `one hundred five`, with `withAnd` to `one hundred and five`. Numbers too long
 *  to have a name are read digit by digit. */
export function cardinal(digits: string, withAnd = false): string {
  const plain = digits.replace(/^0+(?=\d)/, '')
  if (plain.length > thousands.length * 3) return spokenDigits(digits)
  const groups: string[] = []
  for (let end = plain.length; end > 0; end -= 3) groups.unshift(plain.slice(Math.max(0, end - 3), end))
  const parts: string[] = []
  groups.forEach((group, index) => {
    const value = Number(group)
    const name = thousands[groups.length - 1 - index]
    if (value === 0) return
    const joint = withAnd && name === '' && parts.length > 0 && value < 100 ? 'and ' : ''
    parts.push(`${joint}${below1000(value, withAnd)}${name ? ` ${name}` : ''}`)
  })
  return parts.join(' ') || 'zero'
}

/** Converts `21` to `twenty-first`. */
export function ordinal(digits: string, withAnd = false): string {
  return cardinal(digits, withAnd).replace(
    /[a-z]+$/,
    last => irregular.get(last) ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`),
  )
}

/** Converts `1905` to `nineteen oh five`, `2007` to `two thousand seven`, `800` to `eight
 *  hundred`. */
export function year(digits: string, withAnd = false): string {
  const value = Number(digits)
  const [century, rest] = [Math.floor(value / 100), value % 100]
  if (digits.length !== 4 || value < 1000 || value % 1000 < 10) return cardinal(digits, withAnd)
  if (rest === 0) return `${below1000(century, withAnd)} hundred`
  return `${below1000(century, withAnd)} ${rest < 10 ? `oh ${small[rest]}` : below1000(rest, withAnd)}`
}

/** Converts `3.14` to `three point one four` and `.5` to `point five`; commas as in `1,234.5` are
 *  removed first. */
export function decimal(text: string, withAnd = false): string {
  const [whole = '', ...rest] = text.replaceAll(',', '').split('.')
  const fraction = rest.length > 0 ? `point ${spokenDigits(rest.join(''))}` : ''
  return [whole === '' ? '' : cardinal(whole, withAnd), fraction].filter(part => part !== '').join(' ')
}

/** Converts `407` to `four zero seven`; `zero` is the word for 0, such as `oh`. */
export function spokenDigits(digits: string, zero = 'zero'): string {
  return [...digits].map(digit => (digit === '0' ? zero : small[Number(digit)])).join(' ')
}

/** Returns the plural of a number word: `twenty` -> `twenties`, `six` -> `sixes`, `hundred` ->
 *  `hundreds`. */
export function plural(words: string): string {
  if (words.endsWith('y')) return `${words.slice(0, -1)}ies`
  return /[xs]$/.test(words) ? `${words}es` : `${words}s`
}

/** Converts `3/4` to `three quarters`, `1/2` to `one half`, `7/100` to `seven hundredths`. */
export function fraction(above: string, below: string, withAnd = false): string {
  const isOne = Number(above) === 1
  const count = cardinal(above, withAnd)
  if (Number(below) === 2) return `${count} ${isOne ? 'half' : 'halves'}`
  if (Number(below) === 4) return `${count} quarter${isOne ? '' : 's'}`
  if (Number(below) < 2) return `${count} over ${cardinal(below, withAnd)}`
  const part = ordinal(below, withAnd).replace(/^one (?=[a-z]+$)/, '')
  return `${count} ${part}${isOne ? '' : 's'}`
}

/** Returns the value of a Roman numeral in its usual spelling; undefined for anything else (`IC`,
 *  `VX`). */
export function roman(letters: string): number | undefined {
  const groups = /^(M{0,3})(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$/.exec(letters)
  if (!groups || letters === '') return undefined
  const worth: Record<string, number> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 }
  const values = [...letters].map(letter => worth[letter] ?? 0)
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0)
}

function below1000(value: number, withAnd: boolean): string {
  const hundreds = Math.floor(value / 100)
  const rest = value % 100
  if (hundreds === 0) return below100(rest)
  return `${small[hundreds]} hundred${rest === 0 ? '' : ` ${withAnd ? 'and ' : ''}${below100(rest)}`}`
}

function below100(value: number): string {
  if (value < 20) return small[value] ?? ''
  return `${tens[Math.floor(value / 10)]}${value % 10 === 0 ? '' : `-${small[value % 10]}`}`
}
