/** Schedules the steps of the model: the conversations of one account take part in the same step,
 *  and accounts take turns by the time that they have used (decision 0033). */

interface LockstepOptions {
  /** Called right before a step with the number of conversations in it. */
  onStep(width: number): void
  /** Returns the time of a monotonic clock in ms; default `performance.now`. */
  now?(): number
}

interface MemberOptions {
  account: string | undefined
  /** True once the caller has disconnected: the conversation then leaves without waiting for a
   *  step. */
  isCancelled(): boolean
}

/** A conversation that takes part in steps until it leaves. */
export interface Member {
  /** Waits for the step in which the model may process this many tokens of the conversation. */
  ready(tokens: number): Promise<void>
  leave(): void
}

/** Most prompt tokens in one step, for all conversations together; limits the duration of a step. A
 *  single piece of a prompt may be this long. */
export const mostPromptTokens = 64
/** Two accounts whose used times differ by less than this (ms) share a step for their answer
 *  tokens, because a shared step costs less than two. */
const sharedStepMs = 50

export class Lockstep {
  readonly #onStep: (width: number) => void
  readonly #now: () => number
  readonly #accounts = new Map<string, Account>()
  /** Conversations in the order in which they became ready. */
  #waiting: WaitingMember[] = []
  #members = 0
  /** Used time of the account served last, before its step, in ms. */
  #level = 0
  #step: { at: number; tokens: Map<Account, number> } | undefined

  constructor({ onStep, now = () => performance.now() }: LockstepOptions) {
    this.#onStep = onStep
    this.#now = now
  }

  join({ account: name = '', isCancelled }: MemberOptions): Member {
    const account = this.#accounts.get(name) ?? { name, usedMs: 0, members: 0 }
    this.#accounts.set(name, account)
    // An account that returns after a pause must not have more credit than the accounts that are
    // running.
    if (account.members === 0) account.usedMs = Math.max(account.usedMs, this.#level)
    account.members += 1
    this.#members += 1
    return {
      ready: tokens =>
        new Promise(resolve => {
          this.#waiting.push({ account, tokens, isCancelled, go: resolve })
          this.#go()
        }),
      leave: () => {
        this.#members -= 1
        account.members -= 1
        if (account.members === 0 && account.usedMs <= this.#level) this.#accounts.delete(name)
        this.#go()
      },
    }
  }

  /** Starts the next step once every conversation has requested one. */
  #go(): void {
    const left = this.#waiting.filter(({ isCancelled }) => isCancelled())
    this.#waiting = this.#waiting.filter(each => !left.includes(each))
    for (const { go } of left) go()
    // A conversation that is not waiting is computing, so the next step waits for it.
    if (this.#waiting.length === 0 || this.#waiting.length < this.#members) return
    this.#count()
    const chosen = this.#choose()
    this.#waiting = this.#waiting.filter(each => !chosen.includes(each))
    const tokens = new Map<Account, number>()
    for (const each of chosen) tokens.set(each.account, (tokens.get(each.account) ?? 0) + each.tokens)
    this.#step = { at: this.#now(), tokens }
    this.#onStep(chosen.length)
    for (const { go } of chosen) go()
  }

  /** Charges the duration of the last step to its accounts, in proportion to their tokens. */
  #count(): void {
    if (!this.#step) return
    const { at, tokens } = this.#step
    const ms = this.#now() - at
    const all = [...tokens.values()].reduce((sum, each) => sum + each, 0)
    for (const [account, own] of tokens) account.usedMs += (ms * own) / all
    this.#step = undefined
  }

  #choose(): WaitingMember[] {
    const least = Math.min(...this.#waiting.map(({ account }) => account.usedMs))
    this.#level = Math.max(this.#level, least)
    const first = this.#waiting.find(({ account }) => account.usedMs === least)!
    const others = this.#waiting.filter(each => each !== first && (each.account === first.account || joins(each, least)))
    let room = mostPromptTokens - first.tokens
    return [
      first,
      ...others.filter(({ tokens }) => {
        if (tokens > 1 && tokens > room) return false
        room -= tokens
        return true
      }),
    ]
  }
}

/** True when the conversation may share a step with the account that has used the least time
 *  (`least`, in ms): it waits for a single answer token, and its account has used hardly more time.
 *  A piece of a prompt may not join, because it would make the step longer. */
function joins({ account, tokens }: WaitingMember, least: number): boolean {
  return tokens === 1 && account.usedMs - least <= sharedStepMs
}

interface Account {
  name: string
  usedMs: number
  members: number
}

interface WaitingMember {
  account: Account
  tokens: number
  isCancelled(): boolean
  go(): void
}
