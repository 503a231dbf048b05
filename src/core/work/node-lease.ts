import type { TaskStore } from '../ports/store.ts'
import { newId } from '../records/id.ts'
import type { StoreAlarm } from '../store-alarm.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** A node sends a heartbeat every 5 s, counts as dead after 15 s, and fences itself after 10 s
 *  without one
 *  (docs/measured.md#leases). */
export const heartbeatEveryMs = 5_000
const leaseMs = 15_000
const selfFenceMs = 10_000

interface NodeLeaseDeps extends Pick<WorkerDeps, 'clock' | 'log'> {
  store: Pick<TaskStore, 'heartbeat'>
  alarm: StoreAlarm
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
    const { store, clock, alarm } = this.#deps
    const now = clock.now()
    try {
      const isAlive = await store.heartbeat(this.#id, now, leaseMs)
      alarm.worked('heartbeats')
      this.#isFenced = false
      if (isAlive) this.#lastBeat = now
      else this.#fence('this node was declared dead')
    } catch (error) {
      alarm.failed('heartbeats', error)
    }
    // Nothing was claimed under an id that never had a heartbeat, so there is nothing to fence.
    if (!this.#isFenced && clock.now() - this.#lastBeat >= selfFenceMs) this.#fence('no heartbeat got through')
  }

  /** Takes a new node id. */
  #fence(why: string): void {
    const { store, clock, log, alarm, running, onFenced } = this.#deps
    log.warn({ nodeId: this.#id, running: running() }, `leases given up: ${why}`)
    onFenced()
    this.#lastBeat = clock.now()
    this.#id = newId(this.#lastBeat)
    this.#isFenced = true
    void store.heartbeat(this.#id, this.#lastBeat, leaseMs).then(
      () => {
        this.#isFenced = false
      },
      error => alarm.failed('heartbeats', error),
    )
  }
}
