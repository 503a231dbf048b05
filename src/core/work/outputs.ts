import type { OutputFile } from '@generation-gateway/kit/requests/job.ts'
import type { NewBlob } from '../ports/blobs.ts'
import { newId } from '../records/id.ts'
import type { Task } from '../records/task.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** Moves the files of a driver into the blob store as outputs of the task; the first output gets
 *  the index `from`. */
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
