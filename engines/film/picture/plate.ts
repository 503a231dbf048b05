/** Shows a single picture under a moving camera as if it were ground and sky: the lower a part
 *  lies in the picture, the nearer to the camera it is taken to be. Beyond the edges of the
 *  picture, its blurred mirror image continues. */
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import type { CameraPose } from '../camera/path.ts'
import type { Pen } from '../raster/pen.ts'
import { drawFlat } from '../world/draw-layer.ts'
import { createRoll } from '../world/roll.ts'
import { type PictureSize, type View, viewOf, type WorldSize } from '../world/view.ts'

export interface Plate {
  /** Draws the picture as the camera sees it. In the resting pose, that is exactly the picture. */
  draw(pen: Pen, pose: CameraPose): void
  /** Returns the camera's view; weather in front of the picture is drawn with it. */
  view(pose: CameraPose): View
  /** Position of the picture's upper left corner in the canvas that includes the mirrored border,
   *  in pixels. */
  offset: { x: number; y: number }
  world: WorldSize
}

/** Width of the mirrored border, as a share of the picture's width or height. */
const margin = 0.34
/** How far above the picture's upper edge the line of nearness 0 (`View.at`) lies, in picture
 *  heights. The lower edge then counts as about twice as near as the upper one (2.2 to 1.2). If the
 *  line were closer to the picture, this ratio would be greater, and upright things would seem to
 *  lean. */
const horizon = 1.2

export function plateOf(picture: Canvas): Plate {
  const { width, height } = picture
  const [padX, padY] = [Math.round(width * margin), Math.round(height * margin)]
  const canvas = extended(picture, padX, padY)
  const world: WorldSize = {
    width: canvas.width,
    height: canvas.height,
    horizonY: padY - height * horizon,
    vanishY: padY + height / 2,
    density: 1,
  }
  const size: PictureSize = { width, height }
  const layer = { canvas, x: 0, y: 0, width: canvas.width, height: canvas.height }
  const view = (pose: CameraPose) => viewOf(world, size, pose)
  const roll = createRoll()
  return {
    world,
    offset: { x: padX, y: padY },
    view,
    draw: (pen, pose) => {
      if (isAtRest(pose)) pen.image(picture, { x: 0, y: 0, ...size })
      else roll(pen, pose.roll, upright => drawFlat(upright, view(pose), layer))
    },
  }
}

export function isAtRest(pose: CameraPose): boolean {
  return Object.values(pose).every(value => Math.abs(value) < 1e-6)
}

/** Returns the picture surrounded by its mirror image, which is slightly blurred. */
function extended(picture: Canvas, padX: number, padY: number): Canvas {
  const { width, height } = picture
  const canvas = createCanvas(width + padX * 2, height + padY * 2)
  const context = canvas.getContext('2d')
  const mirror = (blur: number) => {
    context.filter = blur > 0 ? `blur(${blur}px)` : 'none'
    for (const column of [-1, 0, 1])
      for (const row of [-1, 0, 1]) {
        context.save()
        context.translate(padX + (column === 0 ? 0 : column < 0 ? 0 : width * 2), padY + (row === 0 ? 0 : row < 0 ? 0 : height * 2))
        context.scale(column === 0 ? 1 : -1, row === 0 ? 1 : -1)
        context.drawImage(picture, 0, 0)
        context.restore()
      }
    context.filter = 'none'
  }
  mirror(Math.max(1, Math.round(height * 0.006)))
  context.drawImage(picture, padX, padY)
  return canvas
}
