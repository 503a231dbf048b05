/** The types of a relay: caller and upstream speak the same protocol, so the bytes pass
 *  unchanged. */
import type { Readable } from 'node:stream'
import { GatewayError } from '../errors.ts'
import type { JsonObject } from '../json.ts'

/** One HTTP request to an upstream. */
export interface ExchangeRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** Rest of the URL after the protocol's own path: '' for a request that creates an answer,
   *  `/resp_1/input_items`, `/resp_1/cancel`. */
  suffix: string
  /** Query string without `?`; empty when there is none. */
  query: string
  /** Validated settings of the target. */
  settings: JsonObject
  body?: Buffer | { stream: Readable; bytes: number }
  /** Headers to forward, such as `traceparent`; never a credential of the caller. */
  headers: Readonly<Record<string, string>>
  /** Longest wait in milliseconds for the first byte of the answer (`firstByteMs`), and between
   *  two pieces of it (`idleMs`). */
  firstByteMs: number
  idleMs: number
}

export interface RelayRequest extends ExchangeRequest {
  /** The upstream's name of the model; needed for protocols whose URL contains this name. */
  model: string
  /** True when the caller requested a stream; needed for protocols whose URL differs then. */
  isStreamed: boolean
}

/** Controls a running relay. */
export interface RelayControl {
  /** True once the request is being sent: the upstream may have begun to work. */
  readonly isSent: boolean
  /** Closes the upstream connection; no method of the sink is called after that. */
  abort(): void
  pause(): void
  resume(): void
}

/** Receives an answer. A sink is one object per request, with plain methods instead of a stream.
 *  Its methods run for every relayed piece of data, and plain methods are faster than a stream
 *  (docs/measured.md#hot-path). */
export interface RelaySink {
  onStart(control: RelayControl): void
  /** Called at most once, at the beginning of a successful answer. Header names are lower case. */
  onHead(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void
  onData(chunk: Buffer): void
  onEnd(): void
  /** Called when the upstream refused, failed or broke off, before or after `onHead`; the error is
   *  for the caller. No method of the sink is called after `onError`. */
  onError(error: GatewayError): void
}

/** The gateway's classification of an object that an upstream sent with a success status.
 *  `answer`: a whole answer, or the first event of a streamed one. `nothing`: neither an answer
 *  nor an error, such as `{}` or an empty list of choices. A GatewayError: the failure that the
 *  object reports. */
export type AnswerVerdict = 'answer' | 'nothing' | GatewayError

/** Operations of a protocol for conversations besides its main one, which creates an answer.
 *  `count` returns the number of input tokens, `compact` returns a shorter conversation. */
export type MinorOperation = 'count' | 'compact'

/** Reported to the sink when the upstream does not have the minor operation. The gateway then does
 *  the work in another way, so the target counts as healthy. */
export class MissingOperationError extends GatewayError {
  constructor(cause: GatewayError) {
    super('not_implemented', 'The upstream service does not have this operation.', { cause })
  }
}

export interface RelayOffer {
  /** Classifies a whole answer, or an event of a stream. The method is called for the events of a
   *  stream until one of them is an answer. */
  judge(value: JsonObject, settings: JsonObject): AnswerVerdict
  /** Returns true when the target supports every field of this body, so that it can be forwarded
   *  unchanged; otherwise the request is translated. */
  accepts(body: JsonObject, settings: JsonObject): boolean
  /** Returns true when the upstream stores responses if a request asks for it. Returns a promise
   *  while the gateway is still checking the upstream, and undefined when the check gave no clear
   *  result. When a relay lacks this method, its upstream is assumed to store responses. */
  keeps?(settings: JsonObject): boolean | undefined | Promise<boolean | undefined>
  /** Returns true when the target's answers are normalized before they are forwarded; when the
   *  method is absent, the answers pass byte for byte. */
  normalizes?(settings: JsonObject): boolean
  send(request: RelayRequest, sink: RelaySink): void
  /** The relays of the protocol's minor operations. They also report `MissingOperationError`. */
  minor?: { readonly [Name in MinorOperation]?: RelayOffer }
}
