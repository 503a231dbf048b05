import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Environment, Random, Rgb } from '../drawing.ts'
import type { Scene, Subject } from '../scene.ts'
import type { Artwork } from './artwork.ts'
import { playsInBand } from './artworks.ts'
import { breaches, paintSplash } from './breach.ts'
import { luma } from './colour.ts'
import { asCopy } from './differing.ts'
import { castShadow, contactShadow, coverFeet, type PixelBox } from './ground-contact.ts'
import type { PlacedSubject } from './layout-types.ts'
import { relight } from './light.ts'
import { applyLooks } from './looks.ts'
import { insideShare } from './node-moves.ts'
import { writeOn } from './sign-text.ts'
import { tileOf } from './tile.ts'
import { paintTraces } from './traces.ts'
import { foamLine, openWater, reflection, sinkHull } from './water.ts'

export interface DrawInput {
  context: SKRSContext2D
  scene: Scene
  environment: Environment
  placed: readonly PlacedSubject[]
  /** Returns the drawing of one copy. Throws `RangeError` for a subject or a copy that does not
   *  exist. */
  artworkOf(subject: string, copy: number): Artwork
  width: number
  height: number
  random: Random
}

/** One copy of a subject with its position and its pixels, ready to be drawn. */
export interface DrawnSubject {
  placed: PlacedSubject
  subject: Subject
  sprite: Canvas
  box: PixelBox
  baseline: number
  ground: Rgb
  haze: number
  isGrounded: boolean
  artwork: Artwork
  /** Pixels per unit of the drawing. */
  pixels: number
}

/** Draws the shadows of all subjects on the ground, then the subjects from far to near. The
 *  reflection of a subject in water is drawn before it, the grass or foam at its feet after it. */
export async function drawSubjects(input: DrawInput): Promise<void> {
  const ready = await prepareSubjects(input)
  for (const one of ready) if (one.isGrounded) groundShadow(input, one)
  for (const one of ready) drawOne(input, one)
}

/** Returns all subjects with their pixels, from far to near, without drawing them. The context must
 *  already show the ground on which they stand. */
export async function prepareSubjects(input: DrawInput): Promise<DrawnSubject[]> {
  const sprites = new Map<string, Canvas>()
  const ready: DrawnSubject[] = []
  for (const placed of input.placed) {
    const subject = input.scene.subjects.find(one => one.id === placed.subject)
    if (subject) ready.push(await prepare(input, placed, asCopy(subject, placed.copy), sprites))
  }
  return ready
}

async function prepare(input: DrawInput, placed: PlacedSubject, subject: Subject, sprites: Map<string, Canvas>): Promise<DrawnSubject> {
  const { environment, width, height } = input
  const artwork = input.artworkOf(placed.subject, placed.copy)
  const box = { x: placed.box.x * width, y: placed.box.y * height, width: placed.box.width * width, height: placed.box.height * height }
  const baseline = Math.min(placed.baseline * height, box.y + box.height)
  const isGrounded = placed.lane === 'ground' && placed.attachment === 'none' && environment.floor !== 'void' && !artwork.isCropped
  const ground = isGrounded ? sampleGround(input.context, box, baseline) : { r: 128, g: 128, b: 128 }
  const haze = hazeAmount(input, placed, subject)
  // In a group of more than three, copies of similar size and haze share one picture, which is
  // scaled slightly when it is drawn.
  const isFlock = subject.count > 3
  const exact = placed.unit * height
  const pixels = isFlock ? Math.exp(Math.ceil(Math.log(exact) * 9) / 9) : exact
  const individual =
    subject.art === 'rig:person' || playsInBand(subject) ? placed.copy % 16 : subject.art.startsWith('tree:') ? placed.copy % 3 : 0
  const key = [
    subject.id,
    individual,
    subject.colour?.hex,
    Math.round(Math.log(pixels) * 60),
    placed.flip,
    Math.round(haze * (isFlock ? 10 : 25)),
    isGrounded,
  ].join(' ')
  const known = sprites.get(key)
  if (known) return { placed, subject, sprite: known, box, baseline, ground, haze, isGrounded, artwork, pixels }
  const sprite = await spriteOf(input, { placed, subject, box, artwork, pixels, haze, ground, isGrounded, key })
  sprites.set(key, sprite)
  return { placed, subject, sprite, box, baseline, ground, haze, isGrounded, artwork, pixels }
}

