/** Decodes the pictures of a request at the size of the film, after the safety review has checked
 *  them. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import type { Failed, InputFile } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { drawScene } from '@generation-gateway/studio/draw-scene.ts'
import { drawSubject } from '@generation-gateway/studio/draw-subject.ts'
import { decodePicture, sceneOf } from '@generation-gateway/studio/picture-edit.ts'
import { composePictures, type Source } from '@generation-gateway/studio/references/compose.ts'
import { refusePicture } from '@generation-gateway/studio/safety/refuse.ts'
import type { Scene } from '@generation-gateway/studio/scene.ts'
import type { Canvas } from '@napi-rs/canvas'
import { type Palette, paletteOf } from './finish/palette.ts'
import { showsFace } from './picture/face.ts'
import { canvasOf, fitPicture } from './picture/fit.ts'
import { type Brush, brushOf } from './picture/masks.ts'
import type { PictureSize } from './world/view.ts'

const faceless: Failed = {
  state: 'failed',
  code: 'invalid_input_file',
  message: about('subject', 'no valid subject content: no human face is seen in the picture.'),
}

export interface FilmPictures {
  first?: Canvas
  last?: Canvas
  /** Scene and pixels of the first picture. Set only when the built-in image engine (studio) drew
   *  this picture, in the aspect ratio of the film, and the picture has no watermark. */
  own?: { scene: Scene; pixels: Uint8Array }
  brush?: Brush
  /** Colours of the request's style picture. */
  palette?: Palette
}

interface InputRequest {
  request: VideoGenerateRequest
  inputs: readonly InputFile[]
  picture: PictureSize
  /** Scene of the first shot. Subjects that are cut from other pictures are placed into it. */
  scene: Scene
  /** Called and awaited between two pictures, so that other work of the process can run. */
  giveWay(): Promise<void>
}

/** Opens the pictures of a request. Throws `invalid_input_file` for a picture that cannot be
 *  decoded, and `invalid_request` for a mask whose shape differs from that of its picture. Returns
 *  a failure when the safety review refuses a picture, or when a picture that must show a face
 *  shows none. */
export async function openPictures({ request, inputs, picture, scene, giveWay }: InputRequest): Promise<FilmPictures | Failed> {
  const { fit, safetyTolerance } = request
  const one = (role: string) => inputs.find(input => input.role === role)
  const all = (role: string) => inputs.filter(input => input.role === role)
  for (const input of inputs.filter(({ role }) => ['first-frame', 'last-frame', 'subject', 'reference', 'style'].includes(role))) {
    await giveWay()
    const seen = await decodePicture(input, 1024)
    const unsafe = await refusePicture(seen, safetyTolerance, 'request_moderated')
    if (unsafe) return unsafe
    if (input.role === 'subject' && request.subjectKind === 'face' && !(await showsFace(input, seen))) return faceless
  }
  const opened: FilmPictures = {}
  const [first, last, style] = [one('first-frame'), one('last-frame'), one('style')]
  if (first) {
    const { canvas, pixels } = await fitPicture(first, picture, fit)
    opened.first = canvas
    const own = sceneOf(first)
    const [drawn] = own?.scenes ?? []
    const isSameShape = own && Math.abs(own.width / own.height / (picture.width / picture.height) - 1) < 0.01
    if (drawn && isSameShape && !own.isMarked) opened.own = { scene: drawn, pixels }
  }
  if (last) opened.last = (await fitPicture(last, picture, fit)).canvas
  if (style) opened.palette = paletteOf((await decodePicture(style, 512)).data)
  const lent = [...all('subject'), ...all('reference')]
  if (!first && lent.length > 0) opened.first = await withSubjects(lent, { request, picture, scene, giveWay })
  if (!first) return opened
  const still = one('still-mask')
  const masks = all('motion-mask')
  for (const mask of [...(still ? [still] : []), ...masks]) checkMask(mask, first)
  const canvas = opened.first
  const brush =
    canvas &&
    brushOf({
      picture: canvas,
      motion: await Promise.all(
        masks.map(async (mask, index) => ({ mask: (await fitPicture(mask, picture, fit)).canvas, path: request.paths?.[index] ?? [] })),
      ),
      ...(still ? { still: (await fitPicture(still, picture, fit)).canvas } : {}),
      pathSize: { width: masks[0]?.width ?? picture.width, height: masks[0]?.height ?? picture.height },
    })
  if (brush) opened.brush = brush
  return opened
}

function checkMask(mask: InputFile, first: InputFile): void {
  const field = mask.role === 'still-mask' ? 'still-mask' : 'motion-mask'
  const [a, b] = [(mask.width ?? 1) / (mask.height ?? 1), (first.width ?? 1) / (first.height ?? 1)]
  if (Math.abs(a / b - 1) > 0.02)
    throw new GatewayError(
      'invalid_request',
      `${field}: is ${mask.width}x${mask.height}; it needs the aspect ratio of the first frame, ${first.width}x${first.height}.`,
      { field },
    )
}

/** Returns the first shot's scene as a picture, with the subjects from other pictures, at most six,
 *  in it. */
async function withSubjects(
  inputs: readonly InputFile[],
  { request, picture, scene, giveWay }: Omit<InputRequest, 'inputs'>,
): Promise<Canvas> {
  await giveWay()
  const place: Source = { pixels: await drawScene({ ...scene, subjects: scene.subjects.filter(subject => subject.isBackground) }, picture) }
  const sources: Source[] = [place]
  for (const input of inputs.slice(0, 6)) sources.push({ pixels: await decodePicture(input, 1024) })
  await giveWay()
  const names = sources.slice(1).map((_, index) => `the subject of image ${index + 2}`)
  const prompt = `put ${names.join(' and ')} into image 1`
  const made = await composePictures(sources, {
    request: {
      prompt,
      expandPrompt: false,
      seed: request.seed,
      safetyTolerance: request.safetyTolerance,
      format: 'png',
      width: picture.width,
      height: picture.height,
    },
    painters: { drawScene, drawSubject },
    variant: 0,
  })
  const { data } = made.pixels
  return canvasOf(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), picture)
}
