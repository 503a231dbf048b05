import { errorMessage, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { BlobWatch } from './core/blob-watch.ts'
import type { Duty } from './core/duty.ts'
import type { CallLog } from './core/ledger/call-log.ts'
import type { BlobStore } from './core/ports/blobs.ts'
import type { TaskStore } from './core/ports/store.ts'
import type { WorkerLog } from './core/work/worker-deps.ts'

/** Decides whether the gateway accepts new work. None is accepted while the gateway is draining,
 *  while there is too little free disk space, or while the store cannot be written. */
export interface Acceptance {
  /** Throws `draining`, `disk_full` or `store_unavailable` when no new work is accepted. */
  assert(): void
  /** Does the same as `assert`, for a call that needs the store only for its usage record. Such a
   *  call is accepted even while the database does not answer, until too many records wait in
   *  memory. */
  assertCall(): void
  /** Returns the reasons why a load balancer should send no traffic to this node: it is draining,
   *  or its store, or the folder of blobs in its data directory, cannot be written. Empty when the
   *  node is ready. */
  problems(): string[]
  /** Returns the parts that this node cannot use now although it counts as ready. The disk, when
   *  its free space is below the floor: polls, downloads and cancellations still work. The blobs,
   *  when all nodes share them: another node could not use them either, and this node still
   *  serves requests that need no blobs. */
  degraded(): Degradation[]
  close(): void
}

export interface Degradation {
  check: 'blobs' | 'disk'
  /** A sentence for operators. */
  reason: string
}

interface AcceptanceDeps {
  blobs: Pick<BlobStore, 'freeBytes'>
  blobWatch: Pick<BlobWatch, 'problem'>
  /** True when other nodes may use the same blobs. */
  areBlobsShared: boolean
  store: Pick<TaskStore, 'assertWritable' | 'isAway'>
  duty: Pick<Duty, 'reason' | 'refusal'>
  callLog: Pick<CallLog, 'assertRoom'>
  log: WorkerLog
}

const checkEveryMs = 5_000
const belowFloor = 'Free disk space is below the floor; nothing new is accepted.'

/** Measures the free disk space every five seconds until `close`, one measurement at a time.
 *  Resolves after the first measurement. */
export async function watchAcceptance(deps: AcceptanceDeps, minFreeBytes: number): Promise<Acceptance> {
  const { blobs, blobWatch, areBlobsShared, store, duty, callLog, log } = deps
  let isFull = false
  let isReadable = true
  let isMeasuring = false
  const measure = async (): Promise<void> => {
    const freeBytes = await blobs.freeBytes()
    isReadable = true
    const wasFull = isFull
    isFull = freeBytes < minFreeBytes
    if (isFull !== wasFull)
      log.warn({ freeBytes, minFreeBytes }, isFull ? 'disk space is below the floor: nothing new is accepted' : 'disk space is back')
  }
  const watch = async (): Promise<void> => {
    if (isMeasuring) return
    isMeasuring = true
    await measure().catch(error => {
      // The error is logged once, and not at every measurement.
      if (isReadable) log.error({ err: error }, 'free disk space could not be read')
      isReadable = false
    })
    isMeasuring = false
  }
  await watch()
  const timer = setInterval(() => void watch(), checkEveryMs)
  timer.unref()
  const blobProblems = (): string[] => [blobWatch.problem() ?? []].flat()
  const assertOpen = (): void => {
    if (duty.refusal !== undefined) throw new GatewayError('draining', duty.refusal, { retryAfterSeconds: 5 })
    if (isFull) throw new GatewayError('disk_full', belowFloor, { retryAfterSeconds: 60 })
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
        return areBlobsShared ? [] : blobProblems()
      } catch (error) {
        return [errorMessage(error)]
      }
    },
    degraded: () => [
      ...(isFull ? [{ check: 'disk' as const, reason: belowFloor }] : []),
      ...(areBlobsShared ? blobProblems().map(reason => ({ check: 'blobs' as const, reason })) : []),
    ],
    close: () => clearInterval(timer),
  }
}
