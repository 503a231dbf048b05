/** Edits a base video (a video that the request changes). Weather, time of day, style and mood of
 *  the prompt are added to each of its frames. */
import { type FileHandle, open } from 'node:fs/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Scene, StyleKind } from '@generation-gateway/studio/scene.ts'
import type { Grade } from '@generation-gateway/studio/style/grade.ts'
import { applyStyle } from '@generation-gateway/studio/style/style.ts'
import sharp from 'sharp'
import { createFinish } from '../finish/finish.ts'
import type { DrawFrame } from '../frames.ts'
import { Pen } from '../raster/pen.ts'
import { emptiedStore, emptySprite, type Sprite } from '../raster/store.ts'
import { fallsInPrompt } from '../weather/falls.ts'
import { fallOf } from '../weather/weather.ts'
import { gradedStyles } from '../world/styled.ts'
import { type PictureSize, viewOf } from '../world/view.ts'

interface BaseOrder {
  scene: Scene
  picture: PictureSize
  framesPerSecond: number
  seed: string
  /** Path of the named pipe from which the frames of the base video are read: RGBA, of the size
   *  `picture`. */
  pipe: string
  /** Changes of light and colour that the prompt asks for. */
  grades: readonly Grade[]
}

/** Returns a function that draws the edited frames in order. It throws `invalid_input_file` when
 *  the base video has no frame. */
export function baseFrames({ scene, picture, framesPerSecond, seed, pipe, grades }: BaseOrder): DrawFrame & { close(): Promise<void> } {
  const time = timeGrade(scene)
  const isGraded = gradedStyles.has(scene.style)
  const style = isGraded ? scene.style : 'illustration'
  const store = emptiedStore()
  const pen = new Pen(store, store.surface(picture.width, picture.height))
  const finish = createFinish(
    {
      style,
      moods: saidMoods(scene),
      seed,
      grades: [...(time ? [time] : []), ...grades],
      isPlain: scene.style === 'illustration' || !isGraded,
      isForeign: true,
    },
    picture,
    store,
  )
  const falls = fallsInPrompt(scene).map(kind => fallOf(kind, { isDim: scene.time === 'night', seed, wind: 0.12 }))
  const world = { ...picture, horizonY: picture.height * 0.45, density: 1 }
  const view = viewOf(world, picture, { truck: 0, lift: 0, dolly: 0, pan: 0, tilt: 0, roll: 0, zoom: 0 })
  const small = isGraded ? undefined : styledSize(picture)
  const room = small && emptySprite(store.take, small.width, small.height)
  const given = new Uint8Array(picture.width * picture.height * 4)
  let file: FileHandle | undefined
  let count = 0
  let drawing: DrawnFrame | undefined
  const hold = Math.max(1, Math.round(framesPerSecond / drawingsPerSecond))
  const draw = async (frame: number): Promise<Uint8Array> => {
    file ??= await open(pipe, 'r')
    // Converting the frame rate may leave the video one frame short, because of rounding. Then the
    // last frame is shown again.
    if (await readFrame(file, given)) count++
    if (count === 0) throw new GatewayError('invalid_input_file', 'base: contains no picture.', { field: 'base' })
    const whole = { pixels: given, ...picture }
    if (small && (!drawing || frame % hold === 0)) drawing = await restyled(whole, small, { style: scene.style, seed: scene.seed || seed })
    put(pen, drawing ?? whole, room)
    for (const fall of falls) fall.draw(pen, view, frame / framesPerSecond, 1)
    return finish.frame(pen, frame)
  }
  return Object.assign(draw, { close: async () => file?.close() })
}

/** Reads one frame; returns false at the end of the pipe, also when the last frame is
 *  incomplete. */
async function readFrame(file: FileHandle, frame: Uint8Array): Promise<boolean> {
  let filled = 0
  while (filled < frame.length) {
    const { bytesRead } = await file.read(frame, filled, frame.length - filled, null)
    if (bytesRead === 0) return false
    filled += bytesRead
  }
  return true
}

