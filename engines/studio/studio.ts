/** Draws a picture from a prompt, or edits one by an instruction, in the child process. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { EngineCall } from '@generation-gateway/kit/process/child.ts'
import { throttledGiveWay } from '@generation-gateway/kit/process/throttled-give-way.ts'
import type {
  ImageEditRequest,
  ImageEvent,
  ImageGenerateRequest,
  ImageResult,
  ImageUpscaleRequest,
  PictureSize,
  RefusedPicture,
} from '@generation-gateway/kit/requests/image.ts'
import type { Done, Failed, InputFile, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import { refusePrompt } from '@generation-gateway/kit/safety/refuse-words.ts'
import { type Stage, stages } from './compose.ts'
import { drawScene } from './draw-scene.ts'
import type { Painters } from './edit/painters.ts'
import { encodePicture } from './encode.ts'
import { doneWithPictures, markedCopy, type Picture, savePicture } from './finished-pictures.ts'
import { jobPainters } from './job-painters.ts'
import { expandPrompt } from './language/expand.ts'
import { parseInstruction } from './language/instruction.ts'
import { chooseSize, nearestSize } from './language/picture-shape.ts'
import { largestSide } from './limits.ts'
import {
  decodePicture,
  decodeReference,
  type EditedPicture,
  editForeignPicture,
  editOwnPicture,
  type OwnPicture,
  sceneOf,
} from './picture-edit.ts'
import { redrawPicture } from './redraw/redraw.ts'
import type { Source } from './references/compose.ts'
import { composeAny, isForPage } from './references/compose-any.ts'
import { refusePicture } from './safety/refuse.ts'
import { reseeded, type Scene } from './scene.ts'
import { editSeries } from './series/edit-series.ts'
import { countOfSeries, seriesScenes } from './series/series.ts'
import { flatten, type Pixels } from './style/pixels.ts'
import { addTexture, enlarge, sizeUpscaled } from './upscale/upscale.ts'
import { parseVaried } from './variety/vary.ts'
import { withWritableTexts } from './writable-scene.ts'

export interface StudioJob {
  request: ImageGenerateRequest | ImageEditRequest | ImageUpscaleRequest
  /** Folder for the picture files. */
  scratch: string
  /** The picture to edit, followed by the pictures to combine with it. */
  inputs?: readonly InputFile[]
  /** Mask of the area that may be changed. */
  mask?: InputFile | undefined
}

type StudioOutcome = Done | Failed

/** Draws the requested number of pictures. When there are several, each is reported as soon as it
 *  is finished. Returns a moderation failure when the prompt is clearly unsafe, or when the
 *  classifier refuses every picture. */
export async function generatePicture(
  { request, scratch }: { request: ImageGenerateRequest; scratch: string },
  call: EngineCall,
): Promise<StudioOutcome> {
  const refusal = refusePrompt(request.prompt, request.safetyTolerance)
  if (refusal) return refusal
  const { scenes, prompt, leftOut } = request.series ? tellSeries(request) : batchOf(request)
  const [first] = scenes
  const size = request.tier && chooseSize(request.prompt, first, request.tier.sizes)
  const sized = { ...request, ...size }
  const { pictures, refused, failed } = await drawAll(scenes.length, call, index =>
    drawPicture({ request: sized, scene: scenes[index], index, scratch }, call),
  )
  if (failed) return failed
  const report: ImageResult = { seed: request.seed, prompt, notDrawn: [...notDrawnIn(pictures), ...leftOut] }
  if (request.steps !== undefined) report.notFollowed = ['steps']
  return doneWithPictures(pictures, scenes.length, { ...report, ...refused })
}

interface ScenePlan {
  scenes: Scene[]
  /** The prompt of the first picture, after expansion. */
  prompt: string
  /** Words of the prompt that cannot be drawn. */
  leftOut: string[]
}

