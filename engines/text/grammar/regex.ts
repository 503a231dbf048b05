/** Parses regular expressions in the syntax that Rust's regex crate and JavaScript share.
 *  Look-around and back-references are not supported. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { anyChar, type CharSet, charSetFrom, charSetOf, codeOf, subtract } from './char-set.ts'
import { repeatLimit } from './pattern.ts'
import type { Pattern } from './pattern-form.ts'

const longestSource = 4000
const deepestNesting = 40
/** Largest number of repetition counts that may follow one another, as in `a{2}{3}`. */
const mostCounts = 3

/** Dialects of regular expressions differ in what a shorthand such as `\d` matches. `narrow` has
 *  the characters that the shorthand matches in every dialect, `wide` those that it matches in at
 *  least one dialect. A negated shorthand such as `\D` matches what is not in `wide`. */
interface Shorthand {
  narrow: CharSet
  wide: CharSet
}

const ascii: CharSet = [
  [0x09, 0x0a],
  [0x0d, 0x0d],
  [0x20, 0x7e],
]
const beyondAscii: CharSet = [[0x80, 0x10ffff]]
const digits = charSetFrom('0123456789')
const word = charSetOf([[0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a], ...charSetFrom('_')])
const space = charSetFrom(' \t\n\r')
const shorthands: Readonly<Record<string, Shorthand>> = {
  d: { narrow: digits, wide: charSetOf([...digits, ...beyondAscii]) },
  w: { narrow: word, wide: charSetOf([...word, ...beyondAscii]) },
  s: { narrow: space, wide: charSetOf([...charSetFrom(' \t\n\r\v\f'), ...beyondAscii]) },
  D: { narrow: subtract(ascii, digits), wide: subtract([[0, 0x10ffff]], digits) },
  W: { narrow: subtract(ascii, word), wide: subtract([[0, 0x10ffff]], word) },
  S: { narrow: subtract(ascii, space), wide: subtract([[0, 0x10ffff]], space) },
}
const dot = subtract(anyChar, charSetFrom('\n\r\u2028\u2029'))
const controlEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }

/** Returns the pattern of a regular expression. With `whole`, the expression must match the whole
 *  text; with `search`, a part of it (as `pattern` in a JSON schema does). `^` and `$` are allowed
 *  only at the ends of the whole expression or of a top-level alternative. Throws `invalid_request`
 *  with the part that is not supported; `where` is the start of the message. */
export function parseRegex(source: string, match: 'whole' | 'search', where: string): Pattern {
  if (source.length > longestSource)
    throw new GatewayError('invalid_request', `${where} has ${source.length} characters; at most ${longestSource}.`)
  return new RegexParser(source, where).parse(match)
}

class RegexParser {
  readonly #chars: string[]
  readonly #where: string
  #at = 0
  #depth = 0

  constructor(source: string, where: string) {
    this.#chars = [...source]
    this.#where = where
  }

