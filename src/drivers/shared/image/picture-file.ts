/** Downloads the picture of a finished upstream task from the link that the upstream gave. */
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { RouteSettings } from '@generation-gateway/kit/outbound/outbound.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../failed.ts'
import { fetchOutput, type LinkedOutput } from '../output/fetch-output.ts'
import type { UrlGuard } from '../upstream/url-guard.ts'
import { type Picture, pictureAs, readPicture } from './convert-picture.ts'
import type { ImageJob, ImageRequest } from './image-job.ts'

export interface PictureFetch extends Pick<LinkedOutput, 'trustedHeaders' | 'maxRedirects' | 'firstByteMs' | 'idleMs'> {
  guard: UrlGuard
  inspection: Pick<Inspection, 'convertPicture'>
  job: Pick<ImageJob, 'account' | 'scratch' | 'signal'> & { request: Pick<ImageRequest, 'format'> }
  /** Origin of the base URL. The operator named it, so its address may be private. */
  origin: string
  /** The way of connections to the service. */
  route: RouteSettings
  /** The name in messages of the service that made the picture: `Black Forest Labs`. */
  owner: string
  /** Largest file, bytes, inclusive. */
  maxBytes: number
  /** Name of the file in the job's scratch folder. Default: `picture`. */
  name?: string
}

/** A download without conversion: the caller handles the format. */
interface Download extends Omit<PictureFetch, 'job' | 'inspection'> {
  job: Pick<ImageJob, 'scratch' | 'signal'>
}

/** Downloads the picture behind a link into the job's scratch folder, in the format that the job
 *  requests. Returns `failed` as `pictureAs` does; throws as `fetchOutput` does. */
export async function fetchPicture(fetching: PictureFetch, url: string): Promise<Picture | Failed> {
  const { inspection, owner, job } = fetching
  const { signal, account, request } = job
  return pictureAs({ inspection, format: request.format, owner, signal, account }, await downloadPicture(fetching, url))
}

/** Downloads the picture behind a link without converting it. Undefined when the file is not a
 *  picture. Throws as `fetchOutput` does. */
export async function downloadPicture(fetching: Download, url: string): Promise<Picture | Failed | undefined> {
  const { job, origin, owner, name = 'picture', ...rest } = fetching
  const path = join(job.scratch, name)
  const title = `The picture of ${owner}`
  const fetched = await fetchOutput({ ...rest, url, title, toFile: path, signal: job.signal, trustedOrigin: origin })
  return 'state' in fetched ? fetched : readPicture(path)
}

/** Like `fetchPicture`, for a paid picture whose link cannot be renewed: when the download fails,
 *  the job fails and is not sent again. */
export async function fetchOnlyPicture(fetching: PictureFetch, url: string): Promise<Picture | Failed> {
  try {
    return await fetchPicture(fetching, url)
  } catch (error) {
    if (error instanceof GatewayError && (error.code === 'upstream_error' || error.code === 'upstream_timeout'))
      return failedAfterPay(error.code, error.message)
    throw error
  }
}

/** Returns the exact seed, as decimal digits. JSON numbers are read as doubles, so a reported seed
 *  beyond their exact range counts as the sent one when both are the same double. */
export function exactSeed(reported: number, sent: string): string {
  return Number(sent) === reported ? sent : BigInt(Math.trunc(reported)).toString()
}
