/** Whether a picture shows a human face. */
import sharp from 'sharp'
import type { Pixels } from '../style/pixels.ts'
import { type FaceNetwork, openFaceNetwork } from './network.ts'

/** A picture is looked at in several sizes, pixels of a side: in small for faces that fill it,
 *  in large for those that are an eighth of it. What is no face seldom looks like one in all of
 *  them. */
const sides = [160, 224, 288, 416] as const
/** What a look has to be sure of at least, to count. */
const least = 0.1
/** From this score on it is a face; how it was chosen: docs/decisions/0025-video.md. */
const faceFrom = 0.43

let network: Promise<FaceNetwork> | undefined

/** Whether a human face is seen: one of a photograph or a portrait, from the front or turned a
 *  little. A quarter of a second of one core; the first call opens the network. Meant for an
 *  engine's child process. */
export async function hasFace(picture: Pixels): Promise<boolean> {
  return (await faceScore(picture)) >= faceFrom
}

/** How sure the looks are of their surest faces on average, the worst look left out: the
 *  smallest one does not see a small face, nor the largest a very large one. 0 to 1. */
async function faceScore(picture: Pixels): Promise<number> {
  network ??= openFaceNetwork()
  const { run } = await network
  const scores: number[] = []
  for (const side of sides) scores.push((await run(await squareOf(picture, side), side, least))[0]?.score ?? 0)
  const sum = scores.reduce((all, score) => all + score, 0) - Math.min(...scores)
  return sum / (scores.length - 1)
}

/** The whole picture in a square of the network's mean colour, see-through parts on white. */
async function squareOf({ data, width, height }: Pixels, side: number): Promise<Uint8Array> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return sharp(bytes, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .resize(side, side, { fit: 'contain', background: '#757361', kernel: 'linear' })
    .raw()
    .toBuffer()
}
