/** Runs a video from its submit to its file. */
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import type { Failed, Outcome, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { pollAndFetch } from '../../shared/image/picture-file.ts'
import { refusalBy } from '../../shared/refusal.ts'
import { FilesInJson } from '../../shared/upstream/json-files.ts'
import { submitPaid } from '../../shared/upstream/paid-submit.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { fetchVideo } from '../../shared/video/video-file.ts'
import type { VideoJob } from '../../shared/video/video-job.ts'
import { doneWithOneVideo } from '../../shared/video/video-request.ts'
import { baseFault, faultOf, linkIn, taskIdIn, taskStateIn } from './answers.ts'
import { fieldsOf } from './fields.ts'
import { owner, settings } from './settings.ts'

/** Milliseconds between two polls (docs/vendors/README.md#polling). */
const pollEveryMs = 10_000
/** Polls count towards the vendor's rate limit. */
const pollsPerSecond = 2
const maxAnswerBytes = 1024 * 1024
/** The size of ten seconds at 200 Mbit/s. */
const maxVideoBytes = 256 * 1024 * 1024

export function videoRuns(tools: ServiceTools): PolledOffer<VideoGenerateRequest> {
  return {
    ...polled<VideoGenerateRequest>({
      pollEveryMs,
      pollsPerSecond,
      refuses: jobFacts => refusalBy(() => fieldsOf(jobFacts, jobFacts.inputs, () => '')),
      start: job => start(tools, job),
      check: (job, handle) =>
        pollAndFetch(
          async () =>
            taskStateIn(
              await ask(tools, job, `/query/video_generation?task_id=${encodeURIComponent(String(handle.taskId))}`),
              secretsOf(job),
            ),
          fileId => outcomeOf(tools, job, fileId),
        ),
    }),
    follows: ['promptMode'],
  }
}

/** Submits the task. The request is paid and has no idempotency key, so it is sent once. Throws the
 *  errors of `submitPaid`. */
async function start({ submits }: ServiceTools, job: VideoJob): Promise<{ state: 'started'; handle: JsonObject } | Failed> {
  const { model, signal, wakeUrl } = job
  const { upstream: target, waits } = settings.targetOf(job.settings)
  const files = new FilesInJson()
  const fields = fieldsOf(job, job.inputs, input => files.dataUrl(input))
  // The vendor first sends a challenge to this URL, which `src/http/wake.ts` answers.
  const body = files.body({ ...fields, ...(wakeUrl === undefined ? {} : { callback_url: wakeUrl }) })
  const answer = await submitPaid({
    ...{ upstream: submits, target, path: '/video_generation', model, owner, body, signal, ...waits },
    read: async read => {
      const reported = await read.json(maxAnswerBytes)
      if (taskIdIn(reported) !== undefined || baseFault(reported, target.secrets)) return reported
      throw new GatewayError('upstream_error', `${owner} did not name the task it made.`)
    },
  })
  const fault = baseFault(answer, target.secrets)
  return fault ? faultOf(fault) : { state: 'started', handle: { taskId: taskIdIn(answer) ?? '' } }
}

async function ask({ upstream }: ServiceTools, job: VideoJob, path: string): Promise<Json> {
  const { upstream: target, waits } = settings.targetOf(job.settings)
  const limits = { ...waits, timeoutMs: 2 * waits.firstByteMs, maxBytes: maxAnswerBytes }
  return (await upstream.json(target, { method: 'GET', path, isStored: true, signal: job.signal, ...limits })).body
}

/** The outcome with its file. The link is requested only now, because links expire after some
 *  hours. */
async function outcomeOf(tools: ServiceTools, job: VideoJob, fileId: string): Promise<Outcome> {
  const { upstream: target, groupId } = settings.targetOf(job.settings)
  const group = groupId === undefined ? '' : `&GroupId=${encodeURIComponent(groupId)}`
  const link = linkIn(await ask(tools, job, `/files/retrieve?file_id=${encodeURIComponent(fileId)}${group}`), target.secrets)
  if (typeof link !== 'string') return link
  const { guard, inspection } = tools
  const video = await fetchVideo({ guard, inspection, job, origin: target.origin, owner, maxBytes: maxVideoBytes, role: 'video' }, link)
  if ('state' in video) return video
  const { promptStrength, people, fit } = job.request
  const left = [
    ...(promptStrength === undefined ? [] : (['promptStrength'] as const)),
    ...(people === undefined ? [] : (['people'] as const)),
    ...(fit === 'pad' ? (['fit'] as const) : []),
  ]
  return doneWithOneVideo(job, [video], left)
}

function secretsOf(job: VideoJob): readonly string[] {
  return settings.targetOf(job.settings).upstream.secrets
}
