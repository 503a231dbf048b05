/** A relayed stream of events that the caller gets as a JSON array: the data of each event is an
 *  element, byte for byte. */
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextUsage } from '@generation-gateway/kit/requests/text.ts'
import type { Part, RelayedAnswer } from './relay-parts.ts'
import { dataOf } from './stream-scan.ts'
import { eventsIn } from './whole-events.ts'

export class ArrayAnswer implements RelayedAnswer {
  readonly isStream = true
  readonly #events: RelayedAnswer
  #hasBegun = false
  #hasEnded = false

  constructor(events: RelayedAnswer) {
    this.#events = events
  }

  usage(hasEnded: boolean): TextUsage | undefined {
    return this.#events.usage(hasEnded)
  }

  get said(): number {
    return this.#events.said
  }

  get searches(): number {
    return this.#events.searches
  }

  get problem(): GatewayError | undefined {
    return this.#events.problem
  }

  take(chunk: Buffer): Part | undefined {
    const part = this.#events.take(chunk)
    return part && { ...part, bytes: Buffer.from(this.#elements(part.bytes)) }
  }

  end(): Part | undefined {
    if (this.#hasEnded) return undefined
    this.#hasEnded = true
    const part = this.#events.end()
    const rest = part ?? { bytes: none, sent: none, isEvents: true, isMarked: false }
    return this.problem ? undefined : { ...rest, bytes: Buffer.from(`${this.#elements(rest.bytes)}]`), isLast: true }
  }

  /** Returns the data of the events as elements of the array. The opening bracket precedes the
   *  first element, and a comma each later one. */
  #elements(events: Buffer): string {
    let text = ''
    for (const event of eventsIn(events)) {
      const data = dataOf(event).trim()
      if (data === '' || data === '[DONE]') continue
      text += (this.#hasBegun ? ',\r\n' : '[') + data
      this.#hasBegun = true
    }
    return text
  }
}

const none = Buffer.alloc(0)
