/** Steps of the model: the conversations of one account take each step together, and accounts take
 *  turns by the time they have used (decision 0033). */

interface LockstepOptions {
  /** Called directly before a step with the number of conversations in it. */
  onStep(width: number): void
  /** Returns the time of a monotonic clock, ms; `performance.now` when absent. */
  now?(): number
}

interface MemberOptions {
  account: string | undefined
  /** True once the caller has disconnected: the conversation then leaves at once. */
  isCancelled(): boolean
}

/** A conversation that takes steps until it leaves. */
export interface Member {
  /** Resolves when the model should process this many tokens of the conversation. */
  ready(tokens: number): Promise<void>
  leave(): void
}

/** Most prompt tokens of one step, all conversations together; bounds the length of a step. A
 *  single piece of a prompt may have as many. */
export const mostPromptTokens = 64
/** Accounts whose use differs by less than this share a step for their answer tokens, which costs
 *  less than one step each. Milliseconds. */
const sharedStepMs = 50

export class Lockstep {
  readonly #onStep: (width: number) => void
  readonly #now: () => number
  readonly #accounts = new Map<string, Account>()
  /** Conversations in the order in which they became ready. */
  #waiting: WaitingMember[] = []
  #members = 0
  /** Time that the account served last had used before its step. */
  #level = 0
  #step: { at: number; tokens: Map<Account, number> } | undefined

  constructor({ onStep, now = () => performance.now() }: LockstepOptions) {
    this.#onStep = onStep
    this.#now = now
  }

  join({ account: name = '', isCancelled }: MemberOptions): Member {
    const account = this.#accounts.get(name) ?? { name, usedMs: 0, members: 0 }
    this.#accounts.set(name, account)
    // A returning account has no credit.
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
    // Conversations that are not waiting are busy until they leave.
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

  /** Divides the time of the last step among its conversations, by their tokens. */
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

/** True when the conversation may join a step of another account, the one with the least use. A
 *  piece of a prompt may not, because it would lengthen the step. */
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
