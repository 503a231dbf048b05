import type { TaskStore } from '../ports/store.ts'
import { newId } from '../records/id.ts'
import type { NodeFacts, NodeOrder } from '../records/node.ts'
import type { StoreAlarm } from '../store-alarm.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** Interval of the heartbeats in ms. A node counts as dead 15 s after its last heartbeat; a node
 *  whose heartbeats have failed for 10 s stops its work itself (docs/measured.md#leases). */
export const heartbeatEveryMs = 5_000
const leaseMs = 15_000
const selfFenceMs = 10_000

interface NodeLeaseDeps extends Pick<WorkerDeps, 'clock' | 'log'> {
  store: Pick<TaskStore, 'heartbeat' | 'nodes'>
  alarm: StoreAlarm
  /** Returns facts about the node, which each heartbeat stores. When the function is absent, no
   *  facts are stored. */
  facts?: (() => NodeFacts) | undefined
  /** Called after each heartbeat with the last order of an operator to this node. */
  onOrder(order: NodeOrder): void
  /** Returns the number of runs in progress. */
  running(): number
  /** Stops all runs. Called when the node gives up its id, because the runs could still write
   *  under this id. */
  onFenced(): void
}

/** Holds the id under which this node has its leases, and renews the leases by heartbeats. */
export class NodeLease {
  readonly #deps: NodeLeaseDeps
  #id: string
  #lastBeat: number
  /** True from the moment at which the node gave up its leases until a heartbeat succeeds again. */
  #isFenced = false
  /** True when the last heartbeat failed. The next one is then sent as soon as possible. */
  isLate = false

  constructor(deps: NodeLeaseDeps) {
    this.#deps = deps
    this.#lastBeat = deps.clock.now()
    this.#id = newId(this.#lastBeat)
  }

  get id(): string {
    return this.#id
  }

  /** Renews the leases of this node. Gives them up when the store has declared the node dead, or
   *  when no heartbeat has succeeded for 10 s. */
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
    // A node that has given up its leases gets new ones only by a successful heartbeat. Until then,
    // there is nothing more to give up.
    if (!this.#isFenced && clock.now() - this.#lastBeat >= selfFenceMs) this.#fence('no heartbeat got through')
  }

  #beatAt(now: number): Promise<boolean> {
    const { store, facts } = this.#deps
    return store.heartbeat(this.#id, now, leaseMs, facts?.())
  }

  /** Gives up all leases: stops the runs and takes a new node id. */
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
