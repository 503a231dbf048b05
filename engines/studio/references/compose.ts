/** Combines several pictures into one, as the instruction describes: which picture gives the place,
 *  the things, the style. */
import type { ImageEditRequest } from '@generation-gateway/kit/requests/image.ts'
import { placeScene } from '../compose.ts'
import type { Rectangle } from '../edit/geometry.ts'
import type { Painters } from '../edit/painters.ts'
import { readWhole } from '../language/described-edits.ts'
import type { Edit } from '../language/edit-types.ts'
import { splitCommands, squeezed } from '../language/instruction/clauses.ts'
import { createContext, type InstructionContext, meaningOf, targetOf } from '../language/instruction/common.ts'
import { type BorrowedSubject, isCombining, type ReferencePlan, readReferences } from '../language/references.ts'
import { type EditedPicture, editForeignPicture, editOwnPicture, fitTo, sizeOf } from '../picture-edit.ts'
import { fromScene, reseeded, type Scene, type Subject } from '../scene.ts'
import { flatten, type Pixels, type Raster } from '../style/pixels.ts'
import { studioArt } from '../subjects/drawable.ts'
import { transferColours } from './colour-transfer.ts'
import { composePixels } from './compose-pixels.ts'
import { composeScenes, isPrint, subjectsOf, type TargetReader } from './compose-scenes.ts'

/** One of the given pictures. */
export interface Source {
  /** The picture's scene, if this engine drew the picture. */
  scene?: Scene
  pixels: Pixels
}

export interface CompositionRequest {
  request: ImageEditRequest
  painters: Painters
  /** Number of the variant. Variant 0 keeps the setting of the target picture; the others draw it
   *  again with another seed. */
  variant: number
}

/** Returns the combined picture. `isFollowed` is false when no part of the instruction was
 *  followed; `failed` then gives the reasons. */
export async function composePictures(
  sources: readonly Source[],
  { request, painters, variant }: CompositionRequest,
): Promise<EditedPicture & { isFollowed: boolean }> {
  const context = createContext(studioArt(), [])
  const readTarget: TargetReader = words =>
    words === '' ? { noun: 'it', words: 'it' } : (targetOf(words, context) ?? { noun: words.toLowerCase(), words })
  const read = readReferences(request.prompt, sources.length) ?? collage(request.prompt, sources.length)
  const plan = withPlace(read, sources)
  const { edits, notUnderstood } = readWhole(plan.rest, context)
  // A print on a thing ("the logo on the mug") cannot be expressed in a scene, unless it is
  // lettering, so pictures with such prints are combined by their pixels.
  const prints = plan.things.some(
    ({ words, anchor, picture }) => anchor && isPrint.test(words) && !sources[picture]?.scene?.letterings.length,
  )
  const isOurs = !prints && [plan.place, ...plan.things.map(({ picture }) => picture)].every(index => sources[index ?? 0]?.scene)
  const parts = { sources, plan, edits, request, painters, variant, readTarget, context }
  const made = isOurs ? await composeOwn(parts) : await composeForeign(parts)
  const toned = takeColours(made.picture, parts)
  const failed = [...made.failed, ...toned.failed, ...notUnderstood.map(words => `“${words}” is not an instruction this engine knows.`)]
  const followed = made.done + toned.done + edits.length - made.picture.failed.length
  const isPlain = toned.done === 0 && made.picture.scene !== undefined
  return {
    pixels: toned.pixels,
    ...(isPlain && made.picture.scene ? { scene: made.picture.scene } : {}),
    failed: [...failed, ...made.picture.failed],
    isFollowed: followed > 0,
  }
}

/** Returns a plan that takes the main subjects from every picture. Used for an instruction that
 *  names no picture. */
function collage(prompt: string, count: number): ReferencePlan {
  const things = Array.from({ length: count }, (_, picture) => ({ picture, words: '' }))
  return { things, rest: splitCommands(squeezed(prompt)).filter(command => !isCombining(command)) }
}

/** Chooses the target picture, unless the instruction names one. A picture that is only restyled is
 *  its own target. Otherwise the target is the first picture that nothing is taken from, or else
 *  the first named picture if this engine drew that picture. If none of these rules applies,
 *  `composePixels` chooses the target later, and prefers a picture without a subject. */
