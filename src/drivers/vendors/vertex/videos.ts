/** Runs `video.generate` with Veo. Each job is one long-running operation of Google's API. */
import { join } from 'node:path'
import { polled } from '@generation-gateway/kit/driver.ts'
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Failed, Outcome, PolledOffer, Running, Started } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest, VideoResult } from '@generation-gateway/kit/requests/video.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { readAnswer } from '../../shared/output/answer-reader.ts'
import { fetchEach } from '../../shared/output/fetch-each.ts'
import { fetchOutput } from '../../shared/output/fetch-output.ts'
import type { TaskState } from '../../shared/output/poll-and-fetch.ts'
import { TooManyBytesError } from '../../shared/output/save-body.ts'
import { refusalInWords } from '../../shared/sound/speech-words.ts'
import { askJson } from '../../shared/upstream/ask-json.ts'
import { beforeSubmit } from '../../shared/upstream/before-submit.ts'
import { isTaskGoneInWords, unlessGone } from '../../shared/upstream/gone-task.ts'
import { submitNamed } from '../../shared/upstream/paid-submit.ts'
import { countOf, textsOf, urlTextOf } from '../../shared/upstream/read-json.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import type { ServiceAddress } from '../../shared/upstream/service-settings.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { headersOf } from '../../shared/upstream/upstream-target.ts'
import { maxVideoBytes, missedBy, videoIn } from '../../shared/video/video-file.ts'
import { doneWithVideo, type VideoJob } from '../../shared/video/video-job.ts'
import type { Tokens } from './service-account.ts'
import { settings } from './settings.ts'
import { leftOutOfVeo, veoBody, veoFactsOf, veoRefusal } from './veo-request.ts'

const owner = 'Vertex AI'
const words = { prompt: 'prompt', durationSeconds: 'seconds', sampleCount: 'count', seed: 'seed', image: 'first-frame' } as const
/** Largest answer in bytes to a start or a cancellation, which contains no videos. */
const maxBytes = 256 * 1024
/** Milliseconds between two polls; the vendor's examples wait 10 to 15 s. */
const pollEveryMs = 10_000

interface VertexTools extends ServiceTools {
  tokens: Tokens
}

/** Returns the offer with which the driver serves `video.generate`. A start is paid and has no
 *  idempotency key, so it is sent only once. When its outcome is unknown, it cannot be looked up
 *  either, because the service has no list of operations. */
export function videoOffer(tools: VertexTools): PolledOffer<VideoGenerateRequest> {
  return polled<VideoGenerateRequest>({
    pollEveryMs,
    follows: ['lossless'],
    refuses: jobFacts => veoRefusal(jobFacts, veoFactsOf(jobFacts.model), `the model ${jobFacts.model}`),
    start: job => start(tools, job),
    check: (job, handle) => check(tools, job, String(handle.name)),
    cancel: (job, handle) => cancel(tools, job, String(handle.name)),
  })
}

function modelPath({ settings: given, model }: VideoJob): string {
  const { project, region } = settings.targetOf(given)
  const [safeProject, safeRegion, safeModel] = [project, region, model].map(encodeURIComponent)
  return `/v1/projects/${safeProject}/locations/${safeRegion}/publishers/google/models/${safeModel}`
}

/** Returns the result of `run` with a valid token. When the service refuses the token, the token is
 *  dropped, so that it is not used again. */
async function authorized<Result>(
  { tokens }: VertexTools,
  job: VideoJob,
  run: (target: ServiceAddress) => Promise<Result>,
): Promise<Result> {
  const { account, targetWith, waits } = settings.targetOf(job.settings)
  const token = account && (await beforeSubmit(() => tokens.of(account)))
  // The signal is checked again after the token arrived: when the caller has disconnected in the
  // meantime, nothing must be sent.
  if (job.signal.aborted) throw new GatewayError('cancelled', 'The job was stopped.')
  try {
    return await run({ upstream: targetWith(token), waits })
  } catch (error) {
    if (account && answerBehind(error)?.status === 401) tokens.forget(account)
    throw error
  }
}

