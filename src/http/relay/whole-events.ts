/** Cuts a stream between its events, and takes out those that its client did not ask for. */
import type { Splice } from '../../contract/relay.ts'

/** As the drivers' reader of events has it: nobody means to send a longer one. */
const longestEvent = 8 * 1024 * 1024
/** A blank line is at most so long, less one. */
const seam = 3

/** Passes whole events on; what has not ended yet waits for the next piece, so that a stream which breaks off leaves no half of one behind. */
export class WholeEvents {
  #held: Buffer[] = []
  #bytes = 0

  /** Larger than any event that is meant. */
  get isTooLong(): boolean {
    return this.#bytes > longestEvent
  }

  /** The whole events that have come; empty while the first has not ended. */
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

  /** What was held back when the stream ended in good order. */
  rest(): Buffer | undefined {
    return this.#bytes === 0 ? undefined : Buffer.concat(this.#held)
  }

  /** Short pieces are joined, so that a blank line is never spread over three. */
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

/** Offset after the last blank line; 0 when there is none. */
function lastEventEnd(data: Buffer): number {
  const plain = data.lastIndexOf('\n\n')
  const carriage = data.lastIndexOf('\n\r\n')
  return Math.max(plain < 0 ? 0 : plain + 2, carriage < 0 ? 0 : carriage + 3)
}

/** The whole events without those that are there for a splice. */
export function withoutAdded(events: Buffer, isAdded: Splice['isAdded']): Buffer {
  const kept: Buffer[] = []
  let start = 0
  while (start < events.length) {
    const end = eventEnd(events, start)
    const event = events.subarray(start, end)
    if (!isAdded(event)) kept.push(event)
    start = end
  }
  return Buffer.concat(kept)
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Offset after the event that `start` lies in. Reads no further than that: a buffer may hold very many events. */
export function eventEnd(events: Buffer, start: number): number {
  for (let at = events.indexOf(lineFeed, start); at >= 0; at = events.indexOf(lineFeed, at + 1)) {
    if (events[at + 1] === lineFeed) return at + 2
    if (events[at + 1] === carriageReturn && events[at + 2] === lineFeed) return at + 3
  }
  return events.length
}
