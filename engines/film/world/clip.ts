/** One shot of a drawn scene. The scene is composed once; then the camera and the parts of the
 *  scene move. */
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import { dropPixels, layScene, type Piece, type PlaceLayer, type SceneLayers } from '@generation-gateway/studio/layers.ts'
import type { Scene } from '@generation-gateway/studio/scene.ts'
import { type CameraPath, cameraPath, rangeOf } from '../camera/path.ts'
import type { Pen } from '../raster/pen.ts'
import { fallsOf } from '../weather/falls.ts'
import { createFlashes } from '../weather/flashes.ts'
import { softDisc } from '../weather/soft-disc.ts'
import { type Fall, fallOf } from '../weather/weather.ts'
import { type Actor, type ActorFrame, castOf, drawActor, flicker, turnWalkers, wayOf } from './actor.ts'
import { collect } from './collect.ts'
import { drawFlat, drawUpright, spriteOf } from './draw-layer.ts'
import { plumesOf } from './plumes.ts'
import { createRoll } from './roll.ts'
import { styleLayers } from './styled.ts'
import { type PictureSize, type View, viewOf, type WorldSize } from './view.ts'

/** Draws the shot at any moment. The drawing fills the whole surface. */
export interface Clip {
  draw(pen: Pen, seconds: number): void
}

interface ClipOrder {
  scene: Scene
  picture: PictureSize
  seconds: number
  /** Camera movements, one after the other; when the list is empty, the engine chooses a movement
   *  that suits the scene. */
  steps: readonly CameraMove[]
  seed: string
  /** True when the first moment must equal the still picture that the image engine draws of the
   *  scene in this size. */
  isExact?: boolean
  /** Called and awaited between two steps of the composition, so that other work of the process can
   *  run. */
  giveWay?: (() => Promise<void>) | undefined
}

/** Composes a scene for a shot. Throws the errors of `layScene`. */
export async function worldClip(order: ClipOrder): Promise<Clip> {
  const { scene, picture, seconds, seed } = order
  const steps = order.steps.length > 0 ? order.steps : [{ depth: scene.camera.framing === 'close-up' ? 1 : 1.8 }]
  const plain = cameraPath(steps, { seconds, seed })
  const { low, high } = rangeOf(plain, seconds)
  const density = order.isExact ? 1 : Math.min(1.45, Math.max(1, 0.93 * Math.exp(high.zoom * 0.8 + high.dolly * 0.35)))
  const size = order.isExact
    ? picture
    : {
        width: even(picture.width * density * Math.min(2, 1.1 + (high.pan - low.pan))),
        height: even(picture.height * density * Math.min(1.8, 1.05 + (high.tilt - low.tilt) + (high.lift - low.lift) * 0.6)),
      }
  const layers = await layScene(scene, { width: size.width, height: size.height }, { tidy: collect, giveWay: order.giveWay })
  await order.giveWay?.()
  styleLayers(layers)
  await order.giveWay?.()
  const world: WorldSize = { ...size, horizonY: Math.min(size.height * 0.96, Math.max(1, layers.environment.horizonY)), density }
  world.isFarStill = (['pan', 'tilt', 'zoom', 'roll'] as const).every(part => high[part] - low[part] < 1e-9)
  const actors = castOf(layers.subjects, scene, world)
  const isFixed = order.steps.length > 0 && !order.steps.some(step => step.follow)
  const way = isFixed && !order.isExact && !saysWhereTo(scene.prompt) ? wayAlong(plain, seconds) : 0
  const side = Math.sign(way)
  const isAlong = side !== 0 && turnWalkers(actors, side)
  const movers = actors.filter(({ speed, isHeld }) => speed !== 0 && !isHeld)
  const hero = heroOf(movers, actors)
  const isAsked = order.steps.some(step => step.follow)
  const follows = hero !== undefined && !isFixed && (isAsked || !isSlow(hero, { world, picture, seconds }))
  const aim = aimOf(actors, { world, picture })
  if (aim && !follows) world.focusX = aim.focusX
  const aimed = shifted(plain, { truck: follows ? 0 : (aim?.truck ?? 0), tilt: aim?.tilt ?? 0 })
  const path = follows ? following(aimed, { hero, actors, world, picture, seconds, isOwn: order.steps.length > 0 }) : aimed
  if (movers.length > 0 && isFixed) for (const actor of actors) actor.speed = slowed(actor.speed, { world, picture, seconds })
  // A subject that moves in the direction of the camera gets at most about the camera's speed, so
  // that it stays in the picture.
  if (isAlong)
    for (const actor of actors) {
      const most = (1.15 * Math.abs(way) * picture.width * world.density) / seconds
      if (Math.sign(actor.speed) === side) actor.speed = side * Math.min(most, Math.abs(actor.speed))
    }
  if (!follows)
    for (const actor of actors) if (actor.layer.placed.lane === 'water') actor.speed = floated(actor, { world, picture, seconds })
  if (order.isExact) for (const actor of actors) actor.meets = 0
  else if (!follows)
    for (const actor of actors) actor.meets = isAlong && Math.sign(actor.speed) === side ? seconds / 2 : meetingOf(actor, world, seconds)
  if (!follows && !isAlong && !order.isExact) {
    const end = viewOf(world, picture, aimed(seconds))
    for (const actor of actors) if (actor.meets === 0) actor.speed = kept(actor, end, seconds)
  }
  return drawing({ layers, world, actors, path: order.isExact ? fromRest(path) : path, order })
}

