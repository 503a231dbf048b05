/** Server-sent events of one answer: the format of the events, keep-alive comments and
 *  back-pressure (rules: docs/interface.md#streams). */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isOpened, noteOpened } from './silence.ts'

export interface EventFrame {
  id?: string
  event?: string
  /** Data of the event: an object is sent as JSON on one line. A string (`[DONE]`) is sent
   *  unchanged and must not contain line breaks. */
  data: object | string
}

export interface EventStream {
  /** True once the client has disconnected, or `end` or `leave` was called; `send` then does
   *  nothing. */
  readonly isClosed: boolean
  /** Sends one event in one write. Returns a promise only under back-pressure; await the promise
   *  before the next event. */
  send(frame: EventFrame): Promise<void> | undefined
  /** Sets the function that is called when the client disconnects before `end`; it replaces an
   *  earlier one. If the client has already disconnected, the function is called at once. */
  onClose(listener: () => void): void
  end(): void
  /** Stops writing to the response without ending it; the caller of this function ends it. */
  leave(): void
}

export interface EventStreamOptions {
  /** Headers of the response besides those of an event stream, such as `x-request-id`. */
  headers?: OutgoingHttpHeaders
}

const heartbeatMs = 15_000
export const keepAlive = ': keep-alive\n\n'
const open = new Set<HeartbeatStream>()
let heartbeat: NodeJS.Timeout | undefined

/** An open stream; `beat` is called every 15 s. */
interface HeartbeatStream {
  beat(): void
}

/** Sends the headers at once, and then a comment every 15 s to keep the connection open, until
 *  `end` is called or the client disconnects. Nothing may have been written to the response
 *  before, unless `openForSilence` has opened it. */
export function openEventStream(response: ServerResponse, options: EventStreamOptions = {}): EventStream {
  if (!isOpened(response)) writeHead(response, options)
  return new ServerEventStream(response)
}

/** Opens the stream of an answer that has sent nothing for too long. The answer may later
 *  succeed or fail. */
export function openForSilence(response: ServerResponse, options: EventStreamOptions): EventStream {
  noteOpened(response)
  writeHead(response, options)
  response.write(keepAlive)
  return new ServerEventStream(response)
}

function writeHead(response: ServerResponse, options: EventStreamOptions): void {
  response.writeHead(200, {
    ...options.headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  response.flushHeaders()
}

class ServerEventStream implements EventStream {
  readonly #response: ServerResponse
  #drained: PromiseWithResolvers<void> | undefined
  #onClose: (() => void) | undefined
  #hasEnded = false
  #hasLeft = false

  constructor(response: ServerResponse) {
    this.#response = response
    response.on('drain', () => this.#release())
    response.on('close', () => this.#left())
    response.on('error', () => this.#left())
    if (response.destroyed) this.#left()
    else joinHeartbeat(this)
  }

  get isClosed(): boolean {
    return this.#hasEnded || this.#hasLeft
  }

  send(frame: EventFrame): Promise<void> | undefined {
    if (this.isClosed) return undefined
    if (this.#response.write(frameText(frame))) return undefined
    this.#drained ??= Promise.withResolvers()
    return this.#drained.promise
  }

  onClose(listener: () => void): void {
    this.#onClose = listener
    if (this.#hasLeft) listener()
  }

  end(): void {
    if (this.isClosed) return
    this.leave()
    this.#response.end()
  }

  leave(): void {
    if (this.isClosed) return
    this.#hasEnded = true
    leaveHeartbeat(this)
    this.#release()
  }

  beat(): void {
    // No comment is sent to a client that accepts no bytes. Its connection is cut after a minute
    // (src/http/connection/stalled-connections.ts).
    if (!this.#response.writableNeedDrain) this.#response.write(keepAlive)
  }

  #left(): void {
    if (this.isClosed) return
    this.#hasLeft = true
    leaveHeartbeat(this)
    this.#release()
    this.#onClose?.()
  }

  #release(): void {
    this.#drained?.resolve()
    this.#drained = undefined
  }
}

/** Returns the text of one event. */
export function frameText({ id, event, data }: EventFrame): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const head = (id === undefined ? '' : `id: ${id}\n`) + (event === undefined ? '' : `event: ${event}\n`)
  const frame = `${head}data: ${text}\n\n`
  // JSON never contains raw line breaks. Only `data` that is a string can contain one, and a line
  // break would end the event too early.
  if (typeof data === 'string' && /[\r\n]/.test(text)) throw new TypeError('the data of an event has to be one line')
  if (`${id}${event}`.includes('\n')) throw new TypeError('the id and name of an event have to be one line')
  return frame
}

/** Adds the stream to those that get a comment every 15 s. All streams share one timer, because
 *  5,000 timers would be costly. */
export function joinHeartbeat(stream: HeartbeatStream): void {
  open.add(stream)
  heartbeat ??= setInterval(() => {
    for (const each of open) each.beat()
  }, heartbeatMs).unref()
}

export function leaveHeartbeat(stream: HeartbeatStream): void {
  if (!open.delete(stream) || open.size > 0) return
  clearInterval(heartbeat)
  heartbeat = undefined
}
