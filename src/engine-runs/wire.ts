/** The messages between a node that needs an engine and the node that runs it. A message is a
 *  sequence of frames; each frame is a JSON head, followed by the raw bytes that belong to it
 *  (docs/decisions/0055). */

import { defined } from '@generation-gateway/kit/defined.ts'
import {
  type ErrorCode,
  errorCatalogue,
  GatewayError,
  NotSentError,
  NotServedError,
  TargetRefusal,
  UnsafeFileError,
} from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFile, Outcome, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { StaleTokenError } from './run-token.ts'

/** Version of the messages. A node refuses messages of another version. */
export const wireVersion = 1
export const enginePath = '/internal/engine-runs'
/** Longest time in ms between two frames that a node sends while it runs an engine. */
export const aliveEveryMs = 5_000
/** Largest head in bytes: `mostRequestBytes` for the first frame of a request, `mostAnswerBytes`
 *  for a frame of the answer. */
export const mostRequestBytes = 16 * 2 ** 20
export const mostAnswerBytes = 64 * 2 ** 20

/** The head of the first frame of a request. The bytes of the input files follow it, in the
 *  order of `inputs`. */
export type RunHead = {
  version: number
  /** Id of the job on the node that requests the run, which is the id of its task or request. */
  id: string
  capability: string
  model: string
  settings: JsonObject
  request: JsonObject
  attempt: number
  inputs: Omit<InputFile, 'path'>[]
}

/** A frame of an answer. `alive` only shows that the run continues. `outcome` or `error` is the
 *  last frame. The raw bytes of a frame of type `event` are the member `bytes` of the event;
 *  those of type `file` are the file. `isOutcome`: the file belongs to the outcome that follows. */
export type AnswerHead = { bytes?: number } & (
  | { type: 'alive' }
  | { type: 'progress'; fraction: number }
  | { type: 'event'; event: object }
  | { type: 'file'; file: Omit<OutputFile, 'path'>; extension: string; isOutcome: boolean }
  | { type: 'outcome'; outcome: Outcome }
  | ({ type: 'error' } & WireError)
)

type ErrorKind = 'refusal' | 'not-served' | 'not-sent' | 'unsafe-file' | 'stale-token' | 'plain'

export interface WireError {
  kind: ErrorKind
  code: ErrorCode
  message: string
  field?: string
  reasons?: string[]
  retryAfterSeconds?: number
}

/** Returns the beginning of a frame: the length of its head, then the head as JSON. */
export function frameOf(head: object): Buffer {
  const json = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json])
}

/** Reads frames from a stream of bytes. */
export class FrameReader {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Returns the JSON text of the next head; undefined at the end of the stream. Throws
   *  `payload_too_large` for a head of more than `most` bytes, and an error for a stream that ends
   *  within a frame. */
  async head(most: number): Promise<Buffer | undefined> {
    if (this.#rest.length === 0 && !(await this.#more())) return undefined
    const length = (await this.bytes(4)).readUInt32BE()
    if (length <= most) return this.bytes(length)
    throw tooLarge(length, most)
  }

  /** Returns the next `count` bytes. Throws `payload_too_large` for more than `mostAnswerBytes`,
   *  because they are kept in memory, and an error when the stream ends before. */
  async bytes(count: number): Promise<Buffer> {
    if (count > mostAnswerBytes) throw tooLarge(count, mostAnswerBytes)
    const parts: Buffer[] = []
    for await (const part of this.pass(count)) parts.push(part)
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
  }

  /** Yields the next `count` bytes as they arrive. Throws when the stream ends before. */
  async *pass(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new Error('the stream of the other node ended within a frame')
      const part = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(part.length)
      left -= part.length
      yield part
    }
  }

  async #more(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#source.next()
      if (done) return false
      if (value.length === 0) continue
      this.#rest = value
      return true
    }
  }
}

function tooLarge(bytes: number, most: number): GatewayError {
  return new GatewayError('payload_too_large', `A message between two nodes has ${bytes} bytes; at most ${most}.`)
}

/** Returns an error in the form in which it is sent to another node, that is without its cause. */
export function wireErrorOf(error: GatewayError): WireError {
  const { code, message, field, reasons, retryAfterSeconds } = error
  return { kind: kindOf(error), code, message, ...(reasons.length > 0 ? { reasons } : {}), ...defined({ field, retryAfterSeconds }) }
}

/** Returns the error that another node has sent. A code that this version does not know becomes
 *  `upstream_error`. */
export function errorFromWire({ kind, code, message, ...details }: WireError): GatewayError {
  const known = Object.hasOwn(errorCatalogue, code) ? code : 'upstream_error'
  switch (kind) {
    case 'refusal':
      return new TargetRefusal(known, message, details)
    case 'not-served':
      return new NotServedError(known, message, details)
    case 'not-sent':
      return new NotSentError(known, message, details)
    case 'unsafe-file':
      return new UnsafeFileError()
    case 'stale-token':
      return new StaleTokenError(known, message, details)
    default:
      return new GatewayError(known, message, details)
  }
}

function kindOf(error: GatewayError): ErrorKind {
  if (error instanceof UnsafeFileError || error.cause instanceof UnsafeFileError) return 'unsafe-file'
  if (error instanceof TargetRefusal) return 'refusal'
  if (error instanceof NotServedError) return 'not-served'
  if (error instanceof StaleTokenError) return 'stale-token'
  return error instanceof NotSentError ? 'not-sent' : 'plain'
}
