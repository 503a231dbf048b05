/** The relay of an operation: the facts of its dialect that a relay needs. All other bytes of a
 *  body and an answer pass unchanged (docs/decisions/0021). */

import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'

export interface RelaySpec {
  /** The driver's offer that serves it (`Driver.relays`). */
  protocol: TextProtocol
  /** The capability by which targets are chosen; its kind of failover applies between them. */
  capability: Capability
  /** The member that is set in the body, beside the model's name. */
  splice?: Splice
  scan: RelayScan
  /** Returns a normalizer for one answer of a target whose driver requests that
   *  (`RelayOffer.normalizes`). `model`: the upstream's name of the model.
   *  Absent: answers of this dialect pass unchanged. */
  normalizer?(model: string): AnswerNormalizer
  /** Absent: no upstream stores an answer for later calls. */
  stores?: StoredAnswers
}

/** A member that the relay sets in the body sent upstream, so that a stream reports its usage. */
export interface Splice {
  member: string
  /** Undefined for a body that does not need it: the body requests usage itself, or is not a
   *  stream. */
  value(body: JsonObject): Json | undefined
  /** True when an event exists only because of the splice: it is not forwarded to the caller,
   *  who did not request it. */
  isAdded(event: Buffer): boolean
}

/** Corrects parts of an answer, in place, that would make clients fail; true when it changed
 *  something. */
export interface AnswerNormalizer {
  /** The data of one event of a stream; events come in order. */
  event(data: JsonObject): boolean
  answer(whole: JsonObject): boolean
}

/** Facts in a body about its answer, which the upstream may store for later calls. */
export interface StoredAnswers {
  isWanted(body: JsonObject): boolean
  /** Id of the response that the body continues. */
  previousOf(body: JsonObject): string | undefined
  /** Unix milliseconds, like `now`. */
  expiresAt(body: JsonObject, now: number): number
  /** True when the response is made after the call has been answered: a later read reports its
   *  usage. */
  isBackground(body: JsonObject): boolean
}

/** The places of members in an answer. `id`, `status`, `model` and `usage` are members of the
 *  answer itself, whole or in a stream. */
export interface RelayScan {
  /** Member that lists the output; in a stored answer, items with ids. Usage in a stream event
   *  without this member counts the whole answer. */
  said: string
  /** In a stream: where servers that send no deltas (`delta`) put the whole text. */
  whole: WholeText
  /** Absent: answers have no status, or its value does not matter. */
  finalStatuses?: ReadonlySet<unknown>
  /** Events of a stream wrap the answer; absent: each event is a piece of it. */
  inside?: NestedAnswer
}

export interface WholeText {
  in: MemberName
  /** `type` of the events that wrap it; absent: any. */
  event?: string
}

export interface NestedAnswer {
  in: MemberName
  /** Values of `type` that the last event may have: usage is final only there. */
  lastEvents: ReadonlySet<unknown>
}

/** A member's name as the bytes that the scanner searches for, encoded once. */
export interface MemberName {
  readonly text: string
  /** With the closing quote but not the opening one: the search jumps between occurrences of its
   *  first byte, and quotes are too frequent in JSON. */
  readonly closed: Buffer
}

export function memberName(text: string): MemberName {
  return { text, closed: Buffer.from(`${text}"`) }
}
