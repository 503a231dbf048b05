import type { NodeOrder, NodeState } from './records/node.ts'

/** Time in ms for which a node still accepts requests after an order to drain, although it
 *  claims no more tasks. In this time load balancers see the change in `/readyz` and stop
 *  sending requests, so none is refused. */
const acceptMs = 4_000

/** Decides whether this node takes new work. A draining node finishes the work that it has. It
 *  still answers polls, and serves streams and files. */
export class Duty {
  #isOrdered = false
  /** Time from which a draining node refuses requests, in ms on the clock of
   *  `performance.now()`. */
  #refusesFrom = 0
  #isStopping = false
  readonly #listeners = new Set<() => void>()

  get state(): NodeState {
    return this.#isOrdered || this.#isStopping ? 'draining' : 'ready'
  }

  /** The reason why the node wants no new work; undefined while it takes work. */
  get reason(): string | undefined {
    if (this.#isStopping) return 'The gateway is stopping.'
    return this.#isOrdered ? 'This node is draining.' : undefined
  }

  /** The reason why the node refuses new requests; undefined while it accepts them. */
  get refusal(): string | undefined {
    return this.#isStopping || performance.now() >= this.#refusesFrom ? this.reason : undefined
  }

  /** Stops taking new work; this is final. */
  stop(): void {
    this.#change(() => {
      this.#isStopping = true
    })
  }

  /** Follows an order of an operator; a later order replaces an earlier one. */
  follow(order: NodeOrder): void {
    this.#change(() => {
      if (order === 'drain' && !this.#isOrdered) this.#refusesFrom = performance.now() + acceptMs
      this.#isOrdered = order === 'drain'
    })
  }

  /** Calls the listener after each change of the state. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  #change(set: () => void): void {
    const before = this.state
    set()
    if (this.state !== before) for (const listener of this.#listeners) listener()
  }
}
