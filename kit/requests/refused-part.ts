/** Errors about a part of a conversation that a model cannot read. */
import { GatewayError } from '../errors.ts'
import type { TextPart } from './text.ts'

const kinds = ['image', 'video', 'audio', 'file'] as const satisfies TextPart['type'][]
/** A kind of part that some models cannot read. */
export type ReadablePart = (typeof kinds)[number]

function ruleOf(kind: ReadablePart): string {
  return `part-${kind}`
}

/** Returns the `invalid_request` error for a model that cannot read parts of this kind. The error
 *  names no field, because a target does not know which field of the caller's body contained the
 *  part. */
export function unreadablePart(kind: ReadablePart, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { issues: [{ path: [], message, rule: ruleOf(kind) }] })
}

/** Returns the kind of part that an error of `unreadablePart` is about; undefined for any other
 *  error. */
export function unreadableKind({ issues }: GatewayError): ReadablePart | undefined {
  return kinds.find(kind => ruleOf(kind) === issues[0]?.rule)
}
