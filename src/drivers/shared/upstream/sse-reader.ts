/** Parses server-sent events from bytes that arrive in chunks of any size. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'

export interface SseEvent {
  /** Name of the event, if it has one. */
  event?: string
  data: string
  id?: string
}

const defaultMaxBytes = 8 * 2 ** 20
const LF = 10
const CR = 13

/** Takes the bytes of one stream in order. Lines end with LF, CRLF or CR; comments are dropped;
 *  several `data` lines are joined to one text. */
export class SseReader {
  readonly #maxBytes: number
  /** The bytes of the line that has not ended yet. */
  #parts: Buffer[] = []
  #bytes = 0
  #data: string[] = []
  #event: string | undefined
  #id: string | undefined
  #skipsLf = false
  #isFirst = true

  /** `maxBytes` limits the size of one event. */
  constructor(maxBytes = defaultMaxBytes) {
    this.#maxBytes = maxBytes
  }

  /** Returns the events that end in this chunk. Throws `upstream_error` for an event that is too
   *  long. */
  push(chunk: Buffer): SseEvent[] {
    const events: SseEvent[] = []
    let from = this.#skipsLf && chunk[0] === LF ? 1 : 0
    if (chunk.length > 0) this.#skipsLf = false
    let lf = chunk.indexOf(LF, from)
    let cr = chunk.indexOf(CR, from)
    while (lf >= 0 || cr >= 0) {
      const isCr = cr >= 0 && (lf < 0 || cr < lf)
      const end = isCr ? cr : lf
      this.#line(this.#takeLine(chunk.subarray(from, end)), events)
      from = end + 1
      if (isCr && chunk[from] === LF) from++
      else if (isCr && from === chunk.length) this.#skipsLf = true
      if (lf >= 0 && lf < from) lf = chunk.indexOf(LF, from)
      if (isCr) cr = chunk.indexOf(CR, from)
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from))
    return events
  }

  /** Must be called at the end of the stream. Returns the last event when the blank line after
   *  it is missing; otherwise an empty list. */
  end(): SseEvent[] {
    const events: SseEvent[] = []
    if (this.#parts.length > 0) this.#line(this.#takeLine(Buffer.alloc(0)), events)
    this.#line('', events)
    return events
  }

  #takeLine(rest: Buffer): string {
    this.#count(rest.length)
    const bytes = this.#parts.length === 0 ? rest : Buffer.concat([...this.#parts, rest])
    if (this.#parts.length > 0) this.#parts = []
    const isMarked = this.#isFirst && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    this.#isFirst = false
    return bytes.toString('utf8', isMarked ? 3 : 0)
  }

  #keep(part: Buffer): void {
    this.#count(part.length)
    this.#parts.push(part)
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#maxBytes)
      throw new GatewayError('upstream_error', `The upstream service sent an event of more than ${this.#maxBytes} bytes.`)
  }

  #line(line: string, events: SseEvent[]): void {
    if (line === '') {
      if (this.#data.length > 0) events.push(this.#made())
      this.#data = []
      this.#event = undefined
      this.#id = undefined
      this.#bytes = 0
      return
    }
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#event = value
    else if (field === 'id') this.#id = value
  }

  #made(): SseEvent {
    const made: SseEvent = { data: this.#data.length === 1 ? (this.#data[0] ?? '') : this.#data.join('\n') }
    if (this.#event !== undefined && this.#event !== '') made.event = this.#event
    if (this.#id !== undefined) made.id = this.#id
    return made
  }
}

/** Yields the events of a stream. Throws `upstream_error` for an event of more than `maxBytes`
 *  (default 8 MB), and the errors of the stream. */
export async function* readSse(chunks: AsyncIterable<Buffer>, maxBytes = defaultMaxBytes): AsyncIterable<SseEvent> {
  const reader = new SseReader(maxBytes)
  // This loop replaces `yield*`, which takes several microtask turns per event.
  for await (const chunk of chunks) for (const event of reader.push(chunk)) yield event
  yield* reader.end()
}
