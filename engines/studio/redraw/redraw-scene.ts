/** Redraws a region of a picture whose scene is known: changes the scene and draws it again. */
import { placeScene } from '../compose.ts'
import type { Rectangle } from '../edit/geometry.ts'
import type { Painters } from '../edit/painters.ts'
import { recolourScene } from '../edit/scene-colours.ts'
import { editScene } from '../edit/scene-edits.ts'
import { findSubjects, subjectNotFound } from '../edit/scene-targets.ts'
import type { Edit } from '../language/edit-types.ts'
import type { Pins, Scene } from '../scene.ts'
import type { Pixels } from '../style/pixels.ts'
import { pinned, pinnedFor } from '../subjects/pins.ts'
import type { PlacedSubject } from '../subjects/placed.ts'
import { editInside } from './edit-inside.ts'
import { type Region, shareInside } from './region.ts'
import type { RegionRequest } from './region-request.ts'
import { placeThings } from './things.ts'

export interface RedrawnScene {
  /** The whole picture drawn from the changed scene; the caller copies only the region from it. */
  pixels: Pixels
  /** The changed scene. Absent when an edit changed something other than the things in the region,
   *  such as the light. */
  scene?: Scene
  failed: string[]
  /** True when no edit was applied. */
  isUnchanged: boolean
}

/** Redraws the region by changing the scene. Returns undefined when the region is only to be
 *  cleared but contains none of the scene's things, just the setting; the caller then fills the
 *  pixels. */
export async function redrawScene(
  given: Scene,
  wish: RegionRequest,
  { region, seed, painters }: { region: Region; seed: string; painters: Painters },
): Promise<RedrawnScene | undefined> {
  const before = pinnedFor(given, region)
  const things = before.pins?.things ?? placeScene(before, region)
  const failed: string[] = []
  const gone = new Set(
    wish.removes.flatMap(target => {
      const ids = new Set(findSubjects(before, { ...target, all: true }).map(({ id }) => id))
      const found = things.filter(thing => ids.has(thing.subject) && shareOf(region, thing) > 0.08)
      if (found.length === 0) failed.push(subjectNotFound(before, target))
      return found
    }),
  )
  const hasThings = wish.things !== undefined
  if (wish.clears) for (const thing of covered(region, things, hasThings ? 0.5 : 0.35)) gone.add(thing)
  if (wish.clears && !hasThings && gone.size === 0) return undefined
  const left = things.filter(thing => !isGone(thing, things, gone))
  let scene = withThings(pinned(before, things, region), left)
  if (wish.things) {
    const { subjects, placed, letterings } = placeThings(scene, wish.things, { region, seed })
    const all = { subjects: [...scene.subjects, ...subjects], letterings: [...scene.letterings, ...letterings] }
    scene = { ...scene, ...all, pins: { ...scene.pins, things: [...left, ...placed] } }
  }
  const changed = changeThings(scene, wish.edits, region)
  // New lettering is not added to the scene but drawn into the pixels by `editInside`: in the scene
  // it would be laid out across the whole picture, and only the part inside the region would be
  // visible.
  const isWritten = (edit: Edit) => edit.kind === 'text' && edit.on === undefined
  const whole = editScene(
    changed.scene,
    changed.rest.filter(edit => !isWritten(edit)),
  )
  const done = await editInside(await painters.drawScene(whole.scene, region), [...whole.pixelEdits, ...changed.rest.filter(isWritten)], {
    region,
    seed,
    painters,
  })
  failed.push(...changed.failed, ...whole.failed.map(({ reason }) => reason), ...done.failed)
  const requested = wish.removes.length + wish.edits.length
  return {
    pixels: done.pixels,
    // The edits in `rest` change light or setting, but only inside the region. A scene describes
    // the light and setting of the whole picture, so no scene is returned.
    ...(changed.rest.length === 0 ? { scene: whole.scene } : {}),
    failed,
    isUnchanged: !hasThings && !wish.clears && failed.length >= requested,
  }
}

type PinnedScene = Scene & { pins: Pins }

function withThings(scene: PinnedScene, things: PlacedSubject[]): PinnedScene {
  const isLeft = (id: string | undefined) => id === undefined || things.some(({ subject }) => subject === id)
  const subjects = scene.subjects.filter(({ id }) => isLeft(id))
  return { ...scene, subjects, letterings: scene.letterings.filter(({ on }) => isLeft(on)), pins: { ...scene.pins, things } }
}

/** Returns the things to remove when the region is cleared: those with at least the share `least`
 *  (0 to 1) of their box inside the region. If there are none and `least` is below 0.5, returns the
 *  one thing with the largest share inside, if this share is 0.08 or more. */
function covered(region: Region, things: readonly PlacedSubject[], least: number): PlacedSubject[] {
  const shares = things.map(thing => ({ thing, share: shareOf(region, thing) }))
  const most = shares.filter(({ share }) => share >= least)
  if (most.length > 0 || least >= 0.5) return most.map(({ thing }) => thing)
  const [first] = shares.filter(({ share }) => share >= 0.08).sort((a, b) => b.share - a.share)
  return first ? [first.thing] : []
}

/** True for a removed thing, and for a thing that is worn, held or ridden by a removed one. */
function isGone(thing: PlacedSubject, things: readonly PlacedSubject[], gone: ReadonlySet<PlacedSubject>): boolean {
  let current: PlacedSubject | undefined = thing
  for (let steps = 0; current && steps < 8; steps++) {
    if (gone.has(current)) return true
    const { host }: PlacedSubject = current
    current = host && things.find(other => other.subject === host.subject && other.copy === host.copy)
  }
  return false
}

/** Applies the edits that recolour things in the region. All other edits are returned in `rest`. */
function changeThings(scene: PinnedScene, edits: readonly Edit[], region: Region): { scene: Scene; rest: Edit[]; failed: string[] } {
  let current: Scene = scene
  const rest: Edit[] = []
  const failed: string[] = []
  const touched = scene.pins.things.map(thing => ({ thing, share: shareOf(region, thing) })).filter(({ share }) => share > 0.08)
  touched.sort((a, b) => b.share - a.share)
  for (const edit of edits) {
    const isOfThing = edit.kind === 'recolour' && (!edit.target || !['sky', 'background', 'text'].includes(edit.target.noun))
    if (!isOfThing || (touched.length === 0 && !edit.target)) {
      rest.push(edit)
      continue
    }
    const isAny = !edit.target || edit.target.noun === 'it'
    const ids = new Set((isAny ? touched.slice(0, 1) : touched).map(({ thing }) => thing.subject))
    const near = { ...current, subjects: current.subjects.filter(({ id }) => ids.has(id)) }
    const recoloured = recolourScene(near, { ...edit, target: edit.target ?? { noun: 'it', words: 'it' } })
    if (typeof recoloured === 'string') {
      if (recoloured !== 'pixels') failed.push(recoloured)
      continue
    }
    current = { ...current, subjects: current.subjects.map(subject => recoloured.subjects.find(({ id }) => id === subject.id) ?? subject) }
  }
  return { scene: current, rest, failed }
}

function shareOf(region: Region, thing: PlacedSubject): number {
  return shareInside(region, boxOf(region, thing))
}

function boxOf({ width, height }: Region, { box }: PlacedSubject): Rectangle {
  return { x: box.x * width, y: box.y * height, width: box.width * width, height: box.height * height }
}
