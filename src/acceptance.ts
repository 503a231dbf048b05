import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Duty } from './core/duty.ts'
import type { CallLog } from './core/ledger/call-log.ts'
import type { BlobStore } from './core/ports/blobs.ts'
import type { TaskStore } from './core/ports/store.ts'
import type { WorkerLog } from './core/work/worker-deps.ts'

/** Decides if new work is accepted: not while draining, below the floor of free disk space, or
 *  once the store has failed. */
export interface Acceptance {
  /** Throws `draining`, `disk_full` or `store_unavailable`. */
  assert(): void
  /** The same for a call of which the store gets the record alone: it is accepted while the
   *  database is away, as long as there is room for records that wait. */
  assertCall(): void
  /** Reasons against sending traffic here: draining, or a store that cannot be written. Empty
   *  when ready. */
  problems(): string[]
  close(): void
}

interface AcceptanceDeps {
  blobs: Pick<BlobStore, 'freeBytes'>
  store: Pick<TaskStore, 'assertWritable' | 'isAway'>
  duty: Pick<Duty, 'reason'>
  callLog: Pick<CallLog, 'assertRoom'>
  log: WorkerLog
}

const checkEveryMs = 5_000

/** Watches the free disk space until `close`. Resolves after the first measurement. */
export async function watchAcceptance({ blobs, store, duty, callLog, log }: AcceptanceDeps, minFreeBytes: number): Promise<Acceptance> {
  let isFull = false
  let isReadable = true
  const check = async (): Promise<void> => {
    const freeBytes = await blobs.freeBytes()
    isReadable = true
    const wasFull = isFull
    isFull = freeBytes < minFreeBytes
    if (isFull !== wasFull)
      log.warn({ freeBytes, minFreeBytes }, isFull ? 'disk space is below the floor: nothing new is accepted' : 'disk space is back')
  }
  const watch = () =>
    check().catch(error => {
      // Logged once, not at every measurement.
      if (isReadable) log.error({ err: error }, 'free disk space could not be read')
      isReadable = false
    })
  await watch()
  const timer = setInterval(() => void watch(), checkEveryMs)
  timer.unref()
  const assertOpen = (): void => {
    if (duty.reason !== undefined) throw new GatewayError('draining', duty.reason, { retryAfterSeconds: 5 })
    if (isFull)
      throw new GatewayError('disk_full', 'Free disk space is below the floor; nothing new is accepted.', { retryAfterSeconds: 60 })
  }
  return {
    assert: () => {
      assertOpen()
      store.assertWritable()
    },
    assertCall: () => {
      assertOpen()
      if (!store.isAway()) store.assertWritable()
      callLog.assertRoom()
    },
    problems: () => {
      if (duty.reason !== undefined) return [duty.reason]
      try {
        store.assertWritable()
        return []
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)]
      }
    },
    close: () => clearInterval(timer),
  }
}
