/** Adds, removes, replaces, moves and resizes single objects in a picture that the studio did not
 *  draw. */
import type { Edit, Target } from '../language/edit-types.ts'
import { createRandom } from '../random.ts'
import type { FramePlace, Subject } from '../scene.ts'
import type { Plane, Raster } from '../style/pixels.ts'
import { fillHole } from './fill-hole.ts'
import type { Rectangle } from './geometry.ts'
import type { Painters } from './painters.ts'
import { placeSprite } from './placing.ts'
import { type Piece, pieceHulls } from './segment.ts'
import { cutOut, pasteSprite } from './sprite.ts'
import { type EditedRaster, findMask, type Outcome, separationOf, unite } from './work.ts'

type AddEdit = Extract<Edit, { kind: 'add' }>

const mostHole = 0.42

/** Draws new subjects into the picture, at most 12 copies of each. The subjects' colours are
 *  adapted to the picture's light, and subjects on the ground get a shadow. */
export async function addSubjects(work: EditedRaster, edit: AddEdit, painters: Painters): Promise<Outcome> {
  const anchor = edit.anchor ? findMask(work, edit.anchor.target) : undefined
  if (anchor && 'reason' in anchor) return anchor
  const anchorBox = anchor ? boxOf(anchor.pieces, anchor.mask) : undefined
  const relation = edit.anchor?.relation
  let { raster } = work
  const taken: Rectangle[] = []
  for (const subject of edit.subjects) {
    const random = createRandom(`${work.seed}/add/${subject.id}`)
    for (let copy = 0; copy < Math.min(12, subject.count); copy++) {
      const spot = placeSprite(raster, { subject, copy, place: edit.place ?? subject.place, relation, anchor: anchorBox, taken, random })
      const sprite = await painters.drawSubject(subject, Math.max(8, Math.round(spot.height)), `${work.seed}/${subject.id}/${copy}`)
      if (!sprite) return { reason: `There is no drawing of "${subject.words || subject.noun}" to add.` }
      const box = fitWidth(spot, sprite)
      taken.push(box)
      raster = pasteSprite(raster, sprite, box, {
        shadow: shadowOf(subject, relation),
        matchLight: 0.75,
        ...(relation === 'behind' && anchor ? { behind: anchor.mask } : {}),
      })
    }
  }
  return { raster }
}

/** Removes an object and fills the hole from its surroundings. */
export function removeTarget(work: EditedRaster, target: Target): Outcome {
  const lifted = liftTarget(work, target)
  return 'reason' in lifted ? lifted : { raster: lifted.filled }
}

/** Removes an object and draws the first of the new subjects in its place. When the object was
 *  found as several separate pieces, each piece is replaced by a drawing that is at most as high
 *  as the piece. */
export async function replaceTarget(work: EditedRaster, edit: Extract<Edit, { kind: 'replace' }>, painters: Painters): Promise<Outcome> {
  const lifted = liftTarget(work, edit.target)
  if ('reason' in lifted) return lifted
  let raster = lifted.filled
  const boxes = lifted.pieces.length > 0 ? lifted.pieces.map(piece => piece.box) : [lifted.box]
  const subject = edit.subjects[0]
  if (!subject) return { reason: `What should stand in place of "${edit.target.words}" was not understood.` }
  for (const [k, box] of boxes.entries()) {
    const sprite = await painters.drawSubject(subject, Math.max(8, box.height), `${work.seed}/${subject.id}/${k}`)
    if (!sprite) return { reason: `There is no drawing of "${subject.words || subject.noun}" to put there.` }
    raster = pasteSprite(raster, sprite, insideBox(box, sprite), { shadow: shadowOf(subject, undefined), matchLight: 0.75 })
  }
  return { raster }
}

/** Scales an object by `factor`. The middle of its lower edge stays at the same place. */
export function resizeTarget(work: EditedRaster, target: Target, factor: number): Outcome {
  return shiftTarget(work, target, box => {
    const width = box.width * factor
    const height = box.height * factor
    return { x: box.x + (box.width - width) / 2, y: box.y + box.height - height, width, height }
  })
}

/** Moves an object to a named position in the frame. */
export function moveTarget(work: EditedRaster, target: Target, place: FramePlace): Outcome {
  const { width, height } = work.raster
  return shiftTarget(work, target, box => ({
    ...box,
    x: along(place.horizontal, { room: width - box.width, own: box.x, margin: width * 0.04 }),
    y: along(place.vertical, { room: height - box.height, own: box.y, margin: height * 0.05 }),
  }))
}

