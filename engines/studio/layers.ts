/** Splits a scene into layers for a film: the far and near parts of its place, and every subject,
 *  each on its own canvas. */

import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Facing } from './art/entry.ts'
import { type Size, setStage } from './compose.ts'
import type { Environment, PartKeeper, PartKind } from './drawing.ts'
import { paintViewFrame } from './environment/view-frame.ts'
import type { Scene, Subject } from './scene.ts'
import { prepareFont } from './style/fonts.ts'
import {
  type DrawInput,
  type DrawnSubject,
  drawAbove,
  drawBelow,
  groundShadow,
  prepareSubjects,
  redrawn,
} from './subjects/draw-subjects.ts'
import { writeOnPlace } from './subjects/place-text.ts'
import type { PlacedSubject } from './subjects/placed.ts'

/** Pixels at a position in the picture. */
export interface Piece {
  canvas: Canvas
  x: number
  y: number
  width: number
  height: number
}

export interface PlaceLayer extends Piece {
  kind: PartKind
  /** How near an upright part is to the viewer: 0 (horizon) to 1 (lower edge). Not used for flat
   *  parts, whose nearness changes from row to row. */
  nearness: number
}

export interface SubjectLayer {
  subject: Subject
  placed: PlacedSubject
  /** The subject without its shadow, its reflection and the things in front of its feet. */
  body: Piece
  /** Pixel row of the feet or of the water line. */
  baseline: number
  /** Shadow, reflection and light around the subject, drawn under it. */
  below?: Piece
  /** Things drawn over the subject: grass in front of its feet, foam. */
  above?: Piece
  /** The subject in `momentsOfGait` poses of its walk cycle, in order and at equal intervals; empty
   *  for a subject that has no walk cycle. */
  moments: Piece[]
  /** The side that the stored drawing faces, before `placed.flip` is applied. */
  facing: Facing
  isLuminous: boolean
}

export interface SceneLayers extends Size {
  scene: Scene
  environment: Environment
  /** Far to near. */
  place: PlaceLayer[]
  /** In drawing order. */
  subjects: SubjectLayer[]
  /** The part in front of the subjects: near grass. */
  front?: Piece
  /** The frame (window, binoculars) through which the picture is seen; it does not move with the
   *  camera. */
  frame?: Canvas
}

/** Frees the memory of a canvas immediately. The garbage collector does not know how much memory a
 *  canvas uses, so it would free it late. */
export function dropPixels(canvas: Canvas): void {
  canvas.width = 1
  canvas.height = 1
}

/** Number of poses that are drawn for one walk cycle. */
const momentsOfGait = 16

interface LayingHooks {
  /** Called and awaited after the place has been painted. Hundreds of megabytes of canvases are
   *  unused at that moment, so the film engine runs the garbage collector here. */
  tidy?(): Promise<void>
  /** Called and awaited between two steps, so that other work can run. */
  giveWay?: (() => Promise<void>) | undefined
}

/** Draws a scene like `composeScene`, but each part on a layer of its own, and without rain and
 *  snow. Sizes are in pixels. Throws `RangeError` when the art catalogue has no drawing of a
 *  subject. */
export async function layScene(given: Scene, size: Size, { tidy, giveWay }: LayingHooks = {}): Promise<SceneLayers> {
  const { width, height } = size
  for (const lettering of given.letterings) prepareFont(lettering.text)
  const place: PlaceLayer[] = []
  const keeper = createKeeper(place, size)
  const { scene, environment, placed, artworkOf, random } = setStage(given, size, keeper)
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  environment.paintBack(context)
  for (const lettering of scene.letterings) if (lettering.onPlace) writeOnPlace(context, scene, environment, lettering)
  keeper.part(context, 'upright', 0.5)
  dropPixels(canvas)
  await tidy?.()
  for (const layer of place) {
    await giveWay?.()
    finishLayer(layer, environment, size)
  }
  const whole = flatten(place, size)
  const input: DrawInput = {
    context: whole.getContext('2d'),
    scene,
    environment,
    placed,
    artworkOf,
    width,
    height,
    random: random.fork('draw'),
  }
  await giveWay?.()
  const ready = await prepareSubjects(input)
  const subjects: SubjectLayer[] = []
  for (const one of ready) {
    await giveWay?.()
    subjects.push(await subjectLayer(input, one))
  }
  await giveWay?.()
  const near = createCanvas(width, height)
  environment.paintFront(near.getContext('2d'))
  const front = cropped(near)
  dropPixels(near)
  dropPixels(whole)
  const layers: SceneLayers = { ...size, scene, environment, place, subjects }
  if (front) layers.front = front
  if (scene.camera.through) {
    layers.frame = createCanvas(width, height)
    paintViewFrame(layers.frame.getContext('2d'), scene.camera.through, { width, height, scene })
  }
  return layers
}

function createKeeper(place: PlaceLayer[], size: Size): PartKeeper {
  return {
    part: (context, kind, nearness = 0) => {
      const piece = cropped(context.canvas)
      if (!piece) return
      place.push({ ...piece, kind, nearness })
      context.save()
      context.resetTransform()
      context.clearRect(0, 0, size.width, size.height)
      context.restore()
    },
    soFar: context => {
      const whole = flatten(place, size)
      whole.getContext('2d').drawImage(context.canvas, 0, 0)
      return whole
    },
  }
}

