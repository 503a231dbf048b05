/** Divides a fixed number of places between the work of several accounts; each place runs one
 *  piece of work at a time. Long work of one account delays that of another by at most one piece
 *  (decision 0033). */

export interface FairQueueOptions {
  /** Number of pieces of work that run at the same time. */
  places: number
  /** Largest number of pieces of work that may be paused at the same time: begun, and interrupted
   *  by `giveWay`. While that many are paused, a place that `giveWay` frees is given only to paused
   *  work, never to new work. No limit when absent. */
  paused?: number
  /** Returns the time of a monotonic clock in milliseconds; `performance.now` when absent. */
  now?(): number
}

export interface FairRequest {
  /** The account to which the work belongs. All work without an account counts as that of one
   *  account. */
  account?: string | undefined
  /** Rough duration of the work alone in milliseconds: within an account, shorter work goes first.
   *  0 when absent. */
  workMs?: number | undefined
  signal: AbortSignal
}

/** A place of the queue, held by one piece of work. */
export interface QueueSlot extends Disposable {
  /** Pauses the work, so that other waiting work can run first. Resolves when it is this work's
   *  turn again, which is at once when no other work comes before it. Rejects with the signal's
   *  reason; the slot must be disposed even then. Never settles when the slot is disposed during
   *  the pause. */
  giveWay(): Promise<void>
  /** Starts the time measurement of this work anew, so that time since it got the place, such as
   *  for the start of a process, does not count as used by the account. */
  restart(): void
  /** Gives up the place for good; while the work is paused, ends its wait for a place. A second
   *  call does nothing. */
  [Symbol.dispose](): void
}

/** Start-time fair queueing between accounts: the account that has used the least time goes first.
 *  When an idle account returns, its used time is raised to that of the active accounts, so it gets
 *  no credit for the time in which it was idle. Within an account, work is sorted by arrival time
 *  plus expected duration: short work passes longer work, but no work waits forever. */
export class FairQueue {
  readonly #mostPaused: number
  readonly #now: () => number
  readonly #accounts = new Map<string, Account>()
  #free: number
  #paused = 0
  #waiting = 0
  /** Used time in ms that a new account starts with: the used time of the account that was served
   *  last, at the start of its work. */
  #level = 0

  constructor({ places, paused = Number.POSITIVE_INFINITY, now = () => performance.now() }: FairQueueOptions) {
    this.#free = places
    this.#mostPaused = paused
    this.#now = now
  }

  /** Number of pieces of work, begun or not, that wait for a place. */
  get waiting(): number {
    return this.#waiting
  }

  /** Returns the number of pieces of work of one account, begun or not, that wait for a place. */
  waitingOf(account = ''): number {
    return this.#accounts.get(account)?.waiting.length ?? 0
  }

  /** True when a place is free now. */
  get hasFree(): boolean {
    return this.#free > 0
  }

  /** Returns a place if one is free now, else undefined. */
  tryTake(request: FairRequest): QueueSlot | undefined {
    if (this.#free === 0) return undefined
    const work = this.#workOf(request)
    this.#grant(work)
    return this.#placeOf(work)
  }

  /** Resolves with a place when it is this work's turn. Rejects with the signal's reason. */
  async take(request: FairRequest): Promise<QueueSlot> {
    request.signal.throwIfAborted()
    const place = this.tryTake(request)
    if (place) return place
    const work = this.#workOf(request)
    await this.#wait(work)
    return this.#placeOf(work)
  }

  #workOf({ account = '', workMs = 0, signal }: FairRequest): QueuedWork {
    return { account: this.#accountOf(account), dueAt: this.#now() + workMs, signal, isPaused: false, since: 0 }
  }

  #placeOf(work: QueuedWork): QueueSlot {
    let isHeld = true
    return {
      giveWay: async () => {
        if (!isHeld) return
        if (this.#waiting === 0) {
          // No work waits, so this work keeps its place. The level rises to the time that this
          // account has used. A new account then starts with as much used time, and gets no
          // precedence.
          this.#level = Math.max(this.#level, this.#usedBy(work.account))
          return
        }
        work.signal.throwIfAborted()
        try {
          await this.#giveWay(work)
        } catch (error) {
          isHeld = false
          throw error
        }
      },
      restart: () => {
        work.since = this.#now()
      },
      [Symbol.dispose]: () => {
        if (!isHeld) return
        isHeld = false
        // When the work is paused it holds no place, and only its wait ends.
        if (!this.#leave(work)) {
          this.#release(work)
          this.#next()
        }
        this.#forgetIdle(work.account)
      },
    }
  }

