/** What the parts of a request are called: drivers, engines and the core use these names, families and upstreams have words of their own for them. */
import type { GatewayError } from '../errors.ts'
import type { Capability, RequestOf } from './capabilities.ts'

/** What a capability has an input file for (`InputFacts.role`). */
export const inputRoles = [
  ...(['image', 'mask', 'first-frame', 'last-frame', 'subject', 'reference', 'style', 'base', 'earlier', 'feature'] as const),
  ...(['still-mask', 'motion-mask', 'vocal', 'melody', 'instrumental', 'audio', 'speaker', 'source', 'picture'] as const),
] as const
export type InputRole = (typeof inputRoles)[number]

type KeyOf<C extends Capability> = C extends Capability ? Extract<keyof RequestOf<C>, string> : never

/** A field of a neutral request, or an input by its role. */
export type FieldName = KeyOf<Capability> | InputRole

/** Neutral name -> somebody's own word for it; what is not in it is called the same. */
export type FieldNames = Readonly<Partial<Record<FieldName, string>>>

type Words = Readonly<Record<string, string | undefined>>

/** A sentence about a field: its name, a colon, and what is said of it. The name that a sentence begins with is what `sentenceIn` puts in other words. */
export function about(field: FieldName, says: string): string {
  return `${field}: ${says}`
}

/** The field in these words. */
export function nameIn(words: Words, field: string): string {
  return Object.hasOwn(words, field) ? (words[field] ?? field) : field
}

/** The sentence with the field that it is about in these words. */
export function sentenceIn(words: Words, sentence: string): string {
  const colon = sentence.indexOf(': ')
  return colon < 0 ? sentence : nameIn(words, sentence.slice(0, colon)) + sentence.slice(colon)
}

/** The error with its field, and the sentence about it, in these words. */
export function errorIn(words: Words, error: GatewayError): GatewayError {
  const { field, message } = error
  return field === undefined ? error : error.inWords(nameIn(words, field), sentenceIn(words, message))
}