function flatten(place: readonly PlaceLayer[], { width, height }: Size): Canvas {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  for (const { canvas: part, x, y } of place) context.drawImage(part, x, y)
  return canvas
}

/** Paints the final light of the whole picture over one layer. Transparent pixels of the layer stay
 *  transparent. */
function finishLayer(layer: PlaceLayer, environment: Environment, { width, height }: Size): void {
  const whole = createCanvas(width, height)
  const context = whole.getContext('2d')
  context.drawImage(layer.canvas, layer.x, layer.y)
  environment.paintFinish(context)
  context.globalCompositeOperation = 'destination-in'
  context.drawImage(layer.canvas, layer.x, layer.y)
  const canvas = createCanvas(layer.width, layer.height)
  canvas.getContext('2d').drawImage(whole, -layer.x, -layer.y)
  dropPixels(whole)
  dropPixels(layer.canvas)
  layer.canvas = canvas
}

async function subjectLayer(input: DrawInput, one: DrawnSubject): Promise<SubjectLayer> {
  const { subject, placed, box, baseline, sprite, artwork } = one
  const random = input.random.fork(`draw-${placed.subject}-${placed.copy}`)
  const below = around(input, one, local => {
    if (one.isGrounded) groundShadow(local, one)
    drawBelow(local, one, random)
  })
  const above = around(input, one, local => drawAbove(local, one, random))
  return {
    subject,
    placed,
    body: { canvas: sprite, ...box },
    baseline,
    ...(below ? { below } : {}),
    ...(above ? { above } : {}),
    moments: await momentsOf(input, one),
    facing: artwork.facing,
    isLuminous: artwork.isLuminous,
  }
}

/** Returns what `paint` draws near a subject (its shadow or the grass before its feet), as a canvas
 *  cut to the painted pixels; undefined when it draws nothing. */
function around(input: DrawInput, { box }: DrawnSubject, paint: (local: DrawInput) => void): Piece | undefined {
  const reach = { x: Math.round(box.height * 2.4 + 40), y: Math.round(box.height * 1.1 + 40) }
  const left = Math.max(-40, Math.floor(box.x - reach.x))
  const top = Math.max(-40, Math.floor(box.y - reach.y))
  const right = Math.min(input.width + 40, Math.ceil(box.x + box.width + reach.x))
  const bottom = Math.min(input.height + 40, Math.ceil(box.y + box.height + reach.y))
  if (right <= left || bottom <= top) return undefined
  const canvas = createCanvas(right - left, bottom - top)
  const context = canvas.getContext('2d')
  context.translate(-left, -top)
  paint({ ...input, context })
  const piece = cropped(canvas)
  dropPixels(canvas)
  return piece && { ...piece, x: piece.x + left, y: piece.y + top }
}

/** Draws the subject in each pose of its walk cycle, at the subject's position in the picture. */
async function momentsOf(input: DrawInput, one: DrawnSubject): Promise<Piece[]> {
  const { artwork, placed, box } = one
  const { atPhase, bounds } = artwork
  if (!atPhase) return []
  const pixels = { x: box.width / (bounds.right - bounds.left), y: box.height / (bounds.bottom - bounds.top) }
  const moments: Piece[] = []
  for (let step = 0; step < momentsOfGait; step++) {
    const moment = atPhase(step / momentsOfGait)
    const { left, right, top, bottom } = moment.bounds
    const x = placed.flip ? box.x + (bounds.right - right) * pixels.x : box.x + (left - bounds.left) * pixels.x
    moments.push({
      canvas: await redrawn(input, one, moment),
      x,
      y: box.y + (top - bounds.top) * pixels.y,
      width: (right - left) * pixels.x,
      height: (bottom - top) * pixels.y,
    })
  }
  return moments
}

/** Returns the part of a canvas that is not transparent; undefined when there is none. */
function cropped(source: Canvas): Piece | undefined {
  const { width, height } = source
  const box = inkOf(source.getContext('2d'), { width, height })
  if (!box) return undefined
  const canvas = createCanvas(box.width, box.height)
  canvas.getContext('2d').drawImage(source, -box.x, -box.y)
  return { canvas, ...box }
}

function inkOf(context: SKRSContext2D, { width, height }: Size): { x: number; y: number; width: number; height: number } | undefined {
  const bytes = context.canvas.data()
  const pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, width * height)
  const isEmpty = (row: number): boolean => {
    for (let i = row * width, end = i + width; i < end; i++) if ((pixels[i] ?? 0) >>> 24 > 1) return false
    return true
  }
  let top = 0
  while (top < height && isEmpty(top)) top++
  if (top === height) return undefined
  let bottom = height
  while (isEmpty(bottom - 1)) bottom--
  let left = width
  let right = 0
  for (let y = top; y < bottom; y++) {
    const row = y * width
    for (let x = 0; x < left; x++) if ((pixels[row + x] ?? 0) >>> 24 > 1) left = x
    for (let x = width - 1; x >= right; x--) if ((pixels[row + x] ?? 0) >>> 24 > 1) right = x + 1
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}
