/** Combines several pictures by their pixels: cuts subjects out of some of them and pastes these
 *  into another picture, with colours adapted to its light and with a shadow where they stand. */
import type { Rectangle } from '../edit/geometry.ts'
import { boxOf } from '../edit/object-edits.ts'
import { placeSprite } from '../edit/placing.ts'
import { pieceMask } from '../edit/segment.ts'
import { cutOut, pasteSprite } from '../edit/sprite.ts'
import { type EditedRaster, findMask, findPieces, separationOf } from '../edit/work.ts'
import type { BorrowedSubject, ReferencePlan } from '../language/references.ts'
import { createRandom } from '../random.ts'
import type { Subject } from '../scene.ts'
import type { Raster } from '../style/pixels.ts'
import { isPrint, type TargetReader } from './compose-scenes.ts'

interface PixelComposition {
  raster: Raster
  failed: string[]
  /** Number of things that were pasted. */
  done: number
}

interface CompositionTools {
  readTarget: TargetReader
  /** Returns the catalogue's subject for these words. The subject's height and habitat decide how
   *  large the pasted thing is, and whether the thing stands, floats or flies. */
  kindOf(words: string): Subject | undefined
  /** Rasters of the things whose picture this engine drew itself, by thing. Each was drawn again
   *  without its surroundings, which is more precise than cutting it out of the picture. */
  drawn: ReadonlyMap<BorrowedSubject, Raster>
  /** Returns the box of the named thing in the target picture; known only when this engine drew
   *  that picture. */
  boxInPlace(host: number, words: string): Rectangle | undefined
  seed: string
}

/** Returns the target picture with the things of the other pictures pasted into it. `rasters` holds
 *  the pictures in the order of the request. */
export function composePixels(plan: ReferencePlan, rasters: readonly Raster[], composing: CompositionTools): PixelComposition {
  const works = rasters.map(raster => ({ raster, seed: composing.seed }) satisfies EditedRaster)
  const host = plan.place ?? placeAmong(plan, works)
  const base = works[host]
  if (!base) throw new RangeError(`no picture ${host}`)
  const failed: string[] = []
  const taken: Rectangle[] = separationOf(base).pieces.map(({ box }) => box)
  let { raster } = base
  let done = 0
  for (const thing of plan.things.filter(({ picture }) => picture !== host)) {
    const source = works[thing.picture]
    const sprite = source && spriteOf(source, thing, composing)
    const spot =
      sprite && 'raster' in sprite ? spotFor(base, { sprite, thing, host, composing, taken, many: plan.things.length }) : undefined
    if (!sprite || 'reason' in sprite)
      failed.push(sprite ? `Picture ${thing.picture + 1}: ${sprite.reason}` : `There is no picture ${thing.picture + 1}.`)
    else if (!spot || 'reason' in spot) failed.push(spot ? spot.reason : '')
    else {
      taken.push(spot.box)
      raster = pasteSprite(raster, sprite.raster, spot.box, {
        shadow: spot.shadow,
        matchLight: 0.45,
        ...(spot.behind ? { behind: spot.behind } : {}),
      })
      done++
    }
  }
  return { raster, failed, done }
}

/** Returns the index of the target picture: a picture that the plan uses for nothing else; else the
 *  first one without a subject that is distinct enough to be cut out; else the first. */
function placeAmong(plan: ReferencePlan, works: readonly EditedRaster[]): number {
  const named = plan.things.map(({ picture }) => picture)
  const all = named.length > 0 ? named : works.map((_, index) => index)
  const free = works.findIndex((_, index) => !named.includes(index) && index !== plan.style && index !== plan.palette)
  if (free >= 0) return free
  return all.find(index => works[index] && separationOf(works[index]).doubt !== undefined) ?? all[0] ?? 0
}

interface Sprite {
  raster: Raster
  /** Height of the sprite as a share of the height of the picture that it was cut from; 0.5 for a
   *  sprite that was drawn again. */
  share: number
}

function spriteOf(work: EditedRaster, thing: BorrowedSubject, { readTarget, drawn }: CompositionTools): Sprite | { reason: string } {
  const own = drawn.get(thing)
  if (own) return { raster: own, share: 0.5 }
  const target = readTarget(thing.words)
  const found = findPieces(work, { ...target, noun: target.noun === 'background' ? 'it' : target.noun })
  if ('reason' in found) return found
  const ids = found.pieces.map(({ id }) => id)
  const mask = pieceMask(work.raster, separationOf(work), ids)
  const box = boxOf(found.pieces, mask)
  return { raster: cutOut(work.raster, mask, box), share: box.height / work.raster.height }
}

interface StandingSprite {
  box: Rectangle
  shadow: number
  behind?: { data: Float32Array; width: number; height: number }
}

interface SpritePlacement {
  sprite: Sprite
  thing: BorrowedSubject
  /** Index of the target picture in the list of pictures. */
  host: number
  composing: CompositionTools
  taken: readonly Rectangle[]
  /** Number of things in the plan, including those that are already in the target picture. */
  many: number
}

function spotFor(
  base: EditedRaster,
  { sprite, thing, host, composing, taken, many }: SpritePlacement,
): StandingSprite | { reason: string } {
  const { anchor } = thing
  const drawn = anchor && composing.boxInPlace(host, anchor.words)
  const found = anchor && anchor.words !== '' && !drawn ? findMask(base, composing.readTarget(anchor.words)) : undefined
  if (found && 'reason' in found) return found
  const ratio = sprite.raster.width / sprite.raster.height
  const { width, height } = base.raster
  const anchorBox = drawn ?? (found && boxOf(found.pieces, found.mask))
  if (anchorBox && isPrint.test(thing.words)) return printed(anchorBox, ratio)
  const kind = composing.kindOf(thing.words)
  const subject = kind ?? unknown
  const spot = placeSprite(base.raster, {
    subject,
    copy: 0,
    place: undefined,
    relation: anchorBox ? anchor?.relation : undefined,
    anchor: anchorBox,
    taken,
    random: createRandom(`${composing.seed}/reference/${thing.picture}/${thing.words}`),
  })
  // A thing of unknown kind keeps the share of the height that it has in its own picture. All
  // things together must fit the width of the target.
  const own = Math.min(0.66, Math.max(0.3, sprite.share)) * height
  const high = Math.min(kind ? spot.height * 1.25 : own, (width * 0.8) / ratio / Math.max(1, many - 1))
  const wide = high * ratio
  const x = Math.min(Math.max(spot.x - wide / 2, width * 0.02), width * 0.98 - wide)
  const isGrounded = subject.habitat === 'ground' || subject.habitat === 'surface'
  const behind = anchor?.relation === 'behind' && found ? found.mask : undefined
  return { box: { x, y: spot.bottom - high, width: wide, height: high }, shadow: isGrounded ? 0.8 : 0, ...(behind ? { behind } : {}) }
}

/** Returns the box of a sprite that is printed on a thing (a logo on a mug), in the middle of that
 *  thing's box. */
function printed(on: Rectangle, ratio: number): StandingSprite {
  const width = Math.min(on.width * 0.5, on.height * 0.5 * ratio)
  const height = width / ratio
  return { box: { x: on.x + (on.width - width) / 2, y: on.y + (on.height - height) / 2, width, height }, shadow: 0 }
}

const unknown: Subject = {
  id: 'r1',
  noun: 'thing',
  words: '',
  art: 'drawn:reference',
  count: 1,
  looks: [],
  size: 'normal',
  heightMetres: 1.2,
  habitat: 'ground',
  relations: [],
  isBackground: false,
}
