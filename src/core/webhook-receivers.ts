/** Number of deliveries of one account to one host in progress on a node. */
const atOncePerHost = 8
/** Shortest wait in ms for a receiver that has enough deliveries in progress. */
const shortestWaitMs = 1_000
/** Longest wait in ms. It limits the delay after a receiver has become fast again. */
const longestWaitMs = 600_000

interface Receiver {
  /** Start times in ms of the deliveries in progress, the oldest first. */
  starts: number[]
  /** Time in ms to which the last delivery was postponed. */
  postponedTo: number
}

/** A delivery that has begun, or the time in ms at which it should be tried again. */
export type ReceiverTurn = { end(): void } | { retryAt: number }

/** Counts the deliveries in progress to each receiver of webhooks: one host of one account. The
 *  slower a receiver answers, the longer its further deliveries wait, so that they are not claimed
 *  again and again without being sent. */
export class WebhookReceivers {
  readonly #receivers = new Map<string, Receiver>()

  /** Begins a delivery to a receiver, unless enough are in progress there. The caller ends it with
   *  `end`. */
  begin(name: string, now: number): ReceiverTurn {
    const receiver = this.#receivers.get(name) ?? { starts: [], postponedTo: 0 }
    const { starts } = receiver
    if (starts.length >= atOncePerHost) return { retryAt: postpone(receiver, now) }
    this.#receivers.set(name, receiver)
    starts.push(now)
    return {
      end: () => {
        starts.splice(starts.indexOf(now), 1)
        if (starts.length === 0) this.#receivers.delete(name)
      },
    }
  }
}

/** Returns a time for each delivery that waits, so that they come one after the other, about as
 *  fast as the receiver has answered lately. */
function postpone(receiver: Receiver, now: number): number {
  const { starts, postponedTo } = receiver
  const answerMs = now - (starts[0] ?? now)
  const next = Math.max(now + shortestWaitMs, postponedTo + answerMs / atOncePerHost)
  receiver.postponedTo = Math.round(next > now + longestWaitMs ? now + shortestWaitMs : next)
  return receiver.postponedTo
}
