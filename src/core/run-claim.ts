import { readFile, rm } from 'node:fs/promises'
import { isLetGo } from './aborted-run.ts'
import { GatewayError } from './errors.ts'
import { execute } from './execute.ts'
import { newId } from './id.ts'
import type { Claim, NewBlob, UsageLine } from './ports.ts'
import type { Done, InputFile, Job, Offer } from './requests/job.ts'
import { referencedBlob } from './requests/payload.ts'
import type { Route } from './router.ts'
import type { JsonObject, Task } from './task.ts'
import type { WorkerDeps } from './worker.ts'

const progressEveryMs = 1_000

/** Runs one claimed job on its target and settles the task. Throws what went wrong; a lost lease is no error, its writes change nothing. */
export async function runClaim(deps: WorkerDeps, claim: Claim, signal: AbortSignal): Promise<void> {
  const { task } = claim
  const scratch = await deps.blobs.scratch(`${task.id}-${claim.token}`)
  try {
    if (task.state === 'unknown' && !claim.started) {
      throw new GatewayError('outcome_unknown', 'It is not known whether the upstream accepted the task; it is not sent again.')
    }
    const route = routeOf(deps, claim)
    const job = await jobOf(deps, claim, route, { scratch, signal })
    const offer = route.driver.offers[task.capability as keyof typeof route.driver.offers] as Offer<JsonObject> | undefined
    if (!offer) throw new GatewayError('capability_unavailable', `${route.target.id} does not offer ${task.capability}.`)
    const outcome = await execute(offer, job, {
      started: claim.started,
      saveStarted: handle =>
        deps.store.started(task.id, claim.token, { driver: route.driver.id, target: route.target.id, handle }, deps.clock.now()),
      onCancelFailed: error => deps.log.warn({ err: error, taskId: task.id }, 'the upstream could not be told to stop'),
    })
    // A node that lets go may as well store what it has just finished.
    if (signal.aborted && !isLetGo(signal)) throw signal.reason
    if (outcome.state === 'failed') {
      const { code, message, reasons } = outcome
      const failure = reasons ? { code, message, reasons } : { code, message }
      await deps.store.settle(task.id, claim.token, { state: 'failed', failure, outputs: [], usage: [], at: deps.clock.now() })
      return
    }
    await settleDone(deps, claim, outcome)
  } finally {
    // The folder may still be written to by a process that is being killed; the next start empties what stays.
    await rm(scratch, { recursive: true, force: true }).catch(error =>
      deps.log.warn({ err: error, taskId: task.id }, 'a scratch folder could not be removed'),
    )
  }
}

async function settleDone(deps: WorkerDeps, { task, token }: Claim, done: Done): Promise<void> {
  const outputs: NewBlob[] = []
  for (const [index, file] of done.files.entries()) {
    const { key, bytes, sha256 } = await deps.blobs.adopt(file.path)
    const { path: _path, ...facts } = file
    outputs.push({
      key,
      expiresAt: task.expiresAt,
      artifact: { id: newId(deps.clock.now()), role: 'output', index, bytes, sha256, ...facts },
    })
  }
  const at = deps.clock.now()
  const usage: UsageLine[] = done.usage.map(({ unit, units }) => {
    return { id: `${task.id}:${unit}`, accountId: task.accountId, keyId: task.keyId, model: task.model, unit, units, costMicros: 0, at }
  })
  await deps.store.settle(task.id, token, {
    state: 'succeeded',
    result: done.report,
    ...(done.detail ? { detail: done.detail } : {}),
    outputs,
    usage,
    at,
  })
}

/** A started job goes on where it was started; a new one takes the first usable target. */
function routeOf(deps: WorkerDeps, { task, started }: Claim): Route {
  const model = deps.catalogue().find(task.family, task.model)
  if (!model) throw new GatewayError('model_not_found', `${task.model} is no longer in the catalogue.`)
  if (started) {
    const pinned = deps.router.pinned(model, started.target)
    if (!pinned) throw new GatewayError('capability_unavailable', `The target ${started.target} it was started on is no longer configured.`)
    return pinned
  }
  const [route] = deps.router.routes(model, task.capability as Parameters<typeof deps.router.routes>[1])
  if (!route) throw new GatewayError('capability_unavailable', `${task.model} has no usable target.`)
  return route
}

async function jobOf(
  deps: WorkerDeps,
  claim: Claim,
  route: Route,
  run: { scratch: string; signal: AbortSignal },
): Promise<Job<JsonObject>> {
  const { task, token, attempt } = claim
  let progressAt = 0
  return {
    id: task.id,
    request: await requestOf(deps, task),
    inputs: await inputsOf(deps, task),
    scratch: run.scratch,
    model: route.target.model,
    settings: route.target.settings,
    attempt,
    signal: run.signal,
    progress: fraction => {
      const now = deps.clock.now()
      if (Number.isNaN(fraction) || now - progressAt < progressEveryMs) return
      progressAt = now
      deps.store
        .progress(task.id, token, Math.round(Math.min(1, Math.max(0, fraction)) * 100), now)
        .catch(error => deps.log.warn({ err: error, taskId: task.id }, 'progress could not be stored'))
    },
  }
}

async function requestOf(deps: WorkerDeps, task: Task): Promise<JsonObject> {
  const blobId = referencedBlob(task.request)
  if (blobId === undefined) return task.request
  const blob = await deps.store.blob(blobId)
  if (!blob) throw new GatewayError('gone', 'The stored request of the task is missing.')
  return JSON.parse(await readFile(await deps.blobs.localFile(blob.key), 'utf8'))
}

async function inputsOf(deps: WorkerDeps, task: Task): Promise<InputFile[]> {
  const inputs: InputFile[] = []
  for (const artifact of task.artifacts) {
    if (artifact.role !== 'input' || artifact.mediaType === 'application/json') continue
    const blob = await deps.store.blob(artifact.id)
    if (!blob) throw new GatewayError('gone', 'An input file of the task is missing.')
    const size = artifact.width === undefined || artifact.height === undefined ? {} : { width: artifact.width, height: artifact.height }
    const origin = await deps.store.origin(task.accountId, artifact.sha256)
    inputs.push({
      path: await deps.blobs.localFile(blob.key),
      mediaType: artifact.mediaType,
      bytes: artifact.bytes,
      ...size,
      ...(origin ? { origin } : {}),
    })
  }
  return inputs
}
