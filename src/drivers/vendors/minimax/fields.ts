/** Translates a neutral request into the vendor's fields (docs/vendors/minimax.md#fields, #models).
 *  A request that a model cannot serve is refused before anything is sent. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import { RefusedError } from '../../shared/refusal.ts'
import { type FileEncoder, hailuoFields } from '../../shared/video/hailuo-fields.ts'
import { hailuoWords } from '../../shared/video/hailuo-words.ts'
import type { VideoJobFacts } from '../../shared/video/video-job.ts'
import { groupOf, owner, unknownModel } from './settings.ts'

/** The fields of a request. Throws a `RefusedError`, so that another target may be tried. */
export function fieldsOf<Input extends InputFacts>(
  { request, model, settings }: Pick<VideoJobFacts, 'request' | 'model' | 'settings'>,
  inputs: readonly Input[],
  shown: FileEncoder<Input>,
): JsonObject {
  const group = groupOf(settings, model)
  if (group === undefined) throw new RefusedError({ message: unknownModel(model) })
  return { model, ...hailuoFields({ request, group, who: `the model ${model} of ${owner}`, words: hailuoWords }, inputs, shown) }
}