  parse(match: 'whole' | 'search'): Pattern {
    const options: Pattern[] = []
    do options.push(this.#anchored(match))
    while (this.#take('|'))
    if (this.#at < this.#chars.length) throw this.#fault(`an unmatched ${this.#chars[this.#at]}`)
    return oneOf(options)
  }

  #anchored(match: 'whole' | 'search'): Pattern {
    const isAtStart = this.#take('^')
    const items = this.#items()
    const isAtEnd = this.#take('$')
    const rest = this.#chars[this.#at]
    if (rest !== undefined && rest !== '|' && rest !== ')') throw this.#fault('^ or $ inside the expression')
    if (match === 'whole') return { kind: 'sequence', items }
    const anything: Pattern = { kind: 'repeat', item: { kind: 'chars', set: anyChar }, min: 0, max: undefined }
    return { kind: 'sequence', items: [...(isAtStart ? [] : [anything]), ...items, ...(isAtEnd ? [] : [anything])] }
  }

  #items(): Pattern[] {
    const items: Pattern[] = []
    for (;;) {
      const next = this.#chars[this.#at]
      if (next === undefined || next === '|' || next === ')' || next === '$') return items
      items.push(this.#quantified(this.#atom()))
    }
  }

  #group(): Pattern {
    this.#depth += 1
    if (this.#depth > deepestNesting) throw this.#fault(`more than ${deepestNesting} groups inside one another`)
    if (this.#take('?')) this.#groupKind()
    const options: Pattern[] = []
    do {
      options.push({ kind: 'sequence', items: this.#items() })
      if (this.#chars[this.#at] === '$') throw this.#fault('$ inside a group')
    } while (this.#take('|'))
    if (!this.#take(')')) throw this.#fault('a group without its end')
    this.#depth -= 1
    return oneOf(options)
  }

  #groupKind(): void {
    if (this.#take(':')) return
    this.#take('P')
    const next = this.#chars[this.#at + 1]
    if (this.#chars[this.#at] !== '<')
      throw this.#fault(this.#chars[this.#at] === '=' || this.#chars[this.#at] === '!' ? 'lookahead' : 'flags in a group')
    if (next === '=' || next === '!') throw this.#fault('lookbehind')
    while (!this.#take('>')) {
      if (this.#at >= this.#chars.length) throw this.#fault('a group name without its end')
      this.#at += 1
    }
  }

  #atom(): Pattern {
    const char = this.#next()
    if (char === '(') return this.#group()
    if (char === '[') return { kind: 'chars', set: this.#class() }
    if (char === '.') return { kind: 'chars', set: dot }
    if (char === '\\') return this.#escape()
    if (char === '^') throw this.#fault('^ inside the expression')
    if (char === '*' || char === '+' || char === '?') throw this.#fault(`${char} with nothing before it`)
    return { kind: 'text', text: char }
  }

  #escape(): Pattern {
    const char = this.#chars[this.#at]
    const shorthand = shorthands[char ?? '']
    if (!shorthand) return { kind: 'text', text: this.#escapedChar() }
    this.#at += 1
    return { kind: 'chars', set: shorthand.narrow }
  }

  /** Returns the character for which an escape stands. The backslash must have been read
   *  already. */
  #escapedChar(): string {
    const char = this.#next()
    const control = controlEscapes[char]
    if (control !== undefined) return control
    if (char === 'x') return this.#hex(this.#take('{') ? undefined : 2)
    if (char === 'u') return this.#hex(this.#take('{') ? undefined : 4)
    if (char === 'b' || char === 'B') throw this.#fault('a word boundary')
    if (char === 'p' || char === 'P') throw this.#fault('a Unicode property')
    if (/[1-9k]/.test(char)) throw this.#fault('a back reference')
    if (/[a-zA-Z0-9]/.test(char)) throw this.#fault(`the escape \\${char}`)
    return char
  }

  #hex(length: number | undefined): string {
    let text = ''
    while (length === undefined ? !this.#take('}') : text.length < length) text += this.#next()
    const code = /^[0-9a-fA-F]{1,6}$/.test(text) ? Number.parseInt(text, 16) : Number.NaN
    if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) throw this.#fault(`the character number ${text}`)
    return String.fromCodePoint(code)
  }

  #class(): CharSet {
    const isNegated = this.#take('^')
    const narrow: (readonly [number, number])[] = []
    const wide: (readonly [number, number])[] = []
    let isFirst = true
    for (;;) {
      const char = this.#next()
      if (char === ']' && !isFirst) break
      isFirst = false
      if (char === '[') throw this.#fault('a class inside a class')
      const shorthand = char === '\\' ? shorthands[this.#chars[this.#at] ?? ''] : undefined
      if (shorthand) {
        this.#at += 1
        narrow.push(...shorthand.narrow)
        wide.push(...shorthand.wide)
        continue
      }
      const range = this.#range(char === '\\' ? this.#escapedChar() : char)
      narrow.push(range)
      wide.push(range)
    }
    const set = isNegated ? subtract(anyChar, charSetOf(wide)) : charSetOf(narrow)
    if (set.length === 0) throw this.#fault('a class that nothing fits')
    return set
  }

  #range(first: string): readonly [number, number] {
    const from = codeOf(first)
    const next = this.#chars[this.#at + 1]
    if (this.#chars[this.#at] !== '-' || next === ']' || next === undefined) return [from, from]
    this.#at += 1
    const last = this.#next()
    const to = codeOf(last === '\\' ? this.#escapedChar() : last)
    if (to < from) throw this.#fault('a range that ends before it begins')
    return [from, to]
  }

  #quantified(item: Pattern, counts = 0): Pattern {
    const count = this.#count()
    if (!count) return item
    // The `?` of a lazy repetition is skipped, because lazy and greedy repetitions match the same
    // texts.
    if (!this.#take('?') && this.#chars[this.#at] === '+') throw this.#fault('a possessive quantifier')
    counts += 1
    if (counts > mostCounts) throw this.#fault(`more than ${mostCounts} counts of one thing`)
    return this.#quantified({ kind: 'repeat', item, ...count }, counts)
  }

  #count(): { min: number; max: number | undefined } | undefined {
    if (this.#take('*')) return { min: 0, max: undefined }
    if (this.#take('+')) return { min: 1, max: undefined }
    if (this.#take('?')) return { min: 0, max: 1 }
    if (this.#chars[this.#at] !== '{') return undefined
    const found = /^\{(\d{1,6})(,(\d{0,6}))?\}/.exec(this.#chars.slice(this.#at, this.#at + 16).join(''))
    if (!found) throw this.#fault('a { that is not a count (write \\{ for the character)')
    this.#at += found[0].length
    const min = Number(found[1])
    const max = found[2] === undefined ? min : found[3] === '' ? undefined : Number(found[3])
    if (Math.max(min, max ?? 0) > repeatLimit) throw this.#fault(`a count above ${repeatLimit}`)
    if (max !== undefined && max < min) throw this.#fault('a count that ends before it begins')
    return { min, max }
  }

  #next(): string {
    const char = this.#chars[this.#at]
    if (char === undefined) throw this.#fault('an end in the middle of something')
    this.#at += 1
    return char
  }

  #take(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false
    this.#at += 1
    return true
  }

  #fault(what: string): GatewayError {
    return new GatewayError('invalid_request', `${this.#where} uses ${what} (near character ${this.#at + 1}), which is not supported here.`)
  }
}

function oneOf(options: Pattern[]): Pattern {
  return options.length === 1 && options[0] ? options[0] : { kind: 'choice', items: options }
}
