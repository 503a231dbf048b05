import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { FairQueue, type FairRequest } from '@generation-gateway/kit/process/fair-queue.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'

/** Largest number of runs for other nodes that may wait for a place at one engine: in all, and
 *  for one account. A waiting run costs one connection; its request has not been read yet. */
const mostWaiting = 512
const mostWaitingOfAccount = 64
const retryAfterSeconds = 5

interface AccountRuns {
  queue: FairQueue
  /** Number of runs of one account that have a place or wait for one. */
  runs: number
}

/** Limits the runs of one engine for other nodes. At most `slots` of them run at a time, and at
 *  most `accountSlots` of one account. */
export class RunPlaces {
  readonly #all: FairQueue
  readonly #accountSlots: number
  readonly #accounts = new Map<string, AccountRuns>()
  #busy = 0
  #waiting = 0

  constructor({ slots, accountSlots = slots }: Pick<Driver['queue'], 'slots' | 'accountSlots'>) {
    this.#all = new FairQueue({ places: slots })
    this.#accountSlots = Math.min(slots, accountSlots)
  }

  /** Number of runs that have a place. */
  get busy(): number {
    return this.#busy
  }

  /** Number of runs that wait for a place. */
  get waiting(): number {
    return this.#waiting
  }

  /** Resolves with a place, which the caller must dispose of; rejects with the signal's reason.
   *  Throws `engine_busy` at once when too many runs already wait. */
  take({ account = '', signal }: Pick<FairRequest, 'account' | 'signal'>): Promise<Disposable> {
    return this.#wait(account, this.#enter(account), signal)
  }

  async #wait(account: string, own: AccountRuns, signal: AbortSignal): Promise<Disposable> {
    using stack = new DisposableStack()
    stack.defer(() => this.#leave(account, own))
    this.#waiting += 1
    try {
      stack.use(await own.queue.take({ signal }))
      stack.use(await this.#all.take({ account, signal }))
    } finally {
      this.#waiting -= 1
    }
    this.#busy += 1
    stack.defer(() => {
      this.#busy -= 1
    })
    return stack.move()
  }

  #enter(account: string): AccountRuns {
    const entry = this.#accounts.get(account) ?? { queue: new FairQueue({ places: this.#accountSlots }), runs: 0 }
    if (this.#waiting >= mostWaiting || entry.runs >= this.#accountSlots + mostWaitingOfAccount)
      throw new GatewayError('engine_busy', 'The engine and its queue are full.', { retryAfterSeconds })
    entry.runs += 1
    this.#accounts.set(account, entry)
    return entry
  }

  #leave(account: string, entry: AccountRuns): void {
    entry.runs -= 1
    if (entry.runs === 0) this.#accounts.delete(account)
  }
}
