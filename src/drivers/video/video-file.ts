/** A video of a task that has ended upstream, fetched by the link the upstream gave. */
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { readMediaFile } from '@generation-gateway/kit/media/media-header.ts'
import type { Failed, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { fetchOutput } from '../output/fetch-output.ts'
import type { UrlGuard } from '../upstream/url-guard.ts'

export interface FetchedVideo {
  guard: UrlGuard
  job: { scratch: string; signal: AbortSignal }
  /** Of the base URL: the operator named it, so its address may be private. */
  origin: string
  /** Whose video it is, in sentences. */
  owner: string
  /** Largest file, bytes, inclusive. */
  maxBytes: number
  /** What the request calls it: `video`, `watermarked`. */
  role: string
}

/** The video behind a link in the job's scratch folder, with what its header tells; `failed` above `maxBytes`. Throws as `fetchOutput` does, and `upstream_error` for what is no video. */
export async function fetchVideo({ guard, job, origin, owner, maxBytes, role }: FetchedVideo, url: string): Promise<OutputFile | Failed> {
  const path = join(job.scratch, `${role}.mp4`)
  const title = `The video of ${owner}`
  const fetched = await fetchOutput({ guard, url, title, toFile: path, maxBytes, signal: job.signal, trustedOrigin: origin })
  if ('state' in fetched) return fetched
  const facts = await readMediaFile(path)
  if (facts?.width === undefined || facts.durationSeconds === undefined)
    throw new GatewayError('upstream_error', `The link of ${owner} led to something that is no video.`)
  return { ...facts, path, role }
}
