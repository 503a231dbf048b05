import type { OutputFile } from '@generation-gateway/kit/requests/job.ts'
import type { NewBlob } from '../ports/blobs.ts'
import { newId } from '../records/id.ts'
import type { Task } from '../records/task.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** Moves the files that a driver has produced into the blob store and returns them as outputs of
 *  the task. The first output gets the index `from`, the next ones follow. */
export async function adoptOutputs(
  { blobs, clock }: Pick<WorkerDeps, 'blobs' | 'clock'>,
  { expiresAt }: Pick<Task, 'expiresAt'>,
  { files, from }: { files: readonly OutputFile[]; from: number },
): Promise<NewBlob[]> {
  const outputs: NewBlob[] = []
  for (const [index, file] of files.entries()) {
    const { path, role = 'output', ...facts } = file
    const { key, bytes, sha256 } = await blobs.adopt(path)
    outputs.push({
      key,
      expiresAt,
      artifact: { id: newId(clock.now()), kind: 'output', role, index: from + index, bytes, sha256, ...facts },
    })
  }
  return outputs
}