/** Returns the subject that the camera follows: the first moving one on the ground or on water. A
 *  flying subject is followed only when no subject is on the ground or on water. */
function heroOf(movers: readonly Actor[], actors: readonly Actor[]): Actor | undefined {
  const isLow = ({ layer: { placed, subject } }: Actor): boolean => placed.lane !== 'air' && placed.lane !== 'sky' && !subject.isBackground
  return actors.some(isLow) ? movers.find(isLow) : movers[0]
}

interface HeroPath {
  hero: Actor
  actors: readonly Actor[]
  world: WorldSize
  picture: PictureSize
  seconds: number
  /** True when the prompt or the request says how the camera moves. False when the engine chose the
   *  movement; its forward motion is then reduced. */
  isOwn: boolean
}

/** Returns a camera path that follows the moving subjects. The camera moves at 95 percent of the
 *  speed of these subjects and keeps them near the middle of the picture. */
function following(path: CameraPath, { hero, actors, world, picture, seconds, isOwn }: HeroPath): CameraPath {
  const together = actors.filter(({ speed, isHeld }) => speed !== 0 && !isHeld && Math.sign(speed) === Math.sign(hero.speed))
  const from = Math.min(...together.map(({ layer: { body } }) => body.x))
  const to = Math.max(...together.map(({ layer: { body } }) => body.x + body.width))
  const unit = picture.width * world.density
  const pace = 0.95
  const near = Math.max(0.2, hero.nearness)
  // The camera is moved to the subjects, not turned: a turned camera would see beyond the sky.
  const centre = (0.8 * ((from + to) / 2 - world.width / 2)) / (near * unit)
  return t => {
    const pose = path(t)
    return {
      ...pose,
      dolly: pose.dolly * (isOwn ? 1 : 0.3),
      truck: pose.truck + centre + (pace * hero.speed * (t - seconds / 2)) / (near * unit),
    }
  }
}

/** Returns how the camera is aimed at the largest main subject: shifts (`truck`, `tilt`) after
 *  which the picture shows this subject completely, and the column (`focusX`) that zooms
 *  approach instead of the middle. Undefined without a main subject. */
function aimOf(
  actors: readonly Actor[],
  { world, picture }: Pick<HeroPath, 'world' | 'picture'>,
): { focusX: number; truck: number; tilt: number } | undefined {
  const aims = actors.filter(({ layer }) => !layer.subject.isBackground && layer.placed.lane !== 'sky')
  const [main] = aims.sort(({ layer: { body: a } }, { layer: { body: b } }) => b.width * b.height - a.width * a.height)
  if (!main) return undefined
  const { body } = main.layer
  const half = (picture.width * world.density) / 2
  const middle = world.width / 2
  const room = half * 0.94
  const centre = body.x + body.width / 2
  const fits = body.width < room * 2
  const over = fits ? Math.max(0, body.x + body.width - (middle + room)) - Math.max(0, middle - room - body.x) : centre - middle
  const focusX = Math.max(middle - half * 0.7, Math.min(middle + half * 0.7, centre))
  // Keeps some space above the heads free, because subjects may hop.
  const roof = (world.height - picture.height * world.density) / 2 + picture.height * world.density * 0.07
  const top = Math.min(...aims.map(each => each.layer.body.y))
  return {
    focusX,
    truck: over / (Math.max(0.2, main.nearness) * picture.width * world.density),
    tilt: Math.max(0, roof - top) / (picture.height * world.density),
  }
}

/** Returns the path shifted so that it begins in the resting pose. */
function fromRest(path: CameraPath): CameraPath {
  const { truck, lift, dolly, pan, tilt, roll, zoom } = path(0)
  return t => {
    const pose = path(t)
    return {
      truck: pose.truck - truck,
      lift: pose.lift - lift,
      dolly: pose.dolly - dolly,
      pan: pose.pan - pan,
      tilt: pose.tilt - tilt,
      roll: pose.roll - roll,
      zoom: pose.zoom - zoom,
    }
  }
}

function shifted(path: CameraPath, { truck, tilt }: { truck: number; tilt: number }): CameraPath {
  return t => {
    const pose = path(t)
    return { ...pose, truck: pose.truck + truck, tilt: pose.tilt + tilt }
  }
}

