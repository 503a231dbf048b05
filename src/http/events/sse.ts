/** Server-sent events: framing, heartbeat and back-pressure of one answer (rules:
 *  docs/interface.md#streams). */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isOpened, noteOpened } from './silence.ts'

export interface EventFrame {
  id?: string
  event?: string
  /** An object goes out as JSON on one line; a string as it is (`[DONE]`), without line breaks. */
  data: object | string
}

export interface EventStream {
  /** True once the client has left or `end` was called: whatever is sent then goes nowhere. */
  readonly isClosed: boolean
  /** Writes one frame in one write. Returns a promise only when the client is behind: await it before the next one. */
  send(frame: EventFrame): Promise<void> | undefined
  /** Sets what is called when the client leaves before `end`; at once when it already has. There is one listener: a new one replaces it. */
  onClose(listener: () => void): void
  end(): void
  /** Lets go of the response, which somebody else ends. */
  leave(): void
}

export interface EventStreamOptions {
  /** Default 200. */
  status?: number
  /** Further headers (`x-request-id`). */
  headers?: OutgoingHttpHeaders
}

const heartbeatMs = 15_000
export const keepAlive = ': keep-alive\n\n'
const open = new Set<Beating>()
let heartbeat: NodeJS.Timeout | undefined

/** An open stream; `beat` is called every 15 s. */
interface Beating {
  beat(): void
}

/** Sends the headers at once and keeps the stream alive with a comment every 15 s until `end` or until the client leaves.
 *  The response must not have been written to, unless it was opened for its silence. */
export function openEventStream(response: ServerResponse, options: EventStreamOptions = {}): EventStream {
  if (!isOpened(response)) writeHead(response, options)
  return new ServerEventStream(response)
}

/** Opens the stream of an answer that has been silent too long, whatever becomes of it. */
export function openForSilence(response: ServerResponse, options: EventStreamOptions): EventStream {
  noteOpened(response)
  writeHead(response, options)
  response.write(keepAlive)
  return new ServerEventStream(response)
}

function writeHead(response: ServerResponse, options: EventStreamOptions): void {
  response.writeHead(options.status ?? 200, {
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
    // One that takes nothing loses its connection: connection-look.ts.
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

/** The bytes of one event. */
export function frameText({ id, event, data }: EventFrame): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const head = (id === undefined ? '' : `id: ${id}\n`) + (event === undefined ? '' : `event: ${event}\n`)
  const frame = `${head}data: ${text}\n\n`
  // JSON has no raw line breaks, so only a caller's own strings can break the frame.
  if (typeof data === 'string' && /[\r\n]/.test(text)) throw new TypeError('the data of an event has to be one line')
  if (`${id}${event}`.includes('\n')) throw new TypeError('the id and name of an event have to be one line')
  return frame
}

/** One timer for all streams: a timer each is what 5,000 of them would notice. */
export function joinHeartbeat(stream: Beating): void {
  open.add(stream)
  heartbeat ??= setInterval(() => {
    for (const each of open) each.beat()
  }, heartbeatMs).unref()
}

export function leaveHeartbeat(stream: Beating): void {
  if (!open.delete(stream) || open.size > 0) return
  clearInterval(heartbeat)
  heartbeat = undefined
}