type Sprite = Pick<DrawnSubject, 'placed' | 'subject' | 'box' | 'artwork' | 'pixels' | 'haze' | 'ground' | 'isGrounded'> & { key: string }

/** Returns the picture of one copy of a subject, lit by the light of the place. */
async function spriteOf(
  input: DrawInput,
  { placed, subject, box, artwork, pixels, haze, ground, isGrounded, key }: Sprite,
): Promise<Canvas> {
  const { environment, width, height } = input
  const plain = applyLooks(flipped(await artwork.render(pixels), placed.flip), subject, await tileOf(subject))
  for (const lettering of input.scene.letterings)
    if (lettering.on === subject.id)
      writeOn(plain, artwork, lettering, { isFlipped: placed.flip, isCaption: subject.looks.includes('captioned') })
  const cut =
    placed.lane === 'water' && placed.attachment === 'none' ? sinkHull(plain, hullShare(subject), input.random.fork(`hull-${key}`)) : plain
  const sprite = input.scene.setting.details.includes('silhouette')
    ? blackened(cut)
    : relight(cut, {
        light: environment.light,
        haze: { colour: environment.haze.colour, amount: haze },
        isGrounded,
        isLuminous: artwork.isLuminous,
        ...(isGrounded ? { bounce: ground } : {}),
        rimWidth: Math.min(Math.max(1.2, Math.min(width, height) * 0.0042), box.height * 0.02 + 1),
      })
  const glow = artwork.renderGlow && isDark(environment) ? artwork.renderGlow(pixels) : undefined
  if (glow) sprite.getContext('2d').drawImage(flipped(glow, placed.flip), 0, 0, sprite.width, sprite.height)
  return sprite
}

/** Draws an already prepared copy again with another drawing, such as another moment of its
 *  movement, in the same light. Returns the pixels. */
export function redrawn(input: DrawInput, ready: DrawnSubject, artwork: Artwork): Promise<Canvas> {
  return spriteOf(input, { ...ready, artwork, key: 'moment' })
}

/** Returns the silhouette filled with one dark tone, as if seen against the light. */
function blackened(sprite: Canvas): Canvas {
  const context = sprite.getContext('2d')
  context.save()
  context.globalCompositeOperation = 'source-in'
  context.fillStyle = '#16131a'
  context.fillRect(0, 0, sprite.width, sprite.height)
  context.restore()
  return sprite
}

/** Returns the share of a floating body that is below the water: little for boats, more for
 *  swimmers and ducks. */
function hullShare(subject: Subject): number {
  if (subject.art.startsWith('drawn:')) return 0.03
  return subject.habitat === 'water-surface' ? 0.05 : subject.person || subject.art.startsWith('rig:') ? 0.38 : 0.2
}

function hazeAmount({ environment, scene }: DrawInput, placed: PlacedSubject, subject: Subject): number {
  const { strength } = environment.haze
  if (placed.lane === 'sky') return subject.habitat === 'space' ? 0 : 0.1 * strength
  if (placed.lane === 'underwater') return Math.min(0.5, 0.12 + 0.3 * strength * placed.depth)
  const far = placed.lane === 'air' ? 0.25 : placed.depth ** 1.5 * (subject.isBackground ? 1 : 0.5)
  const scenery = subject.isBackground && scene.subjects.length > 1 ? 0.14 : 0
  return Math.min(0.75, strength * (0.5 * far + scenery))
}

function flipped(source: Canvas, flip: boolean): Canvas {
  if (!flip) return source
  const canvas = createCanvas(source.width, source.height)
  const context = canvas.getContext('2d')
  context.translate(source.width, 0)
  context.scale(-1, 1)
  context.drawImage(source, 0, 0)
  return canvas
}

