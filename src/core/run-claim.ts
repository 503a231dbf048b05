import { readFile, rm } from 'node:fs/promises'
import { isLetGo } from './aborted-run.ts'
import { GatewayError, toGatewayError } from './errors.ts'
import { execute, type RunKeeper } from './execute.ts'
import { newId } from './id.ts'
import type { Claim, NewBlob, StartedMark, UsageLine } from './ports.ts'
import type { Done, InputFile, Job, Offer, Outcome } from './requests/job.ts'
import { referencedBlob } from './requests/payload.ts'
import type { TextEvent } from './requests/text.ts'
import { createTextOutput } from './requests/text-output.ts'
import { failoverKind, mayFailOver, type Route } from './router.ts'
import type { JsonObject, Task } from './task.ts'
import type { WorkerDeps } from './worker.ts'

const progressEveryMs = 1_000

interface Run {
  deps: WorkerDeps
  claim: Claim
  signal: AbortSignal
  scratch: string
  /** A target has begun to answer: no other one may be tried. */
  hasBegun: boolean
}

/** Runs one claimed job and settles the task: on the target it was started on, else on the first that takes it. Throws what went wrong; a lost lease is no error, its writes change nothing.
 *  Once a generation is started its mark is in `claim.started`, so that whoever ends the run knows. */
export async function runClaim(deps: WorkerDeps, claim: Claim, signal: AbortSignal): Promise<void> {
  const { task } = claim
  const scratch = await deps.blobs.scratch(`${task.id}-${claim.token}`)
  try {
    if (task.state === 'unknown' && !claim.started) {
      throw new GatewayError('outcome_unknown', 'It is not known whether the upstream accepted the task; it is not sent again.')
    }
    const run: Run = { deps, claim, signal, scratch, hasBegun: false }
    const outcome = claim.started ? await runOn(run, startedRoute(deps, task, claim.started)) : await runOnFirst(run)
    // A node that lets go may as well store what it has just finished.
    if (signal.aborted && !isLetGo(signal)) throw signal.reason
    if (outcome.state === 'failed') {
      const { code, message, reasons } = outcome
      const failure = reasons ? { code, message, reasons } : { code, message }
      await deps.store.settle(task.id, claim.token, { state: 'failed', failure, outputs: [], usage: [], at: deps.clock.now() })
    } else {
      await settleDone(deps, claim, outcome)
    }
    deps.router.forget(task.id)
  } finally {
    // The folder may still be written to by a process that is being killed; the next start empties what stays.
    await rm(scratch, { recursive: true, force: true }).catch(error =>
      deps.log.warn({ err: error, taskId: task.id }, 'a scratch folder could not be removed'),
    )
  }
}

/** Tries the model's targets in order until one takes the job; the last answer is the answer. */
async function runOnFirst(run: Run): Promise<Outcome> {
  const { deps, claim, signal } = run
  const { task } = claim
  const { router } = deps
  const model = deps.catalogue().find(task.family, task.model)
  if (!model) throw new GatewayError('model_not_found', `${task.model} is no longer in the catalogue.`)
  const mayGoOn = (failure: GatewayError): boolean =>
    !signal.aborted && !run.hasBegun && !claim.started && mayFailOver(failure, failoverKind(task.capability))
  let last = (): Outcome => {
    throw router.overloaded(model)
  }
  for (const route of router.routes(model, task.capability as Parameters<typeof router.routes>[1])) {
    if (!router.health.mayTry(route.target.id)) continue
    try {
      const outcome = await runOn(run, route)
      if (outcome.state === 'done' || !mayGoOn(new GatewayError(outcome.code, outcome.message))) return outcome
      last = () => outcome
    } catch (error) {
      const failure = toGatewayError(error)
      if (!mayGoOn(failure)) throw error
      deps.log.warn(
        { code: failure.code, taskId: task.id, target: route.target.id },
        'a target did not take the task; the next one is tried',
      )
      last = () => {
        throw error
      }
    }
  }
  return last()
}

/** Runs the job on one target and tells the target's health how it went. */
async function runOn(run: Run, route: Route): Promise<Outcome> {
  const { deps, claim, signal } = run
  const { health } = deps.router
  const { id } = route.target
  const wasStarted = claim.started !== undefined
  try {
    const outcome = await executeOn(run, route)
    if (outcome.state === 'failed') health.failed(id, new GatewayError(outcome.code, outcome.message))
    // One that was started in this run has had its success then.
    else if (wasStarted || !claim.started) health.succeeded(id)
    return outcome
  } catch (error) {
    if (signal.aborted) health.released(id)
    else health.failed(id, toGatewayError(error))
    throw error
  }
}

async function executeOn(run: Run, route: Route): Promise<Outcome> {
  const { deps, claim } = run
  const { task } = claim
  // The stored request is what the family of this very capability made.
  const offer = route.driver.offers[task.capability as keyof typeof route.driver.offers] as Offer<JsonObject, TextEvent> | undefined
  if (!offer) throw new GatewayError('capability_unavailable', `${route.target.id} does not offer ${task.capability}.`)
  const text = task.capability === 'text.respond' ? createTextOutput() : undefined
  const keeper: RunKeeper = {
    started: claim.started,
    saveStarted: handle => saveStarted(deps, claim, { route, handle }),
    onPart: part => {
      run.hasBegun = true
      if (part.type === 'event') text?.add(part.event)
    },
    onCancelFailed: error => deps.log.warn({ err: error, taskId: task.id }, 'the upstream could not be told to stop'),
  }
  const outcome = await execute(offer, await jobOf(run, route), keeper)
  if (outcome.state === 'failed' || !text) return outcome
  return { ...outcome, report: { ...outcome.report, output: text.items() } }
}

async function saveStarted(deps: WorkerDeps, claim: Claim, { route, handle }: { route: Route; handle: JsonObject }): Promise<boolean> {
  const mark: StartedMark = { driver: route.driver.id, target: route.target.id, handle }
  deps.router.health.succeeded(route.target.id)
  const isSaved = await deps.store.started(claim.task.id, claim.token, mark, deps.clock.now())
  if (isSaved) {
    claim.started = mark
    deps.router.keep(claim.task.id, route)
  }
  return isSaved
}

/** Where a started job goes on: with the settings it was started with, or after a restart with those its target has now. */
function startedRoute(deps: WorkerDeps, task: Task, started: StartedMark): Route {
  const model = deps.catalogue().find(task.family, task.model)
  const route = deps.router.kept(task.id) ?? (model && deps.router.pinned(model, started.target))
  if (!route) throw new GatewayError('capability_unavailable', `The target ${started.target} it was started on is no longer configured.`)
  return route
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

async function jobOf({ deps, claim, signal, scratch }: Run, route: Route): Promise<Job<JsonObject>> {
  const { task, token, attempt } = claim
  let progressAt = 0
  return {
    id: task.id,
    request: await requestOf(deps, task),
    inputs: await inputsOf(deps, task),
    scratch,
    model: route.target.model,
    settings: route.target.settings,
    attempt,
    signal,
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
