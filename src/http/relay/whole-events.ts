/** Cuts a stream of bytes between its events, and removes events that the caller did not
 *  request. */
import type { Splice } from '../../contract/relay.ts'

/** Longest event in bytes; the drivers' event reader has the same limit. No service sends longer
 *  events. */
const longestEvent = 8 * 1024 * 1024
/** A blank line has at most four bytes (`\r\n\r\n`). Up to three of them may be at the end of
 *  the previous piece. */
const seam = 3

/** Returns the events that are complete, and keeps an unfinished one until the next piece. A
 *  stream that breaks therefore never ends with half an event. */
export class WholeEvents {
  #held: Buffer[] = []
  #bytes = 0

  /** True when the unfinished event exceeds the limit. */
  get isTooLong(): boolean {
    return this.#bytes > longestEvent
  }

  /** Takes the next piece and returns the events that are complete now; empty when none is. */
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

  /** Returns the bytes that were kept at the end, when the stream has ended without an error;
   *  undefined when there are none. */
  rest(): Buffer | undefined {
    return this.#bytes === 0 ? undefined : Buffer.concat(this.#held)
  }

  /** Keeps a piece until its event is complete. Short pieces are joined, so that a blank line
   *  never spans more than two pieces. */
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

/** Removes the events that the relay, but not the caller, requested from the upstream. */
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

/** Returns the offset after the event that contains `start`. Reads no further than that, because
 *  a buffer may contain very many events. */
export function eventEnd(events: Buffer, start: number): number {
  for (let at = events.indexOf(lineFeed, start); at >= 0; at = events.indexOf(lineFeed, at + 1)) {
    if (events[at + 1] === lineFeed) return at + 2
    if (events[at + 1] === carriageReturn && events[at + 2] === lineFeed) return at + 3
  }
  return events.length
}