/** Returns the scenes of a batch. Picture number i is the picture that a separate request with
 *  `seed` + i would give, including its expanded prompt. */
function batchOf(request: ImageGenerateRequest): ScenePlan {
  const { count, negativePrompt } = request
  // Expansion adds details that the prompt does not mention; in the fast mode the prompt is not
  // expanded.
  const isExpanded = request.expandPrompt || request.promptMode === 'standard'
  const prompts = Array.from({ length: count }, (_, index) =>
    isExpanded ? expandPrompt(request.prompt, seedOf(request, index)) : request.prompt,
  )
  const scenes = prompts.map((prompt, index) =>
    parseVaried(prompt, { seed: seedOf(request, index), ...(negativePrompt ? { negativePrompt } : {}) }),
  )
  return { scenes, prompt: prompts[0] ?? request.prompt, leftOut: [] }
}

/** Returns the scenes of a series. Details that the prompt does not mention are chosen once and are
 *  the same in all pictures. The prompt is not expanded. */
function tellSeries({ prompt, seed, count, negativePrompt, exactCount }: ImageGenerateRequest): ScenePlan {
  return {
    ...seriesScenes(prompt, { seed, most: count, isExact: exactCount === true, ...(negativePrompt ? { negativePrompt } : {}) }),
    prompt,
  }
}

interface DrawnPictures {
  pictures: Picture[]
  /** The pictures that the moderation refused, for the report; empty when there are none. */
  refused: Pick<ImageResult, 'refused'>
  /** Set when no picture was made: the failure to report for the job. */
  failed?: Failed
}

/** Draws the pictures of a job in turn. When there are several, each one is reported when it is
 *  finished, and the job continues when one is refused. Awaits `giveWay` between pictures. */
async function drawAll(
  count: number,
  { progress, tell, giveWay }: EngineCall,
  draw: (index: number) => Promise<Picture | Failed>,
): Promise<DrawnPictures> {
  const pictures: Picture[] = []
  const refused: RefusedPicture[] = []
  let failed: Failed | undefined
  for (let index = 0; index < count; index++) {
    await giveWay()
    const picture = await draw(index)
    progress((index + 1) / count)
    if ('state' in picture) {
      failed ??= picture
      if (picture.code !== 'content_moderated') continue
      const withheld: RefusedPicture = { picture: index, reasons: picture.reasons ?? [picture.message] }
      refused.push(withheld)
      tell({ type: 'event', event: { type: 'refused', ...withheld } } satisfies StreamEvent<ImageEvent>)
      continue
    }
    if (count > 1) tell({ type: 'file', file: picture.file } satisfies StreamEvent)
    pictures.push(picture)
  }
  return { pictures, refused: refused.length > 0 ? { refused } : {}, ...(failed && pictures.length === 0 ? { failed } : {}) }
}

function notDrawnIn(pictures: readonly Picture[]): string[] {
  return [...new Set(pictures.flatMap(({ notDrawn }) => notDrawn))]
}

interface PictureContext {
  request: ImageGenerateRequest
  scene: Scene | undefined
  /** Index of the picture. */
  index: number
  scratch: string
}

/** Draws one picture of a request, or returns a failure when it is refused. */
async function drawPicture({ request, scene: planned, index, scratch }: PictureContext, call: EngineCall): Promise<Picture | Failed> {
  if (!planned) throw new GatewayError('internal_error', 'A picture without a scene.')
  const scene = withWritableTexts(planned)
  const { safetyTolerance, format, previews = 0 } = request
  const giveWay = throttledGiveWay(call.giveWay)
  const seen = looks[previews] ?? stages
  const look = async (pixels: Pixels, stage: Stage): Promise<void> => {
    await giveWay()
    const step = previews > 0 ? seen.indexOf(stage) : -1
    // A preview that the classifier refuses, as small as it is, is not sent.
    if (step < 0 || (await refusePicture(pixels, safetyTolerance, 'content_moderated'))) return
    const { width, height } = pixels
    const bytes = await encodePicture(pixels, format)
    const event: ImageEvent = { type: 'preview', picture: index, step, mediaType: `image/${format}`, width, height, bytes }
    call.tell({ type: 'event', event } satisfies StreamEvent<ImageEvent>)
  }
  const pixels = await drawScene(scene, request, look)
  await giveWay()
  const unsafe = await refusePicture(await judgeable(scene, pixels), safetyTolerance, 'content_moderated')
  if (unsafe) return unsafe
  const isMarked = request.watermark === true
  return {
    file: await savePicture(pixels, { format, scratch, name: `picture-${index}`, isMarked }),
    ...(await markedCopy(pixels, request, { scratch, index })),
    scene,
    isMarked,
    notDrawn: scene.notDrawn,
  }
}

