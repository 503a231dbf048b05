import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { BlobStore } from './core/ports/blobs.ts'
import type { TaskStore } from './core/ports/store.ts'
import type { WorkerLog } from './core/work/worker-deps.ts'

/** Decides if new work is accepted: not while draining, below the floor of free disk space, or
 *  once the store has failed. */
export interface Acceptance {
  /** Throws `draining`, `disk_full` or `store_unavailable`. */
  assert(): void
  /** Reasons against sending traffic here: draining, or a store that cannot be written. Empty
   *  when ready. */
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
      // Logged once, not at every measurement.
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
