/** Cuts a stream between its events, and removes those that its client did not request. */
import type { Splice } from '../../contract/relay.ts'

/** Bytes; the same limit as in the drivers' event reader. No service sends longer events. */
const longestEvent = 8 * 1024 * 1024
/** One less than the length of the longest blank line (`\r\n\r\n`): so many bytes of it may be in
 *  the previous piece. */
const seam = 3

/** Returns whole events and holds an unfinished one back until the next piece, so that a broken
 *  stream never ends with half an event. */
export class WholeEvents {
  #held: Buffer[] = []
  #bytes = 0

  /** True when the unfinished event exceeds the limit. */
  get isTooLong(): boolean {
    return this.#bytes > longestEvent
  }

  /** Returns the whole events that have arrived; empty while the first has not ended. */
  take(piece: Buffer): Buffer {
    if (this.#bytes === 0 && endsEvent(piece)) return piece
    const last = this.#held.at(-1)
    const before = last === undefined ? Buffer.alloc(0) : last.subarray(-seam)
    const probe = before.length === 0 ? piece : Buffer.concat([before, piece])
    const end = lastEventEnd(probe)
    if (end === 0) {
      this.#hold(piece)
      return probe.subarray(0, 0)
    }
    const data = this.#bytes === 0 ? piece : Buffer.concat([...this.#held, piece])
    const cut = data.length - (probe.length - end)
    this.#held = []
    this.#bytes = 0
    if (cut < data.length) this.#hold(data.subarray(cut))
    return data.subarray(0, cut)
  }

  /** Returns the bytes that were held back, after the stream ended in good order. */
  rest(): Buffer | undefined {
    return this.#bytes === 0 ? undefined : Buffer.concat(this.#held)
  }

  /** Holds a piece back, joining short ones so that a blank line never spans more than two. */
  #hold(piece: Buffer): void {
    const last = this.#held.at(-1)
    if (last !== undefined && (last.length < seam || piece.length < seam)) this.#held[this.#held.length - 1] = Buffer.concat([last, piece])
    else this.#held.push(Buffer.from(piece))
    this.#bytes += piece.length
  }
}

function endsEvent(piece: Buffer): boolean {
  return piece.length > 1 && piece[piece.length - 1] === 0x0a && piece[piece.length - 2] === 0x0a
}

/** Returns the offset after the last blank line; 0 when there is none. */
function lastEventEnd(data: Buffer): number {
  const plain = data.lastIndexOf('\n\n')
  const carriage = data.lastIndexOf('\n\r\n')
  return Math.max(plain < 0 ? 0 : plain + 2, carriage < 0 ? 0 : carriage + 3)
}

/** Returns the whole events without those that exist only because the relay requested more than the
 *  caller did. */
export function withoutAdded(events: Buffer, isAdded: Splice['isAdded']): Buffer {
  return Buffer.concat(eventsIn(events).filter(event => !isAdded(event)))
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Returns the events one by one, each with the blank line that ends it. */
export function eventsIn(events: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let start = 0, end = 0; start < events.length; start = end) {
    end = eventEnd(events, start)
    found.push(events.subarray(start, end))
  }
  return found
}

/** Returns the offset after the event that contains `start`. Reads only to that offset: a buffer
 *  may hold very many events. */
export function eventEnd(events: Buffer, start: number): number {
  for (let at = events.indexOf(lineFeed, start); at >= 0; at = events.indexOf(lineFeed, at + 1)) {
    if (events[at + 1] === lineFeed) return at + 2
    if (events[at + 1] === carriageReturn && events[at + 2] === lineFeed) return at + 3
  }
  return events.length
}
