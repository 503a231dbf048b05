/** Positions new things in a region: lays them out on an empty picture of their own, then scales
 *  them to the largest size that fits the region. */
import { environmentOf, placeScene } from '../compose.ts'
import type { Environment } from '../drawing.ts'
import { backdropScene } from '../edit/backdrop.ts'
import type { Rectangle } from '../edit/geometry.ts'
import { renameNew } from '../edit/scene-edits.ts'
import { createRandom } from '../random.ts'
import type { FramePlace, Lettering, Scene, Subject } from '../scene.ts'
import { clamp } from '../style/pixels.ts'
import type { PlacedSubject } from '../subjects/placed.ts'
import { type Region, shareInside } from './region.ts'

interface NewThings {
  subjects: Subject[]
  placed: PlacedSubject[]
  letterings: Lettering[]
}

/** Returns the subjects of `wanted`, placed in the region. Their ids are changed where `scene`
 *  already uses them. Another seed gives another appearance, size and direction. */
export function placeThings(scene: Scene, wanted: Scene, { region, seed }: { region: Region; seed: string }): NewThings {
  const named = renameNew(scene, wanted.subjects)
  // The drawing of a thing depends on its id and on the seed of the scene. The seed of the scene
  // must stay, because the other things depend on it, so the new `seed` is made part of the id.
  const subjects = named.map(subject => seeded(subject, seed)).map(subject => ({ ...subject, place: placeOf(region) }))
  const ids = new Map(wanted.subjects.map(({ id }, k) => [id, subjects[k]?.id ?? id]))
  const letterings = wanted.letterings.flatMap(lettering =>
    lettering.on ? { ...lettering, on: ids.get(lettering.on) ?? lettering.on } : [],
  )
  const alone = aloneScene({ ...scene, subjects })
  const shape = Math.max(0.4, Math.min(2.5, region.box.width / region.box.height))
  const stage = { width: Math.round(512 * Math.sqrt(shape)), height: Math.round(512 / Math.sqrt(shape)) }
  const things = placeScene(alone, stage)
  return { subjects, letterings, placed: settle(fit(things, stage, { region, seed }), scene, region) }
}

/** Returns a scene with the same things and no setting, in which people are shown at full
 *  length. */
export function aloneScene(scene: Scene): Scene {
  const empty = backdropScene({ kind: 'backdrop', words: '', details: [] }, scene.seed)
  return { ...empty, season: scene.season, subjects: scene.subjects, camera: { ...empty.camera, framing: 'full' } }
}

function seeded(subject: Subject, seed: string): Subject {
  const renamed = (id: string) => `${id}x${seed}`
  const relations = subject.relations.map(({ and, ...relation }) => ({
    ...relation,
    of: renamed(relation.of),
    ...(and === undefined ? {} : { and: renamed(and) }),
  }))
  return { ...subject, id: renamed(subject.id), relations }
}

function placeOf({ box, width, height }: Region): FramePlace {
  const [x, y] = [(box.x + box.width / 2) / width, (box.y + box.height / 2) / height]
  return {
    horizontal: x < 0.36 ? 'left' : x > 0.64 ? 'right' : 'center',
    vertical: y < 0.36 ? 'top' : y > 0.64 ? 'bottom' : 'middle',
  }
}

/** Moves and scales things from their own picture (`stage`) into the region, at the largest size
 *  that fits. */
