/** Runs `video.generate` with the endpoints text2video, image2video, omni-video and video-extend. A
 *  request that none of them can serve is refused before anything is sent. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Job, Outcome, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { fetchEach } from '../../shared/output/fetch-each.ts'
import { fetchVideo } from '../../shared/video/video-file.ts'
import { doneWithOneVideo, hasRatio } from '../../shared/video/video-request.ts'
import { models, owner, settings } from './settings.ts'
import type { Kind, RunTools } from './task-runs.ts'
import { klingCall } from './video-call.ts'

/** Largest video in bytes: fifteen seconds at 200 Mbit/s. */
const maxVideoBytes = 400 * 1024 * 1024
export const videos: Kind<VideoGenerateRequest> = {
  call: ({ request, model, settings: given }, inputs, written) =>
    klingCall({ request, group: models.known(given, model), who: `the model ${model} of ${owner}` }, inputs, written),
  outcomeOf,
}

async function outcomeOf(tools: RunTools, job: Job<VideoGenerateRequest>, result: JsonObject): Promise<Outcome> {
  const { request } = job
  const { origin, route } = settings.targetOf(job.settings).upstream
  const [video] = objectsOf(result.videos)
  const [url, marked] = [textOf(video?.url), textOf(video?.watermark_url)]
  if (url === undefined) throw new GatewayError('upstream_error', `${owner} calls the task done and gives no video.`)
  const { guard, inspection } = tools
  const links = [{ role: 'video', link: url }, ...(request.watermark && marked ? [{ role: 'watermarked', link: marked }] : [])]
  const files = await fetchEach(links, ({ role, link }) =>
    fetchVideo({ guard, inspection, job, origin, route, owner, maxBytes: maxVideoBytes, role }, link),
  )
  if ('state' in files) return files
  // The vendor's own id of the video is stored in `detail`, because the vendor extends a video only
  // by this id and never by a file (docs/vendors/kling.md#video-extension).
  const videoId = textOf(video?.id)
  return { ...doneWithOneVideo(job, files, leftOf(job, files)), ...(videoId === undefined ? {} : { detail: { kling: { videoId } } }) }
}

function leftOf({ request, model, settings: given }: Job<VideoGenerateRequest>, [video, marked]: readonly OutputFile[]) {
  const { width, height, promptStrength, people, fit, watermark, expandPrompt } = request
  const isOther = video?.width && video.height && !hasRatio({ width: video.width, height: video.height }, width / height)
  const left: (keyof VideoGenerateRequest)[] = []
  if (isOther) left.push('width', 'height')
  if (promptStrength !== undefined && !models.of(given, model)?.hasStrength) left.push('promptStrength')
  if (people !== undefined) left.push('people')
  if (fit === 'pad') left.push('fit')
  if (watermark && !marked) left.push('watermark')
  if (expandPrompt) left.push('expandPrompt')
  return left
}
