import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../drawing.ts'
import { clamp, css, mix, rgb, smooth } from './colour.ts'
import { fieldScale, type Pixel, paintField } from './field.ts'
import { type FloorKind, floorMaterial, type WallKind, wallMaterial } from './materials.ts'
import { type Box, drawBox, levelPlane, type Shine } from './solid.ts'
import type { Stage } from './stage.ts'

export interface Opening {
  x: readonly [number, number]
  y: readonly [number, number]
}

export interface RoomPlan {
  /** Lengths in metres. */
  halfWidth: number
  height: number
  depth: number
  wall: { kind: WallKind; colour: Rgb; lower?: Rgb }
  floor: { kind: FloorKind; colour: Rgb }
  ceiling: Rgb
  /** Windows in the back wall. */
  windows: readonly Opening[]
  /** Lamps with warm light; positions in metres. */
  lamps: readonly { x: number; y: number; z: number; power: number }[]
  /** Brightness: 0 (dark hall) to about 1.1 (bright room). */
  brightness: number
}

/** A room with its light, as the functions that draw furniture need it. */
export interface Room {
  stage: Stage
  plan: RoomPlan
  shine: Shine
  /** Colour of the general light: of daylight, or warm in the evening. The lamps and the sunlight
   *  through the windows have colours of their own (`createSurface`). */
  tint: Rgb
  isEvening: boolean
}

/** Returns a room with the light for the scene's time of day. */
export function createRoom(stage: Stage, plan: RoomPlan): Room {
  const { palette } = stage
  const isEvening = palette.isDim || stage.has('cozy', 'candlelit', 'dim')
  const day = mix(mix(palette.key, rgb('#ffffff'), 0.55), rgb('#fff6e6'), 0.3)
  const tint = isEvening ? rgb('#ffdcae') : day
  const level = plan.brightness * (isEvening ? 0.86 : 0.98)
  const shine: Shine = {
    side: stage.sun.side > 0 ? 0.7 : -0.7,
    tone: (colour, amount) => {
      const light = (0.46 + 0.58 * amount) * level
      return { r: (colour.r * light * tint.r) / 255, g: (colour.g * light * tint.g) / 255, b: (colour.b * light * tint.b) / 255 }
    },
  }
  return { stage, plan, shine, tint, isEvening }
}

/** Draws walls, floor and ceiling. For each computed pixel, a ray is cast into the room to find the
 *  surface and its light: lamps, darker corners, and sunlight from the windows. */
export function paintShell(context: SKRSContext2D, room: Room): void {
  const { stage, plan } = room
  const { view, width, height } = stage
  const surface = createSurface(room)
  const hit: Hit = { x: 0, y: 0, z: 0, face: 'back' }
  paintField(context, { x: 0, y: 0, width, height }, fieldScale(width, height, 1.15), (px, py, out) => {
    const dx = (px - view.centreX) / view.focal
    const dy = (view.horizonY - py) / view.focal
    let z = plan.depth
    hit.face = 'back'
    const side = Math.abs(dx) > 1e-6 ? plan.halfWidth / Math.abs(dx) : 1e9
    if (side < z) {
      z = side
      hit.face = 'side'
    }
    const level = dy < 0 ? view.eye / -dy : (plan.height - view.eye) / Math.max(dy, 1e-6)
    if (level < z) {
      z = level
      hit.face = dy < 0 ? 'floor' : 'ceiling'
    }
    hit.x = dx * z
    hit.y = view.eye + dy * z
    hit.z = z
    surface(hit, out)
  })
}

interface Hit {
  x: number
  y: number
  z: number
  face: 'back' | 'side' | 'floor' | 'ceiling'
}

function createSurface(room: Room): (hit: Hit, out: Pixel) => void {
  const { stage, plan, tint } = room
  const noise = stage.noise('room')
  const floor = floorMaterial(noise, plan.floor.kind, plan.floor.colour)
  const wall = wallMaterial(noise, plan.wall.kind, plan.wall.colour, plan.wall.lower)
  const light = createLight(room)
  const lamp = rgb('#ffd9a0')
  const sun = mix(stage.palette.glow, rgb('#ffe8c0'), 0.35)
  return (hit, out) => {
    if (hit.face === 'floor') floor(hit.x, hit.z, out)
    else if (hit.face === 'back') wall(hit.x, hit.y, out)
    else if (hit.face === 'side') wall(hit.z, hit.y, out)
    else {
      const c = plan.ceiling
      const v = 1 + noise.at(hit.x, hit.z) * 0.02
      out[0] = c.r * v
      out[1] = c.g * v
      out[2] = c.b * v
    }
    if ((hit.face === 'back' || hit.face === 'side') && hit.y > plan.height - 0.13) {
      // The upper part of the wall, below the ceiling, is a strip of moulding.
      const step = hit.y > plan.height - 0.05 ? 1.04 : 0.94
      for (let i = 0; i < 3; i++) out[i] = (out[i]! * 0.35 + 245 * 0.65) * step
    }
    const l = light(hit)
    out[0] = (out[0]! * (l.base * tint.r + l.lamp * lamp.r + l.sun * sun.r)) / 255
    out[1] = (out[1]! * (l.base * tint.g + l.lamp * lamp.g + l.sun * sun.g)) / 255
    out[2] = (out[2]! * (l.base * tint.b + l.lamp * lamp.b + l.sun * sun.b)) / 255
  }
}