function shiftTarget(work: EditedRaster, target: Target, to: (box: Rectangle) => Rectangle): Outcome {
  const lifted = liftTarget(work, target)
  if ('reason' in lifted) return lifted
  const sprite = cutOut(work.raster, lifted.mask, lifted.box)
  return { raster: pasteSprite(lifted.filled, sprite, to(lifted.box), { shadow: 0.45, matchLight: 0 }) }
}

interface LiftedObject {
  mask: Plane
  box: Rectangle
  pieces: Piece[]
  filled: Raster
}

function liftTarget(work: EditedRaster, target: Target): LiftedObject | { reason: string } {
  if (target.noun === 'background' || target.noun === 'sky')
    return { reason: `"${target.words}" cannot be taken away; it can be replaced by another place.` }
  if (target.noun === 'text') return { reason: 'Lettering inside a picture that was not made here cannot be found and removed.' }
  const found = findMask(work, target)
  if ('reason' in found) return found
  const { mask, pieces } = found
  const hole = withShadow(
    pieces.length > 0
      ? unite([
          mask,
          pieceHulls(
            work.raster,
            separationOf(work),
            pieces.map(piece => piece.id),
          ),
        ])
      : mask,
    pieces,
  )
  let area = 0
  for (const value of hole.data) area += value
  const share = area / hole.data.length
  if (share > mostHole)
    return {
      reason: `"${target.words}" covers ${Math.round(share * 100)} % of the picture; at most ${mostHole * 100} % can be filled in again.`,
    }
  const box = boxOf(pieces, mask)
  return { mask, box, pieces, filled: fillHole(work.raster, hole, work.seed) }
}

/** Returns the mask with an ellipse added below each piece, because the shadow of a thing usually
 *  lies there. */
function withShadow(mask: Plane, pieces: Piece[]): Plane {
  const out = { ...mask, data: mask.data.slice() }
  for (const { box } of pieces) {
    const cx = box.x + box.width / 2
    const cy = box.y + box.height * 0.985
    const rx = box.width * 0.56
    const ry = box.height * 0.06
    for (let y = Math.max(0, Math.floor(cy - ry)); y < Math.min(mask.height, cy + ry); y++) {
      for (let x = Math.max(0, Math.floor(cx - rx)); x < Math.min(mask.width, cx + rx); x++) {
        if (((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1) out.data[y * mask.width + x] = 1
      }
    }
  }
  return out
}

/** Returns the bounding box of some pieces, or of the mask when there are none, slightly enlarged
 *  but inside the picture. */
export function boxOf(pieces: Piece[], mask: Plane): Rectangle {
  let [left, top, right, bottom] = [mask.width, mask.height, 0, 0]
  for (const { box } of pieces) {
    left = Math.min(left, box.x)
    top = Math.min(top, box.y)
    right = Math.max(right, box.x + box.width)
    bottom = Math.max(bottom, box.y + box.height)
  }
  if (pieces.length === 0) {
    for (let i = 0; i < mask.data.length; i++) {
      if (mask.data[i]! < 0.5) continue
      const x = i % mask.width
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, Math.floor(i / mask.width))
      bottom = Math.max(bottom, Math.floor(i / mask.width) + 1)
    }
  }
  const margin = 2
  const x = Math.max(0, left - margin)
  const y = Math.max(0, top - margin)
  return { x, y, width: Math.min(mask.width, right + margin) - x, height: Math.min(mask.height, bottom + margin) - y }
}

function along(word: string | undefined, at: { room: number; own: number; margin: number }): number {
  if (word === undefined) return at.own
  if (word === 'left' || word === 'top') return at.margin
  return word === 'right' || word === 'bottom' ? at.room - at.margin : at.room / 2
}

function fitWidth(spot: { x: number; bottom: number; height: number }, sprite: { width: number; height: number }): Rectangle {
  const width = (spot.height * sprite.width) / sprite.height
  return { x: spot.x - width / 2, y: spot.bottom - spot.height, width, height: spot.height }
}

function insideBox(box: Rectangle, sprite: { width: number; height: number }): Rectangle {
  const scale = Math.min((box.width * 1.8) / sprite.width, box.height / sprite.height)
  const width = sprite.width * scale
  const height = sprite.height * scale
  return { x: box.x + (box.width - width) / 2, y: box.y + box.height - height, width, height }
}

function shadowOf(subject: Subject, relation: string | undefined): number {
  if (relation === 'wearing' || relation === 'holding' || relation === 'above') return 0
  return subject.habitat === 'ground' || subject.habitat === 'surface' ? 0.8 : 0
}
