import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '../../core/errors.ts'
import { readImageFile } from '../../core/media/image-header.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '../../core/requests/image.ts'
import type { Job, Outcome } from '../../core/requests/job.ts'
import type { UrlGuard } from '../url-guard.ts'
import { failureOf, type ReadyPicture } from './task-answer.ts'

interface Fetching {
  guard: UrlGuard
  job: Job<ImageGenerateRequest | ImageEditRequest>
  /** Of the other gateway: the operator named it, so its address may be private. */
  origin: string
}

/** Four bytes for each of the 16,777,216 pixels F1 allows, and as much again for what a format adds. */
const maxPictureBytes = 128 * 1024 * 1024
const downloadMs = 5 * 60_000

/** Downloads the picture into the job's scratch folder; no credential goes along. What it is, its own bytes say.
 *  Throws `upstream_error` when the link does not work. */
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
      return failureOf('upstream_error', `The picture of the other gateway has more than ${maxPictureBytes} bytes.`)
    if (error.code !== 'invalid_request') throw error
    throw new GatewayError('upstream_error', 'The picture could not be downloaded from the other gateway.', { cause: error })
  }
  const header = await readImageFile(path)
  if (header?.mediaType !== `image/${request.format}`) {
    const found = header === undefined ? 'something that is no picture' : `a picture of the type ${header.mediaType}`
    return failureOf('upstream_error', `The other gateway gave ${found} where image/${request.format} was asked for.`)
  }
  const { mediaType, width, height } = header
  return {
    state: 'done',
    files: [{ path, mediaType, width, height }],
    report: { seed: exactSeed(picture.seed, request.seed), prompt: picture.prompt, notDrawn: picture.notDrawn },
    usage: [
      { unit: 'images', units: 1 },
      { unit: 'pixels', units: width * height },
    ],
  }
}

/** JSON numbers are read as doubles: a seed beyond their exact range is the one that was sent when both are the same double. */
function exactSeed(told: number, sent: string): string {
  return Number(sent) === told ? sent : BigInt(Math.trunc(told)).toString()
}
