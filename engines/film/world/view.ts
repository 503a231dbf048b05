/** Places of the things of a world on the picture: every nearness has its own scale and shift. */
import type { CameraPose } from '../camera/path.ts'

export interface WorldSize {
  /** Size of the layers in pixels. */
  width: number
  height: number
  /** Row at which nearness is 0. */
  horizonY: number
  /** Row away from which approaching things grow; absent: the horizon. */
  vanishY?: number
  /** Column that keeps its place while things grow; absent: the middle. */
  focusX?: number
  /** True when the farthest layer rests on the picture: pixel upon pixel where its scale is 1. */
  isFarStill?: boolean
  /** Pixels of a layer that one pixel of the picture shows at rest. */
  density: number
}

export interface PictureSize {
  width: number
  height: number
}

/** Placement of a layer: x' = x * scale + x0, before the roll of the camera. */
export interface Placement {
  scale: number
  x: number
  y: number
}

export interface View {
  picture: PictureSize
  world: WorldSize
  pose: CameraPose
  /** Returns the placement for a nearness, 0 to 1 and a little more. */
  at(nearness: number): Placement
}

/** Returns the view of a camera; it is moved and enlarged as little as possible so that the layers
 *  fill the picture from top to bottom. */
export function viewOf(world: WorldSize, picture: PictureSize, pose: CameraPose): View {
  const raw = rawView(world, picture, pose)
  const top = raw(0).y
  const low = raw(1)
  const bottom = low.y + world.height * low.scale
  let enlarge = Math.max(1, coverOf(pose.roll, picture))
  const tall = bottom - top
  const margin = ((enlarge - 1) * picture.height) / enlarge / 2
  if (tall < picture.height) enlarge *= picture.height / Math.max(1, tall)
  const gapTop = Math.max(0, top - margin)
  const gapBottom = Math.max(0, picture.height - margin - bottom)
  const shift = tall * enlarge < picture.height ? 0 : gapBottom - gapTop
  const [cx, cy] = [picture.width / 2, picture.height / 2]
  return {
    picture,
    world,
    pose,
    at: nearness => {
      const { scale, x, y } = raw(nearness)
      if (nearness === 0 && world.isFarStill && enlarge === 1 && shift === 0 && Math.abs(scale - 1) < 1e-6)
        return { scale: 1, x: Math.round(x), y: Math.round(y) }
      return { scale: scale * enlarge, x: cx + (x - cx) * enlarge, y: cy + (y + shift - cy) * enlarge }
    },
  }
}

function rawView(world: WorldSize, picture: PictureSize, pose: CameraPose): (nearness: number) => Placement {
  const base = 1 / world.density
  const [cx, cy] = [world.width / 2, world.height / 2]
  const magnified = Math.exp(pose.zoom)
  return nearness => {
    const grown = Math.exp(pose.dolly * nearness)
    const scale = grown * magnified * base
    // The camera's movement acts about the vanishing point, its turns about the middle.
    const moved = { x: pose.truck * nearness * picture.width * world.density, y: -pose.lift * nearness * picture.height * world.density }
    const turned = { x: pose.pan * picture.width * world.density, y: -pose.tilt * picture.height * world.density }
    const focusX = world.focusX ?? cx
    const originX = focusX + (0 - focusX - moved.x) * grown
    const vanishY = world.vanishY ?? world.horizonY
    const originY = vanishY + (0 - vanishY - moved.y) * grown
    return {
      scale,
      x: (originX - focusX - turned.x) * magnified * base + (focusX - cx) * base + picture.width / 2,
      y: (originY - cy - turned.y) * magnified * base + picture.height / 2,
    }
  }
}

/** Returns the factor by which a rolled picture must grow to have no empty corner. */
function coverOf(roll: number, { width, height }: PictureSize): number {
  const angle = Math.abs(roll)
  return Math.cos(angle) + Math.sin(angle) * Math.max(width / height, height / width)
}