async function start(tools: VertexTools, job: VideoJob): Promise<Started | Failed> {
  const { storageUri } = settings.targetOf(job.settings)
  const body = veoBody(job, veoFactsOf(job.model), storageUri && `${storageUri.replace(/\/+$/, '')}/${job.id}`)
  const path = `${modelPath(job)}:predictLongRunning`
  const submit = { submits: tools.submits, job, path, body, owner, what: 'the operation it began', maxBytes }
  try {
    const name = await authorized(tools, job, target => submitNamed({ ...submit, target, nameIn: answer => urlTextOf(answer.name) }))
    return { state: 'started', handle: { name } }
  } catch (error) {
    if (error instanceof GatewayError && (error.code === 'request_moderated' || isModerated(error.message)))
      return failed('request_moderated', `${owner} refused the prompt or an input.`, supportCodes(error.message))
    throw refusalInWords(words, error)
  }
}

async function poll(tools: VertexTools, job: VideoJob, operationName: string): Promise<JsonObject> {
  return authorized(tools, job, async ({ upstream: target, waits }) => {
    const path = `${modelPath(job)}:fetchPredictOperation`
    const call = { method: 'POST' as const, path, body: { operationName }, isStored: true, signal: job.signal, ...waits }
    const answer = await tools.upstream.open(target, call)
    const reading = { folder: job.scratch, maxBytes: job.request.count * maxVideoBytes, member: 'bytesBase64Encoded' }
    const body = await readAnswer(answer.chunks(), reading)
    // Some servers of this interface wrap the whole answer in `data`.
    return body.done === undefined && body.name === undefined ? objectOf(body.data) : body
  })
}

async function check(tools: VertexTools, job: VideoJob, name: string): Promise<Running | Outcome> {
  try {
    const state = poll(tools, job, name).then(operation => stateIn(job, operation))
    const seen = await unlessGone(state, { says: `${owner} does not know the operation any more.`, isIn: isTaskGoneInWords })
    return seen.state === 'ready' ? await outcomeOf(tools, job, seen.output) : seen
  } catch (error) {
    if (error instanceof TooManyBytesError) return failedAfterPay('upstream_error', `The videos of ${owner} are too large.`)
    throw error
  }
}

/** Returns the state of an operation; a finished one has its response. */
function stateIn(job: VideoJob, { done, error, response }: JsonObject): TaskState<JsonObject> {
  // The service often leaves out `done` while it is false.
  if (done !== true) return { state: 'running' }
  return error === undefined ? { state: 'ready', output: objectOf(response) } : failureOf(job, objectOf(error))
}

/** Maps gRPC codes to the gateway's error codes (docs/vendors/veo.md#errors). */
const codes: Readonly<Record<number, ErrorCode>> = {
  1: 'cancelled',
  3: 'invalid_request',
  4: 'upstream_timeout',
  5: 'capability_unavailable',
  7: 'upstream_auth_error',
  8: 'rate_limited',
  9: 'capability_unavailable',
  14: 'overloaded',
}
/** gRPC codes of errors that the caller can correct. For these, the caller gets the service's own
 *  message. */
const ownWords = new Set([3])
const longestMessage = 400

function failureOf(job: VideoJob, { code, message }: JsonObject): Failed {
  const number = Number(code)
  const { secrets } = settings.targetOf(job.settings).upstream
  const said = withoutSecrets(textOf(message) ?? '', secrets).replace(/projects\/[^\s/]+/g, 'projects/...')
  if (isModerated(said)) return failed('request_moderated', `${owner} refused the prompt or an input.`, supportCodes(said))
  const ours = codes[number] ?? 'upstream_error'
  if (ownWords.has(number) && said !== '') return failed(ours, said.slice(0, longestMessage))
  return failed(ours, `${owner} could not make the video (code ${Number.isInteger(number) ? number : 'unknown'}).`)
}

function isModerated(said: string): boolean {
  return /support codes?|sensitive words|responsible ai|usage guidelines|violat/i.test(said)
}

/** Returns one sentence with the support codes in the service's message; empty when the message
 *  has none. The vendor's support needs them to explain a refusal. */
