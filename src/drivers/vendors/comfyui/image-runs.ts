/** Draws pictures with a workflow. A prompt, in ComfyUI's terms, is one run of a workflow in the
 *  server's queue. Each picture gets a prompt of its own, because the pictures of a batch would
 *  share one seed. */
import { createHash } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { pictureOf } from '@generation-gateway/kit/requests/image-inputs.ts'
import type { Failed, Outcome, PolledOffer, Running } from '@generation-gateway/kit/requests/job.ts'
import { failed } from '../../shared/failed.ts'
import { countOf, type ImageJob, type ImageJobFacts, type ImageRequest } from '../../shared/image/image-job.ts'
import { RefusedError, refusalBy } from '../../shared/refusal.ts'
import { textsOf } from '../../shared/upstream/read-json.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { isFateUnknown } from '../../shared/upstream/upstream-failures.ts'
import { wait } from '../../shared/upstream/wait.ts'
import { filled, planOf, type WorkflowPlan } from './inputs.ts'
import { fetchPictures } from './pictures.ts'
import { executionFailure, refusalOf } from './refusals.ts'
import { refuseUnsupported, valuesOf } from './request-inputs.ts'
import { findStarted, type PromptState, poll, type ServerCall, type Submitted, stop, submit, upload } from './server.ts'
import { settings } from './settings.ts'
import type { WorkflowFiles } from './workflow.ts'

interface RunTools extends ServiceTools {
  files: WorkflowFiles
  /** Durations in ms. When the outcome of a submit is unknown, the driver waits for each
   *  duration in turn and then asks the server for the prompt (ComfyUI's word for a submitted
   *  workflow). It submits the prompt again when the server does not know it. */
  repeatAfterMs: readonly number[]
  maxPictureBytes: number
}

const pollEveryMs = 1_000
/** Largest number of polls per second that one node sends to one target. The limit is high enough
 *  for all jobs of a node; the server is the operator's own and has no rate limit. */
const pollsPerSecond = 100
const longestPollMs = 10_000
const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff',
}

/** Returns the plan for the workflow file of a target, or the reason why the target cannot be used.
 *  The file is read again when it has changed. */
export function planFor(files: WorkflowFiles, given: JsonObject): WorkflowPlan | { problem: string } {
  const facts = settings.targetOf(given)
  const read = files.read(facts.workflow)
  return 'problem' in read ? read : planOf(read.workflow, facts)
}

export function imageRuns(tools: RunTools): PolledOffer<ImageRequest> {
  return {
    kind: 'polled',
    isRepeatable: true,
    refuses: jobFacts => refusalBy(() => planThatFits(tools.files, jobFacts)),
    pollEveryMs,
    pollsPerSecond,
    start: job => start(tools, job),
    check: async (job, handle) => check(callOf(tools, job), job, handle),
    cancel: async (job, handle) => stopAll(callOf(tools, job), textsOf(handle.promptIds)),
  }
}

/** Returns the plan for a job. Throws a `RefusedError` when the target has no usable workflow, and
 *  when the workflow cannot serve the request. */
function planThatFits(files: WorkflowFiles, jobFacts: ImageJobFacts): WorkflowPlan {
  const plan = planFor(files, jobFacts.settings)
  if ('problem' in plan) throw new RefusedError({ message: plan.problem })
  refuseUnsupported(plan, jobFacts)
  return plan
}

/** Queues one prompt for each picture, in order. A prompt that an earlier start of the job has
 *  already queued is found by its id. */
async function start(tools: RunTools, job: ImageJob): ReturnType<PolledOffer<ImageRequest>['start']> {
  const plan = planThatFits(tools.files, job)
  const call = callOf(tools, job)
  const promptIds: string[] = []
  let image: string | undefined
  for (let index = 0; index < countOf(job.request); index++) {
    const ownId = promptIdFor(job.id, index)
    const seen = await findStarted(call, ownId, job.attempt > 1)
    if (seen.state !== 'absent') {
      promptIds.push(seen.promptId)
      continue
    }
    image ??= await uploaded(call, job, ownId)
    const answer = await submitted(tools, call, { ownId, graph: filled(plan, valuesOf(job, image, index), ownId) })
    if ('promptId' in answer) promptIds.push(answer.promptId)
    const refusal = refusalIn(plan, answer)
    if (refusal === undefined) continue
    await stopAll(call, promptIds)
    return refusalOf(plan, refusal, call.facts.upstream.secrets)
  }
  const handle: JsonObject = { promptIds, outputs: [...plan.outputs] }
  return { state: 'started', handle }
}

/** Submits a prompt. When the outcome is unknown, the prompt is looked up before it is submitted
 *  again. */
