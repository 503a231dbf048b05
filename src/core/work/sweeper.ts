import type { BlobStore } from '../ports/blobs.ts'
import type { Clock, ResponseStore, TaskStore } from '../ports/store.ts'
import { createStoreAlarm, type StoreAlarm } from '../store-alarm.ts'
import type { WorkerLog } from './worker-deps.ts'

export interface SweeperDeps {
  store: Pick<TaskStore, 'sweep' | 'unreferenced'>
  responses: Pick<ResponseStore, 'sweep'>
  blobs: Pick<BlobStore, 'list' | 'remove'>
  clock: Clock
  log: WorkerLog
  /** Default: a new one for this sweeper. */
  alarm?: StoreAlarm
}

const everyMs = 60_000
const rowsAtOnce = 500
/** Bounds one sweep to 20,000 tasks, so that a large backlog does not block the writer. */
const roundsAtMost = 40
const keysAtOnce = 1_000
/** A blob is adopted before its row is written; one this old without a row was left behind by a
 *  crash, a lost lease or a repeated submit. */
const orphanAfterMs = 3_600_000

/** Deletes tasks, stored responses, files and blobs past their retention, and blobs that nothing
 *  points to. */
export class Sweeper {
  readonly #deps: SweeperDeps
  readonly #alarm: StoreAlarm
  #underWay: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isOpen = true
  /** The last key that the search for orphans has checked. */
  #after = ''

  constructor(deps: SweeperDeps) {
    this.#deps = deps
    this.#alarm = deps.alarm ?? createStoreAlarm(deps)
  }

  start(): void {
    this.#timer = setInterval(() => void this.sweep(), everyMs)
    this.#timer.unref()
  }

  /** Runs one sweep now: everything past its retention, then the next page of blobs that no row
   *  points to. Does nothing while another sweep is in progress. */
  sweep(): Promise<void> {
    this.#underWay ??= this.#sweepAll().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  /** Waits for a sweep in progress. */
  async stop(): Promise<void> {
    this.#isOpen = false
    clearInterval(this.#timer)
    await this.#underWay
  }

  async #sweepAll(): Promise<void> {
    try {
      await this.#sweepResponses()
      await this.#sweepExpired()
      await this.#sweepOrphans()
      this.#alarm.worked('retention sweeps')
    } catch (error) {
      this.#alarm.failed('retention sweeps', error)
    }
  }

  async #sweepResponses(): Promise<void> {
    const { responses, clock } = this.#deps
    for (let round = 0; round < roundsAtMost && this.#isOpen; round++) {
      if ((await responses.sweep(clock.now(), rowsAtOnce)) < rowsAtOnce) return
    }
  }

  async #sweepExpired(): Promise<void> {
    const { store, blobs, clock, log } = this.#deps
    let tasks = 0
    let removed = 0
    for (let round = 0; round < roundsAtMost && this.#isOpen; round++) {
      const swept = await store.sweep(clock.now(), rowsAtOnce)
      for (const key of swept.blobKeys) await blobs.remove(key)
      tasks += swept.tasks
      removed += swept.blobKeys.length
      if (swept.tasks < rowsAtOnce && swept.blobKeys.length < rowsAtOnce) break
    }
    if (tasks + removed > 0) log.info({ tasks, blobs: removed }, 'swept what is past its retention')
  }

  async #sweepOrphans(): Promise<void> {
    const { store, blobs, clock, log } = this.#deps
    const keys = await blobs.list({ after: this.#after, adoptedBefore: clock.now() - orphanAfterMs, limit: keysAtOnce })
    const orphans = await store.unreferenced(keys)
    for (const key of orphans) await blobs.remove(key)
    this.#after = keys.length < keysAtOnce ? '' : (keys.at(-1) ?? '')
    if (orphans.length > 0) log.info({ blobs: orphans.length }, 'removed blobs that nothing points to')
  }
}
