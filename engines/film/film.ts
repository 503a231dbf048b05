/** The film engine inside its child process: draws the frames of a request into a named pipe. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineCall } from '@generation-gateway/kit/process/child.ts'
import { throttledGiveWay } from '@generation-gateway/kit/process/throttled-give-way.ts'
import type { Failed, InputFile, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { refusePrompt } from '@generation-gateway/kit/safety/refuse-words.ts'
import { refusePicture } from '@generation-gateway/studio/safety/refuse.ts'
import sharp from 'sharp'
import { cutTo } from './cut.ts'
import { readVideoEdit, supportedVideoEdits } from './edit/words.ts'
import { createFinish, type Finish } from './finish/finish.ts'
import { createMark } from './finish/mark.ts'
import type { Palette } from './finish/palette.ts'
import { createPlanes, pixelsOf } from './finish/planes.ts'
import { type DrawFrame, writeFrames } from './frames.ts'
import { type FilmPictures, openPictures } from './inputs.ts'
import { baseFrames } from './picture/base-clip.ts'
import { readFeature } from './picture/feature.ts'
import { ownClip } from './picture/own-clip.ts'
import { pictureClip } from './picture/picture-clip.ts'
import { Pen } from './raster/pen.ts'
import { emptiedStore, type Store } from './raster/store.ts'
import { planShots, type Shot } from './shots.ts'
import { ambienceOf } from './sound/ambience.ts'
import { type Clip, worldClip } from './world/clip.ts'
import { collectAll } from './world/collect.ts'
import type { PictureSize } from './world/view.ts'

export interface FilmJob {
  request: VideoGenerateRequest
  inputs: readonly InputFile[]
  scratch: string
  /** Number of this job's video among the videos that the request asks for, from 0. */
  index: number
  frames: number
  framesPerSecond: number
  /** Named pipe of the encoder. */
  pipe: string
  markedPipe?: string
  /** Named pipe with the frames of a base video (a video to edit). */
  basePipe?: string
  featurePipe?: string
  /** Path of the sound to write: 32-bit floats, interleaved stereo at 48 kHz. */
  soundPath?: string
}

export interface FinishedFilm {
  state: 'made'
  prompt: string
  thumbnail: OutputFile
  /** Reasons why the safety review refuses the film's frames; empty when it accepts them. */
  reasons: string[]
  notDrawn: string[]
}

/** Draws one video. Before the first frame is drawn, it returns a failure for a clearly unsafe
 *  prompt or picture, for a subject picture that must show a face and shows none, and for a base
 *  video whose prompt contains no edit. */
export async function makeFilm(job: FilmJob, call: EngineCall): Promise<FinishedFilm | Failed> {
  const { request, scratch, index, frames, framesPerSecond, pipe, markedPipe } = job
  const unsafe = refuseWords(request)
  if (unsafe) return unsafe
  const seed = String(BigInt.asIntN(64, BigInt(request.seed) + BigInt(index)))
  const picture = { width: request.width, height: request.height }
  const plan = planShots(request, seed)
  const [opening] = plan.shots
  if (!opening) throw new RangeError('a film without a shot')
  const giveWay = throttledGiveWay(call.giveWay)
  const pictures = await openPictures({ request, inputs: job.inputs, picture, scene: opening.scene, giveWay })
  if ('state' in pictures) return pictures
  const feature = job.featurePipe === undefined ? undefined : await readFeature(job.featurePipe)
  if (feature && opening.steps.length === 0) for (const shot of plan.shots) shot.steps = feature.steps
  const palette = pictures.palette ?? feature?.palette
  const edit = readVideoEdit(request)
  if (job.basePipe !== undefined && !edit.isSaid) return notFollowed()
  const base =
    job.basePipe === undefined
      ? undefined
      : baseFrames({ scene: opening.scene, picture, framesPerSecond, seed, pipe: job.basePipe, grades: edit.grades })
  const draw = base ?? drawShots(plan.shots, { picture, seed, framesPerSecond, pictures, palette, giveWay })
  // The encoder opens the pipe with the frames before the file with the sound. So the sound must be
  // complete before the first frame is written.
  await giveWay()
  if (job.soundPath !== undefined) await writeSound(job.soundPath, { plan: plan.shots, seed, seconds: frames / framesPerSecond })
  const kept = keepers(frames, picture)
  const mark = markedPipe ? createMark(picture) : undefined
  try {
    await writeFrames({
      frames,
      draw,
      pipe,
      ...(mark && markedPipe ? { marked: { pipe: markedPipe, mark } } : {}),
      look: kept.look,
      progress: fraction => call.progress((index + fraction) / request.count),
      giveWay,
    })
  } finally {
    await base?.close()
  }
  const reasons = await kept.review(request.safetyTolerance)
  const thumbnail = await saveThumbnail(kept.middle(), { picture, path: join(scratch, `thumbnail-${index}.jpg`) })
  return { state: 'made', prompt: plan.prompt, thumbnail, reasons, notDrawn: plan.shots.flatMap(({ scene }) => scene.notDrawn) }
}