  async #giveWay(work: QueuedWork): Promise<void> {
    this.#release(work)
    const isPausedOnly = this.#paused >= this.#mostPaused
    const first = this.#first(isPausedOnly)
    if (first === undefined || !this.#goesBefore(first, work)) return this.#grant(work)
    work.isPaused = true
    this.#paused += 1
    const turn = this.#wait(work)
    this.#leave(first)
    this.#grant(first)
    first.start?.()
    await turn
  }

  #wait(work: QueuedWork): Promise<void> {
    const { signal } = work
    return new Promise<void>((resolve, reject) => {
      work.start = resolve
      work.onAbort = () => {
        this.#leave(work)
        this.#forgetIdle(work.account)
        reject(signal.reason)
      }
      signal.addEventListener('abort', work.onAbort, { once: true })
      work.account.waiting.push(work)
      this.#waiting += 1
    })
  }

  /** Ends the wait of the work. Returns false when the work does not wait. */
  #leave(work: QueuedWork): boolean {
    const at = work.account.waiting.indexOf(work)
    if (at < 0) return false
    work.account.waiting.splice(at, 1)
    this.#waiting -= 1
    if (work.isPaused) this.#paused -= 1
    work.isPaused = false
    if (work.onAbort) work.signal.removeEventListener('abort', work.onAbort)
    return true
  }

  #grant(work: QueuedWork): void {
    const { account } = work
    this.#free -= 1
    this.#level = Math.max(this.#level, this.#usedBy(account))
    work.since = this.#now()
    account.running.add(work)
  }

  #release(work: QueuedWork): void {
    work.account.usedMs += this.#now() - work.since
    work.account.running.delete(work)
    this.#free += 1
  }

  /** Gives the free places to waiting work. */
  #next(): void {
    while (this.#free > 0) {
      const first = this.#first(false)
      if (first === undefined) return
      this.#leave(first)
      this.#grant(first)
      first.start?.()
    }
  }

  #first(isPausedOnly: boolean): QueuedWork | undefined {
    let first: QueuedWork | undefined
    for (const { waiting } of this.#accounts.values()) {
      for (const work of waiting) {
        if (isPausedOnly && !work.isPaused) continue
        if (first === undefined || this.#goesBefore(work, first)) first = work
      }
    }
    return first
  }

  #goesBefore(a: QueuedWork, b: QueuedWork): boolean {
    const difference = a.account === b.account ? 0 : this.#usedBy(a.account) - this.#usedBy(b.account)
    return difference === 0 ? a.dueAt < b.dueAt : difference < 0
  }

  /** Returns the milliseconds for which the account has used places, including the running work. */
  #usedBy({ usedMs, running }: Account): number {
    let used = usedMs
    for (const { since } of running) used += this.#now() - since
    return used
  }

  #accountOf(name: string): Account {
    let account = this.#accounts.get(name)
    if (account === undefined) {
      account = { name, usedMs: 0, running: new Set(), waiting: [] }
      this.#accounts.set(name, account)
    }
    if (account.running.size === 0 && account.waiting.length === 0) account.usedMs = Math.max(account.usedMs, this.#level)
    return account
  }

  /** Removes an account without work if its used time is at most the level. Nothing is lost: an
   *  account that returns starts at the level anyway. */
  #forgetIdle(account: Account): void {
    if (account.running.size > 0 || account.waiting.length > 0) return
    if (account.usedMs <= this.#level || this.#accounts.size > mostAccounts) this.#accounts.delete(account.name)
  }
}

/** Largest number of accounts in memory. Above it, every idle account is removed, even if its used
 *  time is above the level. */
const mostAccounts = 1_000

interface Account {
  name: string
  usedMs: number
  running: Set<QueuedWork>
  waiting: QueuedWork[]
}

interface QueuedWork {
  account: Account
  dueAt: number
  signal: AbortSignal
  isPaused: boolean
  /** Time at which the work got its place. */
  since: number
  start?: () => void
  onAbort?: () => void
}
