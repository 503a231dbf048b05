import type { Frame } from '../drawing.ts'
import type { Framing, ViewAngle } from '../scene.ts'

/** The camera of one picture: a pinhole above flat ground. World axes in metres: X right, Y up,
 *  Z away from the camera. */
export interface View {
  /** Row of the true horizon; above the picture for views from above. */
  horizonY: number
  /** Rows of the far-most and near-most baseline. */
  farY: number
  nearY: number
  /** Column the camera looks at. */
  centreX: number
  /** Pixels per metre at one metre's distance. */
  focal: number
  /** Metres above the ground. */
  eye: number
  angle: ViewAngle
  /** 1 for a full view; larger is closer. */
  zoom: number
  /** Returns how many pixels a metre measures on the ground at row `y`. */
  metre(y: number): number
  /** Returns the distance in metres of the ground at row `y`. */
  depth(y: number): number
  /** Returns the pixel column of a point in metres; `row` returns its pixel row. */
  column(x: number, z: number): number
  row(y: number, z: number): number
}

/** Framing of the ground of a setting. Fractions are of the picture height, from the top. */
export interface ViewPlan {
  horizon: number
  near: number
  /** Height of a 1.7 m person at the near baseline as a fraction of the short side, at 'full'
   *  framing. */
  person: number
  /** Focal length as a multiple of the short side. */
  lens: number
  /** Position of the far-most baseline, as a share of the way from the horizon to the near
   *  baseline. */
  far: number
  /** True for a room or a table: never seen from the air, and the camera stays below the ceiling in
   *  tall pictures. */
  indoors?: boolean
}

const zooms: Record<Framing, number> = { 'close-up': 1.8, medium: 1.35, full: 1, wide: 0.62, panorama: 0.45 }
const horizonShift: Record<ViewAngle, number> = { eye: 0, low: 0.16, high: -0.2, top: -2.6, aerial: -0.46 }

/** Lays out the camera for a frame. */
export function viewOf(frame: Frame, plan: ViewPlan): View {
  const { width, height } = frame
  const unit = Math.min(width, height)
  const { framing } = frame.scene.camera
  const angle = plan.indoors === true && frame.scene.camera.angle === 'aerial' ? 'high' : frame.scene.camera.angle
  const zoom = zooms[framing]
  // Tall pictures get more sky than ground; otherwise feet would stand half a picture below the
  // middle.
  const tall = Math.max(0, Math.min(1, (height / width - 1) / 3))
  const base = plan.horizon + tall * 0.1
  const nearY = Math.round(height * (angle === 'low' ? Math.max(plan.near, 0.92) : plan.near))
  const nearMetre = (plan.person / 1.7) * unit * zoom * (angle === 'aerial' ? 0.3 : angle === 'high' ? 0.85 : 1)
  const horizonY = Math.round(horizonOf(plan, { angle, height, base, lowest: nearY - roomRise(plan, angle, unit, nearMetre) }))
  // In a room a wide view is a wide lens: the camera cannot step back through the wall.
  const lens = plan.indoors === true ? plan.lens * Math.min(1, zoom) : plan.lens
  // Straight down, a step up the picture must measure as much ground as a step across it.
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

/** Returns how far above the near baseline the horizon of a room or table may lie, in pixels: the
 *  camera stays below the ceiling. */
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
