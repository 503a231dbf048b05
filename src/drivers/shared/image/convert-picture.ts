/** Converts pictures made by upstreams into the requested format. */
import { randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { readImageFile, shownSize } from '@generation-gateway/kit/media/image-header.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { InspectionCaller } from '@generation-gateway/kit/media/inspection-caller.ts'
import type { ImageFormat } from '@generation-gateway/kit/requests/image.ts'
import type { Failed, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../failed.ts'

export type Picture = OutputFile & { width: number; height: number }

/** Largest number of pixels of a picture that is converted: four times the limit of the
 *  interface F1, because ComfyUI workflows may enlarge pictures. The conversion of a picture of
 *  this size took 8 s to JPEG and 16 s to PNG on a shared core. */
const mostPixels = 2 ** 26

/** Returns the type of the picture in this file, detected from its bytes, and its size as shown
 *  upright; undefined when the file is not a picture. Throws the errors of the file system. */
export async function readPicture(path: string): Promise<Picture | undefined> {
  const header = await readImageFile(path)
  return header && { path, mediaType: header.mediaType, ...shownSize(header) }
}

export interface Conversion extends InspectionCaller {
  inspection: Pick<Inspection, 'convertPicture'>
  format: ImageFormat
  /** Name of the service that delivered the picture, for messages. */
  owner: string
}

/** Returns the picture in the requested format. A picture in another format is converted to
 *  `<path>.<format>`: upright, in sRGB, without metadata. A JPEG gets a white background where the
 *  picture was transparent, and only the first frame of an animation is kept. Returns `failed`,
 *  marked as possibly charged, when `found` is undefined (the file is not a picture), or when the
 *  picture must be converted but cannot be decoded or has more than 2^26 pixels. Throws `disk_full`
 *  and the errors of the inspection. */
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
  // The file is renamed before it is converted. libvips caches pictures by file name, and a later
  // poll of the same task downloads to this name again, so it could return the old picture.
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
