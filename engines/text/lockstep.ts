/** Steps of the model: the conversations of one account take each step together, and accounts take turns by the time they have used (decision 0033). */

interface LockstepOptions {
  /** Is told how many conversations take the next step, right before it. */
  onStep(width: number): void
  /** Milliseconds of a clock that never goes back; `performance.now` when absent. */
  now?(): number
}

interface MemberOptions {
  account: string | undefined
  /** One whose caller has left is let go at once. */
  isCancelled(): boolean
}

/** A conversation that takes steps, until it leaves. */
export interface Member {
  /** Resolves when the model is to take in so many tokens of this conversation. */
  ready(tokens: number): Promise<void>
  leave(): void
}

/** Tokens of prompts that one step takes in, all conversations together: how long a step may be. A single piece of a prompt may have as many. */
export const mostPromptTokens = 64
/** Accounts whose use differs by less say a token in one step: that costs less than one after the other. */
const sharedStepMs = 50

export class Lockstep {
  readonly #onStep: (width: number) => void
  readonly #now: () => number
  readonly #accounts = new Map<string, Account>()
  /** In the order in which they became ready. */
  #waiting: Waiting[] = []
  #members = 0
  /** What the account that was served last had used before. */
  #level = 0
  #step: { at: number; tokens: Map<Account, number> } | undefined

  constructor({ onStep, now = () => performance.now() }: LockstepOptions) {
    this.#onStep = onStep
    this.#now = now
  }

  join({ account: name = '', isCancelled }: MemberOptions): Member {
    const account = this.#accounts.get(name) ?? { name, usedMs: 0, members: 0 }
    this.#accounts.set(name, account)
    // One that was away has no credit.
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

  /** Begins the next step once every conversation is ready for it, or left out of it. */
  #go(): void {
    const left = this.#waiting.filter(({ isCancelled }) => isCancelled())
    this.#waiting = this.#waiting.filter(each => !left.includes(each))
    for (const { go } of left) go()
    // Those are busy until they leave.
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

  /** Shares the time of the last step out among those that took it, by their tokens. */
  #count(): void {
    if (!this.#step) return
    const { at, tokens } = this.#step
    const ms = this.#now() - at
    const all = [...tokens.values()].reduce((sum, each) => sum + each, 0)
    for (const [account, own] of tokens) account.usedMs += (ms * own) / all
    this.#step = undefined
  }

  #choose(): Waiting[] {
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

/** Whether it takes a step of another account, which has used least. A piece of a prompt would make it a long one. */
function joins({ account, tokens }: Waiting, least: number): boolean {
  return tokens === 1 && account.usedMs - least <= sharedStepMs
}

interface Account {
  name: string
  usedMs: number
  members: number
}

interface Waiting {
  account: Account
  tokens: number
  isCancelled(): boolean
  go(): void
}
