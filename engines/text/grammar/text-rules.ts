/** GBNF for text in which a tool call may begin at any place. Once a call has begun, the grammar
 *  enforces its form. */
import type { CallForm, OpeningNode } from './call-openings.ts'
import { callStart } from './call-openings.ts'
import { anyChar, charSetFrom, charSetOf, subtract } from './char-set.ts'
import { charClass, type GbnfRules, literal } from './gbnf.ts'

interface Calls {
  /** The automaton for the text after the `{` of a call. */
  openings: OpeningNode
  /** Returns the rule for the text from a call's input to the end of the answer. */
  from(form: CallForm): string
  /** The rule for the text from the end of the call mark to the end of the answer. */
  marked: string
}

const spaces = ' \t\r\n'
/** The characters with which a call may begin. At each position within the beginning of a call,
 *  the next character continues this beginning, or is one of these two characters and begins
 *  another call, or is plain text. There is one alternative for each of these three cases. */
const first = `{${callStart.charAt(0)}`
const ascii = charSetFrom(Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)).join(''))
const beyondAscii = subtract(charSetOf([...anyChar, [0x7f, 0x9f]]), charSetOf([...ascii, ...charSetFrom(spaces)]))

/** Returns the name of the rule for the whole text. Each position within the beginning of a call
 *  has a rule of its own. */
export function textThenCalls(rules: GbnfRules, calls: Calls): string {
  return new TextRules(rules, calls).text
}

class TextRules {
  readonly text: string
  readonly #rules: GbnfRules
  readonly #calls: Calls
  readonly #beyond: string
  readonly #begun: ReadonlyMap<string, string>

  constructor(rules: GbnfRules, calls: Calls) {
    this.#rules = rules
    this.#calls = calls
    this.text = rules.reserve('text')
    this.#beyond = rules.add('beyond', `${charClass(beyondAscii)} ${this.text}`)
    const [object, mark] = [rules.reserve('opening'), rules.reserve('mark')]
    this.#begun = new Map([
      ['{', object],
      [callStart.charAt(0), mark],
    ])
    rules.set(this.text, this.#place(new Map()))
    this.#addMark(mark)
    this.#addOpening(object, calls.openings)
  }

  #addMark(name: string): void {
    let at = name
    for (const [index, char] of [...callStart].entries()) {
      if (index === 0) continue
      const isLast = index === callStart.length - 1
      const next = isLast ? this.#calls.marked : this.#rules.reserve('mark')
      this.#rules.set(at, this.#place(new Map([[char, `${literal(char)} ${next}`]])))
      at = next
    }
  }

  #addOpening(name: string, { hasSpace, next, opens }: OpeningNode): void {
    const ways = new Map<string, string>()
    if (hasSpace) ways.set(spaces, `${charClass(charSetFrom(spaces))} ${name}`)
    // The text counts as a call from the character `opens.char` on. That character is already the
    // first one of the call's input, so the rule of the input follows in its place.
    if (typeof opens?.form === 'object') ways.set(opens.char, this.#calls.from(opens.form))
    for (const [char, place] of next) {
      const then = this.#rules.reserve('opening')
      ways.set(char, `${literal(char)} ${then}`)
      this.#addOpening(then, place)
    }
    this.#rules.set(name, this.#place(ways))
  }

  /** Defines the rule for a position. The characters of `ways` continue the beginning of a call;
   *  any other character leads back to text. */
  #place(ways: ReadonlyMap<string, string>): string {
    const taken = [...ways.keys()].join('')
    const breaks = [...this.#begun].filter(([char]) => !taken.includes(char)).map(([char, rule]) => `${literal(char)} ${rule}`)
    const others = subtract(charSetOf([...ascii, ...charSetFrom(spaces)]), charSetFrom(taken + first))
    return ['""', ...ways.values(), `${charClass(others)} ${this.text}`, this.#beyond, ...breaks].join(' | ')
  }
}
