/** A relay: the caller's protocol is the upstream's, so its bytes pass unchanged. */
import type { Readable } from 'node:stream'
import type { GatewayError } from '../errors.ts'
import type { JsonObject } from '../json.ts'

export interface RelayRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** What follows the protocol's own path: '' for a create, `/resp_1/input_items`, `/resp_1/cancel`. */
  suffix: string
  /** Without `?`; empty for none. */
  query: string
  /** Checked settings of the target. */
  settings: JsonObject
  body?: Buffer | { stream: Readable; bytes: number }
  /** `traceparent` and the like; never a credential of the caller. */
  headers: Readonly<Record<string, string>>
  /** Longest wait for the first byte of the answer, and between two of its parts. Milliseconds. */
  firstByteMs: number
  idleMs: number
}

/** What a running relay can be told. */
export interface RelayControl {
  /** The request is on its way, or has been: the upstream may be at work. */
  readonly isSent: boolean
  /** Cuts the upstream connection; nothing more is called on the sink. */
  abort(): void
  pause(): void
  resume(): void
}

/** Where an answer goes. One object per request and plain methods: this is the hot path
 *  (docs/measured.md#hot-path). */
export interface RelaySink {
  onStart(control: RelayControl): void
  /** A successful answer begins. Names are lower case. Called at most once. */
  onHead(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void
  onData(chunk: Buffer): void
  onEnd(): void
  /** The upstream refused, failed or broke off, as an error for the caller; `onHead` has been called or not. Nothing is called after it. */
  onError(error: GatewayError): void
}

/** What an object is that came with a good status: an answer (whole, or its first event), neither an answer nor an error (`{}`, no choices), or the failure that it tells of. */
export type AnswerVerdict = 'answer' | 'nothing' | GatewayError

export interface RelayOffer {
  /** What a whole answer is, or an event before which no other was an answer. */
  judge(value: JsonObject, settings: JsonObject): AnswerVerdict
  /** Whether the target understands every field of this body, so that it can pass as it is; else the request is translated. */
  accepts(body: JsonObject, settings: JsonObject): boolean
  /** Whether the upstream keeps a response that it is asked to store; absent: it does. A promise while that has to be found out; undefined when it cannot be told now. */
  keeps?(settings: JsonObject): boolean | undefined | Promise<boolean | undefined>
  /** Whether the target's answers are put in order before they go out; absent: they pass byte for byte. */
  normalizes?(settings: JsonObject): boolean
  send(request: RelayRequest, sink: RelaySink): void
}
