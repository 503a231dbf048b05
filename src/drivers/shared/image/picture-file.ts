/** A picture of a task that has ended upstream, fetched by the link the upstream gave. */
import { join } from 'node:path'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { Failed, Outcome, Running } from '@generation-gateway/kit/requests/job.ts'
import { fetchOutput, isLinkGone, type LinkedOutput } from '../output/fetch-output.ts'
import type { UrlGuard } from '../upstream/url-guard.ts'
import { type Picture, pictureAs, readPicture } from './convert-picture.ts'
import type { ImageJob, ImageRequest } from './image-job.ts'

export interface Fetching extends Pick<LinkedOutput, 'trustedHeaders' | 'maxRedirects' | 'firstByteMs' | 'idleMs'> {
  guard: UrlGuard
  inspection: Pick<Inspection, 'convertPicture'>
  job: Pick<ImageJob, 'account' | 'scratch' | 'signal'> & { request: Pick<ImageRequest, 'format'> }
  /** Of the base URL: the operator named it, so its address may be private. */
  origin: string
  /** Whose picture it is, in sentences: `Black Forest Labs`. */
  owner: string
  /** Largest file, bytes, inclusive. */
  maxBytes: number
  /** Name of the file in the job's scratch folder; default `picture`. */
  name?: string
}

/** The format is the caller's affair. */
interface Download extends Omit<Fetching, 'job' | 'inspection'> {
  job: Pick<ImageJob, 'scratch' | 'signal'>
}

/** The picture behind a link, in the format that the job asks for, in its scratch folder; `failed` as `pictureAs` says. Throws as `fetchOutput` does. */
export async function fetchPicture(fetching: Fetching, url: string): Promise<Picture | Failed> {
  const { inspection, owner, job } = fetching
  const { signal, account, request } = job
  return pictureAs({ inspection, format: request.format, owner, signal, account }, await downloadPicture(fetching, url))
}

/** The very picture behind a link. Undefined when what came is no picture. Throws as `fetchOutput` does. */
export async function downloadPicture(fetching: Download, url: string): Promise<Picture | Failed | undefined> {
  const { job, origin, owner, name = 'picture', ...rest } = fetching
  const path = join(job.scratch, name)
  const title = `The picture of ${owner}`
  const fetched = await fetchOutput({ ...rest, url, title, toFile: path, signal: job.signal, trustedOrigin: origin })
  return 'state' in fetched ? fetched : readPicture(path)
}

/** What is seen of a task that draws one picture. */
export type SeenTask<Ready> = Running | Failed | { state: 'ready'; picture: Ready }

/** One look at a task, with its picture once that is ready. A link may have expired since it was signed: then a second look gives a fresh one. */
export async function lookAndFetch<Ready>(
  look: () => Promise<SeenTask<Ready>>,
  fetch: (picture: Ready) => Promise<Outcome>,
): Promise<Running | Outcome> {
  let broken: unknown
  for (let tries = 0; tries < 2; tries++) {
    const seen = await look()
    if (seen.state !== 'ready') return seen
    try {
      return await fetch(seen.picture)
    } catch (error) {
      if (!isLinkGone(error)) throw error
      broken = error
    }
  }
  throw broken
}

/** JSON numbers are read as doubles: a seed beyond their exact range is the one that was sent when both are the same double. */
export function exactSeed(told: number, sent: string): string {
  return Number(sent) === told ? sent : BigInt(Math.trunc(told)).toString()
}