function supportCodes(said: string): string[] {
  const found = /support codes?:?\s*([\d,\s]{5,200})/i.exec(said)?.[1]
  return found === undefined ? [] : [`Support codes: ${found.trim()}`]
}

async function outcomeOf(tools: VertexTools, job: VideoJob, response: JsonObject): Promise<Outcome> {
  const { request } = job
  const listed = objectsOf(response.videos)
  const withheld = countOf(response.raiMediaFilteredCount)
  const files = await fetchEach(listed, async (video, index) => {
    const path = await pathOf(tools, job, { video, index })
    return typeof path === 'string' ? videoIn(path, { inspection: tools.inspection, owner, asker: job }) : path
  })
  if ('state' in files) return files
  if (files.length === 0 && withheld === 0) return failedAfterPay('upstream_error', `${owner} ended without a video.`)
  const [first] = files
  const notFollowed = [
    ...leftOutOfVeo(job, veoFactsOf(job.model)),
    ...(first ? missedBy(first, { ...request, seconds: secondsOf(job) }) : []),
  ]
  const filtered = filteredOf(response, { withheld, count: request.count })
  return doneWithVideo(job, files, { seed: request.seed, prompt: request.prompt, filtered, notFollowed })
}

/** Returns the expected length in seconds. An extended video contains the earlier one, so both
 *  lengths are added. */
function secondsOf({ request, inputs }: VideoJob): number {
  const earlier = inputs.find(({ role }) => role === 'earlier')
  return earlier?.durationSeconds === undefined ? request.seconds : request.seconds + earlier.durationSeconds
}

/** Returns the videos that moderation withheld, with reasons. The service states only their number;
 *  they are reported as the last ones of the request. */
function filteredOf(
  { raiMediaFilteredReasons }: JsonObject,
  { withheld, count }: { withheld: number; count: number },
): VideoResult['filtered'] {
  const reasons = textsOf(raiMediaFilteredReasons)
  const length = Math.min(withheld, count)
  return Array.from({ length }, (_, index) => {
    const reason = reasons[index] ?? reasons[0]
    return { video: count - length + index, reasons: reason === undefined ? [] : [reason] }
  })
}

/** Returns the path of a video file. A video in the answer was already saved while the answer was
 *  read; a video in the bucket is downloaded. */
async function pathOf(tools: VertexTools, job: VideoJob, { video, index }: { video: JsonObject; index: number }): Promise<string | Failed> {
  const inAnswer = textOf(video.bytesBase64Encoded)
  if (inAnswer !== undefined) return join(job.scratch, inAnswer)
  const [, bucket = '', object = ''] = /^gs:\/\/([^/]+)\/(.+)$/.exec(urlTextOf(video.gcsUri) ?? '') ?? []
  if (object === '') return failedAfterPay('upstream_error', `A video of ${owner} is neither in its answer nor in a bucket.`)
  const { storageUrl } = settings.targetOf(job.settings)
  const toFile = join(job.scratch, `video-${index}`)
  const url = new URL(storageUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/storage/v1/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(object)}`
  url.search = 'alt=media'
  const output = { guard: tools.guard, url: url.href, title: `The video of ${owner}`, toFile, maxBytes: maxVideoBytes, signal: job.signal }
  const fetched = await authorized(tools, job, ({ upstream, waits }) =>
    fetchOutput({
      ...{ ...output, ...waits, route: upstream.route },
      ...{ trustedOrigin: url.origin, trustedHeaders: headersOf(upstream), maxRedirects: 0 },
    }),
  )
  return 'state' in fetched ? fetched : toFile
}

/** Requests the cancellation of an operation and polls it once. Throws `conflict` when the
 *  operation was not cancelled, because the service may ignore the request. */
async function cancel(tools: VertexTools, job: VideoJob, name: string): Promise<void> {
  const path = `/v1/${name.split('/').map(encodeURIComponent).join('/')}:cancel`
  const question = { method: 'POST' as const, path, body: {}, signal: job.signal, maxBytes }
  await authorized(tools, job, target => askJson(tools.upstream, target, question))
  const { done, error } = await poll(tools, job, name)
  if (done !== true || error === undefined) throw new GatewayError('conflict', `${owner} did not stop the operation.`)
}