function sampleGround(context: SKRSContext2D, box: PixelBox, baseline: number): Rgb {
  const { width, height } = context.canvas
  const x = Math.max(0, Math.min(width - 9, Math.round(box.x + box.width / 2) - 4))
  const y = Math.max(0, Math.min(height - 5, Math.round(baseline) - 1))
  const data = context.getImageData(x, y, Math.min(9, width), Math.min(5, height)).data
  const sum = { r: 0, g: 0, b: 0 }
  for (let i = 0; i < data.length; i += 4) {
    sum.r += data[i] ?? 0
    sum.g += data[i + 1] ?? 0
    sum.b += data[i + 2] ?? 0
  }
  const count = data.length / 4
  return { r: sum.r / count, g: sum.g / count, b: sum.b / count }
}

/** Draws a subject's reflection and shadow on the ground. */
export function groundShadow(input: DrawInput, { sprite, box, baseline, haze, placed, subject }: DrawnSubject): void {
  const { context, environment } = input
  const unit = Math.min(input.width, input.height)
  const strength = 1 - Math.min(0.8, haze * 1.6)
  const polish = polishOf(input)
  if (polish > 0 && box.height > 8) {
    reflection(context, sprite, {
      box,
      baseline,
      unit,
      strength: polish,
      waver: environment.floor === 'asphalt' ? 0.002 : 0,
      random: input.random.fork(`polish-${placed.order}`),
    })
  }
  // Crayon and line drawings have no shadows on the ground.
  if (isFlat(subject) || /^(crayon|line-art)$/.test(input.scene.style)) return
  castShadow(context, sprite, { box, baseline, light: environment.light, unit, strength })
  const trunk = subject.art.startsWith('tree:') ? 0.3 : 1
  const foot = { ...box, x: box.x + (box.width * (1 - trunk)) / 2, width: box.width * trunk }
  contactShadow(context, { box: foot, baseline, light: environment.light, unit, strength })
}

function isFlat(subject: Subject): boolean {
  return /^drawn:(rug|pond|leaves|mountain|hill|volcano)$/.test(subject.art)
}

/** Restricts drawing to the upper part of a thing in a container; the lower part is hidden. The
 *  limit follows the curve of the container's rim. */
function clipInside(context: SKRSContext2D, { x, y, width, height }: PixelBox): void {
  const rim = y + height * (1 - insideShare)
  context.beginPath()
  context.moveTo(x - width, y - height)
  context.lineTo(x + width * 2, y - height)
  context.lineTo(x + width * 2, rim)
  context.lineTo(x + width, rim)
  context.quadraticCurveTo(x + width / 2, rim + height * 0.12, x, rim)
  context.lineTo(x - width, rim)
  context.closePath()
  context.clip()
}

/** Draws the string of a kite, from the hand of the being that holds it. */
function kiteString(input: DrawInput, { placed, box }: DrawnSubject): void {
  const host = input.placed.find(other => other.subject === placed.host?.subject && other.copy === placed.host?.copy)
  if (!host) return
  const { anchors, bounds } = input.artworkOf(host.subject, host.copy)
  const hand = anchors.hand
  if (!hand) return
  const unit = host.unit * input.height
  const along = host.flip ? bounds.right - hand.x : hand.x - bounds.left
  const from = { x: host.box.x * input.width + along * unit, y: host.box.y * input.height + (hand.y - bounds.top) * unit }
  const to = { x: box.x + box.width * (placed.flip ? 0.7 : 0.3), y: box.y + box.height * 0.5 }
  const { context } = input
  context.save()
  const width = Math.max(0.8, Math.min(input.width, input.height) * 0.0016)
  context.beginPath()
  context.moveTo(from.x, from.y)
  context.quadraticCurveTo((from.x + to.x) / 2, Math.max(from.y, to.y) * 0.5 + (from.y + to.y) * 0.25, to.x, to.y)
  // The dark edge keeps the string visible before a bright sky.
  for (const [colour, share] of [
    ['rgba(60,50,60,0.4)', 1.9],
    ['rgba(250,250,250,0.85)', 1],
  ] as const) {
    context.strokeStyle = colour
    context.lineWidth = width * share
    context.stroke()
  }
  context.restore()
}

/** Paints the light around a luminous subject: a fire, a lamp at night, the moon. */
function paintAura({ context, environment }: DrawInput, { artwork, box, placed, haze, pixels }: DrawnSubject): void {
  if (!artwork.paintAura) return
  const { left, top, right } = artwork.bounds
  context.save()
  context.globalCompositeOperation = 'screen'
  context.globalAlpha = 1 - haze * 0.8
  context.translate(box.x, box.y)
  if (placed.flip) {
    context.translate(box.width, 0)
    context.scale(-1, 1)
  }
  context.scale(box.width / Math.max(1e-6, right - left), pixels)
  context.translate(-left, -top)
  artwork.paintAura(context, isDark(environment))
  context.restore()
}

