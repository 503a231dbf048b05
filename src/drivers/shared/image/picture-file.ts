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
  /** Origin of the target's base URL. The operator configured it, so a private address is allowed
   *  there. */
  origin: string
  /** Proxy, certificates and time limit for connections to the service. */
  route: RouteSettings
  /** Name of the service that delivered the picture, for messages: `Black Forest Labs`. */
  owner: string
  /** Largest file, bytes, inclusive. */
  maxBytes: number
  /** Name of the file in the job's scratch folder. Default: `picture`. */
  name?: string
}

/** Options of a download without conversion; the caller converts the picture itself. */
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

/** Like `fetchPicture`, but for a picture that is already paid and whose link cannot be renewed.
 *  When the download fails, the job fails for good, so that the paid request is not sent again. */
export async function fetchOnlyPicture(fetching: PictureFetch, url: string): Promise<Picture | Failed> {
  try {
    return await fetchPicture(fetching, url)
  } catch (error) {
    if (error instanceof GatewayError && (error.code === 'upstream_error' || error.code === 'upstream_timeout'))
      return failedAfterPay(error.code, error.message)
    throw error
  }
}

/** Returns the seed that the service used, as exact decimal digits. `JSON.parse` rounds large
 *  numbers to a double, so when the rounded `sent` equals `reported`, the service used `sent`. */
export function exactSeed(reported: number, sent: string): string {
  return Number(sent) === reported ? sent : BigInt(Math.trunc(reported)).toString()
}
