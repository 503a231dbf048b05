import { GatewayError } from '../../core/errors.ts'
import type { ImageResult } from '../../core/requests/image.ts'
import type { Outcome } from '../../core/requests/job.ts'
import { failed } from '../failed.ts'
import { downloadPicture, exactSeed, type ImageJob } from '../picture-file.ts'
import type { UrlGuard } from '../url-guard.ts'
import type { ReadyPicture } from './task-answer.ts'

/** Four bytes for each of the 4,194,304 pixels of the largest picture, and three times as much again for what a format adds. */
const maxBytes = 64 * 1024 * 1024
const owner = 'Black Forest Labs'

/** The picture as the job's outcome. Throws `upstream_error` when the link gives no picture: it may have expired, or its host has a bad moment. */
export async function fetchPicture(
  { guard, job, origin }: { guard: UrlGuard; job: ImageJob; origin: string },
  picture: ReadyPicture,
): Promise<Outcome> {
  const { request } = job
  const file = await downloadPicture({ guard, job, origin, owner, maxBytes }, picture.url)
  if (file === undefined) throw new GatewayError('upstream_error', `The link of ${owner} led to something that is no picture.`)
  if ('state' in file) return file
  if (file.mediaType !== `image/${request.format}`)
    return failed('upstream_error', `${owner} gave a picture of the type ${file.mediaType} where image/${request.format} was asked for.`)
  const report: ImageResult = {
    seed: picture.seed === undefined ? request.seed : exactSeed(picture.seed, request.seed),
    prompt: picture.prompt ?? request.prompt,
    notDrawn: [],
  }
  return {
    state: 'done',
    files: [file],
    report,
    usage: [
      { unit: 'images', units: 1 },
      { unit: 'pixels', units: file.width * file.height },
    ],
  }
}
