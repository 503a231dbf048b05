import type { Frame } from '../drawing.ts'
import type { Framing, ViewAngle } from '../scene.ts'

/** The camera of one picture: a pinhole camera above flat ground. The axes of the world are in
 *  metres: X to the right, Y up, Z away from the camera. */
export interface View {
  /** Pixel row of the horizon. It is negative (above the picture) when the camera looks down
   *  steeply. */
  horizonY: number
  /** Pixel rows of the farthest and nearest ground on which subjects stand. */
  farY: number
  nearY: number
  /** Pixel column at which the camera points. */
  centreX: number
  /** Focal length: pixels per metre at a distance of one metre. */
  focal: number
  /** Height of the camera above the ground, in metres. */
  eye: number
  angle: ViewAngle
  /** Zoom of the camera: 1 for a full view, larger values for closer views. */
  zoom: number
  /** Returns the number of pixels per metre on the ground at row `y`. */
  metre(y: number): number
  /** Returns the distance in metres of the ground at row `y`. */
  depth(y: number): number
  /** Returns the pixel column of a point (in metres); `row` returns its pixel row. */
  column(x: number, z: number): number
  row(y: number, z: number): number
}

/** How a kind of place is seen. Fractions are shares of the picture's height, measured from the
 *  top. */
export interface ViewPlan {
  horizon: number
  near: number
  /** Height of a person of 1.7 m on the nearest ground, as a share of the short side. Applies to
   *  the framing `full`; other framings zoom. */
  person: number
  /** Focal length as a multiple of the short side. */
  lens: number
  /** Position of the farthest ground on which subjects stand: 0 at the horizon to 1 at the nearest
   *  ground. */
  far: number
  /** True for a room or a table. The camera is then never in the air, and in tall pictures it stays
   *  below the ceiling. */
  indoors?: boolean
}

const zooms: Record<Framing, number> = { 'close-up': 1.8, medium: 1.35, full: 1, wide: 0.62, panorama: 0.45 }
const horizonShift: Record<ViewAngle, number> = { eye: 0, low: 0.16, high: -0.2, top: -2.6, aerial: -0.46 }

/** Returns the camera for a picture. */
export function viewOf(frame: Frame, plan: ViewPlan): View {
  const { width, height } = frame
  const unit = Math.min(width, height)
  const { framing } = frame.scene.camera
  const angle = plan.indoors === true && frame.scene.camera.angle === 'aerial' ? 'high' : frame.scene.camera.angle
  const zoom = zooms[framing]
  // In a tall picture, the horizon is lower, so that there is more sky than ground. Otherwise the
  // feet of subjects would be half a picture below the middle.
  const tall = Math.max(0, Math.min(1, (height / width - 1) / 3))
  const base = plan.horizon + tall * 0.1
  const nearY = Math.round(height * (angle === 'low' ? Math.max(plan.near, 0.92) : plan.near))
  const nearMetre = (plan.person / 1.7) * unit * zoom * (angle === 'aerial' ? 0.3 : angle === 'high' ? 0.85 : 1)
  const horizonY = Math.round(horizonOf(plan, { angle, height, base, lowest: nearY - roomRise(plan, angle, unit, nearMetre) }))
  // In a room, the camera cannot move back through the wall, so a wide framing uses a shorter focal
  // length instead.
  const lens = plan.indoors === true ? plan.lens * Math.min(1, zoom) : plan.lens
  // In a view straight down, a metre of ground must have the same length in pixels vertically and
  // horizontally.
  const focal = angle === 'top' ? height / 2 - horizonY : lens * unit
  const eye = (nearY - horizonY) / nearMetre
  const farY = horizonY < 0 ? Math.round(height * 0.1) : Math.round(horizonY + (nearY - horizonY) * plan.far)
  const metre = (y: number) => Math.max(1e-6, (nearMetre * (y - horizonY)) / (nearY - horizonY))
  return {
    horizonY,
    farY,
    nearY,
    centreX: width / 2,
    focal,
    eye,
    angle,
    zoom,
    metre,
    depth: y => (eye * focal) / Math.max(0.5, y - horizonY),
    column: (x, z) => width / 2 + (x * focal) / z,
    row: (y, z) => horizonY + ((eye - y) * focal) / z,
  }
}

/** Returns the largest distance in pixels between the horizon and the nearest ground. This limit
 *  keeps the camera of a room below the ceiling, and the camera of a table near the table. Infinite
 *  for other places and for a view straight down. */
function roomRise(plan: ViewPlan, angle: ViewAngle, unit: number, nearMetre: number): number {
  if (plan.indoors !== true || angle === 'top') return Number.POSITIVE_INFINITY
  const isTable = plan.person > 1
  return isTable ? 0.72 * unit : Math.min(0.72 * unit, (angle === 'high' ? 2.5 : 1.75) * nearMetre)
}

function horizonOf(plan: ViewPlan, view: { angle: ViewAngle; height: number; base: number; lowest: number }): number {
  const { angle, height, base } = view
  if (angle === 'top') return height * -2.6
  const wanted = height * Math.max(base + horizonShift[angle], angle === 'aerial' ? 0.04 : 0.16)
  return plan.indoors === true ? Math.max(wanted, view.lowest) : wanted
}
