/** A subject of a scene, with its motion and the functions that draw it. */

import type { Piece, SubjectLayer } from '@generation-gateway/studio/layers.ts'
import { createRandom } from '@generation-gateway/studio/random.ts'
import type { Scene } from '@generation-gateway/studio/scene.ts'
import type { Pen } from '../raster/pen.ts'
import { type Motion, motionOf, mountMotion } from './motion.ts'
import type { View, WorldSize } from './view.ts'

export interface Actor {
  layer: SubjectLayer
  motion: Motion
  nearness: number
  /** Speed in world pixels per second, positive to the right. A subject that is attached to another
   *  one (its host) has the speed of the host. */
  speed: number
  host?: Actor
  isHeld?: boolean
  /** True when the actor is drawn mirrored, compared with the scene, so that it faces the direction
   *  in which its group moves. */
  isTurned?: boolean
  /** Second at which the actor is exactly at its place in the scene. When absent, that is the
   *  middle of the shot. */
  meets?: number
}

/** Returns the subjects of a scene in drawing order. A subject that is attached to another one
 *  (held, worn, riding, resting on it ...) has that one as its host; a subject that only hovers
 *  above another one has no host. */
export function castOf(layers: readonly SubjectLayer[], scene: Scene, world: WorldSize): Actor[] {
  const actors: Actor[] = layers.map(layer => {
    const { placed, body } = layer
    const motion = motionOf(layer, scene)
    const isHeld = layer.subject.isBackground
    const speed = isHeld ? 0 : motion.speed * body.width * directionOf(layer)
    return { layer, motion, nearness: nearnessOf(layer, world), speed, isHeld: placed.attachment !== 'none' }
  })
  for (const actor of actors) {
    const { host, attachment } = actor.layer.placed
    if (!host || attachment === 'aloft') continue
    const found = actors.find(other => other.layer.placed.subject === host.subject && other.layer.placed.copy === host.copy)
    if (!found || found === actor) continue
    actor.host = found
  }
  for (const actor of actors) {
    const root = rootOf(actor)
    if (root === actor) continue
    actor.nearness = root.nearness
    if (root.speed === 0 && actor.layer.placed.attachment === 'riding') ride(root, scene)
    actor.speed = root.speed
  }
  keepTogether(actors)
  return actors
}

/** Sets the motion of a subject that somebody rides: an animal runs, a vehicle rolls. */
function ride(mount: Actor, scene: Scene): void {
  mount.motion = mountMotion(mount.layer, scene)
  mount.speed = mount.motion.speed * mount.layer.body.width * directionOf(mount.layer)
}

/** Gives all actors that walk or run the direction and the pace of the first of them, except those
 *  that chase something. */
function keepTogether(actors: readonly Actor[]): void {
  const [first, ...others] = actors.filter(walks)
  if (!first) return
  for (const other of others) {
    if (/chas|追/iu.test(other.layer.subject.relations.map(({ kind }) => kind).join())) continue
    other.isTurned = Math.sign(other.speed) !== Math.sign(first.speed)
    // A far subject moves more slowly on the screen when it covers the same ground.
    other.speed = first.speed * (other.nearness / Math.max(0.05, first.nearness))
  }
}

/** True for a subject that moves on its own feet. */
function walks({ host, speed, layer }: Actor): boolean {
  return !host && speed !== 0 && /^(?:walking|running)$/.test(layer.subject.pose ?? '') && layer.placed.lane === 'ground'
}

/** Turns all actors that walk or run to one side: 1 right, -1 left. Returns whether there are any
 *  such actors. */
export function turnWalkers(actors: readonly Actor[], side: number): boolean {
  const walkers = actors.filter(walks)
  for (const actor of walkers) {
    if (Math.sign(actor.speed) === side) continue
    actor.speed = -actor.speed
    actor.isTurned = !actor.isTurned
  }
  return walkers.length > 0
}

