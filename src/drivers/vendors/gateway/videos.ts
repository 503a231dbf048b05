/** Videos of another gateway: a task there for each job here, through the family that has a field for everything asked. */
import { join } from 'node:path'
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Failed, Outcome, OutputFile, PolledOffer, Refusal, Running } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest, VideoResult } from '@generation-gateway/kit/requests/video.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import { lookAndFetch } from '../../shared/image/picture-file.ts'
import { fetchOutput } from '../../shared/output/fetch-output.ts'
import { RefusedError, refusalBy } from '../../shared/refusal.ts'
import { refusalInWords } from '../../shared/sound/speech-words.ts'
import { textsOf } from '../../shared/upstream/read-json.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { fetchVideo, maxVideoBytes } from '../../shared/video/video-file.ts'
import { type AskedVideo, filmed, type VideoField, type VideoJob } from '../../shared/video/video-job.ts'
import { settings, type VideoFamily } from './settings.ts'
import { startTask, type TaskStart, type TaskTools } from './start-task.ts'
import { brokenOff, noTask, owner } from './task-answer.ts'
import { maxAnswerBytes, tasksPath, waitsOf } from './task-paths.ts'
import { type VideoWay, videoWays } from './video-ways.ts'

const pollEveryMs = 2_000
/** A look costs the other gateway 50 us. */
const looksPerSecond = 100
const maxThumbnailBytes = 16 * 1024 * 1024

export function gatewayVideos(tools: TaskTools): PolledOffer<VideoGenerateRequest> {
  return polled<VideoGenerateRequest>({
    isIdempotent: true,
    pollEveryMs,
    looksPerSecond,
    follows: ['elements', 'lossless', 'ownShots', 'promptMode'],
    refuses: asked => refusalBy(() => wayOf(asked)),
    start: job => startTask({ tools, job, way: startOf(tools, job) }),
    check: (job, handle) =>
      lookAndFetch(
        () => look(tools, job, handle),
        made => outcomeOf(tools, job, { made, family: String(handle.family) }),
      ),
    cancel: async (job, handle) => {
      try {
        await ask(tools, job, { method: 'DELETE', handle })
      } catch (error) {
        // Nothing is left to stop.
        if (answerBehind(error)?.status !== 404) throw error
      }
    },
  })
}

const ownModels: Readonly<Record<string, readonly [VideoFamily, string?]>> = {
  MaaS_VidS_2: ['S'],
  'MaaS_VidV_3.1_generate_preview': ['V', '3.1'],
  'MaaS_VidV_3.1_fast_generate_preview': ['V', '3.1_fast'],
  MaaS_VidV_3_generate_preview: ['V', '3'],
  MaaS_VidV_2_generate: ['V', '2'],
  MaaS_VidH_02: ['H', '02'],
  MaaS_VidH_Video_t2v: ['H', 't2v'],
  MaaS_VidH_Video_i2v: ['H', 'i2v'],
  MaaS_VidH_Video_i2v_live: ['H', 'i2v_live'],
  MaaS_VidH_Video_i2v_director: ['H', 'i2v_director'],
  MaaS_VidH_Video_t2v_director: ['H', 't2v_director'],
  MaaS_VidH_Video_s2v: ['H', 's2v'],
  'vidk-v1': ['K', 'V1'],
  'MaaS_VidK_V1.6': ['K', 'V1.6'],
  'MaaS_VidK_V2.1': ['K', 'V2.1'],
  'MaaS_VidK_V2.1_Master': ['K', 'V2.1 Master'],
  'MaaS_VidK_V2.6': ['K', 'V2.6'],
  MaaS_VidK_Omni: ['K', 'omni video'],
}

interface Served {
  families: readonly VideoFamily[]
  group: string | undefined
}

/** Families of videos that serve the model there: as its settings say, else those of the gateway's own model of this name, else V. */
function servedBy({ model, settings: given }: Pick<AskedVideo, 'model' | 'settings'>): Served {
  const { videoFamilies, group } = settings.targetOf(given)
  const [family, ownGroup] = (Object.hasOwn(ownModels, model) ? ownModels[model] : undefined) ?? (['V'] as const)
  return { families: videoFamilies ?? [family], group: group ?? ownGroup }
}

/** The first that has a field for everything that is asked. Throws the first one's refusal where none has. */
function wayOf(asked: AskedVideo): VideoWay {
  const { families, group } = servedBy(asked)
  let first: Refusal | undefined
  for (const way of videoWays) {
    if (!families.includes(way.family)) continue
    const refusal = refusalBy(() => way.check(asked, group))
    if (!refusal) return way
    first ??= refusal
  }
  throw new RefusedError(first ?? { message: `${asked.model} of the other gateway is served by no family of videos.` })
}

function startOf({ inspection }: TaskTools, job: VideoJob): TaskStart<VideoGenerateRequest> {
  const chosen = wayOf(job)
  const { group } = servedBy(job)
  return {
    family: chosen.family,
    path: chosen.pathOf(job, group),
    idIn: chosen.idIn,
    body: () => chosen.body(job, group, inspection),
    named: error => refusalInWords(chosen.words, error),
  }
}

