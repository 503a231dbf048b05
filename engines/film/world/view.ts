/** Computes where the things of a world appear in the picture. The scale and the shift depend on
 *  the nearness of a thing. */
import type { CameraPose } from '../camera/path.ts'

export interface WorldSize {
  /** Size of the layers in pixels. */
  width: number
  height: number
  /** Row of the layers at which nearness is 0. */
  horizonY: number
  /** Row of the vanishing point: things that come nearer grow away from it. When absent, the
   *  horizon. */
  vanishY?: number
  /** Column of the vanishing point, which stays in place while things grow. When absent, the
   *  middle. */
  focusX?: number
  /** True when the pixels of the farthest layer must map exactly onto pixels of the picture while
   *  the scale of the layer is 1. */
  isFarStill?: boolean
  /** Layer pixels per picture pixel in the resting pose. */
  density: number
}

export interface PictureSize {
  width: number
  height: number
}

/** Mapping from a layer to the picture before the camera is rolled: x' = x * scale + `x`, and the
 *  same for y. */
export interface Placement {
  scale: number
  x: number
  y: number
}

export interface View {
  picture: PictureSize
  world: WorldSize
  pose: CameraPose
  /** Returns the placement for a nearness: 0 is the horizon, 1 the lower edge; slightly more than 1
   *  is allowed. */
  at(nearness: number): Placement
}

/** Returns the camera's view. The view is shifted and enlarged as little as possible, but so much
 *  that the layers fill the picture from top to bottom. */
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
    // When the camera moves, things move relative to the vanishing point; when it rotates, relative
    // to the middle of the picture.
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

/** Returns the factor by which a rolled picture must be enlarged so that no corner stays empty. */
function coverOf(roll: number, { width, height }: PictureSize): number {
  const angle = Math.abs(roll)
  return Math.cos(angle) + Math.sin(angle) * Math.max(width / height, height / width)
}
