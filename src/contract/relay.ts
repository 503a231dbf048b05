/** Declares what a relay has to know about the dialect of an operation, to forward bodies and
 *  answers byte for byte except for the members named here (docs/decisions/0021). */

import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { MinorOperation } from '@generation-gateway/kit/requests/relay.ts'
import type { RelayProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { ReportedUsage } from '@generation-gateway/kit/requests/usage/reported-usage.ts'
import type { StoredKind } from '../core/ports/responses.ts'

export interface RelaySpec {
  /** The protocol that a driver has to offer for the relay (`Driver.relays`). */
  protocol: RelayProtocol
  /** The capability by which targets are chosen. The entry of the capability in `capabilities`
   *  also decides after which errors another target is tried (`failover`). */
  capability: Capability
  /** Set for an operation that does not create an answer, such as a count of tokens. When the
   *  target cannot relay such an operation, the family's handler serves the call. A count costs
   *  nothing, so no usage is reserved or recorded for it. */
  minor?: MinorOperation
  /** `path` when the URL of a request names the model; the body is then sent unchanged except for
   *  `modelWithin`. When absent, the member `model` of the body names the model, and the relay
   *  replaces this name by the upstream's name of the model. */
  modelIn?: 'path'
  /** The members of the body that are objects and contain the model's name, too. In each of them,
   *  the relay sets `model` to the result of `name`, which gets the upstream's name of the
   *  model. */
  modelWithin?: { members: readonly string[]; name(model: string): string }
  /** Returns true for a body that the family's handler refuses for every target, because the body
   *  asks for something that only an upstream of this protocol has, such as a hosted tool. The
   *  relay then passes over targets that do not accept the body. */
  needsRelay?(body: JsonObject): boolean
  /** Headers of the caller's request that are forwarded, in lower case. */
  headers?: readonly string[]
  /** Returns true when the body requests a stream. When the method is absent, the body requests a
   *  stream by `stream: true`. */
  isStreamed?(body: JsonObject): boolean
  /** True when the caller gets the upstream's stream of events as a JSON array, whose elements are
   *  the data of the events. */
  isArray?: true
  /** Returns the text that ends a stream which fails after it began. When absent, such a stream
   *  ends with an event that clients of OpenAI's protocols understand. */
  streamError?(error: GatewayError, requestId: string): string
  /** A member that the relay adds to the body, in addition to the model's name. */
  splice?: Splice
  scan: RelayScan
  /** Returns an object that corrects one answer, for targets whose driver requests this
   *  (`RelayOffer.normalizes`). `model` is the upstream's name of the model. When absent,
   *  answers of this dialect are never corrected. */
  normalizer?(model: string): AnswerNormalizer
  /** Present when upstreams of this dialect store answers for later calls. */
  stores?: StoredAnswers
}

/** A member that the relay sets in the body sent upstream, so that a stream reports its usage. */
export interface Splice {
  member: string
  /** Returns the value of the member; undefined for a body that does not need it, because the body
   *  requests usage itself or is not streamed. */
  value(body: JsonObject): Json | undefined
  /** Returns true for an event that was sent only because the relay added the member: it is not
   *  forwarded to the caller, who did not request it. */
  isAdded(event: Buffer): boolean
}

/** Corrects in place those parts of an answer that would make clients fail. Both methods return
 *  true when they changed something. */
export interface AnswerNormalizer {
  /** Corrects the data of one event of a stream; call it for the events in order. */
  event(data: JsonObject): boolean
  answer(whole: JsonObject): boolean
}

/** Reads from a request body whether the upstream stores the answer for later calls, and for how
 *  long. */
export interface StoredAnswers {
  kind: StoredKind
  isWanted(body: JsonObject): boolean
  /** Id of the response that the body continues. */
  previousOf(body: JsonObject): string | undefined
  /** Returns the time at which the stored answer expires, in Unix milliseconds, like `now`. */
  expiresAt(body: JsonObject, now: number): number
  /** Returns true when the upstream answers the request before it has created the response. The
   *  usage is then known only when the finished response is read later. */
  isBackground(body: JsonObject): boolean
}

/** Names the members of an answer that a relay reads. `id`, `status`, the model's name and the
 *  token counts are always members of the answer object itself, both in a whole answer and in a
 *  stream (for counts in events see `AnswerCounts.ofEvent`). */
export interface RelayScan {
  /** Name of the member that contains the output. In a stored answer, the items in this member have
   *  ids. In a stream, an event that reports usage and contains no output reports the usage of the
   *  whole answer. */
  said: string
  /** Returns the ids of further objects that the upstream keeps for the response in which this item
   *  of `said` stands, such as a container. The account may refer to them like to the item itself.
   *  When the method is absent, items have no such objects. */
  besideItem?(item: JsonObject): unknown[]
  /** False for answers that are no text, such as vectors: their bytes are never estimated as output
   *  tokens. True when absent. */
  hasText?: false
  /** For streams: the place of the complete text. It is read only when the server has not sent the
   *  text in pieces (`delta`). */
  whole: WholeText
  /** Values of `status` that a finished answer may have. Absent when answers have no status, or
   *  when its value does not matter. */
  finalStatuses?: ReadonlySet<unknown>
  /** The member of an event that contains the answer object; absent when each event of the
   *  stream is itself a piece of the answer. */
  inside?: NestedAnswer
  /** The place and the names of the token counts; when absent, the counts are in the member `usage`
   *  under OpenAI's names. */
  counts?: AnswerCounts
  /** The member that holds the model's name; `model` when absent. */
  model?: string
  /** The place where answers of the dialect show searches of the web. Searches are charged
   *  separately from the tokens. Absent when the answers do not show searches. */
  searches?: ShownSearches
}

/** Tells how answers of a dialect show the searches of the web that an upstream has made. */
export interface ShownSearches {
  /** Member names and values. Every event that shows a search contains at least one of them. */
  marks: readonly MemberName[]
  /** The members of an answer that `in` reads. */
  members: MemberTree
  /** Returns a key for each search in a whole answer, or in an event of a stream. The same
   *  search in another event has the same key. */
  in(part: JsonObject): string[]
}

/** Names the members to read from a JSON value. The value of a name is `true` to read the whole
 *  member, or a tree that names the members to read inside it. The tree of a list applies to
 *  each object in the list. */
export interface MemberTree {
  readonly [name: string]: MemberTree | true
}

/** The token counts of answers whose protocol does not use OpenAI's names. */
export interface AnswerCounts {
  /** The member that holds the object with the counts. */
  in: MemberName
  /** Further members of the answer that `read` needs; `service_tier` when absent. */
  beside?: readonly string[]
  /** Returns the counts from that object and from the answer that contains it. Values that are
   *  not numbers count as 0. */
  read(counts: JsonObject, answer: JsonObject): ReportedUsage
  /** Returns the object with token counts in an event of a stream; undefined when the event has
   *  none. `SpreadCounts` combines the counts of several events of one answer. `isLast` is true
   *  when the combined counts cover the whole answer. When the method is absent, the event that
   *  ends the answer has all counts. */
  ofEvent?(event: JsonObject): { counts: unknown; isLast: boolean } | undefined
}

export interface WholeText {
  in: MemberName
  /** `type` of the events that contain the complete text; when absent, events of any type may
   *  contain it. */
  event?: string
}

export interface NestedAnswer {
  in: MemberName
  /** Values of `type` that mark the last event of a stream. Only the usage in this event is
   *  final. */
  lastEvents: ReadonlySet<unknown>
}

/** A member's name as the bytes that the scanner searches for, encoded once. */
export interface MemberName {
  readonly text: string
  /** The name with its closing quote but without the opening one. The search looks for the first
   *  byte of the pattern, and a quote would occur too often in JSON for this to be fast. */
  readonly closed: Buffer
}

export function memberName(text: string): MemberName {
  return { text, closed: Buffer.from(`${text}"`) }
}
