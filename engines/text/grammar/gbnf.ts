/** Writes GBNF, the grammar notation of llama.cpp: named rules over characters. */

import { type CharSet, codeOf } from './char-set.ts'
import { mostSteps, type StepBudget } from './step-budget.ts'

/** Deepest indentation; without a limit, a model that repeats itself would write white space for
 *  ever. */
const deepestIndent = 40

/** Rules by name, each added once. Bodies are GBNF text. */
export class GbnfRules {
  /** Number of JSON schemas read into these rules so far, those of all tools together. */
  schemas = 0
  /** Remaining budget for the analysis of their patterns. */
  readonly budget: StepBudget = { steps: mostSteps }
  readonly #bodies = new Map<string, string>()
  readonly #layout: 'one line' | 'any lines'
  #count = 0

  /** Creates rules for a JSON layout: with one space after `:` and `,` and no other white space, or
   *  also over lines, as models write it by themselves. */
  constructor(layout: 'one line' | 'any lines' = 'one line') {
    this.#layout = layout
  }

  /** White space around the values of JSON, to be appended; empty when there is none. */
  get space(): string {
    if (this.#layout === 'one line') return ''
    return ` ${this.once('space', () => `(" " | "\\n" [ \\t]{0,${deepestIndent}})?`)}`
  }

  /** Separator between two members. */
  get comma(): string {
    return this.#layout === 'one line' ? '", "' : `","${this.space}`
  }

  /** Separator between a name and its value. */
  get colon(): string {
    return this.#layout === 'one line' ? '": "' : `":"${this.space}`
  }

  /** Returns a name that no other rule has; set its body with `set`. */
  reserve(hint: string): string {
    this.#count += 1
    return `${hint.replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'rule'}-${this.#count}`
  }

  set(name: string, body: string): void {
    this.#bodies.set(name, body)
  }

  /** Returns the name of a new rule with this body. */
  add(hint: string, body: string): string {
    const name = this.reserve(hint)
    this.set(name, body)
    return name
  }

  /** Returns the name of the single rule of this name, which is made on first use. */
  once(name: string, body: () => string): string {
    if (!this.#bodies.has(name)) {
      this.set(name, '""')
      this.set(name, body())
    }
    return name
  }

  /** Returns the whole grammar; `root` is the body of its first rule. */
  render(root: string): string {
    return [`root ::= ${root}`, ...[...this.#bodies].map(([name, body]) => `${name} ::= ${body}`)].join('\n')
  }
}

/** Returns the GBNF for exactly these characters. */
export function literal(text: string): string {
  if (text === '') return '""'
  return `"${[...text].map(escapeChar).join('')}"`
}

/** Returns the GBNF for one character of the set, which is never empty here. */
export function charClass(set: CharSet): string {
  return `[${set.map(([from, to]) => (from === to ? escapeCode(from) : `${escapeCode(from)}-${escapeCode(to)}`)).join('')}]`
}

export function choice(options: readonly string[]): string {
  const different = [...new Set(options)]
  return different.length === 1 ? (different[0] ?? '""') : `(${different.join(' | ')})`
}

/** Returns the GBNF for `item` min to max times; without max: any number. */
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
