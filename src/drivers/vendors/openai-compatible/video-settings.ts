/** Settings of a target that creates videos. The settings describe models whose limits the driver
 *  cannot derive from their names. */
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import { lengthSetting, sizeSetting, type VideoLimits, videoLimitsOf } from '../../shared/video/video-limits.ts'

export const videoSettings = Type.Object(
  {
    sizes: sizeSetting('The only sizes of its videos, as 1280x720. Default: those of Sora 2 by its name, else any.'),
    seconds: lengthSetting('The only lengths of its videos. Default: 4, 8, 12, 16 and 20 of Sora 2 by its name, else any.'),
  },
  {
    additionalProperties: false,
    description: 'What the model supports when it makes videos. Needed only for models whose name the driver does not know.',
  },
)

const upright = ['720x1280', '1024x1792', '1080x1920']
const wide = ['1280x720', '1792x1024', '1920x1080']
/** Sizes and lengths by model (docs/vendors/openai-videos.md#sizes-and-lengths). The base model has
 *  only the first of the upright sizes and the first of the wide sizes. */
const sora: Readonly<Record<'base' | 'pro', VideoLimits>> = {
  base: { sizes: [...upright.slice(0, 1), ...wide.slice(0, 1)], seconds: [4, 8, 12, 16, 20] },
  pro: { sizes: [...upright, ...wide], seconds: [4, 8, 12, 16, 20] },
}

/** Returns the limits of the target's model. Settings override those known by the model's name. */
export function videoFactsOf(settings: JsonObject, model: string): VideoLimits {
  const base = /(^|\/)sora-2-pro\b/.test(model) ? sora.pro : /(^|\/)sora-2\b/.test(model) ? sora.base : undefined
  const given = videoLimitsOf(objectOf(settings.video))
  return { sizes: given.sizes ?? base?.sizes, seconds: given.seconds ?? base?.seconds }
}
