/** Parses Lark grammars: rules and terminals, strings, regular expressions, groups, options,
 *  counts, comments, `%ignore` and `%import common.X`. The text is matched as a plain concatenation
 *  of its terminals, without a separate lexer. Unsupported: templates, priorities, other imports,
 *  `%declare`, `%extend`, `%override`. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { charSetFrom } from './char-set.ts'
import { type GbnfRules, repeat } from './gbnf.ts'
import { withoutLeftRecursion } from './left-recursion.ts'
import { repeatLimit, rulesInJson } from './pattern.ts'
import type { Pattern } from './pattern-form.ts'
import { parseRegex } from './regex.ts'

const longestSource = 16_000
/** Largest number of rules and terminals in a grammar. Each of them is compared with all others,
 *  so many of them would take too long. */
const mostRules = 500
const deepestNesting = 40
const tokenPattern =
  /\s+|\/\/[^\n]*|(?<string>"(?:[^"\\\n]|\\.)*"i?)|(?<regex>\/(?!\/)(?:[^/\\\n]|\\.)+\/[a-z]*)|(?<name>[?!]*_?[a-zA-Z][a-zA-Z0-9_]*)|(?<number>\d+)|(?<sign>\.\.|->|[:|()[\]*+?~%.{},])/y
const common: Readonly<Record<string, string>> = {
  DIGIT: '[0-9]',
  HEXDIGIT: '[0-9a-fA-F]',
  INT: '[0-9]+',
  SIGNED_INT: '[+-]?[0-9]+',
  DECIMAL: '[0-9]+\\.[0-9]*|\\.[0-9]+',
  FLOAT: '[0-9]+\\.[0-9]+([eE][+-]?[0-9]+)?',
  SIGNED_FLOAT: '[+-]?[0-9]+\\.[0-9]+([eE][+-]?[0-9]+)?',
  NUMBER: '[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?',
  SIGNED_NUMBER: '[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?',
  ESCAPED_STRING: '"([^"\\\\\\n]|\\\\["\\\\nt])*"',
  LCASE_LETTER: '[a-z]',
  UCASE_LETTER: '[A-Z]',
  LETTER: '[a-zA-Z]',
  WORD: '[a-zA-Z]+',
  CNAME: '[a-zA-Z_][a-zA-Z0-9_]*',
  WS_INLINE: '[ \\t]+',
  WS: '[ \\t\\r\\n]+',
  NEWLINE: '(\\r?\\n)+',
  CR: '\\r',
  LF: '\\n',
}

/** Converts a Lark grammar, which must have a rule `start`, to GBNF rules for a text of the
 *  grammar inside a JSON string. Returns the name of the GBNF rule for that text. Throws
 *  `invalid_request` with the part that is not supported; `where` is the start of the message. */
export function larkToGbnf(source: string, rules: GbnfRules, where: string): string {
  const grammar = new LarkParser(source, where).parse()
  if (!grammar.has('start')) throw new GatewayError('invalid_request', `${where} has no rule named start.`)
  const plain = withoutLeftRecursion(grammar, where)
  const names = new Map([...plain.keys()].map(name => [name, rules.reserve(`lark-${name}`)]))
  const nameOf = (name: string): string => {
    const known = names.get(name)
    if (known === undefined) throw new GatewayError('invalid_request', `${where} uses ${name}, which it does not define.`)
    return known
  }
  for (const [name, body] of rulesInJson(plain, { where, budget: rules.budget, ruleName: nameOf })) rules.set(nameOf(name), body)
  return repeat(nameOf('start'), 1, 1)
}

type Token = { kind: 'string' | 'regex' | 'name' | 'number' | 'sign'; text: string }

class LarkParser {
  readonly #tokens: Token[] = []
  readonly #where: string
  readonly #rules = new Map<string, Pattern>()
  readonly #ignored: Pattern[] = []
  #at = 0
  #depth = 0
  /** True while a rule is parsed: ignored text (`%ignore`) may come between its terminals. False
   *  while a terminal is parsed. */
  #isInRule = false

  constructor(source: string, where: string) {
    this.#where = where
    if (source.length > longestSource)
      throw new GatewayError('invalid_request', `${where} has ${source.length} characters; at most ${longestSource}.`)
    tokenPattern.lastIndex = 0
    while (tokenPattern.lastIndex < source.length) {
      const at = tokenPattern.lastIndex
      const found = tokenPattern.exec(source)
      if (!found) throw this.#fault(JSON.stringify(source.slice(at, at + 12)))
      for (const kind of ['string', 'regex', 'name', 'number', 'sign'] as const) {
        const text = found.groups?.[kind]
        if (text !== undefined) this.#tokens.push({ kind, text })
      }
    }
  }