async function submitted(tools: RunTools, call: ServerCall, { ownId, graph }: { ownId: string; graph: JsonObject }): Promise<Submitted> {
  const waits = [...tools.repeatAfterMs]
  for (;;) {
    try {
      return await submit(call, ownId, graph)
    } catch (error) {
      if (!isFateUnknown(error)) throw error
      const seen = await pollLater(call, ownId, waits)
      if (seen === undefined) throw error
      if (seen.state !== 'absent') return { promptId: seen.promptId, nodeErrors: {} }
    }
  }
}

/** Waits, then looks up a prompt whose submit had an unknown outcome. Repeats a failed look-up
 *  after each further wait. Returns the state of the prompt; undefined when no wait was left.
 *  Throws `outcome_unknown` when the last look-up failed as well. */
async function pollLater(call: ServerCall, ownId: string, waits: number[]): Promise<PromptState | undefined> {
  let broken: unknown
  for (;;) {
    const waitMs = waits.shift()
    if (waitMs === undefined && broken === undefined) return undefined
    if (waitMs === undefined)
      throw new GatewayError('outcome_unknown', 'The ComfyUI server may have accepted the run, and did not answer when it was asked.', {
        cause: broken,
      })
    await wait(waitMs, call.signal, 'The task was stopped while its start was being looked up.')
    try {
      return await findStarted(call, ownId, true)
    } catch (error) {
      if (!isFateUnknown(error)) throw error
      broken = error
    }
  }
}

async function uploaded(call: ServerCall, { inputs }: ImageJob, ownId: string): Promise<string | undefined> {
  const input = pictureOf(inputs)
  return input && upload(call, input, `gateway-${ownId}.${extensions[input.mediaType] ?? 'png'}`)
}

/** Polls the prompts in order, and stops at the first one that has not ended: the server runs its
 *  queue in order, so later prompts cannot have ended. */
async function check(call: ServerCall, job: ImageJob, handle: JsonObject): Promise<Running | Outcome> {
  const promptIds = textsOf(handle.promptIds)
  const entries: JsonObject[] = []
  for (const [index, promptId] of promptIds.entries()) {
    const seen = await poll(call, promptId)
    if (seen.state !== 'ended' && seen.state !== 'absent') return runningAt(seen, index / promptIds.length)
    const problem = seen.state === 'absent' ? promptNotFound() : executionFailureIn(call, seen.entry)
    if (problem !== undefined) {
      await stopAll(call, promptIds)
      return problem
    }
    if (seen.state === 'ended') entries.push(seen.entry)
  }
  return fetchPictures(call, job, { entries, outputs: textsOf(handle.outputs) })
}

function runningAt(seen: Extract<PromptState, { state: 'waiting' | 'running' }>, progress: number): Running {
  if (seen.state === 'running') return progress === 0 ? { state: 'running' } : { state: 'running', progress }
  // Prompts far back in the queue are polled less often, because each picture before them takes
  // seconds.
  return { state: 'running', progress, checkAfterMs: Math.min(longestPollMs, pollEveryMs * seen.place) }
}

function promptNotFound(): Failed {
  return failed('upstream_error', 'The ComfyUI server no longer has the run: it was restarted, or its queue or history was cleared.')
}

function executionFailureIn(call: ServerCall, entry: JsonObject): Failed | undefined {
  const { status_str: status } = objectOf(entry.status)
  return status === 'error' ? executionFailure(entry, call.facts.upstream.secrets) : undefined
}

/** Stops the prompts from the last to the first. In the other order, the server would begin the
 *  next prompt each time that the running one is stopped. */
async function stopAll(call: ServerCall, promptIds: readonly string[]): Promise<void> {
  for (const promptId of promptIds.toReversed()) await stop(call, promptId)
}

function callOf({ upstream, guard, inspection, maxPictureBytes }: RunTools, { settings: given, signal }: ImageJob): ServerCall {
  return { upstream, guard, inspection, facts: settings.targetOf(given), signal, maxPictureBytes }
}

/** Returns the id of the prompt for the picture with this index. The id is derived from the job's
 *  id, so a repeated start gets the same id. The id is a UUID of version 8 (RFC 9562), in lower
 *  case because servers require that. */
function promptIdFor(jobId: string, index: number): string {
  const hex = createHash('sha256').update(`${jobId}/${index}`).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Returns the server's objections to a workflow; undefined when they do not affect the planned
 *  outputs. The server accepts a workflow when any of its outputs is valid, so objections to other
 *  outputs are ignored. */
function refusalIn({ outputs }: WorkflowPlan, answer: Submitted): JsonObject | undefined {
  if ('refusal' in answer) return answer.refusal
  const isSpoilt = Object.values(answer.nodeErrors).some(errors => {
    const { dependent_outputs: dependent } = objectOf(errors)
    return Array.isArray(dependent) && dependent.some(node => typeof node === 'string' && outputs.includes(node))
  })
  return isSpoilt ? { node_errors: answer.nodeErrors } : undefined
}