async function writeSound(path: string, { plan, seed, seconds }: { plan: readonly Shot[]; seed: string; seconds: number }): Promise<void> {
  const shots = plan.map((shot, index) => ({ scene: shot.scene, seconds: shot.seconds, seed: `${seed}/${index}` }))
  const samples = ambienceOf(shots, seconds)
  await writeFile(path, Buffer.from(samples.buffer), { mode: 0o600 })
}

function notFollowed(): Failed {
  const message = `prompt: says nothing that this engine can change in a video. ${supportedVideoEdits}`
  return { state: 'failed', code: 'instruction_not_followed', message }
}

/** Returns the moderation failure for the prompts of a request; undefined when they are allowed. */
function refuseWords({ prompt, shots, safetyTolerance }: VideoGenerateRequest): Failed | undefined {
  for (const text of [prompt, ...(shots ?? []).map(shot => shot.prompt)]) {
    const refusal = refusePrompt(text, safetyTolerance)
    if (refusal) return refusal
  }
  return undefined
}

interface ShotContext {
  picture: PictureSize
  seed: string
  framesPerSecond: number
  pictures: FilmPictures
  palette: Palette | undefined
  /** Called and awaited between two steps of the composition, so that other work of the process can
   *  run. */
  giveWay?(): Promise<void>
}

/** Returns a function that draws any frame of the film. The shots follow each other with hard cuts;
 *  each one is composed when its first frame is drawn. */
export function drawShots(shots: readonly Shot[], drawing: ShotContext): DrawFrame {
  const cuts = cutTo(shots.map(shot => shot.seconds))
  const store = emptiedStore()
  const pen = new Pen(store, store.surface(drawing.picture.width, drawing.picture.height))
  const mark = store.mark()
  let open: ({ index: number } & OpenShot) | undefined
  return async frame => {
    const { index, seconds } = cuts(frame / drawing.framesPerSecond)
    const isNew = open?.index !== index
    if (isNew || !open) {
      open = undefined
      store.release(mark)
      open = { index, ...(await openShot(shots, index, { ...drawing, store })) }
      store.useTone(open.finish.tone)
    }
    open.clip.draw(pen, seconds)
    // After the first frame, the drawing memory has copies of all pictures of the shot. The
    // canvases from which they were copied can now be garbage-collected.
    if (isNew) await collectAll()
    return open.finish.frame(pen, frame)
  }
}

interface OpenShot {
  clip: Clip
  finish: Finish
}

/** Opens a shot. When the request has a first picture, the first frame of the film shows exactly
 *  that picture; the same applies to a last picture and the last frame. */
