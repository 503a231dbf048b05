import type { Canvas } from '@napi-rs/canvas'
import { createRandom } from '../random.ts'
import type { Subject } from '../scene.ts'
import { boundsHeight } from './artwork.ts'
import { studioArt } from './drawable.ts'
import { drawnArtwork } from './drawn/drawn.ts'
import { emojiArtwork } from './emoji.ts'
import { tileKey } from './looks.ts'

/** Height in pixels at which a tile is rendered. */
const tileHeight = 120

/** Returns the picture of the thing of which the subject is composed, such as a petal for "a tuba
 *  made of petals"; undefined for subjects of ordinary materials. Throws `RangeError` for a thing
 *  without a drawing. */
export async function tileOf(subject: Subject): Promise<Canvas | undefined> {
  const key = tileKey(subject)
  if (key === undefined) return undefined
  const name = key.slice(key.indexOf(':') + 1)
  const artwork = key.startsWith('drawn:')
    ? drawnArtwork(name, { colour: undefined, random: createRandom(name) })
    : emojiArtwork(studioArt(), `noto:${name}`, undefined)
  return artwork.render(tileHeight / boundsHeight(artwork.bounds))
}
