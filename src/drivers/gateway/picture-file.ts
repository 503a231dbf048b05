import type { Outcome } from '../../core/requests/job.ts'
import { failed } from '../failed.ts'
import { downloadPicture, exactSeed, type ImageJob } from '../picture-file.ts'
import type { UrlGuard } from '../url-guard.ts'
import type { ReadyPicture } from './task-answer.ts'

/** Four bytes for each of the 16,777,216 pixels F1 allows, and as much again for what a format adds. */
const maxBytes = 128 * 1024 * 1024
const owner = 'the other gateway'

/** The picture as the job's outcome. Throws `upstream_error` when the link does not work. */
export async function fetchPicture(
  { guard, job, origin }: { guard: UrlGuard; job: ImageJob; origin: string },
  picture: ReadyPicture,
): Promise<Outcome> {
  const { request } = job
  const file = await downloadPicture({ guard, job, origin, owner, maxBytes }, picture.url)
  if (file !== undefined && 'state' in file) return file
  if (file?.mediaType !== `image/${request.format}`) {
    const found = file === undefined ? 'something that is no picture' : `a picture of the type ${file.mediaType}`
    return failed('upstream_error', `The other gateway gave ${found} where image/${request.format} was asked for.`)
  }
  return {
    state: 'done',
    files: [file],
    report: { seed: exactSeed(picture.seed, request.seed), prompt: picture.prompt, notDrawn: picture.notDrawn },
    usage: [
      { unit: 'images', units: 1 },
      { unit: 'pixels', units: file.width * file.height },
    ],
  }
}
