/** Errors about a part of a conversation that a model cannot read. */
import { GatewayError } from '../errors.ts'
import type { TextPart } from './text.ts'

/** A kind of part that some models cannot read. */
export type ReadablePart = Extract<TextPart['type'], 'image' | 'video' | 'audio' | 'file'>

const rules: Readonly<Record<ReadablePart, string>> = { image: 'part-image', video: 'part-video', audio: 'part-audio', file: 'part-file' }

/** Returns the `invalid_request` for a model that cannot read the first part of this kind. The
 *  error names no field, because a target does not know where the caller wrote the part. */
export function unreadablePart(kind: ReadablePart, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { issues: [{ path: [], message, rule: rules[kind] }] })
}

/** Returns the kind of part that an error of `unreadablePart` is about; undefined for any other
 *  error. */
export function unreadableKind({ issues }: GatewayError): ReadablePart | undefined {
  const kinds: readonly ReadablePart[] = ['image', 'video', 'audio', 'file']
  return kinds.find(kind => rules[kind] === issues[0]?.rule)
}
