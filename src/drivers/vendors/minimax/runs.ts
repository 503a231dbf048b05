/** Runs a video job: submits a task, polls it and downloads its video. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { polled } from '@generation-gateway/kit/driver.ts'
import type { Json } from '@generation-gateway/kit/json.ts'
import type { Failed, Outcome, PolledOffer, Started } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { pollAndFetch } from '../../shared/output/poll-and-fetch.ts'
import { refusalBy } from '../../shared/refusal.ts'
import { askJson } from '../../shared/upstream/ask-json.ts'
import { FilesInJson } from '../../shared/upstream/json-files.ts'
import { submitNamed } from '../../shared/upstream/paid-submit.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { fetchVideo } from '../../shared/video/video-file.ts'
import type { VideoField, VideoJob } from '../../shared/video/video-job.ts'
import { doneWithOneVideo } from '../../shared/video/video-request.ts'
import { baseFault, linkIn, refusedStart, taskIdIn, taskStateIn } from './answers.ts'
import { fieldsOf } from './fields.ts'
import { owner, settings } from './settings.ts'

/** Milliseconds between two polls (docs/vendors/README.md#polling). */
const pollEveryMs = 10_000
/** Largest number of polls per second. The limit is low because polls count towards the vendor's
 *  rate limit. */
const pollsPerSecond = 2
/** Largest video in bytes: ten seconds at 200 Mbit/s. */
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
          () => poll(tools, job, String(handle.taskId)),
          fileId => outcomeOf(tools, job, fileId),
        ),
    }),
    follows: ['promptMode'],
  }
}

/** Submits the task. The request is paid and has no idempotency key, so it is sent once. Throws the
 *  errors of `submitNamed` and `refusedStart`. */
async function start({ submits }: ServiceTools, job: VideoJob): Promise<Started | Failed> {
  const target = settings.targetOf(job.settings)
  const { secrets } = target.upstream
  const files = new FilesInJson()
  const fields = fieldsOf(job, job.inputs, input => files.dataUrl(input))
  // Before the vendor accepts the task, it sends a challenge to this callback URL, which
  // `src/http/wake.ts` answers.
  const body = files.body({ ...fields, ...defined({ callback_url: job.wakeUrl }) })
  const answer = await submitNamed({
    ...{ submits, job, target, path: '/video_generation', body, owner, what: 'the task it made' },
    nameIn: reported => (taskIdIn(reported) !== undefined || baseFault(reported, secrets) ? reported : undefined),
  })
  const fault = baseFault(answer, secrets)
  return fault ? refusedStart(fault) : { state: 'started', handle: { taskId: taskIdIn(answer) ?? '' } }
}

async function poll(tools: ServiceTools, job: VideoJob, taskId: string) {
  const answer = await ask(tools, job, `/query/video_generation?task_id=${encodeURIComponent(taskId)}`)
  return taskStateIn(answer, settings.targetOf(job.settings).upstream.secrets)
}

function ask({ upstream }: ServiceTools, job: VideoJob, path: string): Promise<Json> {
  return askJson(upstream, settings.targetOf(job.settings), { path, signal: job.signal })
}

/** Returns the outcome with the video file. The link to the file is requested only now, because
 *  links expire after some hours. */
async function outcomeOf(tools: ServiceTools, job: VideoJob, fileId: string): Promise<Outcome> {
  const { upstream: target, groupId } = settings.targetOf(job.settings)
  const group = groupId === undefined ? '' : `&GroupId=${encodeURIComponent(groupId)}`
  const link = linkIn(await ask(tools, job, `/files/retrieve?file_id=${encodeURIComponent(fileId)}${group}`), target.secrets)
  if (typeof link !== 'string') return link
  const { guard, inspection } = tools
  const { origin, route } = target
  const video = await fetchVideo({ guard, inspection, job, origin, route, owner, maxBytes: maxVideoBytes, role: 'video' }, link)
  if ('state' in video) return video
  const { promptStrength, people, fit } = job.request
  const left: VideoField[] = []
  if (promptStrength !== undefined) left.push('promptStrength')
  if (people !== undefined) left.push('people')
  if (fit === 'pad') left.push('fit')
  return doneWithOneVideo(job, [video], left)
}