/** Returns the pixels that the safety classifier judges. If a side is shorter than 224 pixels,
 *  the scene is drawn again in a larger size, unless its long side would then exceed
 *  `mostJudgedSide`. Enlarging the pixels is not enough: with enlarged pixels, the classifier
 *  misjudged two of forty pictures of a red ball at 64x64 pixels, and none at 256x256. */
async function judgeable(scene: Scene, pixels: Pixels): Promise<Pixels> {
  const { width, height } = pixels
  const scale = leastJudgedSide / Math.min(width, height)
  return scale <= 1 || Math.max(width, height) * scale > mostJudgedSide
    ? pixels
    : drawScene(scene, { width: Math.round(width * scale), height: Math.round(height * scale) })
}

const leastJudgedSide = 224
/** Longest side, in pixels, of a drawing made for the classifier. A narrow strip would need a
 *  larger drawing, so the pixels of the strip itself are classified. */
const mostJudgedSide = 2048

function seedOf({ seed }: ImageGenerateRequest | ImageEditRequest, index: number): string {
  return String(BigInt.asIntN(64, BigInt(seed) + BigInt(index)))
}

/** The stages that are sent as previews, indexed by the number of previews requested. */
const looks: readonly (readonly Stage[])[] = [[], ['subjects'], ['place', 'subjects'], stages]

/** Edits a picture as an instruction says, or combines several pictures into one. Parts of the
 *  instruction that cannot be followed are listed in the report. Returns a failure when no part can
 *  be followed. */
export async function editPicture(
  {
    request: requested,
    scratch,
    inputs = [],
    mask,
  }: { request: ImageEditRequest; scratch: string; inputs?: readonly InputFile[]; mask?: InputFile | undefined },
  call: EngineCall,
): Promise<StudioOutcome> {
  const refusal = refusePrompt(requested.prompt, requested.safetyTolerance)
  if (refusal) return refusal
  const painters = jobPainters(call)
  const [input, ...others] = inputs
  if (!input) throw new GatewayError('invalid_request', 'An edit needs an input image.')
  if (mask || requested.regions) return redrawRegions({ request: requested, scratch, input, mask }, call)
  const request = { ...requested, ...tierSize(requested, input) }
  const plan = others.length > 0 ? await planComposition(inputs, { request, painters }) : await planEdit(input, { request, painters })
  if ('state' in plan) return plan
  const { count, make, notUnderstood } = plan
  const edit = async (index: number): Promise<Picture | Failed> => {
    const edited = await make(index)
    if ('state' in edited) return edited
    await painters.giveWay?.()
    const unsafe = await refusePicture(edited.pixels, request.safetyTolerance, 'content_moderated')
    if (unsafe) return unsafe
    const isMarked = request.watermark === true
    const file = await savePicture(edited.pixels, { format: request.format, scratch, name: `edited-${index}`, isMarked })
    const { failed, scene } = edited
    const copy = await markedCopy(edited.pixels, request, { scratch, index })
    return { file, ...copy, ...(scene ? { scene } : {}), isMarked, notDrawn: [...failed, ...(scene?.notDrawn ?? [])] }
  }
  const { pictures, refused, failed } = await drawAll(count, call, edit)
  if (failed) return failed
  const notDrawn = [...notUnderstood, ...notDrawnIn(pictures)]
  return doneWithPictures(pictures, count, { seed: request.seed, prompt: request.prompt, notDrawn, ...refused })
}