function withPlace(plan: ReferencePlan, sources: readonly Source[]): ReferencePlan & { place?: number } {
  if (plan.place !== undefined) return plan
  const [first, ...others] = plan.things
  const named = new Set([...plan.things.map(({ picture }) => picture), plan.style, plan.palette])
  const unnamed = sources.findIndex((_, index) => !named.has(index))
  const isWhole = first?.words === '' && others.length === 0 && (plan.style !== undefined || plan.palette !== undefined)
  if (first && isWhole) return { ...plan, place: first.picture }
  if (unnamed >= 0) return { ...plan, place: unnamed }
  if (first && sources[first.picture]?.scene) return { ...plan, place: first.picture }
  return plan
}

interface Parts extends CompositionRequest {
  sources: readonly Source[]
  plan: ReferencePlan
  edits: Edit[]
  readTarget: TargetReader
  context: InstructionContext
}

interface ComposedPicture {
  picture: EditedPicture
  /** Reasons why parts of the combination failed. Failures of edits applied to the combined picture
   *  are in `picture`. */
  failed: string[]
  /** Number of things and styles that were taken from other pictures. */
  done: number
}

async function composeOwn({ sources, plan, edits, request, painters, readTarget, variant }: Parts): Promise<ComposedPicture> {
  const scenes = sources.map(({ scene }) => scene)
  const { scene, failed, done } = composeScenes(plan, scenes, readTarget)
  const { width, height } = sources[plan.place ?? 0]?.pixels ?? { width: 1024, height: 1024 }
  const picture = await editOwnPicture({ scenes: [variant === 0 ? scene : reseeded(scene, request.seed)], width, height }, edits, {
    request,
    painters,
  })
  return { picture, failed, done }
}

async function composeForeign({ sources, plan, edits, request, painters, readTarget, context }: Parts): Promise<ComposedPicture> {
  const drawn = new Map<BorrowedSubject, Raster>()
  for (const thing of plan.things) {
    const scene = sources[thing.picture]?.scene
    const [subject] = scene ? subjectsOf(scene, thing.words, readTarget) : []
    const sprite = scene && subject && (await painters.drawSubject(fromScene(subject, scene), 800, scene.seed))
    if (sprite) drawn.set(thing, { ...sprite, data: new Uint8ClampedArray(sprite.data) })
  }
  const kindOf = (words: string): Subject | undefined => (words === '' ? undefined : meaningOf(words, context).scene.subjects[0])
  const boxInPlace = (host: number, words: string): Rectangle | undefined => {
    const { scene, pixels } = sources[host] ?? {}
    const [subject] = scene && words !== '' ? subjectsOf(scene, words, readTarget) : []
    const found = scene && pixels && subject && placeScene(scene, pixels).find(placed => placed.subject === subject.id)
    if (!found) return undefined
    const { x, y, width, height } = found.box
    return { x: x * pixels.width, y: y * pixels.height, width: width * pixels.width, height: height * pixels.height }
  }
  const rasters = sources.map(({ pixels }) => flatten(pixels))
  const { raster, failed, done } = composePixels(plan, rasters, { readTarget, kindOf, boxInPlace, drawn, seed: request.seed })
  const style = plan.style === undefined ? undefined : sources[plan.style]?.scene?.style
  const all: Edit[] = style ? [...edits, { kind: 'style', style }] : edits
  const size = sizeOf(request, raster)
  const picture = await editForeignPicture(await fitTo(raster, size), all, { request, painters })
  return { picture, failed, done: done + (style ? 1 : 0) }
}

/** Gives the picture the colours of the pictures whose style or palette the plan names. A style
 *  itself is known only if this engine drew the picture that has it; from other pictures only the
 *  colours are used. */
function takeColours({ pixels }: EditedPicture, { sources, plan }: Parts): { pixels: Pixels; failed: string[]; done: number } {
  const model = plan.style === undefined ? undefined : sources[plan.style]
  const failed: string[] = []
  let toned = pixels
  let done = 0
  if (model && !model.scene) {
    toned = transferColours(flatten(toned), flatten(model.pixels), 0.7)
    failed.push(`Of the style of picture ${(plan.style ?? 0) + 1} only its colours and light were taken over.`)
    done++
  }
  const palette = plan.palette === undefined ? undefined : sources[plan.palette]
  if (palette) {
    toned = transferColours(flatten(toned), flatten(palette.pixels), 0.85)
    done++
  }
  return { pixels: toned, failed, done }
}
