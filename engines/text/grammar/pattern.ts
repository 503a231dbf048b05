/** Converts patterns (the syntax trees of regular expressions and Lark grammars) to GBNF for a text
 *  inside a JSON string. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { refuseAmbiguous } from './ambiguity.ts'
import { anyChar, type CharSet, charSetFrom, hasChar, intersect, subtract } from './char-set.ts'
import { charClass, choice, literal, repeat } from './gbnf.ts'
import type { Pattern } from './pattern-form.ts'
import type { StepBudget } from './step-budget.ts'

/** Largest count of a repetition such as `a{1000}`, and largest number of characters of a pattern
 *  in which all repetitions are written out. llama.cpp writes out every repetition, so larger
 *  patterns would take too much memory and time. */
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

/** Returns the GBNF of the pattern for a text inside a JSON string: quotes, backslashes and control
 *  characters are escaped. Throws `invalid_request` when the pattern becomes too large or can match
 *  in too many ways. */
export function patternInJson(pattern: Pattern, { where, budget }: PatternReading): string {
  return rulesInJson(new Map([['', pattern]]), { where, budget, ruleName: name => name }).get('') ?? '""'
}

interface PatternReading {
  /** Start of the message of a refusal, such as "The parameters of tool get_weather". */
  where: string
  budget: StepBudget
}

/** Converts several rules that may use one another. Apart from that, it works like
 *  `patternInJson`. */
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

/** Returns the GBNF for one character of a JSON string. A \u escape is allowed only for control
 *  characters without a short escape, so each character of the value can be written in exactly one
 *  way. */
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

/** Returns those characters of the set that must be escaped in a JSON string. */
function intersectChars(set: CharSet): string[] {
  const found: string[] = []
  for (const [from, to] of intersect(set, controls)) for (let code = from; code <= to; code += 1) found.push(String.fromCharCode(code))
  for (const char of '"\\') if (hasChar(set, char.charCodeAt(0))) found.push(char)
  return found
}
