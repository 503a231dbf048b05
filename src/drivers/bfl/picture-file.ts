import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageResult } from '@generation-gateway/kit/requests/image.ts'
import type { Outcome } from '@generation-gateway/kit/requests/job.ts'
import { pictureAs } from '../image/convert-picture.ts'
import { drawn } from '../image/drawn-pictures.ts'
import { downloadPicture, exactSeed, type ImageJob } from '../image/picture-file.ts'
import type { UrlGuard } from '../upstream/url-guard.ts'
import type { ReadyPicture } from './task-answer.ts'

/** Four bytes for each of the 4,194,304 pixels of the largest picture, and three times as much again for what a format adds. */
const maxBytes = 64 * 1024 * 1024
const owner = 'Black Forest Labs'

/** The picture as the job's outcome. Throws as `downloadPicture` does, and `upstream_error` for what is no picture: its host has a bad moment. */
export async function fetchPicture(
  { guard, job, origin }: { guard: UrlGuard; job: ImageJob; origin: string },
  picture: ReadyPicture,
): Promise<Outcome> {
  const { request } = job
  const fetched = await downloadPicture({ guard, job, origin, owner, maxBytes }, picture.url)
  if (fetched === undefined) throw new GatewayError('upstream_error', `The link of ${owner} led to something that is no picture.`)
  const file = await pictureAs(request.format, owner, fetched)
  if ('state' in file) return file
  const report: ImageResult = {
    seed: picture.seed === undefined ? request.seed : exactSeed(picture.seed, request.seed),
    prompt: picture.prompt ?? request.prompt,
    notDrawn: [],
  }
  return drawn([file], report)
}
