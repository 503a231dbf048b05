/** GBNF for JSON without a schema, in the JSON layout that the rules were created for. */
import type { GbnfRules } from './gbnf.ts'
import { anyNumber } from './json-numbers.ts'
import { jsonChar } from './pattern.ts'

/** Returns the rule for any JSON object. */
export function anyObject(rules: GbnfRules): string {
  const string = anyString(rules)
  return rules.once('json-object', () => {
    const member = `${string} ${rules.colon} ${anyValue(rules)}${rules.space}`
    return `"{"${rules.space} (${member} (${rules.comma} ${member})*)? "}"`
  })
}

export function anyString(rules: GbnfRules): string {
  const char = rules.once('json-char', () => jsonChar())
  return rules.once('json-string', () => `"\\"" ${char}* "\\""`)
}

export function anyValue(rules: GbnfRules): string {
  return rules.once('json-value', () => {
    const array = rules.once(
      'json-array',
      () => `"["${rules.space} (json-value${rules.space} (${rules.comma} json-value${rules.space})*)? "]"`,
    )
    return `${anyObject(rules)} | ${array} | ${anyString(rules)} | ${anyNumber} | "true" | "false" | "null"`
  })
}
