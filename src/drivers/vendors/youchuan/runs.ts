/** Runs a job from its submit to its pictures. */
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import {
  type ImageEditRequest,
  type ImageField,
  type ImageGenerateRequest,
  type ImageUpscaleRequest,
  sizeFields,
} from '@generation-gateway/kit/requests/image.ts'
import type { Failed, Job, Outcome, OutputFile, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import { failed } from '../../shared/failed.ts'
import { pictureAs } from '../../shared/image/convert-picture.ts'
import { doneWithPictures } from '../../shared/image/image-outcome.ts'
import { downloadPicture, pollAndFetch, type TaskState } from '../../shared/image/picture-file.ts'
import { refusalBy } from '../../shared/refusal.ts'
import { submitPaid } from '../../shared/upstream/paid-submit.ts'
import { sentBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { type EndedJob, jobNotFound, jobStateIn, mayHaveStarted, refusalIn } from './job-record.ts'
import { owner, settings } from './settings.ts'
import type { ArtworkDetail, Kind, Submit } from './submits.ts'

type ArtworkRequest = ImageGenerateRequest | ImageEditRequest | ImageUpscaleRequest

/** The vendor's clients poll every 5 to 10 s (docs/vendors/README.md#polling). */
const pollEveryMs = 5_000
const maxAnswerBytes = 1024 * 1024
/** Four bytes for each of the 16,777,216 pixels of the largest upscale, times three for the
 *  overhead of the format. */
const maxPictureBytes = 192 * 1024 * 1024
const maxIdLength = 200

export function artworkRuns<Request extends ArtworkRequest>(tools: ServiceTools, kind: Kind<Request>): PolledOffer<Request> {
  return polled<Request>({
    pollEveryMs,
    refuses: jobFacts => refusalBy(() => kind.check(jobFacts)),
    start: job => start(tools, job, kind.submit(job)),
    check: (job, handle) =>
      pollAndFetch(
        () => poll(tools, job, handle),
        ended => outcomeOf(tools, job, { handle, ended }),
      ),
  })
}

/** Submits the job. The request is paid and has no idempotency key, so it is sent once. Throws the
 *  errors of `submitPaid`. */
async function start(
  { submits }: ServiceTools,
  { model, settings: given, signal, wakeUrl }: Job<ArtworkRequest>,
  { path, body: fields, version }: Submit,
): Promise<{ state: 'started'; handle: JsonObject } | Failed> {
  const { upstream: target, waits } = settings.targetOf(given)
  const callback = wakeUrl === undefined ? {} : { callback: wakeUrl }
  const body = sentBody({ contentType: 'application/json', tail: Buffer.from(JSON.stringify({ ...fields, ...callback })) })
  try {
    const id = await submitPaid({
      ...{ upstream: submits, target, path: `/v1/tob/${path}`, model, owner, body, signal, ...waits },
      read: async answer => {
        const named = textOf(objectOf(await answer.json(maxAnswerBytes)).id)
        if (named !== undefined && named.length <= maxIdLength) return named
        throw new GatewayError('upstream_error', `${owner} answered without the id of the job.`)
      },
    })
    return { state: 'started', handle: { id, version } }
  } catch (error) {
    return refusedStart(error, fields)
  }
}

/** The failure when the request itself is at fault; other errors are thrown. */
function refusedStart(error: unknown, { jobId }: JsonObject): Failed {
  if (mayHaveStarted(error))
    throw new GatewayError('outcome_unknown', `${owner} took too long over the request; it may draw it all the same.`, { cause: error })
  // The status was 404. For a new job it means that the path does not exist.
  if (jobId !== undefined && error instanceof GatewayError && error.code === 'capability_unavailable')
    return failed('invalid_request', about('image', `${owner} does not have the job that drew it, or no longer.`))
  const refusal = refusalIn(error)
  if (refusal === undefined) throw error
  const message = `${owner} refused the request (${refusal.reason}).`
  if (refusal.code === 'upstream_quota_exhausted') throw new GatewayError(refusal.code, message, { cause: error })
  return failed(refusal.code, message)
}

async function poll({ upstream }: ServiceTools, job: Job<ArtworkRequest>, { id }: JsonObject): Promise<TaskState<EndedJob>> {
  const { upstream: target, waits } = settings.targetOf(job.settings)
  const path = `/v1/tob/job/${encodeURIComponent(String(id))}`
  const limits = { ...waits, timeoutMs: 2 * waits.firstByteMs, maxBytes: maxAnswerBytes }
  try {
    const { body } = await upstream.json(target, { method: 'GET', path, isStored: true, signal: job.signal, ...limits })
    return jobStateIn(body, target.secrets)
  } catch (error) {
    if (answerBehind(error)?.status === 404) return jobNotFound()
    throw error
  }
}

async function outcomeOf(
  { guard, inspection }: ServiceTools,
  job: Job<ArtworkRequest>,
  { handle, ended }: { handle: JsonObject; ended: EndedJob },
): Promise<Outcome> {
  const { request, scratch, signal, account } = job
  const { origin } = settings.targetOf(job.settings).upstream
  const files: (OutputFile & { width: number; height: number })[] = []
  for (const { imageNo, url } of ended.pictures) {
    const fetching = { guard, origin, owner, maxBytes: maxPictureBytes, name: `picture-${imageNo}` }
    const picture = await downloadPicture({ ...fetching, job: { scratch, signal } }, url)
    const file = await pictureAs({ inspection, format: request.format, owner, signal, account }, picture)
    if ('state' in file) return file
    files.push(file)
  }
  const seed = ended.seed === undefined ? request.seed : String(ended.seed)
  const notFollowed = [...(seed === request.seed ? [] : ['seed' as const]), ...sidesNotFollowed(request, files[0])]
  const report = {
    ...{ seed, prompt: request.prompt ?? '', notDrawn: [] },
    ...(notFollowed.length > 0 ? { notFollowed } : {}),
    ...(ended.refused.length > 0 ? { refused: ended.refused } : {}),
  }
  const made: ArtworkDetail = {
    youchuan: { jobId: String(handle.id), pictures: ended.pictures.map(({ imageNo }) => imageNo), version: Number(handle.version) },
  }
  return { ...doneWithPictures(files, report), detail: made }
}

/** The size fields that the picture does not match. The vendor derives the size from the ratio, so
 *  requested sides may not be met. */
function sidesNotFollowed(request: ArtworkRequest, file: { width: number; height: number } | undefined): ImageField[] {
  if (!('count' in request) || request.aspectRatio !== undefined || file === undefined) return []
  return file.width === request.width && file.height === request.height ? [] : [...sizeFields(request)]
}
