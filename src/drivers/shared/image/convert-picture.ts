/** Pictures that upstreams have made, as files of the format that was asked for. */
import { randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import type { Asker } from '@generation-gateway/kit/media/asker.ts'
import { readImageFile, shownSize } from '@generation-gateway/kit/media/image-header.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { ImageFormat } from '@generation-gateway/kit/requests/image.ts'
import type { Failed, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../failed.ts'

export type Picture = OutputFile & { width: number; height: number }

/** Four times what F1 allows, since workflows enlarge. So many took 8 s to JPEG and 16 s to PNG on a shared core. */
const mostPixels = 2 ** 26

/** The picture in this file, by its own bytes, upright; undefined when it holds none. Throws what the file system throws. */
export async function readPicture(path: string): Promise<Picture | undefined> {
  const header = await readImageFile(path)
  return header && { path, mediaType: header.mediaType, ...shownSize(header) }
}

export interface Conversion extends Asker {
  inspection: Pick<Inspection, 'convertPicture'>
  format: ImageFormat
  /** Whose picture it is, in sentences. */
  owner: string
}

/** The very picture when it has the format that was asked for, else a converted one in its place (`<path>.<format>`): upright, sRGB, without metadata,
 *  on white where a JPEG cannot be transparent; of an animation the first frame. Undefined is what is no picture.
 *  `failed` for that, for what cannot be decoded and above 2^26 pixels: it was paid by then. Throws `disk_full` and what the inspection throws. */
export async function pictureAs(conversion: Conversion, found: Picture | Failed | undefined): Promise<Picture | Failed> {
  const { format, owner } = conversion
  if (found === undefined) return failedAfterPay('upstream_error', `What came from ${owner} as a picture is none.`)
  return 'state' in found || found.mediaType === `image/${format}` ? found : converted(found, conversion)
}

async function converted(
  { path, mediaType, width, height }: Picture,
  { inspection, format, owner, signal, account }: Conversion,
): Promise<Picture | Failed> {
  const what = `The picture of ${owner} (${mediaType}, ${width}x${height})`
  if (width * height > mostPixels)
    return failedAfterPay('upstream_error', `${what} is too large to be converted to image/${format}; at most ${mostPixels} pixels.`)
  // libvips remembers pictures by the names of their files, and a later look at the same task writes this name anew.
  const source = `${path}.${randomUUID()}`
  await rename(path, source)
  const target = `${path}.${format}`
  const size = await inspection.convertPicture({ source, target, format, signal, account })
  if (size) return { path: target, mediaType: `image/${format}`, ...size }
  return failedAfterPay(
    'upstream_error',
    `${what} cannot be converted to image/${format}: it is damaged, or of a kind that is not decoded.`,
  )
}
