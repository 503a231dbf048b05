/** Pictures that upstreams have made, as files of the format that was asked for. */
import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { readImageFile } from '@generation-gateway/kit/media/image-header.ts'
import type { ImageFormat } from '@generation-gateway/kit/requests/image.ts'
import type { Failed, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import sharp, { type Sharp } from 'sharp'
import { failedAfterPay } from '../failed.ts'
import { fileFailure } from '../upstream/url-failures.ts'

export type Picture = OutputFile & { width: number; height: number }

/** No loss that can be seen, at coloured edges neither. */
const jpegOptions = { quality: 95, chromaSubsampling: '4:4:4' } as const
/** Filters that fit each row: a third fewer bytes of a smooth picture, in a quarter more time. */
const pngOptions = { adaptiveFiltering: true } as const
const webpOptions = { quality: 95 } as const
/** Four times what F1 allows, since workflows enlarge. So many took 8 s to JPEG and 16 s to PNG on a shared core. */
const mostPixels = 2 ** 26

/** The picture in this file, by its own bytes; undefined when it holds none. Throws what the file system throws. */
export async function readPicture(path: string): Promise<Picture | undefined> {
  const header = await readImageFile(path)
  return header && { path, mediaType: header.mediaType, width: header.width, height: header.height }
}

/** The very picture when it has the format that was asked for, else a converted one in its place (`<path>.<format>`): upright, sRGB, without metadata,
 *  on white where a JPEG cannot be transparent; of an animation the first frame. Undefined is what is no picture.
 *  `failed` for that, for what cannot be decoded and above 2^26 pixels: it was paid by then. `owner`: whose picture it is, in sentences.
 *  Throws `disk_full`. Runs to its end once begun: sharp cannot be stopped, and works on a thread of its own. */
export async function pictureAs(format: ImageFormat, owner: string, found: Picture | Failed | undefined): Promise<Picture | Failed> {
  if (found === undefined) return failedAfterPay('upstream_error', `What came from ${owner} as a picture is none.`)
  return 'state' in found || found.mediaType === `image/${format}` ? found : converted(found, format, owner)
}

async function converted({ path, mediaType, width, height }: Picture, format: ImageFormat, owner: string): Promise<Picture | Failed> {
  const what = `The picture of ${owner} (${mediaType}, ${width}x${height})`
  if (width * height > mostPixels)
    return failedAfterPay('upstream_error', `${what} is too large to be converted to image/${format}; at most ${mostPixels} pixels.`)
  // libvips remembers pictures by the names of their files, and a later look at the same task writes this name anew.
  const source = `${path}.${randomUUID()}`
  await rename(path, source)
  let encoded: Awaited<ReturnType<typeof encode>>
  try {
    encoded = await encode(source, format)
  } catch {
    return failedAfterPay(
      'upstream_error',
      `${what} cannot be converted to image/${format}: it is damaged, or of a kind that is not decoded.`,
    )
  }
  const { data, info } = encoded
  const target = `${path}.${format}`
  try {
    await writeFile(target, data, { mode: 0o600 })
  } catch (error) {
    throw fileFailure(error)
  }
  return { path: target, mediaType: `image/${format}`, width: info.width, height: info.height }
}

const encodeAs: Record<ImageFormat, (picture: Sharp) => Sharp> = {
  png: picture => picture.png(pngOptions),
  webp: picture => picture.webp(webpOptions),
  jpeg: picture => picture.flatten({ background: '#ffffff' }).jpeg(jpegOptions),
}

function encode(path: string, format: ImageFormat) {
  const picture = sharp(path, { limitInputPixels: mostPixels, failOn: 'error' }).autoOrient()
  return encodeAs[format](picture).toBuffer({ resolveWithObject: true })
}
