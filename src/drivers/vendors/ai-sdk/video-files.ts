/** Stores the videos that a provider package delivers as files of the job. */

import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defined } from '@generation-gateway/kit/defined.ts'
import { extrasNotFollowed } from '@generation-gateway/kit/requests/extras.ts'
import type { Failed, Outcome, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import type { VideoResult } from '@generation-gateway/kit/requests/video.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import { fetchOutput } from '../../shared/output/fetch-output.ts'
import { maxVideoBytes, missedBy, videoIn } from '../../shared/video/video-file.ts'
import { doneWithVideo, leftOut, type VideoJob } from '../../shared/video/video-job.ts'
import { hasOtherRate } from '../../shared/video/video-request.ts'
import type { RunTools } from './exchanges.ts'
import { settings } from './settings.ts'
import type { StandIns } from './stand-ins.ts'
import type { PackageVideo, RemoteVideos } from './video-answer.ts'
import { fieldOf, knownTo } from './video-call.ts'

export interface VideoOutcome extends RemoteVideos {
  /** Members of the call that the package ignored, according to its warnings. */
  leftOut: string[]
}

interface DownloadPlace {
  job: VideoJob
  standIns: StandIns
  /** Origin of the service. The operator configures it; otherwise it is the origin of the first
   *  request. */
  origin: string | undefined
}

/** Extra fields for which at least one package has an option. */
export const videoExtras = ['elements', 'ownShots'] as const
const owner = 'the provider package'
const dataUrl = /^data:[^,]{0,200};base64,/i

/** Returns the outcome of a job with its videos, saved in the job's scratch folder. Returns
 *  `failed` for a file that is not a video and for more videos than requested. Throws as
 *  `fetchOutput` does. */
export async function doneWithVideos(tools: RunTools, place: DownloadPlace, made: VideoOutcome): Promise<Outcome> {
  const { job } = place
  const { count, watermark } = job.request
  if (made.videos.length > count)
    return failedAfterPay('upstream_error', `The provider package gave ${made.videos.length} videos instead of ${count}.`)
  const marked = watermark ? made.marked.slice(0, count).map(url => ({ url })) : []
  const wanted = [...made.videos.map(video => ({ video, role: 'video' })), ...marked.map(video => ({ video, role: 'watermarked' }))]
  const files: OutputFile[] = []
  for (const [index, { video, role }] of wanted.entries()) {
    const path = join(job.scratch, `${role}-${index}`)
    const missing = await saved(tools, place, { video, path })
    if (missing) return missing
    const file = await videoIn(path, { inspection: tools.inspection, owner, asker: job })
    if ('state' in file) return file
    files.push({ ...file, role })
  }
  const { seed, prompt } = job.request
  const notFollowed = [...new Set([...notFollowedIn(job, files), ...notFollowedOf(job, made)])]
  return doneWithVideo(job, files, { seed, prompt: made.prompt ?? prompt, filtered: [], notFollowed })
}

/** Saves the video at this path; returns `failed` when it is too large, or its link is neither
 *  http nor https. */
async function saved(
  { connections: { guard } }: RunTools,
  { job, standIns, origin }: DownloadPlace,
  { video, path }: { video: PackageVideo; path: string },
): Promise<Failed | undefined> {
  const link = 'url' in video && !dataUrl.test(video.url) ? video.url : undefined
  if (link !== undefined) {
    if (!/^https?:/i.test(link)) return failedAfterPay('upstream_error', 'The provider package gave a link that is neither http nor https.')
    const { waits, upstream } = settings.targetOf(job.settings)
    const download = { guard, url: link, title: `The video of ${owner}`, toFile: path, maxBytes: maxVideoBytes, signal: job.signal }
    const fetched = await fetchOutput({ ...download, ...waits, route: upstream.route, ...defined({ trustedOrigin: origin }) })
    return 'state' in fetched ? fetched : undefined
  }
  const data = 'url' in video ? video.url : video.data
  const there = standIns.pathOf(data)
  if (there === undefined) await writeFile(path, bytesOf(data), { mode: 0o600 })
  else await rename(there, path)
  return undefined
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data.replace(dataUrl, ''), 'base64') : data
}

type NotFollowed = NonNullable<VideoResult['notFollowed']>

/** Returns the fields of the request that the delivered videos do not match. */
function notFollowedIn({ request, inputs }: VideoJob, files: readonly OutputFile[]): NotFollowed {
  const videos = files.filter(({ role }) => role === 'video')
  const [first] = videos
  const isEdit = inputs.some(({ role }) => role === 'base')
  const missed: NotFollowed = first === undefined ? [] : missedBy(first, request).filter(field => !isEdit || field !== 'seconds')
  if (videos.length < request.count) missed.push('count')
  if (request.watermark && files.length < 2 * videos.length) missed.push('watermark')
  if (first !== undefined && hasOtherRate(request, first)) missed.push('framesPerSecond')
  if (first !== undefined && request.sound !== (first.channels ?? 0) > 0) missed.push('sound')
  return missed
}

/** Returns the fields that the package or the AI SDK's interface ignores. Extra fields for which no
 *  package has an option are left out, because the gateway's core reports them. */
function notFollowedOf(job: VideoJob, made: VideoOutcome): NotFollowed {
  const known = knownTo(job)
  const extras = extrasNotFollowed('video.generate', { follows: [...known, 'lossless', 'promptMode'] }, job.request)
  const warned = made.leftOut.flatMap(name => fieldOf(name, job) ?? [])
  const unknown: NotFollowed = job.request.people !== undefined && !known.includes('people') ? ['people'] : []
  // The cast is safe: all of these names are fields or inputs of `video.generate`.
  return [...leftOut(job, [...known, 'lossless']), ...unknown, ...extras, ...warned] as NotFollowed
}
