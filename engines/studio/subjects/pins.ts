/** Functions for scenes in which the positions of all things are fixed, so that an edit changes
 *  nothing else. */
import type { Pins, Scene } from '../scene.ts'
import { shownShare } from './artworks.ts'
import type { PlacedSubject } from './placed.ts'

interface Size {
  width: number
  height: number
}

/** Returns the scene with the current positions of its things fixed, for pictures with the
 *  aspect ratio of this size. */
export function pinned(scene: Scene, things: PlacedSubject[], { width, height }: Size): Scene & { pins: Pins } {
  const portrait = scene.subjects.find(subject => shownShare(subject, scene) < 1)?.id
  return { ...scene, pins: { ratio: width / height, things, ...(portrait === undefined ? {} : { portrait }) } }
}

/** Returns the scene to draw at a size. Fixed positions apply to one aspect ratio, so they are
 *  removed for another one. */
export function pinnedFor(scene: Scene, { width, height }: Size): Scene {
  if (!scene.pins || Math.abs(scene.pins.ratio / (width / height) - 1) < 0.02) return scene
  return unpinned(scene)
}

/** Returns the scene without fixed positions, so that the layout is computed again. An edit perhaps
 *  removed single copies from the positions, so the count of each subject becomes the number of
 *  copies that are left. */
export function unpinned({ pins, ...scene }: Scene): Scene {
  if (!pins) return scene
  const left = (id: string) => pins.things.filter(({ subject }) => subject === id).length
  const subjects = scene.subjects.map(subject => ({ ...subject, count: left(subject.id) })).filter(({ count }) => count > 0)
  const ids = new Set(subjects.map(({ id }) => id))
  return {
    ...scene,
    subjects: subjects.map(subject => ({
      ...subject,
      relations: subject.relations.filter(({ of, and }) => ids.has(of) && (and === undefined || ids.has(and))),
    })),
    letterings: scene.letterings.filter(({ on }) => on === undefined || ids.has(on)),
  }
}
