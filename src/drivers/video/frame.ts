/** Pictures that are a frame of a video, in its very size. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import sharp from 'sharp'
import { fileFailure } from '../upstream/url-failures.ts'

type Wanted = Pick<VideoGenerateRequest, 'width' | 'height' | 'fit'>

/** Whether the picture has to be made another size. */
export function isOtherSize(picture: Pick<InputFile, 'width' | 'height'>, { width, height }: Wanted): boolean {
  return picture.width !== width || picture.height !== height
}

/** The picture in the size of the video as PNG: with a black border (`pad`), or cut at two sides (`crop`). Itself where it has that size. Throws `disk_full`, `invalid_input_file` for a picture that cannot be decoded. */
export async function frameOf(picture: InputFile, wanted: Wanted, scratch: string): Promise<InputFile> {
  if (!isOtherSize(picture, wanted)) return picture
  const { width, height, fit } = wanted
  const path = join(scratch, `${picture.role}.png`)
  try {
    await sharp(picture.path)
      .autoOrient()
      .resize(width, height, { fit: fit === 'crop' ? 'cover' : 'contain', background: 'black' })
      .flatten({ background: 'black' })
      .png({ adaptiveFiltering: true })
      .toFile(path)
  } catch (error) {
    const failure = fileFailure(error)
    throw failure.code === 'disk_full' ? failure : undecoded(picture, error)
  }
  return { ...picture, path, mediaType: 'image/png', width, height, bytes: (await stat(path)).size }
}

function undecoded({ role }: InputFile, cause: unknown): GatewayError {
  return new GatewayError('invalid_input_file', `${role}: the picture cannot be decoded.`, { field: role, cause })
}
