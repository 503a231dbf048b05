/** The messages between a node that needs an engine and the node that runs it: frames, each a JSON
 *  head and the raw bytes that belong to it (docs/decisions/0055). */

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

/** Version of the messages; a node answers other versions with a refusal. */
export const wireVersion = 1
export const enginePath = '/internal/engine-runs'
/** A node that runs an engine sends a frame at least this often, in ms. */
export const aliveEveryMs = 5_000
/** Most bytes of the head of a request, and of the head of an answer's frame. */
export const mostRequestBytes = 16 * 2 ** 20
export const mostAnswerBytes = 64 * 2 ** 20

/** The first frame of a request; the bytes of the inputs follow it, in order. */
export type RunHead = {
  version: number
  /** Id of the job at the node that requests the run: of its task or request. */
  id: string
  capability: string
  model: string
  settings: JsonObject
  request: JsonObject
  attempt: number
  inputs: Omit<InputFile, 'path'>[]
}

/** A frame of an answer. `alive` shows that the run goes on; `outcome` and `error` are the last
 *  ones. The raw bytes of a frame of type `event` are the member `bytes` of the event; those of
 *  type `file` are the file. `isOutcome`: the file belongs to the outcome that follows. */
export type AnswerHead = { bytes?: number } & (
  | { type: 'alive' }
  | { type: 'progress'; fraction: number }
  | { type: 'event'; event: object }
  | { type: 'file'; file: Omit<OutputFile, 'path'>; extension: string; isOutcome: boolean }
  | { type: 'outcome'; outcome: Outcome }
  | ({ type: 'error' } & WireError)
)

type ErrorKind = 'refusal' | 'not-served' | 'not-sent' | 'unsafe-file' | 'plain'

export interface WireError {
  kind: ErrorKind
  code: ErrorCode
  message: string
  field?: string
  reasons?: string[]
  retryAfterSeconds?: number
}

/** Returns the beginning of a frame: the length of its head, and the head as JSON. */
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
    throw new GatewayError('payload_too_large', `A message between two nodes has ${length} bytes; at most ${most}.`)
  }

  /** Returns the next `count` bytes. Throws when the stream ends before. */
  async bytes(count: number): Promise<Buffer> {
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

/** Returns an error as another node gets it: without its cause. */
export function wireErrorOf(error: GatewayError): WireError {
  const { code, message, field, reasons, retryAfterSeconds } = error
  return { kind: kindOf(error), code, message, ...(reasons.length > 0 ? { reasons } : {}), ...defined({ field, retryAfterSeconds }) }
}

/** Returns the error that the other node has sent. A code that this version does not know becomes
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
    default:
      return new GatewayError(known, message, details)
  }
}

function kindOf(error: GatewayError): ErrorKind {
  if (error instanceof UnsafeFileError || error.cause instanceof UnsafeFileError) return 'unsafe-file'
  if (error instanceof TargetRefusal) return 'refusal'
  if (error instanceof NotServedError) return 'not-served'
  return error instanceof NotSentError ? 'not-sent' : 'plain'
}
