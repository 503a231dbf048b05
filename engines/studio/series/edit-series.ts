/** Makes a series of pictures from one picture. If every step of the prompt is a command ("make it
 *  blue"), each picture is the given one edited by one command. Otherwise the subject of the given
 *  picture is drawn in the scene that each step describes. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageEditRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Painters } from '../edit/painters.ts'
import type { Edit } from '../language/edit-types.ts'
import { parseInstruction } from '../language/instruction.ts'
import { planPage } from '../language/page-plan.ts'
import { readSeries } from '../language/series.ts'
import { type EditedPicture, editForeignPicture, editOwnPicture, fitTo, type OwnPicture, sizeOf } from '../picture-edit.ts'
import { composePage } from '../references/compose-any.ts'
import { composePixels } from '../references/compose-pixels.ts'
import type { Scene } from '../scene.ts'
import { flatten, type Pixels } from '../style/pixels.ts'
import { seriesScenes } from './series.ts'

interface EditSeries {
  count: number
  make(index: number): Promise<EditedPicture>
  /** Steps for which there is no picture: the limit of the request, or the number that the
   *  prompt names, is smaller than the number of steps. */
  leftOut: string[]
}

interface SeriesContext {
  request: ImageEditRequest
  painters: Painters
}

/** Prepares a series of at most `variants` pictures. `source` is a picture that this engine drew,
 *  with its scene, or the pixels of any other picture. */
export function editSeries(source: OwnPicture | Pixels, making: SeriesContext): EditSeries {
  const { prompt, variants = 1 } = making.request
  const { steps } = readSeries(prompt)
  const commands = steps.map(step => parseInstruction(step))
  const isCommanded = steps.length > 0 && commands.every(({ edits, notUnderstood }) => edits.length > 0 && notUnderstood.length === 0)
  if (isCommanded) {
    const make = (index: number) => editOnce(source, commands[index]?.edits ?? [], making)
    return { count: Math.min(variants, steps.length), make, leftOut: steps.slice(variants) }
  }
  const own = 'data' in source ? undefined : source
  const { scenes, leftOut } = tell(own?.scenes[0], making.request)
  const make = async (index: number): Promise<EditedPicture> => {
    const scene = scenes[index]
    if (!scene) throw new GatewayError('internal_error', 'A picture without a scene.')
    if (!('data' in source)) return editOwnPicture({ ...source, scenes: [scene] }, [], making)
    const staged = await stageCutOut(source, scene, making)
    if (staged.isThere || !making.request.references) return staged
    const plan = { ...planPage(''), notFollowed: staged.failed }
    return composePage([{ pixels: source }], plan, { ...making, variant: index })
  }
  return { count: scenes.length, make, leftOut }
}

function tell(from: Scene | undefined, { prompt, seed, variants = 1, negativePrompt, exactCount }: ImageEditRequest) {
  return seriesScenes(prompt, {
    seed,
    most: variants,
    isExact: exactCount === true,
    ...(from ? { from } : {}),
    ...(negativePrompt ? { negativePrompt } : {}),
  })
}

function editOnce(source: OwnPicture | Pixels, edits: Edit[], making: SeriesContext): Promise<EditedPicture> {
  return 'data' in source ? editForeignPicture(source, edits, making) : editOwnPicture(source, edits, making)
}

/** Draws the scene of a step and pastes the subject of a picture that this engine did not draw into
 *  it. The subject is cut out of the pixels, so its pose cannot change; `failed` reports this.
 *  `isThere` is false when no subject could be cut out. */
async function stageCutOut(
  source: Pixels,
  scene: Scene,
  { request, painters }: SeriesContext,
): Promise<EditedPicture & { isThere: boolean }> {
  const picture = flatten(source)
  const size = sizeOf(request, picture)
  const place = flatten(await painters.drawScene(scene, size))
  const plan = { place: 1, things: [{ picture: 0, words: '' }], rest: [] }
  const { raster, failed, done } = composePixels(plan, [picture, place], {
    readTarget: words => ({ noun: 'it', words: words === '' ? 'it' : words }),
    kindOf: () => undefined,
    boxInPlace: () => undefined,
    drawn: new Map(),
    seed: scene.seed,
  })
  const kept = done > 0 ? [`The subject of the picture keeps its pose: ${scene.prompt}`] : failed
  return { pixels: await fitTo(raster, size), failed: kept, isThere: done > 0 }
}
