/** Files of videos that upstreams have made. */
import { join } from 'node:path'
import type { Asker } from '@generation-gateway/kit/media/asker.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { Failed, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../failed.ts'
import { fetchOutput } from '../output/fetch-output.ts'
import type { UrlGuard } from '../upstream/url-guard.ts'

/** Twenty seconds of 4k at 100 Mbit/s, and as much again. */
export const maxVideoBytes = 512 * 1024 * 1024

/** The video in this file, by its own bytes; `failed` when it holds none: it was paid by then. `owner`: whose it is, in sentences. Throws what the inspection throws. */
export async function videoIn(
  path: string,
  { inspection, owner, asker }: Pick<FetchedVideo, 'inspection' | 'owner'> & { asker: Asker },
): Promise<OutputFile | Failed> {
  const facts = await inspection.readMedia(path, asker)
  if (!facts?.mediaType.startsWith('video/')) return failedAfterPay('upstream_error', `What came from ${owner} as a video is none.`)
  const { mediaType, width, height, durationSeconds, framesPerSecond, channels } = facts
  return {
    ...{ role: 'video', path, mediaType },
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...(framesPerSecond === undefined ? {} : { framesPerSecond }),
    ...(channels === undefined ? {} : { channels }),
  }
}

/** What of the wanted size and length a video does not keep to; half a second more or less is its container's. */
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
  job: Asker & { scratch: string; signal: AbortSignal }
  /** Of the base URL: the operator named it, so its address may be private. */
  origin: string
  /** Whose video it is, in sentences. */
  owner: string
  /** Largest file, bytes, inclusive. */
  maxBytes: number
  /** What the request calls it: `video`, `watermarked`. */
  role: string
}

/** The video behind a link in the job's scratch folder, with what its header tells; `failed` above `maxBytes`, and for what `videoIn` does not take. Throws as `fetchOutput` does. */
export async function fetchVideo(fetching: FetchedVideo, url: string): Promise<OutputFile | Failed> {
  const { guard, inspection, job, origin, owner, maxBytes, role } = fetching
  const { signal } = job
  const path = join(job.scratch, `${role}.mp4`)
  const title = `The video of ${owner}`
  const fetched = await fetchOutput({ guard, url, title, toFile: path, maxBytes, signal, trustedOrigin: origin })
  if ('state' in fetched) return fetched
  const file = await videoIn(path, { inspection, owner, asker: job })
  return 'state' in file ? file : { ...file, role }
}
