/** Saves finished pictures and builds the outcome of their job. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageEditRequest, ImageFormat, ImageGenerateRequest, ImageResult } from '@generation-gateway/kit/requests/image.ts'
import type { Done } from '@generation-gateway/kit/requests/job.ts'
import { encodePicture } from './encode.ts'
import type { Scene } from './scene.ts'
import type { Pixels } from './style/pixels.ts'
import { drawWatermark } from './watermark.ts'

/** A finished picture. `scene` is set only if the pixels show exactly that scene, without later
 *  edits of pixels. */
export interface Picture {
  file: Done['files'][number]
  /** Copy with a watermark, if requested. */
  copy?: Done['files'][number]
  scene?: Scene
  isMarked?: boolean
  notDrawn: string[]
}

interface SaveOptions {
  format: ImageFormat
  scratch: string
  /** File name without its extension. */
  name: string
  isMarked: boolean
}

/** Writes the file of a picture. */
export async function savePicture(plain: Pixels, { format, scratch, name, isMarked }: SaveOptions): Promise<Done['files'][number]> {
  const pixels = isMarked ? drawWatermark(plain) : plain
  const path = join(scratch, `${name}.${format}`)
  await writeFile(path, await encodePicture(pixels, format), { mode: 0o600 })
  return { path, mediaType: `image/${format}`, width: pixels.width, height: pixels.height }
}

/** Saves a copy of the picture with a watermark, if the request asks for one. */
export async function markedCopy(
  pixels: Pixels,
  { markedCopy: isWanted, format }: ImageGenerateRequest | ImageEditRequest,
  { scratch, index }: { scratch: string; index: number },
): Promise<Pick<Picture, 'copy'>> {
  if (!isWanted) return {}
  return { copy: { ...(await savePicture(pixels, { format, scratch, name: `marked-${index}`, isMarked: true })), role: 'watermarked' } }
}

/** Returns the outcome of a job that requested `count` pictures. When `count` is above 1, the
 *  pictures are not in `files`, because each one has already been reported. When every picture has
 *  a scene, `detail` contains the scenes, so that a later edit can change them. */
export function doneWithPictures(pictures: readonly Picture[], count: number, report: ImageResult): Done {
  const files = pictures.map(({ file }) => file)
  const [{ width = 0, height = 0 } = {}] = files
  const usage: UsageUnits[] = [
    { unit: 'images', units: files.length },
    { unit: 'pixels', units: files.length * width * height },
  ]
  const scenes = pictures.flatMap(({ scene }) => scene ?? [])
  const marked = pictures.some(({ isMarked }) => isMarked) ? { isMarked: true } : {}
  // A `Scene` contains only JSON values, but TypeScript does not accept an interface as
  // `JsonObject`.
  const detail = scenes.length === files.length ? { detail: { scenes, width, height, ...marked } as unknown as JsonObject } : {}
  const copies = pictures.flatMap(({ copy }) => copy ?? [])
  return { state: 'done', files: [...(count > 1 ? [] : files), ...copies], report, ...detail, usage }
}
