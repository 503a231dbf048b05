/** Runs a task of the vendor from its submit to its result, for videos and pictures. */
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { Failed, InputFile, Job, JobFacts, Outcome, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import { pollAndFetch } from '../../shared/image/picture-file.ts'
import { refusalBy } from '../../shared/refusal.ts'
import { FilesInJson } from '../../shared/upstream/json-files.ts'
import { submitPaid } from '../../shared/upstream/paid-submit.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import type { UpstreamTarget } from '../../shared/upstream/upstream-target.ts'
import { extendPath } from '../../shared/video/kling-call.ts'
import type { BodyEncoder } from '../../shared/video/kling-encoder.ts'
import { faultIn, faultOf, isMissing, isTokenFault, refusedStart, taskIdIn, taskNotFound, taskStateIn } from './answers.ts'
import { type Credentials, owner, settings } from './settings.ts'
import { videoIdIn } from './video-detail.ts'

export interface RunTools extends ServiceTools {
  credentials: Credentials
}

/** How one capability is called at the vendor. */
export interface Kind<Request> {
  /** Path and body of the submit; tasks are queried below that path. Throws a `RefusedError` for
   *  what the vendor cannot do. */
  call<Input extends InputFacts>(
    requested: Pick<JobFacts<Request>, 'request' | 'model' | 'settings'>,
    inputs: readonly Input[],
    written: BodyEncoder<Input>,
  ): { path: string; body: JsonObject }
  /** Downloads the result. */
  outcomeOf(tools: RunTools, job: Job<Request>, result: JsonObject): Promise<Outcome>
}

/** Milliseconds between two polls (docs/vendors/README.md#polling). */
const pollEveryMs = 5_000
const maxAnswerBytes = 1024 * 1024
const unwritten = { base64: () => '', integer: (digits: string) => digits, videoId: () => '' }

export function taskRuns<Request>(tools: RunTools, kind: Kind<Request>): PolledOffer<Request> {
  const pathOf = (job: Job<Request>) => kind.call(job, job.inputs, unwritten).path
  return {
    ...polled<Request>({
      pollEveryMs,
      pollsPerSecond: 5,
      refuses: jobFacts => refusalBy(() => kind.call(jobFacts, jobFacts.inputs, unwritten)),
      start: job => start(tools, job, kind),
      check: (job, { path, id }) =>
        pollAndFetch(
          () => poll(tools, job, `${path}/${encodeURIComponent(String(id))}`),
          result => kind.outcomeOf(tools, job, result),
        ),
    }),
    // The vendor finds a task by the gateway's job id, and accepts each id only once.
    find: job => find(tools, job, pathOf(job)),
  }
}

async function start<Request>(
  tools: RunTools,
  job: Job<Request>,
  kind: Kind<Request>,
): Promise<{ state: 'started'; handle: JsonObject } | Failed> {
  const { secrets } = tools.credentials.targetOf(job.settings)
  try {
    const { path, answer } = await signed(tools, job.settings, target => submit({ tools, job, kind, target }))
    const code = faultIn(answer)
    if (code !== undefined) return faultOf(answer, code, secrets)
    return { state: 'started', handle: { id: taskIdIn(answer) ?? '', path } }
  } catch (error) {
    return refusedStart(error, secrets)
  }
}

interface Submit<Request> {
  tools: RunTools
  job: Job<Request>
  kind: Kind<Request>
  target: UpstreamTarget
}

/** Submits the task. The request is paid, so it is sent once; its outcome can be queried by the
 *  job's id. */
async function submit<Request>({ tools, job, kind, target }: Submit<Request>): Promise<{ path: string; answer: Json }> {
  const { model, signal, wakeUrl } = job
  const files = new FilesInJson()
  const written: BodyEncoder<InputFile> = {
    base64: input => files.base64(input),
    integer: digits => files.integer(digits),
    videoId: videoIdIn,
  }
  const { path, body: fields } = kind.call(job, job.inputs, written)
  const callback = wakeUrl === undefined ? {} : { callback_url: wakeUrl }
  const body = files.body({ ...(path === extendPath ? {} : { model_name: model }), ...fields, external_task_id: job.id, ...callback })
  const { waits } = settings.targetOf(job.settings)
  const answer = await submitPaid({
    ...{ upstream: tools.submits, target, path, model, owner, body, signal, ...waits },
    read: async read => {
      const reported = await read.json(maxAnswerBytes)
      if (taskIdIn(reported) !== undefined || faultIn(reported) !== undefined) return reported
      throw new GatewayError('upstream_error', `${owner} did not name the task it made.`)
    },
  })
  return { path, answer }
}

async function poll<Request>(tools: RunTools, job: Job<Request>, path: string) {
  try {
    const { secrets } = tools.credentials.targetOf(job.settings)
    return taskStateIn(await ask(tools, job, path), secrets)
  } catch (error) {
    if (isMissing(error)) return taskNotFound()
    throw error
  }
}

async function find<Request>(
  tools: RunTools,
  job: Job<Request>,
  path: string,
): Promise<{ state: 'started'; handle: JsonObject } | { state: 'absent' }> {
  try {
    const id = taskIdIn(await ask(tools, job, `${path}/${encodeURIComponent(job.id)}`))
    if (id !== undefined) return { state: 'started', handle: { id, path } }
  } catch (error) {
    if (isMissing(error)) return { state: 'absent' }
    throw error
  }
  throw new GatewayError('upstream_error', `${owner} did not say whether it has the task.`)
}

async function ask<Request>(tools: RunTools, job: Job<Request>, path: string): Promise<Json> {
  const { waits } = settings.targetOf(job.settings)
  const limits = { ...waits, timeoutMs: 2 * waits.firstByteMs, maxBytes: maxAnswerBytes }
  const call = { method: 'GET', path, isStored: true, signal: job.signal, ...limits } as const
  return signed(tools, job.settings, async target => (await tools.upstream.json(target, call)).body)
}

/** The result of `send`. When the vendor refuses the token because of its times, a new token is
 *  made and the request sent once more. */
async function signed<Result>(
  { credentials }: RunTools,
  given: JsonObject,
  send: (target: UpstreamTarget) => Promise<Result>,
): Promise<Result> {
  try {
    return await send(credentials.targetOf(given))
  } catch (error) {
    if (!isTokenFault(error) || !credentials.renew(given)) throw error
    return send(credentials.targetOf(given))
  }
}
