import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { BlobStore } from './core/ports/blobs.ts'
import type { TaskStore } from './core/ports/store.ts'
import type { WorkerLog } from './core/work/worker-deps.ts'

/** Decides whether the gateway accepts new work. It does not while it is draining, while there is
 *  too little free disk space, or after the store has failed. */
export interface Acceptance {
  /** Throws `draining`, `disk_full` or `store_unavailable` when no new work is accepted. */
  assert(): void
  /** Returns the reasons why a load balancer should send no traffic to this node: it is draining,
   *  or the store cannot be written. Empty when the node is ready. */
  problems(): string[]
  drain(): void
  close(): void
}

const checkEveryMs = 5_000

/** Watches the free disk space until `close`. Resolves after the first measurement. */
export async function watchAcceptance(
  { blobs, store, log }: { blobs: Pick<BlobStore, 'freeBytes'>; store: Pick<TaskStore, 'assertWritable'>; log: WorkerLog },
  minFreeBytes: number,
): Promise<Acceptance> {
  let isDraining = false
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
      // The error is logged once, and not at every measurement.
      if (isReadable) log.error({ err: error }, 'free disk space could not be read')
      isReadable = false
    })
  await watch()
  const timer = setInterval(() => void watch(), checkEveryMs)
  timer.unref()
  return {
    assert: () => {
      if (isDraining) throw new GatewayError('draining', 'The gateway is stopping.', { retryAfterSeconds: 5 })
      if (isFull)
        throw new GatewayError('disk_full', 'Free disk space is below the floor; nothing new is accepted.', { retryAfterSeconds: 60 })
      store.assertWritable()
    },
    problems: () => {
      if (isDraining) return ['The gateway is stopping.']
      try {
        store.assertWritable()
        return []
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)]
      }
    },
    drain: () => {
      isDraining = true
    },
    close: () => clearInterval(timer),
  }
}
