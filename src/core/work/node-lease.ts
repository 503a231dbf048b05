import type { TaskStore } from '../ports/store.ts'
import { newId } from '../records/id.ts'
import type { NodeFacts, NodeOrder } from '../records/node.ts'
import type { StoreAlarm } from '../store-alarm.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** A node sends a heartbeat every 5 s, counts as dead after 15 s, and fences itself after 10 s
 *  without one
 *  (docs/measured.md#leases). */
export const heartbeatEveryMs = 5_000
const leaseMs = 15_000
const selfFenceMs = 10_000

interface NodeLeaseDeps extends Pick<WorkerDeps, 'clock' | 'log'> {
  store: Pick<TaskStore, 'heartbeat' | 'nodes'>
  alarm: StoreAlarm
  /** Returns what the node reports of itself; absent: nothing. */
  facts?: (() => NodeFacts) | undefined
  /** Gets the last order of an operator after each heartbeat. */
  onOrder(order: NodeOrder): void
  /** Number of runs in progress. */
  running(): number
  /** Stops all runs: they can no longer write with the old node id. */
  onFenced(): void
}

/** The id under which this node holds leases, and the heartbeats that renew them. */
export class NodeLease {
  readonly #deps: NodeLeaseDeps
  #id: string
  #lastBeat: number
  /** True from a fence until the next heartbeat that succeeds. */
  #isFenced = false
  /** True when the last heartbeat failed: the next one should not wait for its turn. */
  isLate = false

  constructor(deps: NodeLeaseDeps) {
    this.#deps = deps
    this.#lastBeat = deps.clock.now()
    this.#id = newId(this.#lastBeat)
  }

  get id(): string {
    return this.#id
  }

  /** Renews the leases of this node; abandons them when the store declared the node dead, or when
   *  no heartbeat succeeded for 10 s. */
  async beat(): Promise<void> {
    const { store, clock, alarm, onOrder } = this.#deps
    const now = clock.now()
    try {
      const isAlive = await this.#beatAt(now)
      alarm.worked('heartbeats')
      this.#isFenced = false
      this.isLate = false
      if (isAlive) this.#lastBeat = now
      else this.#fence('this node was declared dead')
      const order = await store.nodes.orderOf(this.#id)
      if (order !== undefined) onOrder(order)
    } catch (error) {
      this.isLate = true
      alarm.failed('heartbeats', error)
    }
    // Nothing was claimed under an id that never had a heartbeat, so there is nothing to fence.
    if (!this.#isFenced && clock.now() - this.#lastBeat >= selfFenceMs) this.#fence('no heartbeat got through')
  }

  #beatAt(now: number): Promise<boolean> {
    const { store, facts } = this.#deps
    return store.heartbeat(this.#id, now, leaseMs, facts?.())
  }

  /** Takes a new node id. */
  #fence(why: string): void {
    const { clock, log, alarm, running, onFenced } = this.#deps
    log.warn({ nodeId: this.#id, running: running() }, `leases given up: ${why}`)
    onFenced()
    this.#lastBeat = clock.now()
    this.#id = newId(this.#lastBeat)
    this.#isFenced = true
    void this.#beatAt(this.#lastBeat).then(
      () => {
        this.#isFenced = false
      },
      error => {
        this.isLate = true
        alarm.failed('heartbeats', error)
      },
    )
  }
}