async function redrawRegions(
  { request, scratch, input, mask }: { request: ImageEditRequest; scratch: string; input: InputFile; mask: InputFile | undefined },
  call: EngineCall,
): Promise<StudioOutcome> {
  const own = sceneOf(input)
  const picture = await decodePicture(input)
  const { safetyTolerance, format, watermark, variants = 1, seed, prompt } = request
  const unsafe = own ? undefined : await refusePicture(picture, safetyTolerance, 'request_moderated')
  if (unsafe) return unsafe
  const redraw = async (index: number): Promise<Picture | Failed> => {
    const how = { request: { ...request, seed: seedOf(request, index) }, painters: jobPainters(call) }
    const { pixels, scene, failed: notDrawn, isUnchanged, isMarked } = await redrawPicture({ picture, own, mask }, how)
    if (isUnchanged) return notFollowed(notDrawn)
    const refused = await refusePicture(pixels, safetyTolerance, 'content_moderated')
    if (refused) return refused
    const mark = watermark === true && !isMarked
    const file = await savePicture(pixels, { format, scratch, name: `redrawn-${index}`, isMarked: mark })
    const copy = await markedCopy(pixels, request, { scratch, index })
    return { file, ...copy, ...(scene ? { scene } : {}), isMarked: mark || isMarked, notDrawn }
  }
  const { pictures, refused, failed } = await drawAll(variants, call, redraw)
  return failed ?? doneWithPictures(pictures, variants, { seed, prompt, notDrawn: notDrawnIn(pictures), ...refused })
}

/** Enlarges a picture. If this engine drew it, its scene is drawn again at the larger size;
 *  otherwise its pixels are resampled. */
export async function upscalePicture(
  { request, scratch, inputs = [] }: { request: ImageUpscaleRequest; scratch: string; inputs?: readonly InputFile[] },
  call: EngineCall,
): Promise<StudioOutcome> {
  const [input] = inputs
  if (!input) throw new GatewayError('invalid_request', 'image: there is no picture to make larger.', { field: 'image' })
  const { factor, mode, seed, prompt = '', safetyTolerance, format } = request
  const refusal = refusePrompt(prompt, safetyTolerance)
  if (refusal) return refusal
  const { drawScene, giveWay } = jobPainters(call)
  const own = sceneOf(input)
  const [scene] = own?.scenes ?? []
  const source = own ?? (await decodePicture(input))
  const size = sizeUpscaled(factor, source)
  if ('data' in source) {
    const unsafe = await refusePicture(source, safetyTolerance, 'request_moderated')
    if (unsafe) return unsafe
  }
  await giveWay()
  const larger = 'data' in source ? await enlarge(source, size) : scene ? flatten(await drawScene(scene, size)) : undefined
  if (!larger) throw new GatewayError('internal_error', 'The scene of the picture is missing.')
  await giveWay()
  if (mode === 'creative') addTexture(larger, seed)
  await giveWay()
  const unsafe = await refusePicture(larger, safetyTolerance, 'content_moderated')
  if (unsafe) return unsafe
  call.progress(1)
  const isMarked = own?.isMarked === true
  const file = await savePicture(larger, { format, scratch, name: 'upscaled', isMarked })
  const picture: Picture = { file, ...(scene ? { scene } : {}), isMarked, notDrawn: [] }
  return doneWithPictures([picture], 1, { seed, prompt: prompt || (scene?.prompt ?? ''), notDrawn: [] })
}

/** Returns the size of the requested tier whose aspect ratio the instruction names, else the one
 *  nearest to the picture's. Undefined without a tier; when no ratio is named, also if the
 *  request has a size or the size of the picture is unknown. */