/** Returns the subject with which an actor moves: its outermost host, or the actor itself when it
 *  has no host. */
function rootOf(actor: Actor): Actor {
  let root = actor
  for (let i = 0; i < 6 && root.host; i++) root = root.host
  return root
}

function nearnessOf({ placed, baseline }: SubjectLayer, { horizonY, height }: WorldSize): number {
  if (placed.lane === 'sky') return 0
  if (placed.lane === 'air') return 0.25 + 0.3 * (1 - placed.depth)
  return Math.max(0.03, Math.min(1.1, (baseline - horizonY) / Math.max(1, height - horizonY)))
}

function directionOf({ placed, subject, facing }: SubjectLayer): number {
  // Most drawings in front view look slightly to the right. Emoji, except birds and rockets, look
  // to the left.
  const looksLeft = facing === 'front' ? /^noto:/.test(subject.art) && !/bird|rocket/.test(subject.art) : facing === 'left'
  return placed.flip === looksLeft ? 1 : -1
}

export interface ActorFrame {
  seconds: number
  /** Second of the clip at which moving subjects are at their place in the scene. */
  middle: number
}

/** Returns how far an actor has moved from its place in the scene, in world pixels. */
export function wayOf(actor: Actor, { seconds, middle }: ActorFrame): { x: number; y: number } {
  const root = rootOf(actor)
  return { x: root.speed * (seconds - (root.meets ?? middle)), y: 0 }
}

/** Draws an actor with its shadow, and with the things in front of its feet (`layer.above`). */
export function drawActor(pen: Pen, view: View, actor: Actor, frame: ActorFrame): void {
  const { layer, motion } = actor
  const root = rootOf(actor)
  const placement = view.at(actor.nearness)
  const way = wayOf(actor, frame)
  const moment = root.motion.at(frame.seconds)
  pen.save()
  pen.translate(placement.x, placement.y)
  pen.scale(placement.scale, placement.scale)
  pen.translate(way.x, way.y)
  if (layer.below) drawBelow(pen, layer.below, actor, frame)
  pen.save()
  // The point about which an actor moves and rotates. It is at the feet of the outermost host, so
  // that a held thing moves with its holder; an actor without a host has its own feet as pivot. For
  // subjects in the air, the pivot is in the middle of the body.
  const pivot = {
    x: root.layer.body.x + root.layer.body.width / 2,
    y: root.layer.placed.lane === 'air' ? root.layer.body.y + root.layer.body.height / 2 : root.layer.baseline,
  }
  const height = root.layer.body.height
  pen.translate(pivot.x + moment.x * height, pivot.y + moment.y * height)
  pen.rotate(moment.turn)
  pen.transform(1, 0, moment.lean, 1, 0, 0)
  pen.scale(moment.scaleX, moment.scaleY)
  pen.translate(-pivot.x, -pivot.y)
  const tilt = layer.placed.tilt
  if (tilt !== 0) {
    const { body } = layer
    pen.translate(body.x + body.width / 2, body.y + body.height / 2)
    pen.rotate((tilt * Math.PI) / 180)
    pen.translate(-body.x - body.width / 2, -body.y - body.height / 2)
  }
  if (root.isTurned) {
    pen.translate(pivot.x, 0)
    pen.scale(-1, 1)
    pen.translate(-pivot.x, 0)
  }
  if (motion.isFire)
    drawFire(pen, layer.body, {
      seconds: frame.seconds,
      seed: `${layer.placed.subject}${layer.placed.copy}`,
      firm: firmShare(layer.subject.art),
    })
  else put(pen, bodyOf(actor, frame.seconds))
  pen.restore()
  if (layer.above) put(pen, layer.above)
  pen.restore()
}

function bodyOf({ layer, motion }: Actor, seconds: number): Piece {
  const { moments, body, placed } = layer
  if (moments.length === 0 || motion.gait === 0) return body
  const shift = (placed.copy * 0.37) % 1
  const step = Math.floor(((((seconds * motion.gait + shift) % 1) + 1) % 1) * moments.length)
  return moments[step] ?? body
}

