import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFile, Job } from '@generation-gateway/kit/requests/job.ts'
import type { Claim } from '../ports/store.ts'
import type { Task } from '../records/task.ts'
import { revealed } from './private-requests.ts'
import { loadRequest } from './stored-request.ts'
import { createSubRequests } from './sub-requests.ts'
import type { WorkerDeps } from './worker-deps.ts'

const progressEveryMs = 1_000

/** Returns the job that a driver gets, still without the model and settings of a target. Throws
 *  `gone` when a file of the task has been deleted. */
export async function buildJob(
  deps: WorkerDeps,
  { task, token, attempt, request }: Claim,
  { signal, scratch }: { signal: AbortSignal; scratch: string },
): Promise<Job<JsonObject>> {
  let progressAt = 0
  const job: Job<JsonObject> = {
    id: task.id,
    account: task.accountId,
    key: task.keyId,
    request: revealed(await loadRequest(deps, request), task.id, deps.privates),
    inputs: await inputsOf(deps, task, scratch),
    scratch,
    model: '',
    settings: {},
    attempt,
    signal,
    progress: fraction => {
      const now = deps.clock.now()
      if (Number.isNaN(fraction) || now - progressAt < progressEveryMs) return
      progressAt = now
      deps.store
        .progress(task.id, token, Math.round(Math.min(1, Math.max(0, fraction)) * 100), now)
        .catch(error => deps.alarm?.missed('progress could not be stored', error, { taskId: task.id }))
    },
  }
  job.subRequest = createSubRequests(deps, job)
  const wakeUrl = deps.wakeUrl(task)
  return wakeUrl === undefined ? job : { ...job, wakeUrl }
}

async function inputsOf(deps: WorkerDeps, task: Task, scratch: string): Promise<InputFile[]> {
  const inputs: InputFile[] = []
  for (const artifact of task.artifacts) {
    if (artifact.kind !== 'input') continue
    const blob = await deps.store.blob(artifact.id)
    if (!blob) throw new GatewayError('gone', 'An input file of the task is missing.')
    const { id: _id, kind: _kind, index: _index, sha256, ...facts } = artifact
    const origin = await deps.store.origin(task.accountId, sha256)
    inputs.push({ ...facts, path: await deps.blobs.localFile(blob.key, scratch), ...(origin ? { origin } : {}) })
  }
  return inputs
}