function fit(
  things: readonly PlacedSubject[],
  stage: { width: number; height: number },
  { region, seed }: { region: Region; seed: string },
): PlacedSubject[] {
  const random = createRandom(`${seed}/redraw`)
  const whole = unionOf(things, stage)
  const isHanging = things.every(({ lane }) => lane === 'air' || lane === 'sky' || lane === 'wall')
  const target = largestInside(region, whole, isHanging, random.between(0.9, 1))
  const scale = target.width / whole.width
  const isMirrored = things.length === 1 && random.next() < 0.5
  return things.map(thing => ({
    ...thing,
    box: {
      x: (target.x + (thing.box.x * stage.width - whole.x) * scale) / region.width,
      y: (target.y + (thing.box.y * stage.height - whole.y) * scale) / region.height,
      width: (thing.box.width * stage.width * scale) / region.width,
      height: (thing.box.height * stage.height * scale) / region.height,
    },
    baseline: (target.y + (thing.baseline * stage.height - whole.y) * scale) / region.height,
    unit: (thing.unit * stage.height * scale) / region.height,
    flip: thing.flip !== isMirrored,
  }))
}

function unionOf(things: readonly PlacedSubject[], stage: { width: number; height: number }): Rectangle {
  const left = Math.min(...things.map(({ box }) => box.x))
  const top = Math.min(...things.map(({ box }) => box.y))
  const right = Math.max(...things.map(({ box }) => box.x + box.width))
  const bottom = Math.max(...things.map(({ box }) => box.y + box.height))
  return {
    x: left * stage.width,
    y: top * stage.height,
    width: Math.max(1, (right - left) * stage.width),
    height: Math.max(1, (bottom - top) * stage.height),
  }
}

/** Returns the largest rectangle with the proportions of `shape` of which at least 94 % lies in the
 *  region, reduced by the factor `room`. For standing things it is as low in the region as
 *  possible, for hanging things in the middle. */
function largestInside(region: Region, shape: { width: number; height: number }, isHanging: boolean, room: number): Rectangle {
  const { box } = region
  let scale = Math.min(box.width / shape.width, box.height / shape.height) * 0.97
  for (let tries = 0; tries < 40; tries++, scale *= 0.94) {
    const [width, height] = [shape.width * scale, shape.height * scale]
    for (const v of isHanging ? [0.5, 0.35, 0.65, 0.2, 0.8, 0, 1] : [0.98, 0.85, 0.7, 0.5, 0.3, 0]) {
      for (const u of [0.5, 0.35, 0.65, 0.2, 0.8, 0, 1]) {
        const found = { x: box.x + (box.width - width) * u, y: box.y + (box.height - height) * v, width, height }
        if (shareInside(region, found) >= 0.94) return shrunk(found, isHanging, room)
      }
    }
  }
  // The region is too thin for any such rectangle. The things then fill the region's bounding box,
  // and their parts outside the region are cut off.
  return shrunk(box, isHanging, Math.min(1, (box.height * shape.width) / (shape.height * box.width)))
}

function shrunk(box: Rectangle, isHanging: boolean, share: number): Rectangle {
  const [width, height] = [box.width * share, box.height * share]
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) * (isHanging ? 0.5 : 1), width, height }
}

/** Adapts the new things to the scene: computes their depth and whether they are on the ground, on
 *  water or in the air, and draws them in front of the existing things. */
function settle(things: readonly PlacedSubject[], scene: Scene, region: Region): PlacedSubject[] {
  const environment = environmentOf(scene, region)
  const front = 1 + Math.max(-1, ...(scene.pins?.things ?? []).map(({ order }) => order))
  const { farY, nearY } = environment.ground
  return things.map(thing => {
    const foot = thing.baseline * region.height
    const depth = clamp((nearY - foot) / Math.max(1, nearY - farY), 0, 1) * 0.5
    return {
      ...thing,
      order: front + thing.order,
      depth,
      lane: thing.attachment === 'none' ? laneAt(thing, foot, environment) : thing.lane,
    }
  })
}

function laneAt({ lane }: PlacedSubject, foot: number, { water, horizonY }: Environment): PlacedSubject['lane'] {
  const isOnWater = water !== undefined && foot >= water.topY && foot <= water.bottomY
  if (lane === 'water' && !isOnWater) return foot < horizonY ? 'air' : 'ground'
  return lane === 'ground' && foot < horizonY ? 'air' : lane
}
