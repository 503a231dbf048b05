import { setTimeout as sleep } from 'node:timers/promises'
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
  /** The alarm that logs outages of the store. When absent, the sweeper creates its own. */
  alarm?: StoreAlarm
}

const everyMs = 60_000
const rowsAtOnce = 500
/** Rounds of one sweep; together they delete at most 20,000 tasks, so that a large backlog does
 *  not block other writes for long. */
const roundsAtMost = 40
const keysAtOnce = 1_000
/** Age in ms from which a blob is deleted when no row refers to it. A new blob is adopted before
 *  its row is written. A blob that still has no row at this age was left by a crash, a lost
 *  lease or a repeated submit. */
const orphanAfterMs = 3_600_000

/** Deletes tasks, stored responses, files and blobs after their retention, and blobs that no row
 *  refers to. */
export class Sweeper {
  readonly #deps: SweeperDeps
  readonly #alarm: StoreAlarm
  #underWay: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isOpen = true
  /** The last key that the search for blobs without a row has checked. */
  #after = ''

  constructor(deps: SweeperDeps) {
    this.#deps = deps
    this.#alarm = deps.alarm ?? createStoreAlarm(deps)
  }

  start(): void {
    this.#timer = setInterval(() => void this.sweep(), everyMs)
    this.#timer.unref()
  }

  /** Runs one sweep now: deletes everything whose retention has ended, then checks the next page of
   *  blobs for those without a row. Does nothing while another sweep is in progress. */
  sweep(): Promise<void> {
    this.#underWay ??= this.#sweepAll().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  /** Waits for a sweep in progress, at most `graceMs` milliseconds, because a bucket that does
   *  not answer can delay the sweep for longer. */
  async stop(graceMs: number): Promise<void> {
    this.#isOpen = false
    clearInterval(this.#timer)
    await Promise.race([this.#underWay, sleep(graceMs, undefined, { ref: false })])
  }

  async #sweepAll(): Promise<void> {
    try {
      await this.#sweepResponses()
      await this.#sweepExpired()
      if (this.#isOpen) await this.#sweepOrphans()
      this.#alarm.worked('retention sweeps')
    } catch (error) {
      // After a stop, the store may be closed. The error is then expected and not reported.
      if (this.#isOpen) this.#alarm.failed('retention sweeps', error)
    }
  }

  async #sweepResponses(): Promise<void> {
    const { responses, clock } = this.#deps
    for (let round = 0; round < roundsAtMost && this.#isOpen; round++) {
      if ((await responses.sweep(clock.now(), rowsAtOnce)) < rowsAtOnce) return
    }
  }

  async #sweepExpired(): Promise<void> {
    const { store, clock, log } = this.#deps
    let tasks = 0
    let removed = 0
    for (let round = 0; round < roundsAtMost && this.#isOpen; round++) {
      const swept = await store.sweep(clock.now(), rowsAtOnce)
      await this.#remove(swept.blobKeys)
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
    await this.#remove(orphans)
    this.#after = keys.length < keysAtOnce ? '' : (keys.at(-1) ?? '')
    if (orphans.length > 0) log.info({ blobs: orphans.length }, 'removed blobs that nothing points to')
  }

  /** Removes the blobs. When the sweeper is stopped meanwhile, the search for blobs without a
   *  row later finds those that are left. */
  async #remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      if (!this.#isOpen) return
      await this.#deps.blobs.remove(key)
    }
  }
}
