/** The one picture of a task that has ended upstream, fetched by the link the upstream gave. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '../core/errors.ts'
import { readImageFile } from '../core/media/image-header.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '../core/requests/image.ts'
import type { Failed, Job, OutputFile } from '../core/requests/job.ts'
import { failed } from './failed.ts'
import type { UrlGuard } from './url-guard.ts'

export type ImageJob = Job<ImageGenerateRequest | ImageEditRequest>

interface Fetching {
  guard: UrlGuard
  job: ImageJob
  /** Of the base URL: the operator named it, so its address may be private. */
  origin: string
  /** Whose picture it is, in sentences: `Black Forest Labs`. */
  owner: string
  /** Largest file, bytes, inclusive. */
  maxBytes: number
}

type Picture = OutputFile & { width: number; height: number }

const downloadMs = 5 * 60_000

/** Downloads the picture into the job's scratch folder; no credential goes along. Undefined when what came is no picture.
 *  Throws `upstream_error` when the link does not work: it may have expired, or its host has a bad moment. */
export async function downloadPicture(
  { guard, job, origin, owner, maxBytes }: Fetching,
  url: string,
): Promise<Picture | Failed | undefined> {
  const path = join(job.scratch, 'picture')
  await rm(path, { force: true })
  try {
    await guard.download(url, {
      toFile: path,
      signal: job.signal,
      maxBytes,
      timeoutMs: downloadMs,
      trustedOrigin: origin,
      field: 'result.sample',
    })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    if (error.code === 'payload_too_large') return failed('upstream_error', `The picture of ${owner} has more than ${maxBytes} bytes.`)
    if (error.code !== 'invalid_request') throw error
    throw new GatewayError('upstream_error', `The picture could not be downloaded from ${owner}.`, { cause: error })
  }
  // What it is, its own bytes say.
  const header = await readImageFile(path)
  return header && { path, mediaType: header.mediaType, width: header.width, height: header.height }
}

/** JSON numbers are read as doubles: a seed beyond their exact range is the one that was sent when both are the same double. */
export function exactSeed(told: number, sent: string): string {
  return Number(sent) === told ? sent : BigInt(Math.trunc(told)).toString()
}