function tierSize({ tier, prompt, width }: ImageEditRequest, input: InputFile): PictureSize | undefined {
  if (!tier) return undefined
  const isOpen = width === undefined && input.width !== undefined && input.height !== undefined
  return (
    chooseSize(prompt, undefined, tier.sizes) ?? (isOpen ? nearestSize((input.width ?? 1) / (input.height ?? 1), tier.sizes) : undefined)
  )
}

interface EditPlan {
  count: number
  /** Makes the picture with this index. */
  make(index: number): Promise<EditedPicture | Failed>
  /** Words of the instruction that had no effect on any picture. */
  notUnderstood: string[]
}

interface EditContext {
  request: ImageEditRequest
  painters: Painters
}

async function planEdit(input: InputFile, { request, painters }: EditContext): Promise<EditPlan | Failed> {
  const instruction = parseInstruction(request.prompt)
  if (isForPage(instruction, request)) return planComposition([input], { request, painters })
  const own = sceneOf(input)
  const source = own ?? (await decodePicture(input))
  if ('data' in source) {
    const unsafe = await refusePicture(source, request.safetyTolerance, 'request_moderated')
    if (unsafe) return unsafe
  }
  const { variants = 1 } = request
  if (request.series) {
    const { leftOut, ...series } = editSeries(source, { request, painters })
    return { ...series, notUnderstood: leftOut }
  }
  if (instruction.edits.length === 0)
    return notFollowed(instruction.notUnderstood.map(words => `“${words}” is not an instruction this engine knows.`))
  const make = async (index: number): Promise<EditedPicture | Failed> => {
    const how = { request: { ...request, seed: seedOf(request, index) }, painters }
    // Variant 0 keeps the layout of the picture. Each further variant shows the same subjects in a
    // new layout.
    const variantOf = (own: OwnPicture) =>
      index === 0 ? own : { ...own, scenes: own.scenes.map(scene => reseeded(scene, how.request.seed)) }
    const edited =
      'data' in source
        ? await editForeignPicture(source, instruction.edits, how)
        : await editOwnPicture(variantOf(source), instruction.edits, how)
    if (edited.failed.length < instruction.edits.length || request.references) return edited
    return notFollowed(edited.failed)
  }
  return { count: variants, make, notUnderstood: instruction.notUnderstood }
}

async function planComposition(inputs: readonly InputFile[], { request, painters }: EditContext): Promise<EditPlan | Failed> {
  const sources: Source[] = []
  for (const [index, input] of inputs.entries()) {
    await painters.giveWay?.()
    const scene = sceneOf(input)?.scenes[0]
    const pixels = await (inputs.length > 1 ? decodeReference(input, referenceSide, index + 1) : decodeReference(input, largestSide))
    const unsafe = scene ? undefined : await refusePicture(pixels, request.safetyTolerance, 'request_moderated')
    if (unsafe) return unsafe
    sources.push({ pixels, ...(scene ? { scene } : {}) })
  }
  const make = (index: number): Promise<EditedPicture> =>
    composeAny(sources, { request: { ...request, seed: seedOf(request, index) }, painters, variant: index })
  const { variants = 1 } = request
  return {
    count: request.series ? countOfSeries(request.prompt, { most: variants, isExact: request.exactCount === true }) : variants,
    make,
    notUnderstood: [],
  }
}

/** Longest side in pixels. When pictures are combined, each is reduced to this size, because up to
 *  fourteen of them are in memory at the same time. */
const referenceSide = 2048

function notFollowed(reasons: string[]): Failed {
  const known =
    'It can make pictures grey, blur, crop, rotate, flip, brighten, warm, recolour, restyle, change time, weather and background, add, remove and replace things, and add text.'
  return { state: 'failed', code: 'instruction_not_followed', message: [...reasons, known].join(' ') }
}
