import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Duty } from './core/duty.ts'
import type { CallLog } from './core/ledger/call-log.ts'
import type { BlobStore } from './core/ports/blobs.ts'
import type { TaskStore } from './core/ports/store.ts'
import type { WorkerLog } from './core/work/worker-deps.ts'

/** Decides whether the gateway accepts new work. It does not while it is draining, while there is
 *  too little free disk space, or after the store has failed. */
export interface Acceptance {
  /** Throws `draining`, `disk_full` or `store_unavailable` when no new work is accepted. */
  assert(): void
  /** Does the same as `assert`, for a call that needs the store only for its usage record. While
   *  the database does not answer, such a call is still accepted as long as further records may
   *  wait in memory. */
  assertCall(): void
  /** Returns the reasons why a load balancer should send no traffic to this node: it is draining,
   *  or the store or the blobs cannot be written. Empty when the node is ready. */
  problems(): string[]
  close(): void
}

interface AcceptanceDeps {
  blobs: Pick<BlobStore, 'freeBytes' | 'problem'>
  store: Pick<TaskStore, 'assertWritable' | 'isAway'>
  duty: Pick<Duty, 'reason' | 'refusal'>
  callLog: Pick<CallLog, 'assertRoom'>
  log: WorkerLog
}

const checkEveryMs = 5_000

/** Watches the free disk space until `close`. Resolves after the first measurement. */
export async function watchAcceptance({ blobs, store, duty, callLog, log }: AcceptanceDeps, minFreeBytes: number): Promise<Acceptance> {
  let isFull = false
  let isReadable = true
  let blobProblem: string | undefined
  const check = async (): Promise<void> => {
    const freeBytes = await blobs.freeBytes()
    isReadable = true
    const wasFull = isFull
    isFull = freeBytes < minFreeBytes
    if (isFull !== wasFull)
      log.warn({ freeBytes, minFreeBytes }, isFull ? 'disk space is below the floor: nothing new is accepted' : 'disk space is back')
  }
  const checkBlobs = async (): Promise<void> => {
    const problem = await blobs.problem()
    if ((problem === undefined) !== (blobProblem === undefined))
      log.warn(problem === undefined ? {} : { reason: problem }, problem === undefined ? 'blobs can be used again' : 'blobs cannot be used')
    blobProblem = problem
  }
  const watch = async (): Promise<void> => {
    await check().catch(error => {
      // The error is logged once, and not at every measurement.
      if (isReadable) log.error({ err: error }, 'free disk space could not be read')
      isReadable = false
    })
    await checkBlobs()
  }
  await watch()
  const timer = setInterval(() => void watch(), checkEveryMs)
  timer.unref()
  const assertOpen = (): void => {
    if (duty.refusal !== undefined) throw new GatewayError('draining', duty.refusal, { retryAfterSeconds: 5 })
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
        return blobProblem === undefined ? [] : [blobProblem]
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)]
      }
    },
    close: () => clearInterval(timer),
  }
}