  parse(): Map<string, Pattern> {
    // The statements are read twice, because `%ignore` statements at the end of the grammar must be
    // known before the first rule is parsed.
    for (const readsRules of [false, true]) {
      this.#at = 0
      this.#depth = 0
      this.#rules.clear()
      if (!readsRules) this.#ignored.length = 0
      while (this.#at < this.#tokens.length) this.#statement(readsRules)
    }
    if (this.#ignored.length > 0) this.#rules.set(ignoredRule, { kind: 'choice', items: this.#ignored })
    return this.#rules
  }

  #statement(isSecondPass: boolean): void {
    if (this.#take('%')) {
      this.#directive(isSecondPass)
      return
    }
    const name = this.#need('name').replace(/^[?!]+/, '')
    if (this.#take('.')) throw this.#fault(`a priority on ${name}`)
    if (this.#take('{')) throw this.#fault(`the template ${name}`)
    if (!this.#take(':')) throw this.#fault(`${name} without a colon`)
    if (this.#rules.has(name)) throw this.#fault(`two definitions of ${name}`)
    if (this.#rules.size >= mostRules) throw this.#fault(`more than ${mostRules} rules`)
    this.#isInRule = isSecondPass && name === name.toLowerCase()
    this.#rules.set(name, this.#options())
    this.#isInRule = false
  }

  #directive(isSecondPass: boolean): void {
    const word = this.#need('name')
    if (word === 'ignore') {
      const ignored = this.#options()
      if (!isSecondPass) this.#ignored.push(ignored)
      return
    }
    if (word !== 'import') throw this.#fault(`%${word}`)
    const library = this.#need('name')
    if (library !== 'common' || !this.#take('.')) throw this.#fault(`an import from ${library}`)
    const name = this.#need('name')
    const source = Object.hasOwn(common, name) ? common[name] : undefined
    if (source === undefined) throw this.#fault(`an import of common.${name}`)
    this.#rules.set(this.#take('->') ? this.#need('name') : name, parseRegex(source, 'whole', this.#where))
  }

  #options(): Pattern {
    const options: Pattern[] = []
    do {
      options.push(this.#sequence())
      if (this.#take('->')) this.#need('name')
    } while (this.#take('|'))
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', items: options }
  }

  #sequence(): Pattern {
    const items: Pattern[] = []
    for (;;) {
      const token = this.#tokens[this.#at]
      const next = this.#tokens[this.#at + 1]
      const beginsStatement =
        token?.kind === 'name' &&
        next?.kind === 'sign' &&
        (next.text === ':' || (next.text === '.' && this.#tokens[this.#at + 3]?.text === ':'))
      if (!token || beginsStatement || (token.kind === 'sign' && ['|', ')', ']', '%', '->'].includes(token.text)))
        return { kind: 'sequence', items }
      items.push(this.#counted(this.#atom()))
    }
  }

  #atom(): Pattern {
    const token = this.#tokens[this.#at]
    if (token) this.#at += 1
    if (token?.kind === 'string') return this.#spaced(textOf(token.text, this.#where))
    if (token?.kind === 'regex') return this.#spaced(this.#regex(token.text))
    if (token?.kind === 'name')
      return token.text === token.text.toLowerCase() ? { kind: 'rule', name: token.text } : this.#spaced({ kind: 'rule', name: token.text })
    if (token?.text === '(') return this.#closed(')')
    if (token?.text === '[') return { kind: 'repeat', item: this.#closed(']'), min: 0, max: 1 }
    throw this.#fault(token ? `${token.text} where an item should stand` : 'an end in the middle of a rule')
  }

  #closed(end: string): Pattern {
    this.#depth += 1
    if (this.#depth > deepestNesting) throw this.#fault(`more than ${deepestNesting} groups inside one another`)
    const inside = this.#options()
    this.#depth -= 1
    if (!this.#take(end)) throw this.#fault(`a group without ${end}`)
    return inside
  }

  #regex(text: string): Pattern {
    const end = text.lastIndexOf('/')
    if (end < text.length - 1) throw this.#fault(`the flags ${text.slice(end + 1)} of a regular expression`)
    return parseRegex(text.slice(1, end).replaceAll('\\/', '/'), 'whole', this.#where)
  }

  #spaced(terminal: Pattern): Pattern {
    if (!this.#isInRule || this.#ignored.length === 0) return terminal
    return { kind: 'sequence', items: [terminal, { kind: 'repeat', item: { kind: 'rule', name: ignoredRule }, min: 0, max: 1 }] }
  }

  #counted(item: Pattern): Pattern {
    if (this.#take('*')) return { kind: 'repeat', item, min: 0, max: undefined }
    if (this.#take('+')) return { kind: 'repeat', item, min: 1, max: undefined }
    if (this.#take('?')) return { kind: 'repeat', item, min: 0, max: 1 }
    if (!this.#take('~')) return item
    const min = Number(this.#need('number'))
    const max = this.#take('..') ? Number(this.#need('number')) : min
    if (max > repeatLimit || max < min) throw this.#fault(`the count ${min}..${max}`)
    return { kind: 'repeat', item, min, max }
  }

  #take(sign: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'sign' || token.text !== sign) return false
    this.#at += 1
    return true
  }

  #need(kind: 'name' | 'number'): string {
    const token = this.#tokens[this.#at]
    if (token?.kind !== kind)
      throw this.#fault(token ? `${token.text} where a ${kind} should stand` : `an end where a ${kind} should stand`)
    this.#at += 1
    return token.text
  }

  #fault(what: string): GatewayError {
    return new GatewayError('invalid_request', `${this.#where} uses ${what}, which is not supported here.`)
  }
}

/** Name of the rule for ignored text. No rule of the caller's grammar can have this name. */
const ignoredRule = '%ignore'

function textOf(quoted: string, where: string): Pattern {
  const ignoresCase = quoted.endsWith('i')
  const inner = quoted.slice(1, ignoresCase ? -2 : -1)
  const text = inner.replace(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)/g, (_, code: string) => {
    if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return { n: '\n', r: '\r', t: '\t', f: '\f' }[code] ?? code
  })
  if (text === '') throw new GatewayError('invalid_request', `${where} uses an empty string, which is not supported here.`)
  if (!ignoresCase) return { kind: 'text', text }
  return { kind: 'sequence', items: [...text].map(char => ({ kind: 'chars', set: charSetFrom(char.toLowerCase() + char.toUpperCase()) })) }
}
