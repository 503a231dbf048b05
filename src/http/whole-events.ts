/** Cuts a stream between its events, and takes the usage event out of one of chat chunks whose client did not ask for it. */

/** An event longer than this is no usage event: it passes in pieces, as it comes. */
const longestHeld = 256 * 1024
const noChoices = /"choices"\s*:\s*\[\s*\]/
/** Some services say null in chunks that carry something else. */
const counts = /"usage"\s*:\s*\{/

/** Passes whole events on; what has not ended yet waits for the next piece, so that a stream which breaks off leaves no half of one behind. */
export class WholeEvents {
  readonly #stripsUsage: boolean
  #held: Buffer | undefined

  constructor(stripsUsage: boolean) {
    this.#stripsUsage = stripsUsage
  }

  /** `isMarked` false: the piece has nothing of a usage member in it, as `UsageScan` found. */
  pass(piece: Buffer, isMarked = true): Buffer {
    if (this.#held === undefined && !(isMarked && this.#stripsUsage) && endsEvent(piece)) return piece
    const data = this.#held === undefined ? piece : Buffer.concat([this.#held, piece])
    const end = data.length > longestHeld ? data.length : lastEventEnd(data)
    this.#held = end < data.length ? Buffer.from(data.subarray(end)) : undefined
    const events = data.subarray(0, end)
    return this.#stripsUsage && events.includes('"usage"') ? withoutUsageEvent(events) : events
  }

  /** What was held back when the stream ended in good order. */
  rest(): Buffer | undefined {
    return this.#held
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

function withoutUsageEvent(events: Buffer): Buffer {
  const kept: Buffer[] = []
  let start = 0
  while (start < events.length) {
    const end = eventEnd(events, start)
    const event = events.subarray(start, end)
    const isUsage = event.includes('"usage"') && isCountsAlone(event.toString('latin1'))
    if (!isUsage) kept.push(event)
    start = end
  }
  return Buffer.concat(kept)
}

function isCountsAlone(event: string): boolean {
  return noChoices.test(event) && counts.test(event)
}

function eventEnd(events: Buffer, start: number): number {
  const plain = events.indexOf('\n\n', start)
  const carriage = events.indexOf('\n\r\n', start)
  if (plain < 0 && carriage < 0) return events.length
  if (carriage < 0 || (plain >= 0 && plain < carriage)) return plain + 2
  return carriage + 3
}
