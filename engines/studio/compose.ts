import { type Canvas, createCanvas } from '@napi-rs/canvas'
import type { Environment, Light, PartKeeper } from './drawing.ts'
import { paintEnvironment } from './environment/environment.ts'
import { paintViewFrame } from './environment/view-frame.ts'
import { mirrored } from './mirror.ts'
import { createRandom } from './random.ts'
import type { Scene } from './scene.ts'
import type { Artwork } from './subjects/artwork.ts'
import { artworksOf } from './subjects/artworks.ts'
import { putDiffering } from './subjects/differing.ts'
import { drawSubjects } from './subjects/draw-subjects.ts'
import { studioArt } from './subjects/drawable.ts'
import { finish } from './subjects/finish.ts'
import { layoutScene } from './subjects/layout.ts'
import { pinnedFor } from './subjects/pins.ts'
import { writeOnPlace } from './subjects/place-text.ts'
import type { PlacedSubject } from './subjects/placed.ts'

export interface Size {
  /** Width in pixels. */
  width: number
  height: number
}

/** The stages of a picture after which a preview can be sent. `place`: the setting is painted.
 *  `subjects`: the subjects are added. `composed`: everything is drawn, but the style is not
 *  applied yet. */
export const stages = ['place', 'subjects', 'composed'] as const
export type Stage = (typeof stages)[number]

const noLook = async (): Promise<void> => {}

/** Draws a scene without its style: the place, the subjects with light and shadow, and the
 *  foreground. The canvas has exactly the given size. Equal scenes and sizes give equal pixels.
 *  `look` is called with the canvas after each stage. Throws `RangeError` when the art catalogue
 *  has no drawing of a subject. */
export async function composeScene(
  given: Scene,
  size: Size,
  look: (canvas: Canvas, stage: Stage) => Promise<void> = noLook,
): Promise<Canvas> {
  const canvas = await composeUpright(given, size, look)
  return given.setting.details.includes('mirrored') ? mirrored(canvas, feetOf(given, size)) : canvas
}

/** Returns the pixel row at which `mirrored` (mirror.ts) divides the picture: the part above is
 *  kept, and its reflection is drawn below. The row is just below the feet of the nearest
 *  subject, or at 65 % of the height when no subject stands on ground or water, and always
 *  between 40 and 90 %. */
function feetOf(scene: Scene, size: Size): number {
  const rows = placeScene(scene, size).flatMap(({ attachment, lane, baseline }) =>
    attachment === 'none' && (lane === 'ground' || lane === 'water') ? baseline : [],
  )
  return size.height * Math.min(0.9, Math.max(0.4, rows.length > 0 ? Math.max(...rows) : 0.64) + 0.008)
}

async function composeUpright(given: Scene, size: Size, look: (canvas: Canvas, stage: Stage) => Promise<void>): Promise<Canvas> {
  const { width, height } = size
  const { scene, environment, placed, artworkOf, random } = setStage(given, size)
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  environment.paintBack(context)
  for (const lettering of scene.letterings) if (lettering.onPlace) writeOnPlace(context, scene, environment, lettering)
  await look(canvas, 'place')
  await drawSubjects({ context, scene, environment, placed, artworkOf, width, height, random: random.fork('draw') })
  await look(canvas, 'subjects')
  environment.paintFront(context)
  if (scene.camera.through) paintViewFrame(context, scene.camera.through, { width, height, scene })
  if (!environment.isPaper) finish(canvas)
  await look(canvas, 'composed')
  return canvas
}

/** Returns where `composeScene` draws the subjects, without drawing them. The boxes are in
 *  fractions of the picture. An edit uses them to find the subject at a point. */
export function placeScene(scene: Scene, size: Size): PlacedSubject[] {
  return setStage(scene, size).placed
}

/** Returns the ground, water and light in which `composeScene` draws the subjects. */
export function environmentOf(scene: Scene, size: Size): Environment {
  return setStage(scene, size).environment
}

/** Draws the subjects of a scene onto an existing picture, at the positions stored in the scene
 *  (`pins`) and lit by `light`. */
export async function drawThings(canvas: Canvas, given: Scene, light: Pick<Light, 'ambient'>): Promise<void> {
  const { width, height } = canvas
  const { scene, environment, placed, artworkOf, random } = setStage(given, { width, height })
  const lit = { ...environment, light: { ...environment.light, ...light } }
  const context = canvas.getContext('2d')
  await drawSubjects({ context, scene, environment: lit, placed, artworkOf, width, height, random: random.fork('draw') })
}

/** Computes everything that is needed to draw a scene (ground, positions, drawings), but draws
 *  nothing. */
export function setStage(given: Scene, { width, height }: Size, parts?: PartKeeper) {
  const scene = pinnedFor(given, { width, height })
  const random = createRandom(scene.seed)
  const environment = paintEnvironment({ width, height, scene, random: random.fork('environment'), ...(parts ? { parts } : {}) })
  const drawings = artworksOf({ catalogue: studioArt(), scene, random: random.fork('artwork') })
  const byCopy = new Map(drawings.map(one => [`${one.subject.id} ${one.copy}`, one.artwork]))
  const items = drawings.map(({ subject, copy, artwork }) => ({
    subject,
    copy,
    bounds: artwork.bounds,
    anchors: artwork.anchors,
    facing: artwork.facing,
    isCropped: artwork.isCropped ?? false,
  }))
  const placed =
    scene.pins?.things ??
    putDiffering(layoutScene({ scene, width, height, environment, items, random: random.fork('layout') }), scene.subjects)
  const artworkOf = (subject: string, copy: number): Artwork => {
    const artwork = byCopy.get(`${subject} ${copy}`)
    if (!artwork) throw new RangeError(`no drawing for subject ${subject}, copy ${copy}`)
    return artwork
  }
  return { scene, environment, placed, artworkOf, random }
}
