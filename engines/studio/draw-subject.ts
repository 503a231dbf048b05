import { backdropScene } from './edit/backdrop.ts'
import { createRandom } from './random.ts'
import type { Subject } from './scene.ts'
import type { Pixels } from './style/pixels.ts'
import { boundsHeight } from './subjects/artwork.ts'
import { artworksOf } from './subjects/artworks.ts'
import { studioArt } from './subjects/drawable.ts'
import { applyLooks } from './subjects/looks.ts'
import { tileOf } from './subjects/tile.ts'

/** Draws one subject on a transparent background, cropped to its outline, about `height` pixels
 *  high, without the light of a scene. Undefined when nothing was drawn. Equal subject, height and
 *  seed give equal pixels. */
export async function drawSubject(subject: Subject, height: number, seed: string): Promise<Pixels | undefined> {
  const empty = backdropScene({ kind: 'backdrop', words: '', details: [] }, seed)
  // With a closer framing, the layout would show people only from the waist up.
  const camera = { ...empty.camera, framing: 'full' as const }
  const scene = { ...empty, camera, subjects: [{ ...subject, count: 1, relations: [] }] }
  const [drawing] = artworksOf({ catalogue: studioArt(), scene, random: createRandom(seed) })
  if (!drawing) return undefined
  const plain = await drawing.artwork.render(Math.max(1, height) / boundsHeight(drawing.artwork.bounds))
  const canvas = applyLooks(plain, subject, await tileOf(subject))
  return trimmed({ data: new Uint8ClampedArray(canvas.data()), width: canvas.width, height: canvas.height })
}

/** Returns the pixels without transparent rows and columns at the edges; undefined when all are
 *  transparent. An alpha below 8 counts as transparent. */
function trimmed({ data, width, height }: Pixels): Pixels | undefined {
  let left = width
  let right = -1
  let top = height
  let bottom = -1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[(y * width + x) * 4 + 3] ?? 0) < 8) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  if (right < left) return undefined
  const outWidth = right - left + 1
  const out = new Uint8ClampedArray(outWidth * (bottom - top + 1) * 4)
  for (let y = top; y <= bottom; y++) out.set(data.subarray((y * width + left) * 4, (y * width + right + 1) * 4), (y - top) * outWidth * 4)
  return { data: out, width: outWidth, height: bottom - top + 1 }
}
