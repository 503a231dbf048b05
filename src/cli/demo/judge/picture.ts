import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { OutputJudge } from '../demo.ts'
import { shown } from './judge.ts'
import { measurePicture, measureSize, type PictureMeasures } from './picture-measures.ts'

interface Size {
  /** Width in pixels. */
  width: number
  height: number
}

/** Largest allowed share of one colour. The largest share in the results drawn in November 2026
 *  was that of a night scene: 28 %. */
const mostOfOneColour = 0.6

/** Returns a check of the result's picture, or of each of its `pictures` when it has several: the
 *  picture can be decoded completely, has this size, and is not mostly one colour. */
export function pictures({ size, count = 1 }: { size?: Size; count?: number } = {}): OutputJudge {
  return async ({ file, pictures: several }, { output }) => {
    const all = several ?? [await readFile(join(output, file))]
    if (all.length !== count) return `There are ${all.length} pictures; ${count} were asked for.`
    for (const [index, bytes] of all.entries()) {
      const complaint = await judgePicture(bytes, size)
      if (complaint !== undefined) return count === 1 ? complaint : `Picture ${index + 1}: ${complaint}`
    }
    return undefined
  }
}

async function judgePicture(bytes: Uint8Array, size?: Size): Promise<string | undefined> {
  let seen: { width: number; height: number; look: PictureMeasures }
  try {
    seen = await measureFile(bytes)
  } catch (error) {
    return `The picture cannot be decoded: ${error instanceof Error ? error.message : error}`
  }
  const { width, height, look } = seen
  if (size && (width !== size.width || height !== size.height))
    return `The picture has ${width}x${height} pixels; ${size.width}x${size.height} were asked for.`
  return isFlat(look) ? `${shown(look.mostOfOneColour * 100)} % of the picture is one colour.` : undefined
}

export function isFlat(preview: PictureMeasures): boolean {
  return preview.mostOfOneColour > mostOfOneColour
}

/** Decodes a picture completely and measures it. Throws sharp's error for data that is not a
 *  picture or is damaged anywhere. */
export async function measureFile(bytes: Uint8Array): Promise<Size & { look: PictureMeasures }> {
  const picture = sharp(bytes, { failOn: 'warning' })
  const { width, height } = await picture.metadata()
  const { width: across, height: down } = measureSize
  const pixels = await picture.resize(across, down, { fit: 'fill' }).flatten({ background: '#ffffff' }).ensureAlpha().raw().toBuffer()
  return { width, height, look: measurePicture(pixels) }
}