function createLight(room: Room): (hit: Hit) => { base: number; lamp: number; sun: number } {
  const { stage, plan, isEvening } = room
  const result = { base: 0, lamp: 0, sun: 0 }
  const hasSun = !isEvening && stage.palette.sharpness > 0.5 && plan.windows.length > 0
  const slant = -stage.sun.side * 0.75
  const drop = stage.palette.lightHeight < 0.2 ? 0.42 : stage.palette.lightHeight < 0.5 ? 0.62 : 0.95
  const base = plan.brightness * (isEvening ? 0.6 : 0.84)
  return hit => {
    const corner = cornerShade(hit, plan)
    const depth = 0.82 + 0.18 * (hit.z / plan.depth)
    const faceLight =
      hit.face === 'floor' ? 0.98 : hit.face === 'ceiling' ? 0.94 : hit.face === 'back' ? 0.95 : hit.x * stage.sun.side > 0 ? 0.84 : 1
    result.base = base * corner * depth * faceLight
    result.lamp = 0
    for (const l of plan.lamps) {
      const d2 = (hit.x - l.x) ** 2 + (hit.y - l.y) ** 2 + (hit.z - l.z) ** 2
      result.lamp += (l.power * (isEvening ? 0.62 : 0.16)) / (1 + d2 * 0.62)
    }
    result.lamp = Math.min(0.75, result.lamp) * corner
    result.sun = hasSun
      ? sunPatch(hit, plan, slant, drop) * (stage.palette.lightHeight < 0.2 ? 0.42 : 0.34) * (hit.face === 'floor' ? 1 : 0.7)
      : 0
    return result
  }
}

/** Returns the factor by which a point is darkened in the corners and along the edges of the room,
 *  at most 1. */
function cornerShade(hit: Hit, plan: RoomPlan): number {
  const toSide = plan.halfWidth - Math.abs(hit.x)
  const toBack = plan.depth - hit.z
  const toFloor = hit.y
  const toCeiling = plan.height - hit.y
  const edge = (d: number) => 1 - 0.3 * Math.exp(-d * 2.6)
  if (hit.face === 'floor' || hit.face === 'ceiling') return edge(toSide) * edge(toBack)
  const upDown = edge(toFloor) * edge(toCeiling)
  return hit.face === 'back' ? upDown * edge(toSide) : upDown * edge(toBack)
}

/** Returns how much sunlight reaches a point, 0 to 1: traces the light back to the windows in the
 *  back wall. */
function sunPatch(hit: Hit, plan: RoomPlan, slant: number, drop: number): number {
  if (hit.face === 'back' || hit.face === 'ceiling') return 0
  const t = plan.depth - hit.z
  const x = hit.x - slant * t
  const y = hit.y + drop * t
  let sum = 0
  for (const w of plan.windows) {
    const soft = 0.04 + t * 0.03
    const across = smooth(w.x[0] - soft, w.x[0] + soft, x) * smooth(w.x[1] + soft, w.x[1] - soft, x)
    const up = smooth(w.y[0] - soft, w.y[0] + soft, y) * smooth(w.y[1] + soft, w.y[1] - soft, y)
    const barX = 1 - 0.8 * smooth(soft * 1.3, 0, Math.abs(x - (w.x[0] + w.x[1]) / 2))
    const barY = 1 - 0.8 * smooth(soft * 1.3, 0, Math.abs(y - (w.y[0] + w.y[1]) / 2))
    sum += across * up * barX * barY
  }
  return clamp(sum, 0, 1)
}

/** Draws a box in the room. A box that begins less than 0.25 m above the floor gets a soft shadow
 *  on the floor. */
export function furniture(context: SKRSContext2D, room: Room, box: Box): void {
  const { stage, shine } = room
  if (box.y[0] < 0.25 && box.z[1] > 0.4) floorShadow(context, room, box)
  drawBox(context, stage.view, box, shine)
}

export function floorShadow(context: SKRSContext2D, room: Room, box: Pick<Box, 'x' | 'z'>): void {
  const { view, unit } = room.stage
  const plane = levelPlane(view, 0)
  const a = plane(box.x[0] - 0.12, box.z[0])
  const b = plane(box.x[1] + 0.12, box.z[0])
  const c = plane(box.x[0], box.z[1])
  const centreX = (a.x + b.x) / 2
  const radiusX = (b.x - a.x) * 0.6
  const radiusY = Math.max(unit * 0.008, (a.y - c.y) * 0.5 + unit * 0.02)
  context.save()
  context.translate(centreX, a.y - radiusY * 0.35)
  context.scale(1, radiusY / radiusX)
  const gradient = context.createRadialGradient(0, 0, radiusX * 0.4, 0, 0, radiusX * 1.05)
  gradient.addColorStop(0, 'rgba(24,16,12,0.4)')
  gradient.addColorStop(0.7, 'rgba(24,16,12,0.16)')
  gradient.addColorStop(1, 'rgba(24,16,12,0)')
  context.fillStyle = gradient
  context.fillRect(-radiusX * 1.1, -radiusX * 1.1, radiusX * 2.2, radiusX * 2.2)
  context.restore()
}

/** Returns the colour of a thing in the room at light `amount` (0 to 1), as CSS. */
export function tone(room: Room, colour: string | Rgb, amount = 0.65): string {
  return css(room.shine.tone(typeof colour === 'string' ? rgb(colour) : colour, amount))
}
