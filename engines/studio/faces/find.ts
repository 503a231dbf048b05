/** Whether a picture shows a human face. */
import sharp from 'sharp'
import type { Pixels } from '../style/pixels.ts'
import { type Face, type FaceNetwork, openFaceNetwork } from './network.ts'

/** How a picture is looked at: in small for faces that fill it, in large for those that are a tenth of it; in a mirror, because what is no face seldom looks like one twice. */
const looks = [
  { side: 224, isMirrored: false },
  { side: 224, isMirrored: true },
  { side: 288, isMirrored: false },
  { side: 320, isMirrored: true },
  { side: 416, isMirrored: false },
] as const
/** What a look has to be sure of at least, to count. */
const least = 0.1
/** From this score on it is a face; how it was chosen: docs/decisions/0025-video.md. */
const faceFrom = 0.4

let network: Promise<FaceNetwork> | undefined

/** Whether a human face is seen. About 0.4 s of one core; the first call opens the network. Meant for an engine's child process. */
export async function hasFace(picture: Pixels): Promise<boolean> {
  return (await faceScore(picture)) >= faceFrom
}

/** How sure the looks are together of the surest face, 0 to 1. */
export async function faceScore(picture: Pixels): Promise<number> {
  network ??= openFaceNetwork()
  const { run } = await network
  const seen: Face[][] = []
  for (const { side, isMirrored } of looks) {
    const faces = await run(await squareOf(picture, side, isMirrored), side, least)
    seen.push(isMirrored ? faces.map(face => ({ ...face, x: 1 - face.x })) : faces)
  }
  return Math.max(0, ...seen.flat().map(face => together(face, seen)))
}

/** The mean of what the three surest looks say of this place. */
function together(face: Face, seen: readonly (readonly Face[])[]): number {
  const scores = seen.map(faces => faces.find(other => isSamePlace(face, other))?.score ?? 0)
  const surest = scores.sort((a, b) => b - a).slice(0, 3)
  return surest.reduce((sum, score) => sum + score, 0) / surest.length
}

function isSamePlace(a: Face, b: Face): boolean {
  const size = (a.width + b.width) / 2
  return Math.hypot(a.x - b.x, a.y - b.y) < size / 2 && Math.max(a.width, b.width) < 2 * Math.min(a.width, b.width)
}

/** The whole picture in a square of the network's mean colour, see-through parts on white. */
async function squareOf({ data, width, height }: Pixels, side: number, isMirrored: boolean): Promise<Uint8Array> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return sharp(bytes, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .flop(isMirrored)
    .resize(side, side, { fit: 'contain', background: '#757361', kernel: 'linear' })
    .raw()
    .toBuffer()
}
