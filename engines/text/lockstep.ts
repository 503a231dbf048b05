/** Schedules the steps of the model. The conversations of one account take part in the same step.
 *  Accounts take turns according to the time that they have used (decision 0033). */

interface LockstepOptions {
  /** Called right before a step with the number of conversations in it. */
  onStep(width: number): void
  /** Returns the time of a monotonic clock in ms; default `performance.now`. */
  now?(): number
}

interface MemberOptions {
  account: string | undefined
  /** True once the caller has disconnected. `ready` then returns without waiting for a step, and
   *  the conversation leaves. */
  isCancelled(): boolean
}

/** A conversation that takes part in steps until it leaves. */
export interface Member {
  /** Waits for the step in which the model may process this many tokens of the conversation. */
  ready(tokens: number): Promise<void>
  leave(): void
}

/** Largest number of prompt tokens in one step, over all conversations; this limits how long a
 *  step takes. A piece of a prompt may use all of them. */
export const mostPromptTokens = 64
/** When the used times of two accounts differ by at most this (ms), conversations that wait for one
 *  answer token share a step, because a shared step takes less time than two steps. */
const sharedStepMs = 50

export class Lockstep {
  readonly #onStep: (width: number) => void
  readonly #now: () => number
  readonly #accounts = new Map<string, Account>()
  /** The conversations that wait for a step, in the order in which they became ready. */
  #waiting: WaitingMember[] = []
  #members = 0
  /** The largest used time (ms) that an account had when it was chosen first for a step. */
  #level = 0
  #step: { at: number; tokens: Map<Account, number> } | undefined

  constructor({ onStep, now = () => performance.now() }: LockstepOptions) {
    this.#onStep = onStep
    this.#now = now
  }

  join({ account: name = '', isCancelled }: MemberOptions): Member {
    const account = this.#accounts.get(name) ?? { name, usedMs: 0, members: 0 }
    this.#accounts.set(name, account)
    // An account that returns after a pause has used little time. To keep this account from running
    // alone until it has caught up, its used time is raised to that of the accounts that are
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

  /** Starts the next step when every conversation waits for one. */
  #go(): void {
    const left = this.#waiting.filter(({ isCancelled }) => isCancelled())
    this.#waiting = this.#waiting.filter(each => !left.includes(each))
    for (const { go } of left) go()
    // A conversation that does not wait is still computing, so the next step waits for it.
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

  /** Divides the duration of the last step among the accounts that took part, in proportion to
   *  their tokens. */
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

/** True when a conversation may share a step with the account that has used the least time
 *  (`least`, in ms). The conversation must wait for a single answer token, and its account must
 *  have used hardly more time than `least`. A piece of a prompt cannot share a step, because the
 *  step would take longer. */
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