/** Returns how far the camera moves to the right during the shot, in picture widths; 0 when the
 *  movement is very short. */
function wayAlong(path: CameraPath, seconds: number): number {
  const [start, end] = [path(0), path(seconds)]
  const way = end.pan + end.truck - start.pan - start.truck
  return Math.abs(way) < 0.15 ? 0 : way
}

/** True when the prompt says in which direction the subjects move or look. Words in brackets and
 *  words about the camera do not count. */
function saysWhereTo(prompt: string): boolean {
  return /\b(?:to|towards?|from|facing|looking|going|heading)\s+(?:the\s+|its\s+|his\s+|her\s+|their\s+)?(?:left|right)\b|(?:向|往|朝|从)[左右]/iu.test(
    prompt.replace(/\[[^\]]*\]/g, ' ').replace(/\b(?:pan|truck|camera|tilt)\w*\b[^,.;]*/giu, ' '),
  )
}

function isSlow(hero: Actor, { world, picture, seconds }: Omit<HeroPath, 'hero' | 'actors' | 'isOwn'>): boolean {
  return Math.abs(hero.speed) * seconds < picture.width * world.density * 0.3
}

/** Returns the second at which a moving subject is at its place in the scene: 0 (the start) for a
 *  subject that moves towards the middle, the end of the shot for one that moves away from it. So
 *  the subject is in the picture during the whole shot. */
function meetingOf({ layer, speed }: Actor, world: WorldSize, seconds: number): number {
  const { body } = layer
  const away = (body.x + body.width / 2 - world.width / 2) * speed
  return away > 0 ? seconds : 0
}

/** Returns the speed, limited so that the subject crosses at most 0.8 of the picture's width. Used
 *  when the camera does not follow the subjects. */
function slowed(speed: number, { world, picture, seconds }: Omit<HeroPath, 'hero' | 'actors' | 'isOwn'>): number {
  const most = (picture.width * world.density * 0.8) / seconds
  return Math.max(-most, Math.min(most, speed))
}

/** Returns a speed at which a subject that starts at its place in the scene is still completely
 *  visible at the end of the shot. The speed is at least a quarter of the subject's own speed. */
function kept({ layer, speed, nearness }: Actor, end: View, seconds: number): number {
  const { body } = layer
  const { scale, x } = end.at(nearness)
  const [left, right] = [-x / scale, (end.picture.width - x) / scale]
  const room = speed > 0 ? right - body.x - body.width : body.x - left
  return Math.sign(speed) * Math.min(Math.abs(speed), Math.max(Math.abs(speed) / 4, (room * 0.95) / seconds))
}

/** Returns a speed at which a floating subject stays completely visible. A subject that fills the
 *  picture drifts only slightly. */
function floated({ layer, speed }: Actor, { world, picture, seconds }: Omit<HeroPath, 'hero' | 'actors' | 'isOwn'>): number {
  const { body } = layer
  const half = (picture.width * world.density) / 2
  const room = speed > 0 ? world.width / 2 + half - body.x - body.width : body.x - (world.width / 2 - half)
  const most = Math.max(picture.width * world.density * 0.03, room * 0.7) / seconds
  return Math.max(-most, Math.min(most, speed))
}

interface ClipDrawing {
  layers: SceneLayers
  world: WorldSize
  actors: Actor[]
  path: CameraPath
  order: ClipOrder
}

function drawing({ layers, world, actors, path, order }: ClipDrawing): Clip {
  const { scene, picture, seconds: length, seed } = order
  const isDim = isDark(layers)
  const wind = scene.weather.some(each => each === 'wind' || each === 'storm') ? 0.7 : 0.12
  const falls: Fall[] = fallsOf(scene, layers.environment).map(kind => fallOf(kind, { isDim, seed, wind }))
  const plumes = plumesOf(actors, layers, seed)
  const flashes = createFlashes(scene, { seed, seconds: length })
  const isStormy = wind > 0.5
  const still = order.isExact ? 0 : length / 2
  // Only these parts of the composed scene are kept. All others, hundreds of megabytes, can then be
  // freed.
  const { place, front, frame: through } = layers
  const pieces = [...layers.subjects.flatMap(({ below, body, moments, above }) => [below, body, ...moments, above])]
  const roll = createRoll()
  let isMoved = false
  const light = fireLight()
  return {
    draw: (pen, seconds) => {
      if (!isMoved) moveIn(pen, { place, front, pieces }, world)
      isMoved = true
      const view = viewOf(world, picture, path(seconds))
      roll(pen, view.pose.roll, upright => {
        for (const layer of place) drawPlace(upright, view, layer, { seconds, still, isStormy })
        flashes.sky(upright, view, seconds)
        const frame: ActorFrame = { seconds, middle: length / 2 }
        for (const actor of actors) {
          plumes.before(upright, view, actor, frame)
          drawActor(upright, view, actor, frame)
          plumes.after(upright, view, actor, frame)
        }
        if (isDim) for (const actor of actors) if (actor.motion.isFire) light(upright, view, actor, frame)
        if (front) drawUpright(upright, view, { ...front, nearness: 1.25 }, { x: Math.sin(seconds * 1.3) * (isStormy ? 7 : 1.5) })
        for (const fall of falls) fall.draw(upright, view, seconds, 1)
      })
      flashes.light(pen, seconds)
      if (through) pen.image(through, { x: 0, y: 0, ...picture })
    },
  }
}

