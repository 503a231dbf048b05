/** How an operation is relayed: what of its dialect a relay has to know. All else of a body and of an answer passes as it is (docs/decisions/0021). */

import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'

export interface RelaySpec {
  /** The offer of a driver that it goes to (`Driver.relays`). */
  protocol: TextProtocol
  /** What targets are chosen for; its kind of failover holds between them. */
  capability: Capability
  /** What is set in the body beside the model's name. */
  splice?: Splice
  scan: RelayScan
  /** Puts the answers of a target in order for which its driver asks for that (`RelayOffer.normalizes`); one per answer. `model`: the upstream's name of the model.
   *  Absent: answers of this dialect pass as they are. */
  normalizer?(model: string): AnswerNormalizer
  /** Absent: no upstream keeps an answer for later calls. */
  stores?: StoredAnswers
}

/** A member of the body that is set on the way up, so that a stream tells its counts. */
export interface Splice {
  member: string
  /** Undefined for a body that needs none: it tells its counts, or is no stream. */
  value(body: JsonObject): Json | undefined
  /** Whether an event is there for nothing else: the caller, who did not ask for it, does not get it. */
  isAdded(event: Buffer): boolean
}

/** Changes an answer in place where clients would trip over it; true when it changed something. */
export interface AnswerNormalizer {
  /** The data of one event of a stream; they come in order. */
  event(data: JsonObject): boolean
  answer(whole: JsonObject): boolean
}

/** What a body says of its answer, which the upstream may keep for later calls. */
export interface StoredAnswers {
  isWanted(body: JsonObject): boolean
  /** Id of the response that it continues. */
  previousOf(body: JsonObject): string | undefined
  /** Unix milliseconds, like `now`. */
  expiresAt(body: JsonObject, now: number): number
  /** It is made after the call has been answered: a later reading tells its counts. */
  isBackground(body: JsonObject): boolean
}

/** Where things stand in an answer. Its `id`, `status`, `model` and `usage` are members of its own, whole or in a stream. */
export interface RelayScan {
  /** Member that lists what was said; in an answer that is kept, items with ids. Counts of a stream that come with none of it are of the whole answer. */
  said: string
  /** In a stream: where servers that send no pieces (`delta`) have the words. */
  whole: WholeWords
  /** Absent: an answer has no status, or none that matters. */
  finalStatuses?: ReadonlySet<unknown>
  /** Events of a stream have the answer inside; absent: each is a piece of it. */
  inside?: AnswerInside
}

export interface WholeWords {
  in: MemberName
  /** `type` of the events that have them; absent: any. */
  event?: string
}

export interface AnswerInside {
  in: MemberName
  /** Values of `type` that the last event may have: only there the counts are right. */
  lastEvents: ReadonlySet<unknown>
}

/** A member's name as it is looked for in bytes, which are made once. */
export interface MemberName {
  readonly text: string
  /** With the quote after it, and not the one before: the search goes from one first byte to the next, and JSON is full of quotes. */
  readonly closed: Buffer
}

export function memberName(text: string): MemberName {
  return { text, closed: Buffer.from(`${text}"`) }
}
