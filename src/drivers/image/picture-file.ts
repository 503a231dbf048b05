/** A picture of a task that has ended upstream, fetched by the link the upstream gave. */
import { join } from 'node:path'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Failed, Job } from '@generation-gateway/kit/requests/job.ts'
import { fetchOutput, type LinkedOutput } from '../output/fetch-output.ts'
import type { UrlGuard } from '../upstream/url-guard.ts'
import { type Picture, readPicture } from './convert-picture.ts'

export type ImageJob = Job<ImageGenerateRequest | ImageEditRequest>

interface Fetching extends Pick<LinkedOutput, 'trustedHeaders' | 'maxRedirects' | 'firstByteMs' | 'idleMs'> {
  guard: UrlGuard
  job: Pick<ImageJob, 'scratch' | 'signal'>
  /** Of the base URL: the operator named it, so its address may be private. */
  origin: string
  /** Whose picture it is, in sentences: `Black Forest Labs`. */
  owner: string
  /** Largest file, bytes, inclusive. */
  maxBytes: number
  /** Name of the file in the job's scratch folder; default `picture`. */
  name?: string
}

/** Downloads the picture into the job's scratch folder. Undefined when what came is no picture. Throws as `fetchOutput` does. */
export async function downloadPicture(fetching: Fetching, url: string): Promise<Picture | Failed | undefined> {
  const { job, origin, owner, name = 'picture', ...rest } = fetching
  const path = join(job.scratch, name)
  const title = `The picture of ${owner}`
  const fetched = await fetchOutput({ ...rest, url, title, toFile: path, signal: job.signal, trustedOrigin: origin })
  return 'state' in fetched ? fetched : readPicture(path)
}

/** JSON numbers are read as doubles: a seed beyond their exact range is the one that was sent when both are the same double. */
export function exactSeed(told: number, sent: string): string {
  return Number(sent) === told ? sent : BigInt(Math.trunc(told)).toString()
}
