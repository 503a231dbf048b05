/** Converts pictures to frames of a video, in the video's exact size. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError, UnsafeFileError } from '@generation-gateway/kit/errors.ts'
import { readImageFile } from '@generation-gateway/kit/media/image-header.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { InspectionCaller } from '@generation-gateway/kit/media/inspection-caller.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'

type FrameSize = Pick<VideoGenerateRequest, 'width' | 'height' | 'fit'>

/** Returns true when the picture must be resized. */
export function isOtherSize(picture: Pick<InputFile, 'width' | 'height'>, { width, height }: Pick<FrameSize, 'width' | 'height'>): boolean {
  return picture.width !== width || picture.height !== height
}

/** Returns the picture as a PNG in the size of the video: with a black border (`pad`), or with two
 *  of its sides cropped (`crop`). A picture that already has that size and no rotation is returned
 *  unchanged. Throws `disk_full`, `invalid_input_file` for a picture that cannot be decoded, and
 *  the errors of the inspection. */
export async function frameOf(
  picture: InputFile,
  { request: { width, height, fit }, scratch, signal, account }: InspectionCaller & { request: FrameSize; scratch: string },
  inspection: Pick<Inspection, 'fitFrame'>,
): Promise<InputFile> {
  const header = await readImageFile(picture.path)
  // A rotated picture is converted even in the right size, because services read the stored pixels
  // and ignore the orientation tag.
  const isUpright = (header?.orientation ?? 1) === 1
  if (isUpright && !isOtherSize(picture, { width, height })) return picture
  const target = join(scratch, `${picture.role}.png`)
  const work = { source: picture.path, target, width, height, fit: fit === 'crop' ? 'cover' : 'contain', signal, account } as const
  const isDone = await inspection.fitFrame(work).catch(error => {
    // An unsafe file is the caller's fault: it is reported below as `invalid_input_file` instead of
    // a failure of the target.
    if (error instanceof UnsafeFileError) return false
    throw error
  })
  if (!isDone) throw new GatewayError('invalid_input_file', `${picture.role}: the picture cannot be decoded.`, { field: picture.role })
  return { ...picture, path: target, mediaType: 'image/png', width, height, bytes: (await stat(target)).size }
}
