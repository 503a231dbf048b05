import { invalidField } from '@generation-gateway/kit/errors.ts'
import type { CallFile } from '../../contract/call-file.ts'
import type { CallContext, Submission } from '../../contract/context.ts'
import { usualPicture } from '../shared/usual-requests.ts'
import { namedElements } from './elements.ts'
import type { OmniImageBody } from './omni-image.ts'
import { byPlace } from './references.ts'
import { pictureSize, ratioOf } from './sizes.ts'

/** Builds the submission for omni images. Throws `invalid_request` for a subject that the account
 *  does not have. */
export async function omniImageSubmission(
  context: CallContext<'files'>,
  body: OmniImageBody,
  files: readonly CallFile[],
): Promise<Submission<'image.generate'> | Submission<'image.edit'>> {
  const { subjects, files: pictures, others } = await namedElements(context, body.element_list, 'image')
  if (others[0] !== undefined)
    throw invalidField('element_list', `element_list has ${others[0]}, which is no subject of the account.`, 'subject-there')
  const isSeries = body.result_type === 'series'
  const count = isSeries ? body.series_amount : body.n
  const common = {
    ...usualPicture,
    ...sizeOf(body, files[0]),
    ...(body.aspect_ratio === 'auto' ? {} : { aspectRatio: body.aspect_ratio }),
    ...(isSeries ? { series: true as const, exactCount: true as const } : {}),
    seed: context.randomSeed(),
    format: 'png' as const,
    ...(body.watermark_info.enabled ? { markedCopy: true as const } : {}),
  }
  const shown = { series: isSeries }
  const inputs = [...files, ...pictures]
  if (inputs.length === 0) return { capability: 'image.generate', request: { ...common, prompt: body.prompt, count }, shown }
  const starts = subjects.map((_, index) => files.length + subjects.slice(0, index).reduce((sum, each) => sum + each.pictures, 0))
  const prompt = byPlace(body.prompt, (kind, index) => (kind === 'image' ? index : (starts[index] ?? -1)))
  return { capability: 'image.edit', request: { ...common, prompt, variants: count, references: true }, inputs, shown }
}

function sizeOf({ resolution, aspect_ratio }: OmniImageBody, first: CallFile | undefined) {
  const own = first?.width && first.height ? first.width / first.height : 1
  return pictureSize(resolution, aspect_ratio === 'auto' ? own : ratioOf(aspect_ratio))
}