interface DrawnFrame {
  /** Pixels as RGBA. */
  pixels: Uint8Array
  width: number
  height: number
}

/** Draws a picture over the whole surface. */
function put(pen: Pen, { pixels, width, height }: DrawnFrame, room: Sprite | undefined): void {
  const { store, surface } = pen
  const { at, stride } = room ?? surface
  const bytes = store.bytes()
  for (let y = 0; y < height; y++) bytes.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), at + y * stride)
  // The picture is drawn one pixel larger on each side, because interpolation makes the edge of an
  // enlarged picture half transparent.
  if (room) pen.image(room, { x: -1, y: -1, width: pen.width + 2, height: pen.height + 2 })
}

/** Short side, in pixels, of the frames to which a style is applied. Brush strokes need no finer
 *  detail, so the frames are reduced to this size first. */
const styledSide = 270

/** Returns the picture size at which a style is drawn. */
function styledSize({ width, height }: PictureSize): PictureSize {
  const scale = Math.min(1, styledSide / Math.min(width, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

/** Number of different drawings per second. In hand-drawn films, too, each drawing is shown for two
 *  or three frames. */
const drawingsPerSecond = 10

async function restyled(
  { pixels, ...whole }: DrawnFrame,
  { width, height }: PictureSize,
  { style, seed }: { style: StyleKind; seed: string },
): Promise<DrawnFrame> {
  const small = await sharp(pixels, { raw: { ...whole, channels: 4 } })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer()
  const { data } = applyStyle({ data: small, width, height }, style, { seed })
  return { pixels: new Uint8Array(data.buffer, data.byteOffset, data.byteLength), width, height }
}

const moodWords: Record<string, RegExp> = {
  dark: /\bdark\b|(?<![更变调])暗/iu,
  bright: /\bbright\b|(?<![更变调])亮/iu,
  dreamy: /\bdreamy\b|梦幻/iu,
  warm: /\bwarm\b|(?<![更变调])暖/iu,
  cold: /\bcold\b|\bcool\b|(?<![更变调])冷/iu,
  vivid: /\bvivid\b|\bcolou?rful\b|鲜艳/iu,
  muted: /\bmuted\b|\bfaded\b|(?<!更)淡/iu,
  magical: /\bmagical\b|魔幻/iu,
  spooky: /\bspooky\b|\beerie\b|恐怖/iu,
  festive: /\bfestive\b|节日/iu,
  cheerful: /\bhapp(?:y|ier)\b|\bcheerful\b|开心|快乐/iu,
  gloomy: /\bsad(?:der)?\b|\bgloomy\b|悲伤/iu,
  calm: /\bcalm(?:er)?\b|\bpeaceful\b|平静/iu,
  dramatic: /\bdramatic\b/iu,
}

/** Returns the moods in `moodWords` that the prompt names. The moods in `scene.moods` are not used,
 *  because they also follow from broader words ("party", "moody"), which should not recolour a
 *  video. */
function saidMoods({ prompt }: Scene): string[] {
  return Object.entries(moodWords).flatMap(([mood, words]) => (words.test(prompt) ? [mood] : []))
}

function timeGrade({ prompt }: Scene): Grade | undefined {
  if (/\bnight|moonlight|夜/iu.test(prompt))
    return { exposure: -0.75, saturation: -0.3, temperature: -0.6, contrast: 0.1, shadows: { r: 10, g: 24, b: 80, strength: 0.5 } }
  if (/\bsunset|golden hour|sunrise|日落|夕阳|黄昏/iu.test(prompt))
    return {
      temperature: 0.7,
      saturation: 0.1,
      highlights: { r: 255, g: 170, b: 90, strength: 0.4 },
      shadows: { r: 70, g: 40, b: 110, strength: 0.3 },
    }
  if (/\bdawn|dusk|黎明/iu.test(prompt))
    return {
      exposure: -0.25,
      temperature: -0.15,
      shadows: { r: 60, g: 50, b: 120, strength: 0.4 },
      highlights: { r: 255, g: 190, b: 160, strength: 0.25 },
    }
  return undefined
}