async function openShot(
  shots: readonly Shot[],
  index: number,
  { picture, seed, framesPerSecond, pictures, palette, giveWay, store }: ShotContext & { store: Store },
): Promise<OpenShot> {
  const shot = shots[index]
  if (!shot) throw new RangeError(`no shot ${index}`)
  const first = index === 0 ? pictures.first : undefined
  const last = index === shots.length - 1 ? pictures.last : undefined
  const own = `${seed}/${index}`
  if (!first && !last) {
    const { style, moods } = shot.scene
    return {
      clip: await clipOf(shot, { picture, seed: own, giveWay, store }),
      finish: createFinish({ style, moods, seed, palette }, picture, store),
    }
  }
  const { scene, seconds, steps } = shot
  const drawn = first && !last && !pictures.brush ? pictures.own : undefined
  if (drawn)
    return ownClip({
      own: drawn.scene,
      said: scene,
      pixels: drawn.pixels,
      picture,
      seconds,
      framesPerSecond,
      steps,
      seed: `${seed}/0`,
      giveWay,
      store,
    })
  const brush = first ? pictures.brush : undefined
  const clip = pictureClip({
    ...(first ? { first } : {}),
    ...(last ? { last } : {}),
    ...(brush ? { brush } : {}),
    scene,
    picture,
    seconds,
    frameSeconds: 1 / framesPerSecond,
    steps,
    seed: own,
  })
  const planes = createPlanes(store, picture, { seed })
  return { clip, finish: { frame: (pen, frame) => planes(pen.surface, frame) } }
}

/** Returns the clip of a shot. When the time of day changes within the shot, the clip fades into
 *  the same scene at the later time. */
async function clipOf(
  shot: Shot,
  { picture, seed, giveWay, store }: Pick<ShotContext, 'picture' | 'seed'> & { giveWay: ShotContext['giveWay'] | undefined; store: Store },
): Promise<Clip> {
  const order = { picture, seconds: shot.seconds, steps: shot.steps, seed, giveWay }
  const clip = await worldClip({ ...order, scene: shot.scene })
  if (!shot.later) return clip
  const later = await worldClip({ ...order, scene: shot.later })
  const second = store.surface(picture.width, picture.height)
  return {
    draw: (pen, seconds) => {
      const share = Math.max(0, Math.min(1, (seconds / shot.seconds - 0.12) / 0.76))
      if (share < 1) clip.draw(pen, seconds)
      if (share <= 0) return
      pen.on(second, () => later.draw(pen, seconds))
      pen.mix(second, share * share * (3 - 2 * share))
    },
  }
}

/** Returns a collector that keeps copies of the first, the middle and the last frame. The safety
 *  review checks all three; the middle one becomes the thumbnail. */
function keepers(frames: number, picture: PictureSize) {
  const wanted = new Set([0, Math.floor(frames / 2), frames - 1])
  const kept = new Map<number, Uint8Array>()
  return {
    look: (frame: number, planes: Uint8Array): void => {
      if (wanted.has(frame)) kept.set(frame, pixelsOf(planes, picture))
    },
    middle: (): Uint8Array => kept.get(Math.floor(frames / 2)) ?? new Uint8Array(),
    review: async (tolerance: number): Promise<string[]> => {
      const reasons = new Set<string>()
      for (const data of kept.values()) {
        const refused = await refusePicture({ data, ...picture }, tolerance, 'content_moderated')
        for (const reason of refused?.reasons ?? []) reasons.add(reason)
      }
      return [...reasons]
    },
  }
}

async function saveThumbnail(pixels: Uint8Array, { picture, path }: { picture: PictureSize; path: string }): Promise<OutputFile> {
  const { width, height } = picture
  const raw = sharp(Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength), { raw: { width, height, channels: 4 } }).removeAlpha()
  await writeFile(path, await raw.jpeg({ quality: 88, chromaSubsampling: '4:4:4' }).toBuffer(), { mode: 0o600 })
  return { path, role: 'thumbnail', mediaType: 'image/jpeg', width, height }
}
