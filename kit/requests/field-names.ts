/** Names of the parts of a request. Drivers, engines and the core use these names; families and
 *  upstreams have their own. */
import type { GatewayError } from '../errors.ts'
import type { Capability, RequestOf } from './capabilities.ts'

/** The purpose of an input file in a capability (`InputFacts.role`). */
export const inputRoles = [
  ...(['image', 'mask', 'first-frame', 'last-frame', 'subject', 'reference', 'style', 'base', 'earlier', 'feature'] as const),
  ...(['still-mask', 'motion-mask', 'vocal', 'melody', 'instrumental', 'audio', 'speaker', 'source', 'picture'] as const),
] as const
export type InputRole = (typeof inputRoles)[number]

type KeyOf<C extends Capability> = C extends Capability ? Extract<keyof RequestOf<C>, string> : never

/** The name of a field of a neutral request, or the role of an input. */
export type FieldName = KeyOf<Capability> | InputRole

/** The names that a family or an upstream uses, by neutral name. A field that is not listed has
 *  the same name there. */
export type FieldNames = Readonly<Partial<Record<FieldName, string>>>

type Words = Readonly<Record<string, string | undefined>>

/** Returns a sentence about a field: the field's name, then `says`. `sentenceIn` replaces the name
 *  at the beginning of such a sentence. */
export function about(field: FieldName, says: string): string {
  return `${field}: ${says}`
}

/** Returns the name of the field in the vocabulary of a family or an upstream. */
export function nameIn(words: Words, field: string): string {
  return Object.hasOwn(words, field) ? (words[field] ?? field) : field
}

/** Returns the sentence with its field's name in this vocabulary. */
export function sentenceIn(words: Words, sentence: string): string {
  const colon = sentence.indexOf(': ')
  return colon < 0 ? sentence : nameIn(words, sentence.slice(0, colon)) + sentence.slice(colon)
}

/** Returns the error with the name of its field translated into this vocabulary, also at the
 *  beginning of its message. */
export function errorIn(words: Words, error: GatewayError): GatewayError {
  const { field, message } = error
  return field === undefined ? error : error.inWords(nameIn(words, field), sentenceIn(words, message))
}

/** Largest number of names that a warning lists, and the largest length of a name in it. */
const mostNames = 20
const longestName = 100

/** Returns the names: all, or the first 20 and the number of the others. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map(name => (name.length > longestName ? `${name.slice(0, longestName)}...` : name))
  const rest = names.length - mostNames
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}
