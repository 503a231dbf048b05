import type { BlobStore } from './ports/blobs.ts'
import type { WorkerLog } from './work/worker-deps.ts'

/** Reports whether the blob store can be used. */
export interface BlobWatch {
  /** Returns a sentence that says why blobs can be neither stored nor read; undefined when they
   *  can. It is the result of the last check, which is a few seconds old. */
  problem(): string | undefined
  close(): void
}

const checkEveryMs = 5_000

/** Checks the blob store every `everyMs` milliseconds until `close`, one check at a time. When a
 *  check has not ended before the next one is due, the store counts as unusable. Resolves after the
 *  first check. */
export async function watchBlobs(
  { blobs, log }: { blobs: Pick<BlobStore, 'problem' | 'place'>; log: WorkerLog },
  everyMs = checkEveryMs,
): Promise<BlobWatch> {
  let problem: string | undefined
  let isChecking = false
  const note = (found: string | undefined): void => {
    if (found !== undefined && problem === undefined) log.warn({ reason: found }, 'blobs cannot be used')
    if (found === undefined && problem !== undefined) log.warn({}, 'blobs can be used again')
    problem = found
  }
  const check = async (): Promise<void> => {
    if (isChecking) return note(problem ?? `The ${blobs.place} does not answer.`)
    isChecking = true
    try {
      note(await blobs.problem())
    } finally {
      isChecking = false
    }
  }
  await check()
  const timer = setInterval(() => void check(), everyMs)
  timer.unref()
  return { problem: () => problem, close: () => clearInterval(timer) }
}