/** Draws the picture that belongs below an actor: its reflection, which moves with the waves, the
 *  flickering light of a fire, or its shadow. */
function drawBelow(pen: Pen, below: Piece, { motion, layer }: Actor, { seconds }: ActorFrame): void {
  if (motion.isFire) {
    const glow = flicker(seconds, `${layer.placed.subject}`)
    pen.alpha = Math.min(1, 0.82 + glow * 0.2)
    const grown = 1 + glow * 0.06
    const [cx, cy] = [layer.body.x + layer.body.width / 2, layer.baseline]
    pen.save()
    pen.translate(cx, cy)
    pen.scale(grown, grown)
    pen.translate(-cx, -cy)
    put(pen, below)
    pen.restore()
    pen.alpha = 1
    return
  }
  if (layer.placed.lane === 'water') {
    drawRows(pen, below, y => Math.sin(seconds * 2.4 + y * 0.09) * layer.body.height * 0.006, { step: 3 })
    return
  }
  put(pen, below)
}

/** Returns the share of a thing's height, from the bottom, that does not burn. The share is 0
 *  unless the thing burns only at its top. */
function firmShare(art: string): number {
  return /candle|torch/.test(art) ? 0.58 : 0
}

/** Draws flickering flames. Upper rows sway more than lower ones, and the height of the flames
 *  changes. The lower share `firm` of the picture stands still. */
function drawFire(pen: Pen, body: Piece, { seconds, seed, firm }: { seconds: number; seed: string; firm: number }): void {
  const { phase, other } = phasesOf(seed)
  const stretch = 1 + 0.07 * Math.sin(seconds * 11 + phase) + 0.05 * Math.sin(seconds * 17.3 + other)
  const height = body.height * (1 - firm)
  const base = body.y + height
  if (firm > 0) drawRows(pen, body, () => 0, { from: height, step: body.height })
  pen.save()
  pen.translate(0, base)
  pen.scale(1, stretch)
  pen.translate(0, -base)
  drawRows(
    pen,
    body,
    y => {
      const up = Math.max(0, (base - y) / height - (firm > 0 ? 0.05 : 0.25))
      return up ** 1.4 * height * 0.11 * (Math.sin(seconds * 9 - up * 6 + phase) + 0.6 * Math.sin(seconds * 15.7 - up * 11 + other))
    },
    { to: height, step: 2 },
  )
  pen.restore()
}

/** Returns a flickering value between -1 and 1. */
export function flicker(seconds: number, seed: string): number {
  const { phase, other } = phasesOf(seed)
  return (Math.sin(seconds * 10.1 + phase) + Math.sin(seconds * 17.7 + other) * 0.7 + Math.sin(seconds * 4.3 + phase) * 0.5) / 2.2
}

function phasesOf(seed: string): { phase: number; other: number } {
  const random = createRandom(`${seed}/fire`)
  return { phase: random.next() * 6, other: random.next() * 6 }
}

/** Draws the rows of a picture between two distances from its top. */
function drawRows(
  pen: Pen,
  piece: Piece,
  shift: (y: number) => number,
  { from = 0, to = piece.height, step }: { from?: number; to?: number; step: number },
): void {
  const { x, y, width, height } = piece
  const sprite = pen.store.sprite(piece.canvas)
  const scale = sprite.height / height
  for (let row = from; row < to; row += step) {
    const rows = Math.min(step, to - row)
    pen.image(
      sprite,
      { x: x + shift(y + row), y: y + row, width, height: rows },
      { x: 0, y: row * scale, width: sprite.width, height: Math.min(sprite.height - row * scale, rows * scale) },
    )
  }
}

function put(pen: Pen, piece: Piece): void {
  pen.image(piece.canvas, piece)
}
