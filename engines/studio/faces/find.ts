/** Detects a human face in a picture. */
import sharp from 'sharp'
import type { Pixels } from '../style/pixels.ts'
import { type FaceNetwork, openFaceNetwork } from './network.ts'

/** Sides in pixels of the sizes in which a picture is searched: small for faces that fill it, large
 *  for those that are an eighth of it. Other things seldom look like a face in all sizes. */
const sides = [160, 224, 288, 416] as const
/** Least score of a detection that counts. */
const least = 0.1
/** Least average score of a face; how it was chosen: docs/decisions/0025-video.md. */
const faceFrom = 0.43

let network: Promise<FaceNetwork> | undefined

/** Returns true when a human face shows: in a photograph or a portrait, from the front or turned a
 *  little. Takes a quarter of a second of one core; the first call opens the network. Meant for an
 *  engine's child process. */
export async function hasFace(picture: Pixels): Promise<boolean> {
  return (await faceScore(picture)) >= faceFrom
}

/** Returns the mean score of the surest face in each size, without the worst size: the smallest
 *  size misses a small face, and the largest a very large one. 0 to 1. */
async function faceScore(picture: Pixels): Promise<number> {
  network ??= openFaceNetwork()
  const { run } = await network
  const scores: number[] = []
  for (const side of sides) scores.push((await run(await squareOf(picture, side), side, least))[0]?.score ?? 0)
  const sum = scores.reduce((all, score) => all + score, 0) - Math.min(...scores)
  return sum / (scores.length - 1)
}

/** Returns the whole picture in a square of the network's mean colour, with transparent parts on
 *  white. */
async function squareOf({ data, width, height }: Pixels, side: number): Promise<Uint8Array> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return sharp(bytes, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .resize(side, side, { fit: 'contain', background: '#757361', kernel: 'linear' })
    .raw()
    .toBuffer()
}
