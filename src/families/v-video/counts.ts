/** Checks limits on the number, combination and length of inputs; these limits depend on the model
 *  (docs/interface/videos.md#v). */
import { type Feature, groupOf } from './models.ts'
import { mostSamples } from './schema.ts'

interface CountedFields {
  sampleCount: number
  durationSeconds: number
  image?: unknown
  lastFrame?: unknown
  referenceImages?: readonly { referenceType: 'asset' | 'style' }[] | undefined
}

/** Returns a sentence on the first broken limit, and the parameter or list at fault; undefined when
 *  all limits are kept. */
export function countProblem(group: string | undefined, fields: CountedFields): { field: string; message: string } | undefined {
  const { sampleCount, durationSeconds, referenceImages = [] } = fields
  if (sampleCount < 1 || sampleCount > mostSamples) {
    const message = `Invalid sample count ${sampleCount}; the sample count should be in the range of [1, ${mostSamples}]`
    return { field: 'parameters.sampleCount', message }
  }
  const styles = referenceImages.filter(({ referenceType }) => referenceType === 'style').length
  const { references, seconds } = groupOf(group)
  const isMixTaken = styles === 0 || (styles === 1 && referenceImages.length === 1 && references.includes('style'))
  if (!isMixTaken)
    return { field: 'instances[0].referenceImages', message: 'Reference to video does not support this mix of reference images' }
  const feature = featureOf(fields)
  const supported = feature === 'reference_to_video' ? [8] : seconds
  if (supported.includes(durationSeconds)) return undefined
  const listed = `[${supported.join(',')}] for feature ${feature}`
  const message = `Unsupported output duration ${durationSeconds} seconds, supported durations are ${listed}`
  return { field: 'parameters.durationSeconds', message }
}

function featureOf({ image, lastFrame, referenceImages = [] }: CountedFields): Feature {
  if (referenceImages.length > 0) return 'reference_to_video'
  return image === undefined && lastFrame === undefined ? 'text_to_video' : 'image_to_video'
}
