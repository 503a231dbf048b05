/** Pictures by a workflow: one prompt in the server's queue for each job. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { GatewayError } from '../../core/errors.ts'
import type { Job, Outcome, PolledOffer, Running } from '../../core/requests/job.ts'
import type { JsonObject } from '../../core/task.ts'
import { failed } from '../failed.ts'
import { objectOf } from '../read-json.ts'
import type { Upstream } from '../upstream.ts'
import { UpstreamAnswerError } from '../upstream-failures.ts'
import { filled, planOf, type WorkflowPlan } from './inputs.ts'
import { fetchPictures } from './pictures.ts'
import { type ImageRequest, refuseWhatItCannot, valuesOf } from './request-inputs.ts'
import { look, lookForStarted, type SeenPrompt, type ServerCall, stop, submit, upload } from './server.ts'
import { factsOf } from './settings.ts'
import { executionFailure, refusalOf } from './words.ts'
import type { WorkflowFiles } from './workflow.ts'

interface RunTools {
  upstream: Upstream
  dispatcher: Dispatcher
  files: WorkflowFiles
  /** Waits before a submit of unknown fate is looked up and, when the server has nothing of it, repeated. Milliseconds. */
  repeatAfterMs: readonly number[]
  maxPictureBytes: number
}

const pollEveryMs = 1_000
const longestPollMs = 10_000
const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff',
}

/** The plan of a target as its file is now, or why it cannot be used. */
export function planFor(files: WorkflowFiles, settings: JsonObject): WorkflowPlan | { problem: string } {
  const facts = factsOf(settings)
  if (facts.problem !== undefined) return { problem: facts.problem }
  const read = files.read(facts.workflow)
  return 'problem' in read ? read : planOf(read.workflow, facts)
}

export function imageRuns<Request extends ImageRequest>(tools: RunTools): PolledOffer<Request> {
  return {
    kind: 'polled',
    isRepeatable: true,
    pollEveryMs,
    start: job => start(tools, job),
    check: async (job, handle) => check(callOf(tools, job), job, handle),
    cancel: async (job, handle) => stop(callOf(tools, job), promptIdOf(handle)),
  }
}

async function start(tools: RunTools, job: Job<ImageRequest>): ReturnType<PolledOffer<ImageRequest>['start']> {
  const plan = planFor(tools.files, job.settings)
  if ('problem' in plan) throw new GatewayError('capability_unavailable', plan.problem)
  refuseWhatItCannot(plan, job)
  const call = callOf(tools, job)
  const ownId = promptIdFor(job.id)
  const handleOf = (promptId: string) => {
    const handle: JsonObject = { promptId, outputs: [...plan.outputs] }
    return { state: 'started', handle } as const
  }
  const seen = await lookForStarted(call, ownId, job.attempt > 1)
  if (seen.state !== 'absent') return handleOf(seen.promptId)
  const graph = filled(plan, valuesOf(job, await uploaded(call, job, ownId)), ownId)
  const answer = await submitted(tools, call, { ownId, graph })
  if ('refusal' in answer) return refusalOf(plan, answer.refusal, call.facts.upstream.secrets)
  if (spoilsOutputs(plan, answer.nodeErrors)) {
    // Some other output of the workflow is fine, so the server runs it; what it would give is not what counts.
    await stop(call, answer.promptId)
    return refusalOf(plan, { node_errors: answer.nodeErrors }, call.facts.upstream.secrets)
  }
  return handleOf(answer.promptId)
}

/** Submits; one of unknown fate is looked up before it is sent again. */
async function submitted(
  tools: RunTools,
  call: ServerCall,
  { ownId, graph }: { ownId: string; graph: JsonObject },
): ReturnType<typeof submit> {
  const waits = [...tools.repeatAfterMs]
  for (;;) {
    try {
      return await submit(call, ownId, graph)
    } catch (error) {
      if (!isFateUnknown(error)) throw error
      const seen = await lookLater(call, ownId, waits)
      if (seen === undefined) throw error
      if (seen.state !== 'absent') return { promptId: seen.promptId, nodeErrors: {} }
    }
  }
}

/** What became of a submit of unknown fate, after the next wait; undefined when none is left. Throws `outcome_unknown` when the server cannot be asked. */
async function lookLater(call: ServerCall, ownId: string, waits: number[]): Promise<SeenPrompt | undefined> {
  let broken: unknown
  for (;;) {
    const waitMs = waits.shift()
    if (waitMs === undefined && broken === undefined) return undefined
    if (waitMs === undefined)
      throw new GatewayError('outcome_unknown', 'The ComfyUI server may have taken the run, and could not be asked.', { cause: broken })
    await wait(waitMs, call.signal)
    try {
      return await lookForStarted(call, ownId, true)
    } catch (error) {
      if (!isFateUnknown(error)) throw error
      broken = error
    }
  }
}

async function uploaded(call: ServerCall, { inputs, request }: Job<ImageRequest>, ownId: string): Promise<string | undefined> {
  const [input] = inputs
  if ('count' in request || input === undefined) return undefined
  return upload(call, input, `gateway-${ownId}.${extensions[input.mediaType] ?? 'png'}`)
}

async function check(call: ServerCall, job: Job<ImageRequest>, handle: JsonObject): Promise<Running | Outcome> {
  const seen = await look(call, promptIdOf(handle))
  switch (seen.state) {
    case 'waiting':
      // One picture takes seconds: those far behind need not ask as often.
      return { state: 'running', progress: 0, checkAfterMs: Math.min(longestPollMs, pollEveryMs * seen.place) }
    case 'running':
      return { state: 'running' }
    case 'absent':
      return failed('upstream_error', 'The ComfyUI server no longer has the run: it was restarted, or its queue or history was cleared.')
    case 'ended': {
      const { status_str: status } = objectOf(seen.entry.status)
      if (status === 'error') return executionFailure(seen.entry, call.facts.upstream.secrets)
      return fetchPictures(call, job, { entry: seen.entry, outputs: outputsOf(handle) })
    }
  }
}

function callOf({ upstream, dispatcher, maxPictureBytes }: RunTools, { settings, signal }: Job<ImageRequest>): ServerCall {
  const facts = factsOf(settings)
  if (facts.problem !== undefined) throw new GatewayError('capability_unavailable', facts.problem)
  return { upstream, dispatcher, facts, signal, maxPictureBytes }
}

/** Servers take a UUID in lower case as the id of a prompt: here the same one for the same job, version 8 (RFC 9562). */
function promptIdFor(jobId: string): string {
  const hex = createHash('sha256').update(jobId).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function promptIdOf({ promptId }: JsonObject): string {
  return String(promptId)
}

function outputsOf({ outputs }: JsonObject): string[] {
  return Array.isArray(outputs) ? outputs.filter(each => typeof each === 'string') : []
}

function spoilsOutputs({ outputs }: WorkflowPlan, nodeErrors: JsonObject): boolean {
  return Object.values(nodeErrors).some(errors => {
    const { dependent_outputs: dependent } = objectOf(errors)
    return Array.isArray(dependent) && dependent.some(node => typeof node === 'string' && outputs.includes(node))
  })
}

/** The submit may or may not have arrived. */
function isFateUnknown(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false
  if (error.code === 'upstream_timeout' || error.code === 'upstream_unreachable') return true
  return error.code === 'upstream_error' && !(error.cause instanceof UpstreamAnswerError && error.cause.status < 500)
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (cause) {
    throw new GatewayError('cancelled', 'The task was stopped while its start was being looked up.', { cause })
  }
}
