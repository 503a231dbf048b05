import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Environment, Rgb } from '../../drawing.ts'
import { glowDisc } from '../celestial.ts'
import { mix, rgb } from '../colour.ts'
import { createRoom, type Opening, paintShell, type Room, type RoomPlan } from '../room.ts'
import { screened } from '../screened.ts'
import { frontPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { outsideView, paintDrops, paintWindowFrame } from '../window.ts'
import type { PlacePainter } from './place.ts'

/** Dimensions of a room in metres; `half` is half of the width. */
export interface RoomSize {
  depth: number
  half: number
}

export interface Interior extends Omit<RoomPlan, 'halfWidth' | 'depth' | 'windows' | 'lamps'> {
  underfoot: Environment['floor']
  /** Windows in the back wall; when absent, the wall has none. `lamps` works the same way. */
  windows?: RoomPlan['windows']
  lamps?: RoomPlan['lamps']
  /** Draws furniture and things on the walls, from far to near. */
  furnish(context: SKRSContext2D, room: Room, size: RoomSize): void
  windowFrame?: string
  paintFront?(context: SKRSContext2D): void
}

/** Returns half the width of a room in metres: at least `least`, and so wide that a strip of the
 *  side walls is visible in a picture of any aspect ratio. */
function roomHalf(stage: Stage, depth: number, least: number): number {
  return Math.max(least, ((stage.width / 2) * depth * 0.8) / stage.view.focal)
}

/** Returns windows of equal size along a back wall, one of them in the middle. The wider the room
 *  is, the more windows there are. */
export function windowRow(half: number, size: { width: number; y: readonly [number, number]; pitch: number }): Opening[] {
  const more = Math.max(0, Math.floor((half - size.width / 2 - 0.9) / size.pitch))
  return Array.from({ length: more * 2 + 1 }, (_, i) => {
    const middle = (i - more) * size.pitch
    return { x: [middle - size.width / 2, middle + size.width / 2], y: size.y }
  })
}

/** Returns the colour of the walls: `hex`, or, when the prompt gives the place a colour, that
 *  colour with a fifth of `hex` mixed in. */
export function wallColour(stage: Stage, hex: string): Rgb {
  const own = stage.scene.setting.colour
  return own === undefined ? rgb(hex) : mix(rgb(hex), rgb(own.hex), 0.8)
}

/** Returns a painter for a kind of room. By default, the side walls are near the edges of the
 *  picture, and at least `least` metres from the middle of the room. With `half`, the side walls
 *  are exactly `half` metres from the middle. */
export function interior(
  { depth, ...width }: { depth: number } & ({ least: number } | { half: number }),
  build: (stage: Stage, size: RoomSize) => Interior,
): PlacePainter {
  return stage => {
    const half = 'half' in width ? width.half : roomHalf(stage, depth, width.least)
    const { underfoot, furnish, windowFrame = '#f4efe4', paintFront, ...made } = build(stage, { depth, half })
    const { view } = stage
    // In a tall picture the walls are made higher, so that the ceiling stays in the upper part of
    // the picture.
    const height = Math.max(made.height, view.eye + 0.8, view.eye + (0.62 * view.horizonY * depth) / view.focal)
    const isFromTop = view.angle === 'top'
    // In a view straight down, the walls are moved far away, so that only the floor is visible; the
    // ceiling is above the camera.
    const { windows = [], lamps = [] } = made
    const plan = isFromTop
      ? { ...made, lamps, height, depth: 1e5, halfWidth: 1e5, windows: [] }
      : { ...made, lamps, height, depth, halfWidth: half, windows }
    const room = createRoom(stage, plan)
    return {
      floor: underfoot,
      isIndoors: true,
      edgeY: Math.round(stage.view.row(0, plan.depth)),
      light: {
        height: 0.7,
        key: room.tint,
        ambient: mix(room.shine.tone(rgb('#ffffff'), 0.75), rgb('#ffffff'), 0.25),
        shadow: room.isEvening ? 0.4 : 0.5,
        rim: room.isEvening ? 0.3 : 0.4,
      },
      haze: { colour: mix(plan.wall.colour, room.tint, 0.4), strength: 0.12 },
      paintBack: context => {
        paintShell(context, room)
        for (const opening of plan.windows) paintRoomWindow(context, room, opening, windowFrame)
        if (isFromTop) return
        furnish(context, room, { depth, half })
        paintLamps(context, room)
      },
      paintFront: context => {
        if (!isFromTop) paintFront?.(context)
      },
    }
  }
}

function paintRoomWindow(context: SKRSContext2D, room: Room, opening: Opening, frame: string): void {
  const { stage, plan } = room
  const plane = frontPlane(stage.view, plan.depth)
  const a = plane(opening.x[0], opening.y[1])
  const b = plane(opening.x[1], opening.y[0])
  const rect = { x: a.x, y: a.y, width: b.x - a.x, height: b.y - a.y }
  const view = outsideView(stage, rect.width / rect.height, Math.min(420, Math.max(48, rect.height * 0.7)), 0.012)
  context.drawImage(view, rect.x, rect.y, rect.width, rect.height)
  if (stage.weather('rain', 'storm', 'lightning')) paintDrops(context, stage, rect, view)
  const columns = Math.max(2, Math.round((opening.x[1] - opening.x[0]) / 0.8))
  paintWindowFrame(context, {
    ...rect,
    columns,
    rows: 2,
    colour: room.shine.tone(rgb(frame), 0.72),
    bar: (0.06 * stage.view.focal) / plan.depth,
  })
  if (room.isEvening) return
  screened(context, () => {
    glowDisc(
      context,
      { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2, radius: Math.max(rect.width, rect.height) * 0.9 },
      stage.palette.sky[3],
      0.3 * (0.4 + 0.6 * stage.palette.sharpness),
    )
  })
}

function paintLamps(context: SKRSContext2D, room: Room): void {
  const { stage, plan } = room
  screened(context, () => {
    for (const lamp of plan.lamps) {
      const x = stage.view.column(lamp.x, lamp.z)
      const y = stage.view.row(lamp.y, lamp.z)
      glowDisc(
        context,
        { x, y, radius: (stage.view.focal / lamp.z) * (room.isEvening ? 1.5 : 0.6) },
        rgb('#ffcf8a'),
        (room.isEvening ? 0.55 : 0.22) * lamp.power,
      )
    }
  })
}

/** Returns a blurred picture of a room, for the background of a table. `blur` is the radius as a
 *  share of the short side. */
export function blurredRoom(stage: Stage, painter: PlacePainter, blur: number): Canvas {
  const small = createCanvas(stage.width, stage.height)
  const ink = small.getContext('2d')
  painter(stage).paintBack(ink)
  const soft = createCanvas(stage.width, stage.height)
  const pen = soft.getContext('2d')
  pen.filter = `blur(${(blur * stage.unit).toFixed(2)}px)`
  const pad = 0.04
  pen.drawImage(small, -stage.width * pad, -stage.height * pad, stage.width * (1 + pad * 2), stage.height * (1 + pad * 2))
  return soft
}
