import { setTimeout as sleep } from 'node:timers/promises'
import type { OutputFile } from '@generation-gateway/kit/requests/job.ts'
import type { NewBlob } from '../ports/blobs.ts'
import { newId } from '../records/id.ts'
import type { Task } from '../records/task.ts'
import { secondsUntilRetry } from '../store-alarm.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** Moves the files that a driver has produced into the blob store and returns them as outputs of
 *  the task. The first output gets the index `from`, the next ones follow. While the store
 *  cannot be reached, the function tries again until `signal` is aborted. Throws the other
 *  errors of `BlobStore.adopt`, and the reason of the signal. */
export async function adoptOutputs(
  deps: Pick<WorkerDeps, 'blobs' | 'clock' | 'log'>,
  { id: taskId, expiresAt }: Pick<Task, 'id' | 'expiresAt'>,
  { files, from, signal }: { files: readonly OutputFile[]; from: number; signal: AbortSignal },
): Promise<NewBlob[]> {
  const outputs: NewBlob[] = []
  for (const [index, file] of files.entries()) {
    const { path, role = 'output', ...facts } = file
    const { key, bytes, sha256 } = await adoptOnceThere(deps, path, { taskId, signal })
    outputs.push({
      key,
      expiresAt,
      artifact: { id: newId(deps.clock.now()), kind: 'output', role, index: from + index, bytes, sha256, ...facts },
    })
  }
  return outputs
}

/** Moves a file into the blob store. The result may have been paid for, so the store is tried again
 *  whenever its error has `retryAfterSeconds`. */
async function adoptOnceThere(
  { blobs, log }: Pick<WorkerDeps, 'blobs' | 'log'>,
  path: string,
  { taskId, signal }: { taskId: string; signal: AbortSignal },
): ReturnType<WorkerDeps['blobs']['adopt']> {
  for (;;)
    try {
      return await blobs.adopt(path)
    } catch (error) {
      const waitSeconds = secondsUntilRetry(error)
      if (waitSeconds === undefined || signal.aborted) throw error
      log.warn({ err: error, taskId }, 'a result waits until its files can be stored')
      // When the signal is aborted, the wait ends early; the next line then throws its reason.
      await sleep(waitSeconds * 1000, undefined, { signal }).catch(() => {})
      signal.throwIfAborted()
    }
}
