/** Writes GBNF, the grammar notation of llama.cpp: named rules over characters. */

import { type CharSet, codeOf } from './char-set.ts'
import { mostSteps, type StepBudget } from './step-budget.ts'

/** Deepest indentation of JSON, in spaces or tabs. Without a limit, a model that repeats itself
 *  could write white space forever. */
const deepestIndent = 40

/** A collection of GBNF rules by name, each defined once. */
export class GbnfRules {
  /** Number of JSON schemas converted so far, for all tools together. */
  schemas = 0
  /** Steps that remain for the ambiguity analysis of all patterns of the answer. */
  readonly budget: StepBudget = { steps: mostSteps }
  readonly #bodies = new Map<string, string>()
  readonly #layout: 'one line' | 'any lines'
  #count = 0

  /** Creates rules for a JSON layout. `one line` has one space after `:` and after `,` and no other
   *  white space. `any lines` also allows line breaks and indentation, as models write them without
   *  a grammar. */
  constructor(layout: 'one line' | 'any lines' = 'one line') {
    this.#layout = layout
  }

  /** Rule for white space, to be appended to a JSON value; empty when the layout allows none. */
  get space(): string {
    if (this.#layout === 'one line') return ''
    return ` ${this.once('space', () => `(" " | "\\n" [ \\t]{0,${deepestIndent}})?`)}`
  }

  /** Separator between two members of an object or a list. */
  get comma(): string {
    return this.#layout === 'one line' ? '", "' : `","${this.space}`
  }

  /** Separator between a name and its value. */
  get colon(): string {
    return this.#layout === 'one line' ? '": "' : `":"${this.space}`
  }

  /** Reserves a rule name that is not used yet, and returns it. The caller defines the rule with
   *  `set`. */
  reserve(hint: string): string {
    this.#count += 1
    return `${hint.replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'rule'}-${this.#count}`
  }

  set(name: string, body: string): void {
    this.#bodies.set(name, body)
  }

  /** Defines a new rule with this body, and returns its name. */
  add(hint: string, body: string): string {
    const name = this.reserve(hint)
    this.set(name, body)
    return name
  }

  /** Returns the name of a shared rule. The rule is defined when it is requested for the first
   *  time. */
  once(name: string, body: () => string): string {
    if (!this.#bodies.has(name)) {
      this.set(name, '""')
      this.set(name, body())
    }
    return name
  }

  /** Returns the whole grammar as text; `root` is the body of its first rule. */
  render(root: string): string {
    return [`root ::= ${root}`, ...[...this.#bodies].map(([name, body]) => `${name} ::= ${body}`)].join('\n')
  }
}

/** Returns the GBNF that matches exactly this text. */
export function literal(text: string): string {
  if (text === '') return '""'
  return `"${[...text].map(escapeChar).join('')}"`
}

/** Returns the GBNF for one character of the set, which must not be empty. */
export function charClass(set: CharSet): string {
  return `[${set.map(([from, to]) => (from === to ? escapeCode(from) : `${escapeCode(from)}-${escapeCode(to)}`)).join('')}]`
}

export function choice(options: readonly string[]): string {
  const different = [...new Set(options)]
  return different.length === 1 ? (different[0] ?? '""') : `(${different.join(' | ')})`
}

/** Returns the GBNF for `item` repeated `min` to `max` times; without `max`, at least `min`
 *  times. */
export function repeat(item: string, min: number, max: number | undefined): string {
  if (max === 0) return '""'
  if (min === 1 && max === 1) return item
  const grouped = /^[a-zA-Z0-9-]+$|^\[[^\]]*\]$/.test(item) ? item : `(${item})`
  if (max === undefined) return `${grouped}${min === 0 ? '*' : min === 1 ? '+' : `{${min},}`}`
  if (min === 0 && max === 1) return `${grouped}?`
  return `${grouped}{${min},${max}}`
}

function escapeChar(char: string): string {
  if (char === '"' || char === '\\') return `\\${char}`
  const code = codeOf(char)
  return code >= 0x20 && code < 0x7f ? char : escapeCode(code)
}

function escapeCode(code: number): string {
  const char = String.fromCodePoint(code)
  if (/[a-zA-Z0-9 ]/.test(char)) return char
  if (code <= 0xff) return `\\x${hex(code, 2)}`
  return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, '0')
}
