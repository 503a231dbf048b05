/** Detects a human face in a picture. */
import sharp from 'sharp'
import type { Pixels } from '../style/pixels.ts'
import { type FaceNetwork, openFaceNetwork } from './network.ts'

/** Sides in pixels to which a picture is scaled for the search: small ones for a face that fills
 *  the picture, large ones for a face of an eighth of it. Other things rarely look like a face in
 *  all of these sizes. */
const sides = [160, 224, 288, 416] as const
/** Least score of a detection for it to be considered. */
const least = 0.1
/** Least mean score at which a picture counts as showing a face; source of the value:
 *  docs/decisions/0025-video.md. */
const faceFrom = 0.43

let network: Promise<FaceNetwork> | undefined

/** Returns true when a picture shows a human face, from the front or slightly turned, in a
 *  photograph or a drawn portrait. Takes a quarter of a second on one core; the first call opens
 *  the network. Meant for an engine's child process. */
export async function hasFace(picture: Pixels): Promise<boolean> {
  return (await faceScore(picture)) >= faceFrom
}

/** Returns the mean of the best scores in each size, without the lowest one, 0 to 1: the smallest
 *  size may miss a small face, and the largest a very large one. */
async function faceScore(picture: Pixels): Promise<number> {
  network ??= openFaceNetwork()
  const { run } = await network
  const scores: number[] = []
  for (const side of sides) scores.push((await run(await squareOf(picture, side), side, least))[0]?.score ?? 0)
  const sum = scores.reduce((all, score) => all + score, 0) - Math.min(...scores)
  return sum / (scores.length - 1)
}

/** Returns the whole picture within a square of the network's mean colour; transparent parts become
 *  white. */
async function squareOf({ data, width, height }: Pixels, side: number): Promise<Uint8Array> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return sharp(bytes, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .resize(side, side, { fit: 'contain', background: '#757361', kernel: 'linear' })
    .raw()
    .toBuffer()
}
