/** Reads video files that upstreams delivered. */

import { join } from 'node:path'
import { defined } from '@generation-gateway/kit/defined.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { InspectionCaller } from '@generation-gateway/kit/media/inspection-caller.ts'
import type { RouteSettings } from '@generation-gateway/kit/outbound/outbound.ts'
import type { Failed, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../failed.ts'
import { fetchOutput } from '../output/fetch-output.ts'
import type { UrlGuard } from '../upstream/url-guard.ts'

/** Largest video in bytes: twice the size of a twenty-second 4K video at 100 Mbit/s. */
export const maxVideoBytes = 512 * 1024 * 1024

/** Returns the video in this file with the facts from its header; its type is detected from its
 *  bytes. Returns `failed`, marked as possibly charged, when the file is not a video. `owner` is
 *  the name of the service in messages. Throws the errors of the inspection. */
export async function videoIn(
  path: string,
  { inspection, owner, asker }: Pick<FetchedVideo, 'inspection' | 'owner'> & { asker: InspectionCaller },
): Promise<OutputFile | Failed> {
  const facts = await inspection.readMedia(path, asker)
  if (!facts?.mediaType.startsWith('video/')) return failedAfterPay('upstream_error', `What came from ${owner} as a video is none.`)
  const { mediaType, width, height, durationSeconds, framesPerSecond, channels } = facts
  return {
    ...{ role: 'video', path, mediaType },
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...defined({ durationSeconds, framesPerSecond, channels }),
  }
}

/** Returns the requested fields that the video does not match. The length of the video may differ
 *  by half a second, because containers round it. */
export function missedBy(
  file: OutputFile,
  { width, height, seconds }: { width: number; height: number; seconds: number },
): ('width' | 'height' | 'seconds')[] {
  const missed: ('width' | 'height' | 'seconds')[] = []
  if (file.width !== undefined && file.width !== width) missed.push('width')
  if (file.height !== undefined && file.height !== height) missed.push('height')
  if (file.durationSeconds !== undefined && Math.abs(file.durationSeconds - seconds) > 0.5) missed.push('seconds')
  return missed
}

export interface FetchedVideo {
  guard: UrlGuard
  inspection: Pick<Inspection, 'readMedia'>
  job: InspectionCaller & { scratch: string; signal: AbortSignal }
  /** Origin of the target's base URL. The operator configured it, so a private address is allowed
   *  there. */
  origin: string
  /** Proxy, certificates and time limit for connections to the service. */
  route: RouteSettings
  /** Name of the service that delivered the video, for messages. */
  owner: string
  /** Largest file, bytes, inclusive. */
  maxBytes: number
  /** Role of the output file: `video`, `watermarked`. */
  role: string
}

/** Saves the video behind a link in the job's scratch folder, and returns it with the facts from
 *  its header. Returns `failed` above `maxBytes` and for a file that `videoIn` does not accept.
 *  Throws as `fetchOutput` does. */
export async function fetchVideo(fetching: FetchedVideo, url: string): Promise<OutputFile | Failed> {
  const { guard, inspection, job, origin, route, owner, maxBytes, role } = fetching
  const { signal } = job
  const path = join(job.scratch, `${role}.mp4`)
  const title = `The video of ${owner}`
  const fetched = await fetchOutput({ guard, url, title, toFile: path, maxBytes, signal, route, trustedOrigin: origin })
  if ('state' in fetched) return fetched
  const file = await videoIn(path, { inspection, owner, asker: job })
  return 'state' in file ? file : { ...file, role }
}
