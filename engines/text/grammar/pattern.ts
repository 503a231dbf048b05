/** The syntax tree of regular expressions and Lark grammars, and its conversion to GBNF inside a
 *  JSON string. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { refuseAmbiguous } from './ambiguity.ts'
import { anyChar, type CharSet, charSetFrom, hasChar, intersect, subtract } from './char-set.ts'
import { charClass, choice, literal, repeat } from './gbnf.ts'
import type { Pattern } from './pattern-form.ts'
import type { StepBudget } from './step-budget.ts'

/** Most repetitions by a count, and most characters of an expanded pattern, because llama.cpp
 *  expands every repetition. */
export const repeatLimit = 1000
const sizeLimit = 20_000

const quoteAndBackslash = charSetFrom('"\\')
const controls: CharSet = [[0, 0x1f]]
const shortEscapes = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

/** Returns the GBNF of the pattern inside a JSON string: quotes, backslashes and control characters
 *  are escaped. Throws `invalid_request` when it expands too far or can match in too many ways;
 *  `where` begins the message. */
export function patternInJson(pattern: Pattern, { where, budget }: PatternReading): string {
  return rulesInJson(new Map([['', pattern]]), { where, budget, ruleName: name => name }).get('') ?? '""'
}

interface PatternReading {
  /** Start of the message of a refusal. */
  where: string
  budget: StepBudget
}

/** Converts rules that use one another, like `patternInJson`. */
export function rulesInJson(
  patterns: ReadonlyMap<string, Pattern>,
  { where, budget, ruleName }: PatternReading & { ruleName(name: string): string },
): Map<string, string> {
  let size = 0
  for (const pattern of patterns.values()) size += sizeOf(pattern)
  if (size > sizeLimit) throw tooLarge(where)
  refuseAmbiguous(patterns, where, budget)
  return new Map([...patterns].map(([name, pattern]) => [name, write(pattern, ruleName)]))
}

/** Returns the GBNF for one character of a JSON string. \u escapes are not allowed, so that each
 *  character or escape stands for exactly one character of the value. */
export function jsonChar(set: CharSet = anyChar): string {
  const plain = subtract(subtract(set, quoteAndBackslash), controls)
  const escaped = [...intersectChars(set)].map(char =>
    literal(shortEscapes.get(char) ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
  return choice([...(plain.length > 0 ? [charClass(plain)] : []), ...escaped])
}

function tooLarge(where: string): GatewayError {
  return new GatewayError('invalid_request', `${where} is too large: its repetitions unfold to more than ${sizeLimit} characters.`)
}

function write(pattern: Pattern, ruleName: (name: string) => string): string {
  switch (pattern.kind) {
    case 'chars':
      return jsonChar(pattern.set)
    case 'text':
      return literal(JSON.stringify(pattern.text).slice(1, -1))
    case 'sequence':
      return pattern.items.length === 0 ? '""' : `(${pattern.items.map(item => write(item, ruleName)).join(' ')})`
    case 'choice':
      return choice(pattern.items.map(item => write(item, ruleName)))
    case 'repeat':
      return repeat(write(pattern.item, ruleName), pattern.min, pattern.max)
    case 'rule':
      return ruleName(pattern.name)
  }
}

function sizeOf(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'chars':
    case 'rule':
      return 1
    case 'text':
      return pattern.text.length
    case 'sequence':
    case 'choice':
      return pattern.items.reduce((sum, item) => sum + sizeOf(item), 1)
    case 'repeat':
      return sizeOf(pattern.item) * Math.max(1, pattern.max ?? pattern.min + 1)
  }
}

/** Returns those characters of the set that must be escaped in JSON. */
function intersectChars(set: CharSet): string[] {
  const found: string[] = []
  for (const [from, to] of intersect(set, controls)) for (let code = from; code <= to; code += 1) found.push(String.fromCharCode(code))
  for (const char of '"\\') if (hasChar(set, char.charCodeAt(0))) found.push(char)
  return found
}