interface Asking {
  method: 'GET' | 'DELETE'
  handle: JsonObject
}

async function ask({ upstream }: TaskTools, job: VideoJob, { method, handle }: Asking): Promise<Json> {
  const waits = waitsOf(job)
  const path = `${tasksPath}/${encodeURIComponent(String(handle.id))}`
  const limits = { ...waits, timeoutMs: 2 * waits.firstByteMs, maxBytes: maxAnswerBytes }
  const { whole } = settings.targetOf(job.settings)
  return (await upstream.json(whole, { method, path, isStored: true, signal: job.signal, ...limits })).body
}

/** What a task there has made. */
interface MadeVideos {
  outputs: { role: string; url: string }[]
  seed: string
  prompt: string
  notFollowed: VideoField[]
  filtered: VideoResult['filtered']
}

async function look(
  tools: TaskTools,
  job: VideoJob,
  handle: JsonObject,
): Promise<Running | Failed | { state: 'ready'; picture: MadeVideos }> {
  let task: JsonObject
  try {
    task = objectOf(await ask(tools, job, { method: 'GET', handle }))
  } catch (error) {
    if (answerBehind(error)?.status === 404) return noTask()
    throw error
  }
  const { state, progress, error, videos } = task
  const outputs = objectsOf(task.outputs).flatMap(({ role, url }) =>
    textOf(role) !== undefined && textOf(url) !== undefined ? [{ role: String(role), url: String(url) }] : [],
  )
  switch (state) {
    case 'queued':
    case 'running':
    case 'cancelling':
    case 'unknown':
      return { state: 'running', ...(typeof progress === 'number' ? { progress: progress / 100 } : {}) }
    case 'succeeded':
      return { state: 'ready', picture: madeIn(outputs, objectOf(videos)) }
    case 'failed':
    case 'expired':
    case 'cancelled': {
      const { secrets } = settings.targetOf(job.settings).whole
      return brokenOff(objectOf(error), { request: {}, secrets, hasGiven: outputs.some(({ role }) => role === 'video') })
    }
    default:
      throw new GatewayError('upstream_error', 'The other gateway answered with a state that tasks do not have.')
  }
}

function madeIn(outputs: MadeVideos['outputs'], { seed, prompt, not_followed: notFollowed, filtered }: JsonObject): MadeVideos {
  if (typeof seed !== 'string')
    throw new GatewayError(
      'upstream_error',
      'The other gateway calls the task done and does not tell of its videos: it may be an older one.',
    )
  return {
    outputs,
    seed,
    prompt: textOf(prompt) ?? '',
    // Neutral names, which mean the same at both.
    notFollowed: textsOf(notFollowed) as VideoField[],
    filtered: objectsOf(filtered).flatMap(({ index, reasons }) =>
      typeof index === 'number' ? [{ video: index, reasons: textsOf(reasons) }] : [],
    ),
  }
}

async function outcomeOf(tools: TaskTools, job: VideoJob, { made, family }: { made: MadeVideos; family: string }): Promise<Outcome> {
  const { guard, inspection } = tools
  const { origin } = settings.targetOf(job.settings).whole
  const files: OutputFile[] = []
  for (const [index, { role, url }] of made.outputs.entries()) {
    if (role === 'thumbnail') {
      files.push(...(await thumbnailAt(tools, job, url)))
      continue
    }
    const file = await fetchVideo({ guard, inspection, job, origin, owner, maxBytes: maxVideoBytes, role: `${role}-${index}` }, url)
    if ('state' in file) return file
    files.push({ ...file, role })
  }
  if (!files.some(({ role }) => role === 'video') && made.filtered.length === 0)
    return failedAfterPay('upstream_error', 'The other gateway ended without a video.')
  const { request } = job
  const chosen = videoWays.find(each => each.family === family)
  const left = chosen?.leavesOut(job, servedBy(job).group) ?? []
  const notFollowed = [...new Set([...made.notFollowed, ...left, ...(made.seed === request.seed ? [] : (['seed'] as const))])]
  return filmed(job, files, { seed: request.seed, prompt: made.prompt, filtered: made.filtered, notFollowed })
}

/** Without it the video is as good. */
async function thumbnailAt({ guard, inspection }: TaskTools, job: VideoJob, url: string): Promise<OutputFile[]> {
  const path = join(job.scratch, 'thumbnail')
  const trustedOrigin = settings.targetOf(job.settings).whole.origin
  const fetched = await fetchOutput({
    ...{ guard, url, title: `The thumbnail of ${owner}`, toFile: path, maxBytes: maxThumbnailBytes },
    ...{ signal: job.signal, trustedOrigin },
  })
  if ('state' in fetched) return []
  const { mediaType = '', width = 0, height = 0 } = (await inspection.readMedia(path, job)) ?? {}
  return mediaType.startsWith('image/') ? [{ role: 'thumbnail', path, mediaType, width, height }] : []
}
