/** Files of videos that upstreams have made. */
import { readMediaFile } from '@generation-gateway/kit/media/media-header.ts'
import type { Failed, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../failed.ts'

/** Twenty seconds of 4k at 100 Mbit/s, and as much again. */
export const maxVideoBytes = 512 * 1024 * 1024

/** The video in this file, by its own bytes; `failed` when it holds none: it was paid by then. `owner`: whose it is, in sentences. Throws what the file system throws. */
export async function videoIn(path: string, owner: string): Promise<OutputFile | Failed> {
  const facts = await readMediaFile(path)
  if (!facts?.mediaType.startsWith('video/')) return failedAfterPay('upstream_error', `What came from ${owner} as a video is none.`)
  const { mediaType, width, height, durationSeconds, framesPerSecond } = facts
  return {
    ...{ role: 'video', path, mediaType },
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...(framesPerSecond === undefined ? {} : { framesPerSecond }),
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
