/** A shot that begins with a given picture, ends with one, or both. */
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import type { Scene } from '@generation-gateway/studio/scene.ts'
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { type CameraPath, type CameraPose, cameraPath } from '../camera/path.ts'
import { fallOf } from '../weather/weather.ts'
import { saidFalls } from '../weather/which.ts'
import type { Clip } from '../world/clip.ts'
import type { PictureSize } from '../world/view.ts'
import { blendFlow, flowBetween } from './flow.ts'
import type { Brush } from './masks.ts'
import { isAtRest, type Plate, plateOf } from './plate.ts'

export interface PictureShot {
  first?: Canvas
  last?: Canvas
  /** What the prompt says; its weather falls before the picture. */
  scene: Scene
  picture: PictureSize
  seconds: number
  /** Length of a frame: the last one shows the last picture. */
  frameSeconds: number
  steps: readonly CameraMove[]
  seed: string
  /** Parts of the first picture that move by themselves or stay. */
  brush?: Brush
}

/** Throws a `RangeError` without any picture. */
export function pictureClip(shot: PictureShot): Clip {
  const { first, last, seconds, frameSeconds, scene, seed, picture, brush } = shot
  const lastSecond = Math.max(frameSeconds, seconds - frameSeconds)
  const steps = shot.steps.length > 0 ? shot.steps : [first && last ? { depth: 0.8 } : { depth: 1.8, horizontal: 0.6 }]
  const plain = cameraPath(steps, { seconds: lastSecond, seed })
  const falls = saidFalls(scene).map(kind => fallOf(kind, { isDim: meanLight(first ?? last) < 96, seed, wind: 0.12 }))
  const still = steps.every(step => Object.keys(step).length === 0)
  const paint = painterOf({ first, last, lastSecond, from: anchored(plain, 0), to: anchored(plain, lastSecond), brush })
  return {
    draw: (context, at) => {
      const time = Math.min(at, lastSecond)
      const view = paint(context, time)
      const away = Math.min(first ? time : 1, last ? lastSecond - time : 1)
      const strength = Math.max(0, Math.min(1, away / 0.7))
      if (strength <= 0) return
      for (const fall of falls) fall.draw(context, view, time, strength)
      if (!still) breathe(context, picture, time, strength)
    },
  }
}

interface Painting {
  first: Canvas | undefined
  last: Canvas | undefined
  lastSecond: number
  from: CameraPath
  to: CameraPath
  brush: Brush | undefined
}

/** Draws the pictures of a moment and says how the camera sees them. */
function painterOf({
  first,
  last,
  lastSecond,
  from,
  to,
  brush,
}: Painting): (context: SKRSContext2D, time: number) => ReturnType<Plate['view']> {
  const begins = first && plateOf(brush ? brush.background : first)
  const ends = last && plateOf(last)
  if (begins && ends && first && last) {
    const morph = createMorph(first, last)
    const second = createCanvas(first.width, first.height)
    return (context, time) => {
      const share = time / lastSecond
      if (morph) morph(context, share)
      else crossfade(context, { begins, ends, from: from(time), to: to(time), share, second })
      return begins.view(rest)
    }
  }
  const plate = begins ?? ends
  if (!plate) throw new RangeError('a picture shot needs a picture')
  return (context, time) => {
    const pose = begins ? from(time) : to(time)
    plate.draw(context, pose)
    brush?.draw(context, plate, pose, time / lastSecond)
    if (brush && first && isAtRest(pose) && time === 0) context.drawImage(first, 0, 0)
    return plate.view(pose)
  }
}

const rest: CameraPose = { truck: 0, lift: 0, dolly: 0, pan: 0, tilt: 0, roll: 0, zoom: 0 }

/** The path with its pose at one second as the resting one. */
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
  /** Room for the second. */
  second: Canvas
}

/** One camera over both, while the second grows out of the first. */
function crossfade(context: SKRSContext2D, { begins, ends, from, to, share, second }: Crossfade): void {
  const t = Math.max(0, Math.min(1, (share - 0.15) / 0.7))
  const alpha = t * t * (3 - 2 * t)
  if (alpha < 1) begins.draw(context, from)
  if (alpha <= 0) return
  ends.draw(second.getContext('2d'), to)
  context.save()
  context.globalAlpha = alpha
  context.drawImage(second, 0, 0)
  context.restore()
}

/** Two pictures of the same place: each pixel goes its way from one to the other. Undefined for pictures that have too little in common. */
function createMorph(first: Canvas, last: Canvas): ((context: SKRSContext2D, share: number) => void) | undefined {
  const flow = flowBetween(first, last)
  if (!flow) return undefined
  return (context, share) => {
    if (share <= 0 || share >= 1) {
      context.drawImage(share <= 0 ? first : last, 0, 0)
      return
    }
    blendFlow(context, { first, last, flow, share: share * share * (3 - 2 * share) })
  }
}

/** Light that comes and goes a little, as under passing clouds. */
function breathe(context: SKRSContext2D, { width, height }: PictureSize, time: number, strength: number): void {
  const light = Math.sin(time * 0.9) * 0.03 * strength
  if (Math.abs(light) < 0.002) return
  context.save()
  context.globalCompositeOperation = 'soft-light'
  context.globalAlpha = Math.abs(light) * 2
  context.fillStyle = light > 0 ? '#ffffff' : '#000000'
  context.fillRect(0, 0, width, height)
  context.restore()
}

/** 0 to 255. */
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
