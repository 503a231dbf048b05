/** Runs a job at the vendor: submits it, polls it and downloads its pictures. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import {
  type ImageEditRequest,
  type ImageField,
  type ImageGenerateRequest,
  type ImageUpscaleRequest,
  sizeFields,
} from '@generation-gateway/kit/requests/image.ts'
import type { Failed, Job, Outcome, PolledOffer, Started } from '@generation-gateway/kit/requests/job.ts'
import { failed } from '../../shared/failed.ts'
import { doneWithPictures } from '../../shared/image/image-outcome.ts'
import { fetchPicture } from '../../shared/image/picture-file.ts'
import { fetchEach } from '../../shared/output/fetch-each.ts'
import { pollAndFetch, type TaskState } from '../../shared/output/poll-and-fetch.ts'
import { refusalBy } from '../../shared/refusal.ts'
import { askJson } from '../../shared/upstream/ask-json.ts'
import { unlessGone } from '../../shared/upstream/gone-task.ts'
import { submitNamed } from '../../shared/upstream/paid-submit.ts'
import { idOf } from '../../shared/upstream/read-json.ts'
import { jsonBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { type EndedJob, hasReason, jobStateIn, mayHaveStarted, refusalIn } from './job-record.ts'
import { owner, settings } from './settings.ts'
import type { ArtworkDetail, Kind, Submit } from './submits.ts'

type ArtworkRequest = ImageGenerateRequest | ImageEditRequest | ImageUpscaleRequest

/** Milliseconds between two polls; the vendor's own clients poll every 5 to 10 s
 *  (docs/vendors/README.md#polling). */
const pollEveryMs = 5_000
/** Largest picture in bytes: four bytes for each of the 16,777,216 pixels of the largest upscale,
 *  times three as a reserve for the file format. */
const maxPictureBytes = 192 * 1024 * 1024

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
 *  errors of `submitNamed`. */
async function start(
  { submits }: ServiceTools,
  job: Job<ArtworkRequest>,
  { path, body: fields, version }: Submit,
): Promise<Started | Failed> {
  const body = jsonBody({ ...fields, ...defined({ callback: job.wakeUrl }) })
  try {
    const id = await submitNamed({
      ...{ submits, job, target: settings.targetOf(job.settings), path: `/v1/tob/${path}`, body, owner },
      ...{ nameIn: answer => idOf(answer.id), what: 'the job it made' },
    })
    return { state: 'started', handle: { id, version } }
  } catch (error) {
    return refusedStart(error, fields)
  }
}

/** Returns the failure when the vendor refused the submit because of the request. Otherwise throws
 *  the error. */
function refusedStart(error: unknown, { jobId }: JsonObject): Failed {
  if (mayHaveStarted(error))
    throw new GatewayError('outcome_unknown', `${owner} took too long over the request; it may draw it all the same.`, { cause: error })
  // The status was 404: the vendor no longer has the job that drew the picture. For a new picture,
  // 404 means that the path does not exist.
  if (jobId !== undefined && error instanceof GatewayError && error.code === 'capability_unavailable')
    return failed('invalid_request', about('image', `${owner} does not have the job that drew it, or no longer.`))
  const refusal = refusalIn(error)
  if (refusal === undefined) throw error
  const message = `${owner} refused the request (${refusal.reason}).`
  if (refusal.code === 'upstream_quota_exhausted') throw new GatewayError(refusal.code, message, { cause: error })
  return failed(refusal.code, message)
}

function poll({ upstream }: ServiceTools, job: Job<ArtworkRequest>, { id }: JsonObject): Promise<TaskState<EndedJob>> {
  const target = settings.targetOf(job.settings)
  const answer = askJson(upstream, target, { path: `/v1/tob/job/${encodeURIComponent(String(id))}`, signal: job.signal })
  const state = answer.then(body => jobStateIn(body, target.upstream.secrets))
  return unlessGone(state, { says: `${owner} does not have the job, or no longer.`, isIn: hasReason })
}

async function outcomeOf(
  { guard, inspection }: ServiceTools,
  job: Job<ArtworkRequest>,
  { handle, ended }: { handle: JsonObject; ended: EndedJob },
): Promise<Outcome> {
  const { request } = job
  const { origin, route } = settings.targetOf(job.settings).upstream
  const fetching = { guard, inspection, job, origin, route, owner, maxBytes: maxPictureBytes }
  const files = await fetchEach(ended.pictures, ({ imageNo, url }) => fetchPicture({ ...fetching, name: `picture-${imageNo}` }, url))
  if ('state' in files) return files
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

/** Returns the size fields that the picture does not match. The vendor accepts only an aspect ratio
 *  and chooses the size itself, so the sides may differ from the requested ones. */
function sidesNotFollowed(request: ArtworkRequest, file: { width: number; height: number } | undefined): ImageField[] {
  if (!('count' in request) || request.aspectRatio !== undefined || file === undefined) return []
  return file.width === request.width && file.height === request.height ? [] : [...sizeFields(request)]
}