function isDark(environment: Environment): boolean {
  return luma(environment.light.ambient) < 0.66
}

/** Returns how strongly the floor reflects, 0 to 0.3: wood and tiles slightly; asphalt and stone
 *  more, but only in rain or in a place with neon lights; all other floors not at all. */
function polishOf({ environment, scene }: DrawInput): number {
  const isWet = scene.weather.some(weather => weather === 'rain' || weather === 'storm')
  if (environment.floor === 'asphalt' || environment.floor === 'stone')
    return isWet ? 0.3 : scene.setting.details.includes('neon') ? 0.26 : 0
  return environment.floor === 'wood' ? 0.13 : environment.floor === 'tile' ? 0.17 : 0
}

function drawOne(input: DrawInput, one: DrawnSubject): void {
  const { placed } = one
  const random = input.random.fork(`draw-${placed.subject}-${placed.copy}`)
  drawBelow(input, one, random)
  drawBody(input, one)
  drawAbove(input, one, random)
}

/** Draws what lies below a subject: its reflection in water, its shadow on the thing on which it
 *  stands, the light around it, and the string of a kite. */
export function drawBelow(input: DrawInput, one: DrawnSubject, random: Random): void {
  const { context, environment, scene } = input
  const { sprite, box, baseline, placed } = one
  const unit = Math.min(input.width, input.height)
  if (placed.attachment === 'resting')
    contactShadow(context, { box, baseline: box.y + box.height, light: environment.light, unit, strength: 0.55 })
  const isRough = scene.weather.some(weather => weather === 'storm' || weather === 'wind')
  if (isAfloat(placed))
    reflection(context, sprite, {
      box,
      baseline: baseline - box.height * 0.02,
      unit,
      strength: isRough ? 0.3 : 0.5,
      waver: isRough ? 0.008 : 0.004,
      lastY: openWater(environment)?.bottomY ?? input.height,
      random,
    })
  paintAura(input, one)
  if (placed.attachment === 'held' && one.subject.art.includes('kite')) kiteString(input, one)
}

function isAfloat(placed: PlacedSubject): boolean {
  return placed.lane === 'water' && placed.attachment === 'none'
}

function drawBody(input: DrawInput, one: DrawnSubject): void {
  const { context } = input
  const { sprite, box, placed } = one
  if (one.subject.looks.includes('pulling')) paintTraces(input, one)
  context.save()
  if (placed.attachment === 'inside') clipInside(context, box)
  context.imageSmoothingQuality = 'high'
  if (placed.tilt !== 0) {
    context.translate(box.x + box.width / 2, box.y + box.height / 2)
    context.rotate((placed.tilt * Math.PI) / 180)
    context.translate(-box.x - box.width / 2, -box.y - box.height / 2)
  }
  context.drawImage(sprite, box.x, box.y, box.width, box.height)
  context.restore()
}

/** Draws what is in front of a subject's feet: foam on water, a splash around a leaping animal, or
 *  grass or snow on the ground. */
export function drawAbove(input: DrawInput, one: DrawnSubject, random: Random): void {
  const { context, environment } = input
  const { box, baseline, placed } = one
  const unit = Math.min(input.width, input.height)
  if (isAfloat(placed))
    foamLine(context, box, baseline - box.height * 0.015, { unit, brightness: Math.max(0.45, luma(environment.light.ambient)), random })
  if (isAfloat(placed) && breaches(one.subject))
    paintSplash(context, box, { baseline, brightness: Math.max(0.5, luma(environment.light.ambient)), random })
  if (one.isGrounded && !isFlat(one.subject)) {
    const isTree = one.subject.art.startsWith('tree:')
    const cover = isTree ? { ...box, x: box.x + box.width * 0.38, width: box.width * 0.24 } : box
    coverFeet(context, { box: cover, baseline, floor: environment.floor, ground: one.ground, random, unit })
  }
}
