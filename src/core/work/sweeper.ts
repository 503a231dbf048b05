import type { BlobStore } from '../ports/blobs.ts'
import type { Clock, ResponseStore, TaskStore } from '../ports/store.ts'
import { createStoreTrouble, type StoreTrouble } from '../store-alarm.ts'
import type { WorkerLog } from './worker-deps.ts'

export interface SweeperDeps {
  store: Pick<TaskStore, 'sweep' | 'unreferenced'>
  responses: Pick<ResponseStore, 'sweep'>
  blobs: Pick<BlobStore, 'list' | 'remove'>
  clock: Clock
  log: WorkerLog
  /** Default: one of its own. */
  trouble?: StoreTrouble
}

export interface Sweeper {
  start(): void
  /** One sweep now: what is past its retention, then the next page of blobs that no row points to. Does nothing while another one is under way. */
  sweep(): Promise<void>
  /** Lets a sweep under way end. */
  stop(): Promise<void>
}

const everyMs = 60_000
const rowsAtOnce = 500
/** Bounds one sweep to 20,000 tasks, so that a long backlog does not hold up the writer. */
const roundsAtMost = 40
const keysAtOnce = 1_000
/** A blob is adopted before its row is written; one this old without a row was left behind by a crash, a lost lease or a repeated submit. */
const orphanAfterMs = 3_600_000

/** Deletes tasks, stored responses, files and blobs past their retention, and blobs that nothing points to. */
export function createSweeper(deps: SweeperDeps): Sweeper {
  const { store, responses, blobs, clock, log, trouble = createStoreTrouble(deps) } = deps
  let underWay: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isOpen = true
  /** Where the search for orphans goes on. */
  let after = ''

  const sweepExpired = async (): Promise<void> => {
    let tasks = 0
    let removed = 0
    for (let round = 0; round < roundsAtMost && isOpen; round++) {
      const swept = await store.sweep(clock.now(), rowsAtOnce)
      for (const key of swept.blobKeys) await blobs.remove(key)
      tasks += swept.tasks
      removed += swept.blobKeys.length
      if (swept.tasks < rowsAtOnce && swept.blobKeys.length < rowsAtOnce) break
    }
    if (tasks + removed > 0) log.info({ tasks, blobs: removed }, 'swept what is past its retention')
  }
  const sweepResponses = async (): Promise<void> => {
    for (let round = 0; round < roundsAtMost && isOpen; round++) {
      if ((await responses.sweep(clock.now(), rowsAtOnce)) < rowsAtOnce) return
    }
  }
  const sweepOrphans = async (): Promise<void> => {
    const keys = await blobs.list({ after, adoptedBefore: clock.now() - orphanAfterMs, limit: keysAtOnce })
    const orphans = await store.unreferenced(keys)
    for (const key of orphans) await blobs.remove(key)
    after = keys.length < keysAtOnce ? '' : (keys.at(-1) ?? '')
    if (orphans.length > 0) log.info({ blobs: orphans.length }, 'removed blobs that nothing points to')
  }
  const sweepAll = async (): Promise<void> => {
    try {
      await sweepResponses()
      await sweepExpired()
      await sweepOrphans()
      trouble.worked('retention sweeps')
    } catch (error) {
      trouble.failed('retention sweeps', error)
    }
  }
  const sweep = (): Promise<void> => {
    underWay ??= sweepAll().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  return {
    start: () => {
      timer = setInterval(() => void sweep(), everyMs)
      timer.unref()
    },
    sweep,
    stop: async () => {
      isOpen = false
      clearInterval(timer)
      await underWay
    },
  }
}
