/** A shot that begins with a picture of the request, ends with one, or both. */
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import type { Scene } from '@generation-gateway/studio/scene.ts'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { type CameraPath, type CameraPose, cameraPath } from '../camera/path.ts'
import type { Pen } from '../raster/pen.ts'
import type { Surface } from '../raster/store.ts'
import { fallsInPrompt } from '../weather/falls.ts'
import { fallOf } from '../weather/weather.ts'
import type { Clip } from '../world/clip.ts'
import type { PictureSize } from '../world/view.ts'
import { flowBetween, warp } from './flow.ts'
import type { Brush } from './masks.ts'
import { isAtRest, type Plate, plateOf } from './plate.ts'

interface PictureShot {
  first?: Canvas
  last?: Canvas
  /** Scene of the prompt; its weather is drawn in front of the picture. */
  scene: Scene
  picture: PictureSize
  seconds: number
  /** Duration of one frame in seconds. The last frame starts this long before the end of the shot,
   *  and must show exactly the last picture. */
  frameSeconds: number
  steps: readonly CameraMove[]
  seed: string
  /** Parts of the first picture that move separately or stay. */
  brush?: Brush
}

/** Returns the clip. Throws a `RangeError` when there is no picture. */
export function pictureClip(shot: PictureShot): Clip {
  const { first, last, seconds, frameSeconds, scene, seed, brush } = shot
  const lastSecond = Math.max(frameSeconds, seconds - frameSeconds)
  const steps = shot.steps.length > 0 ? shot.steps : [first && last ? { depth: 0.8 } : { depth: 1.8, horizontal: 0.6 }]
  const plain = cameraPath(steps, { seconds: lastSecond, seed })
  const falls = fallsInPrompt(scene).map(kind => fallOf(kind, { isDim: meanLight(first ?? last) < 96, seed, wind: 0.12 }))
  const still = steps.every(step => Object.keys(step).length === 0)
  const paint = painterOf({ first, last, lastSecond, from: anchored(plain, 0), to: anchored(plain, lastSecond), brush })
  return {
    draw: (pen, at) => {
      const time = Math.min(at, lastSecond)
      const view = paint(pen, time)
      const away = Math.min(first ? time : 1, last ? lastSecond - time : 1)
      const strength = Math.max(0, Math.min(1, away / 0.7))
      if (strength <= 0) return
      for (const fall of falls) fall.draw(pen, view, time, strength)
      if (!still) breathe(pen, time, strength)
    },
  }
}

interface ClipPainting {
  first: Canvas | undefined
  last: Canvas | undefined
  lastSecond: number
  from: CameraPath
  to: CameraPath
  brush: Brush | undefined
}

/** Returns a function that draws the pictures at a given time and returns the camera's view. */
function painterOf({ first, last, lastSecond, from, to, brush }: ClipPainting): (pen: Pen, time: number) => ReturnType<Plate['view']> {
  const begins = first && plateOf(brush ? brush.background : first)
  const ends = last && plateOf(last)
  if (begins && ends && first && last) {
    const morph = createMorph(first, last)
    let second: Surface | undefined
    return (pen, time) => {
      const share = time / lastSecond
      second ??= pen.store.surface(pen.width, pen.height)
      if (morph) morph(pen, share, second)
      else crossfade(pen, { begins, ends, from: from(time), to: to(time), share, second })
      return begins.view(rest)
    }
  }
  const plate = begins ?? ends
  if (!plate) throw new RangeError('a picture shot needs a picture')
  return (pen, time) => {
    const pose = begins ? from(time) : to(time)
    plate.draw(pen, pose)
    brush?.draw(pen, plate, pose, time / lastSecond)
    if (brush && first && isAtRest(pose) && time === 0) whole(pen, first)
    return plate.view(pose)
  }
}

const rest: CameraPose = { truck: 0, lift: 0, dolly: 0, pan: 0, tilt: 0, roll: 0, zoom: 0 }

/** Returns the path, shifted so that the camera is in the resting pose at the given second. */
function anchored(path: CameraPath, second: number): CameraPath {
  const origin = path(second)
  return t => {
    const pose = path(t)
    const difference = { ...pose }
    for (const part of Object.keys(rest) as (keyof CameraPose)[]) difference[part] = pose[part] - origin[part]
    return difference
  }
}

interface Crossfade {
  begins: Plate
  ends: Plate
  from: CameraPose
  to: CameraPose
  share: number
  /** A second surface, on which the picture that fades in is drawn. */
  second: Surface
}

/** Draws two pictures with one camera movement. The second picture fades in over the first. */
function crossfade(pen: Pen, { begins, ends, from, to, share, second }: Crossfade): void {
  const t = Math.max(0, Math.min(1, (share - 0.15) / 0.7))
  const alpha = t * t * (3 - 2 * t)
  if (alpha < 1) begins.draw(pen, from)
  if (alpha <= 0) return
  pen.on(second, () => ends.draw(pen, to))
  pen.mix(second, alpha)
}

/** Returns a function that draws the transition between two pictures of the same place. Each pixel
 *  moves from its place in the first picture to its place in the second. Undefined when the
 *  pictures have too little in common. */
function createMorph(first: Canvas, last: Canvas): ((pen: Pen, share: number, second: Surface) => void) | undefined {
  const flow = flowBetween(first, last)
  if (!flow) return undefined
  return (pen, share, second) => {
    if (share <= 0 || share >= 1) {
      whole(pen, share <= 0 ? first : last)
      return
    }
    const eased = share * share * (3 - 2 * share)
    warp(pen, first, flow, eased)
    pen.on(second, () => warp(pen, last, flow, eased - 1))
    pen.mix(second, eased)
  }
}

function whole(pen: Pen, picture: Canvas): void {
  pen.image(picture, { x: 0, y: 0, width: picture.width, height: picture.height })
}

/** Varies the brightness slightly over time, as passing clouds do. */
function breathe(pen: Pen, time: number, strength: number): void {
  const light = Math.sin(time * 0.9) * 0.05 * strength
  if (Math.abs(light) >= 0.004) pen.light(light, light, light)
}

/** Returns the mean brightness, 0 to 255. */
function meanLight(canvas: Canvas | undefined): number {
  if (!canvas) return 128
  const small = createCanvas(16, 16)
  const context = small.getContext('2d')
  context.drawImage(canvas, 0, 0, 16, 16)
  const { data } = context.getImageData(0, 0, 16, 16)
  let sum = 0
  for (let i = 0; i < data.length; i += 4) sum += (data[i] ?? 0) * 0.3 + (data[i + 1] ?? 0) * 0.59 + (data[i + 2] ?? 0) * 0.11
  return sum / 256
}