/** Copies all pictures of a scene into the drawing memory, and frees their canvases. */
function moveIn(
  pen: Pen,
  { place, front, pieces }: Pick<SceneLayers, 'place'> & { front: Piece | undefined; pieces: readonly (Piece | undefined)[] },
  world: WorldSize,
): void {
  for (const piece of front ? [...place, front] : place) {
    spriteOf(pen, piece, world)
    dropPixels(piece.canvas)
  }
  for (const piece of pieces) {
    if (!piece) continue
    pen.store.sprite(piece.canvas)
    dropPixels(piece.canvas)
  }
}

interface PlaceFrame {
  seconds: number
  /** Second at which the clouds are at their place in the scene. */
  still: number
  isStormy: boolean
}

function drawPlace(pen: Pen, view: View, layer: PlaceLayer, { seconds, still, isStormy }: PlaceFrame): void {
  const unit = Math.min(view.world.width, view.world.height)
  switch (layer.kind) {
    case 'air':
      // The sky is an upright picture that reaches down behind the land, so no gap opens between
      // the two when the land moves.
      drawUpright(pen, view, layer)
      return
    case 'clouds':
      drawUpright(pen, view, layer, { x: (seconds - still) * unit * (isStormy ? 0.03 : 0.008) })
      return
    case 'ground':
      drawFlat(pen, view, layer)
      return
    case 'water': {
      // The reflection of the sky stays below the sky when the camera moves sideways.
      const resting = viewOf(view.world, view.picture, { ...view.pose, truck: 0 })
      drawFlat(pen, resting, layer, { sway: waves(seconds, unit * (isStormy ? 2 : 1)) })
      return
    }
    case 'river':
      drawFlat(pen, view, layer, { sway: waves(seconds, unit * (isStormy ? 2 : 1)) })
      return
    case 'upright': {
      const sway = layer.nearness > 0.11 ? Math.sin(seconds * 1.1 + layer.nearness * 9) * (isStormy ? 3 : 0.7) * layer.nearness : 0
      drawUpright(pen, view, layer, { x: sway })
    }
  }
}

/** Returns the movement of the rows of water, sideways and towards the viewer. Near rows move more
 *  than far ones. */
function waves(seconds: number, unit: number): (y: number, nearness: number) => { x: number; y: number } {
  return (y, nearness) => {
    const depth = Math.log(0.02 + nearness)
    const force = unit * (0.0012 + 0.006 * nearness)
    return {
      x: (Math.sin(seconds * 1.7 + depth * 21) + 0.6 * Math.sin(seconds * 2.6 - depth * 37 + y * 0.02)) * force,
      y: Math.sin(seconds * 1.15 + depth * 9) * force * 1.5,
    }
  }
}

/** Returns a function that draws the warm light that a fire casts on its surroundings. */
function fireLight(): (pen: Pen, view: View, actor: Actor, frame: ActorFrame) => void {
  const [core, rim] = [softDisc(96, '255,150,60'), softDisc(96, '255,100,36')]
  return (pen, view, actor, frame) => {
    const { body } = actor.layer
    const { scale, x, y } = view.at(actor.nearness)
    const way = wayOf(actor, frame)
    const strength = 0.34 + 0.09 * flicker(frame.seconds, actor.layer.placed.subject)
    const middle = { x: (body.x + body.width / 2 + way.x) * scale + x, y: (body.y + body.height * 0.6 + way.y) * scale + y }
    pen.save()
    pen.mode = 'screen'
    for (const [disc, reach, share] of [
      [rim, 2.8, 0.5],
      [core, 1.3, 0.45],
    ] as const) {
      const radius = body.height * scale * (reach + flicker(frame.seconds, actor.layer.placed.subject) * 0.2)
      pen.alpha = strength * share
      pen.image(disc, { x: middle.x - radius, y: middle.y - radius, width: radius * 2, height: radius * 2 })
    }
    pen.restore()
  }
}

function isDark({ environment }: SceneLayers): boolean {
  const { r, g, b } = environment.light.ambient
  return r * 0.3 + g * 0.59 + b * 0.11 < 168
}

function even(value: number): number {
  return Math.round(value / 2) * 2
}
