/** Edits the pixels of a region of a picture. */
import type { Painters } from '../edit/painters.ts'
import { editImage } from '../edit/pixel-edits.ts'
import type { Edit } from '../language/edit-types.ts'
import { drawLettering } from '../style/lettering.ts'
import type { Pixels } from '../style/pixels.ts'
import type { Region } from './region.ts'

const ofWholePictures: ReadonlySet<Edit['kind']> = new Set(['crop', 'rotate', 'flip', 'border', 'camera', 'count', 'move', 'resize'])

/** Applies the edits to the whole picture; the caller then copies only the region from the result.
 *  Lettering is placed inside the region. An edit that would move or reshape the whole picture
 *  (crop, rotate, border ...) is not applied, and `failed` gives the reason. */
export async function editInside(
  pixels: Pixels,
  edits: readonly Edit[],
  { region, seed, painters }: { region: Region; seed: string; painters: Painters },
): Promise<{ pixels: Pixels; failed: string[] }> {
  let current = pixels
  const failed: string[] = []
  for (const [k, edit] of edits.entries()) {
    if (ofWholePictures.has(edit.kind)) {
      failed.push('A region of a picture keeps its place and size: what is there can be redrawn, recoloured or removed.')
      continue
    }
    if (edit.kind === 'text' && edit.on === undefined) {
      const { x, y, width, height } = region.box
      const within = { x: x + width * 0.06, y: y + height * 0.06, width: width * 0.88, height: height * 0.88 }
      current = drawLettering(current, edit.lettering, within)
      continue
    }
    const edited = await editImage(current, [edit], `${seed}/inside${k}`, painters)
    failed.push(...edited.failed.map(({ reason }) => reason))
    current = edited.image
  }
  return { pixels: current, failed }
}
