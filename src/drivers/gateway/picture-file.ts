import type { Outcome } from '@generation-gateway/kit/requests/job.ts'
import { pictureAs } from '../image/convert-picture.ts'
import { drawn } from '../image/drawn-pictures.ts'
import { downloadPicture, exactSeed, type ImageJob } from '../image/picture-file.ts'
import type { UrlGuard } from '../upstream/url-guard.ts'
import type { ReadyPicture } from './task-answer.ts'

/** Four bytes for each of the 16,777,216 pixels F1 allows, and as much again for what a format adds. */
const maxBytes = 128 * 1024 * 1024
const owner = 'the other gateway'

/** The picture as the job's outcome. Throws as `downloadPicture` does. */
export async function fetchPicture(
  { guard, job, origin }: { guard: UrlGuard; job: ImageJob; origin: string },
  picture: ReadyPicture,
): Promise<Outcome> {
  const { request } = job
  const file = await pictureAs(request.format, owner, await downloadPicture({ guard, job, origin, owner, maxBytes }, picture.url))
  if ('state' in file) return file
  const { prompt, notDrawn, notFollowed } = picture
  return drawn([file], { seed: exactSeed(picture.seed, request.seed), prompt, notDrawn, notFollowed })
}
