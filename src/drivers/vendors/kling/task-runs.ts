/** Runs a task at the vendor, for videos and pictures: submits it, polls it and downloads its
 *  result. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { Failed, InputFile, Job, JobFacts, Outcome, PolledOffer, Started } from '@generation-gateway/kit/requests/job.ts'
import { pollAndFetch } from '../../shared/output/poll-and-fetch.ts'
import { refusalBy, refused } from '../../shared/refusal.ts'
import { askJson } from '../../shared/upstream/ask-json.ts'
import { unlessGone } from '../../shared/upstream/gone-task.ts'
import { FilesInJson } from '../../shared/upstream/json-files.ts'
import { submitNamed } from '../../shared/upstream/paid-submit.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import type { ServiceAddress } from '../../shared/upstream/service-settings.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { faultIn, faultOf, isNotFound, isTokenFault, notFound, refusedStart, taskIdIn, taskStateIn } from './answers.ts'
import { type Credentials, owner } from './settings.ts'
import { type BodyEncoder, extendPath } from './video-call.ts'

export interface RunTools extends ServiceTools {
  credentials: Credentials
}

/** How one capability is translated for the vendor. */
export interface Kind<Request> {
  /** Returns path and body of the submit; the same path followed by the task's id is polled. Throws
   *  a `RefusedError` for a request that the vendor cannot serve. */
  call<Input extends InputFacts>(
    requested: Pick<JobFacts<Request>, 'request' | 'model' | 'settings'>,
    inputs: readonly Input[],
    written: BodyEncoder<Input>,
  ): { path: string; body: JsonObject }
  /** Downloads the result of a finished task and returns the outcome. */
  outcomeOf(tools: RunTools, job: Job<Request>, result: JsonObject): Promise<Outcome>
}

/** Milliseconds between two polls (docs/vendors/README.md#polling). */
const pollEveryMs = 5_000
const unwritten = { base64: () => '', videoId: () => '' }

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
    // A start with an unknown outcome can be looked up: the submit contains the job's id, by which
    // the vendor finds the task. The vendor accepts each id only once.
    find: job => find(tools, job, pathOf(job)),
  }
}

async function start<Request>(tools: RunTools, job: Job<Request>, kind: Kind<Request>): Promise<Started | Failed> {
  const { secrets } = tools.credentials.addressOf(job.settings).upstream
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
  target: ServiceAddress
}

/** Submits the task. The request is paid, so it is sent only once; when its outcome is unknown, the
 *  task is looked up by the job's id. */
async function submit<Request>({ tools, job, kind, target }: Submit<Request>): Promise<{ path: string; answer: Json }> {
  const { model, wakeUrl } = job
  const files = new FilesInJson()
  const written: BodyEncoder<InputFile> = {
    base64: input => files.base64(input),
    videoId: videoIdIn,
  }
  const { path, body: fields } = kind.call(job, job.inputs, written)
  const named = path === extendPath ? {} : { model_name: model }
  const body = files.body({ ...named, ...fields, external_task_id: job.id, ...defined({ callback_url: wakeUrl }) })
  const answer = await submitNamed({
    ...{ submits: tools.submits, job, target, path, body, owner, what: 'the task it made' },
    nameIn: reported => (taskIdIn(reported) !== undefined || faultIn(reported) !== undefined ? reported : undefined),
  })
  return { path, answer }
}

/** Returns the vendor's id of an earlier video, which the gateway stored in the video's `detail`.
 *  Throws a `RefusedError` for a video that the vendor did not create. */
export function videoIdIn({ origin }: InputFile): string {
  const id = textOf(objectOf(origin?.detail.kling).videoId)
  if (id !== undefined) return id
  throw refused('earlier', `${owner} goes on only with a video that it has made itself.`)
}

async function poll<Request>(tools: RunTools, job: Job<Request>, path: string) {
  const { secrets } = tools.credentials.addressOf(job.settings).upstream
  const state = ask(tools, job, path).then(answer => taskStateIn(answer, secrets))
  return unlessGone(state, { says: notFound, isIn: isNotFound })
}

async function find<Request>(tools: RunTools, job: Job<Request>, path: string): Promise<Started | { state: 'absent' }> {
  const answer = await ask(tools, job, `${path}/${encodeURIComponent(job.id)}`).catch(answerOfMissing)
  if (isNotFound(answer)) return { state: 'absent' }
  const id = taskIdIn(answer)
  if (id !== undefined) return { state: 'started', handle: { id, path } }
  throw new GatewayError('upstream_error', `${owner} did not say whether it has the task.`)
}

/** Returns the answer that caused an error when that answer says that the vendor does not have the
 *  task. Otherwise throws the error. */
function answerOfMissing(error: unknown): Json {
  const body = objectOf(answerBehind(error)?.body)
  if (isNotFound(body)) return body
  throw error
}

function ask<Request>(tools: RunTools, { settings, signal }: Job<Request>, path: string): Promise<Json> {
  return signed(tools, settings, target => askJson(tools.upstream, target, { path, signal }))
}

/** Returns the result of `send`. When the vendor refuses the token because it has expired or is not
 *  valid yet, a new token is signed and `send` runs once more. */
async function signed<Result>(
  { credentials }: RunTools,
  given: JsonObject,
  send: (target: ServiceAddress) => Promise<Result>,
): Promise<Result> {
  try {
    return await send(credentials.addressOf(given))
  } catch (error) {
    if (!isTokenFault(error) || !credentials.renew(given)) throw error
    return send(credentials.addressOf(given))
  }
}
