import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '../../core/errors.ts'
import { readImageFile } from '../../core/media/image-header.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageResult } from '../../core/requests/image.ts'
import type { Job, Outcome } from '../../core/requests/job.ts'
import type { UrlGuard } from '../url-guard.ts'
import { failureOf, type ReadyPicture } from './task-answer.ts'

interface Fetching {
  guard: UrlGuard
  job: Job<ImageGenerateRequest | ImageEditRequest>
  /** Of the base URL: the operator named it, so its address may be private. */
  origin: string
}

/** Four bytes for each of the 4,194,304 pixels of the largest picture, and three times as much again for what a format adds. */
const maxPictureBytes = 64 * 1024 * 1024
const downloadMs = 5 * 60_000

/** Downloads the picture into the job's scratch folder; no credential goes along. What it is, its own bytes say.
 *  Throws `upstream_error` when the link gives no picture: it may have expired, or its host has a bad moment. */
export async function fetchPicture({ guard, job, origin }: Fetching, picture: ReadyPicture): Promise<Outcome> {
  const { request, scratch, signal } = job
  const path = join(scratch, 'picture')
  await rm(path, { force: true })
  try {
    const limits = { maxBytes: maxPictureBytes, timeoutMs: downloadMs, trustedOrigin: origin, field: 'result.sample' }
    await guard.download(picture.url, { toFile: path, signal, ...limits })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    if (error.code === 'payload_too_large')
      return failureOf('upstream_error', `The picture of Black Forest Labs has more than ${maxPictureBytes} bytes.`)
    if (error.code !== 'invalid_request') throw error
    throw new GatewayError('upstream_error', 'The picture could not be downloaded from Black Forest Labs.', { cause: error })
  }
  const header = await readImageFile(path)
  if (header === undefined) throw new GatewayError('upstream_error', 'The link of Black Forest Labs led to something that is no picture.')
  const { mediaType, width, height } = header
  if (mediaType !== `image/${request.format}`)
    return failureOf(
      'upstream_error',
      `Black Forest Labs gave a picture of the type ${mediaType} where image/${request.format} was asked for.`,
    )
  const report: ImageResult = { seed: seedOf(picture.seed, request.seed), prompt: picture.prompt ?? request.prompt, notDrawn: [] }
  return {
    state: 'done',
    files: [{ path, mediaType, width, height }],
    report,
    usage: [
      { unit: 'images', units: 1 },
      { unit: 'pixels', units: width * height },
    ],
  }
}

/** JSON numbers are read as doubles: a seed beyond their exact range is the one that was sent when both are the same double. */
function seedOf(told: number | undefined, sent: string): string {
  return told === undefined || Number(sent) === told ? sent : BigInt(Math.trunc(told)).toString()
}
