/** Detects a human face in a picture. */
import { loadOnce } from '@generation-gateway/kit/load-once.ts'
import sharp from 'sharp'
import type { Pixels } from '../style/pixels.ts'
import { type FaceNetwork, openFaceNetwork } from './network.ts'

/** Sides in pixels to which a picture is scaled for the search. A face that fills the picture is
 *  found in the small sizes, a face of an eighth of the picture in the large ones. All sizes are
 *  tried, because things that are no faces rarely look like one in several sizes. */
const sides = [160, 224, 288, 416] as const
/** Least score (0 to 1) of a detection that the network returns. */
const least = 0.1
/** Least mean score at which a picture counts as showing a face. The value was measured:
 *  docs/decisions/0025-video.md. */
const faceFrom = 0.43

const networks = new Map<'opened', Promise<FaceNetwork>>()

/** Returns true when a picture shows a human face, from the front or slightly turned, in a
 *  photograph or a drawn portrait. Takes a quarter of a second on one core. The first call also
 *  loads the neural network. Meant for an engine's child process. */
export async function hasFace(picture: Pixels): Promise<boolean> {
  return (await faceScore(picture)) >= faceFrom
}

/** Returns how surely the picture shows a face, 0 to 1. Each size gives the score of its best
 *  detection; the result is the mean of these scores without the lowest one. The lowest score is
 *  left out, because the smallest size can miss a small face and the largest size a very large
 *  one. */
async function faceScore(picture: Pixels): Promise<number> {
  const { run } = await loadOnce(networks, 'opened', openFaceNetwork)
  const scores: number[] = []
  for (const side of sides) scores.push((await run(await squareOf(picture, side), side, least))[0]?.score ?? 0)
  const sum = scores.reduce((all, score) => all + score, 0) - Math.min(...scores)
  return sum / (scores.length - 1)
}

/** Returns the picture as a square of `side` x `side` pixels, three bytes each. The picture is
 *  scaled to fit, and the rest of the square has the mean colour of the network's training
 *  pictures. Transparent parts become white. */
async function squareOf({ data, width, height }: Pixels, side: number): Promise<Uint8Array> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return sharp(bytes, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .resize(side, side, { fit: 'contain', background: '#757361', kernel: 'linear' })
    .raw()
    .toBuffer()
}
