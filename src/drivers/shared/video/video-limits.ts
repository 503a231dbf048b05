/** Limits of video models, for targets whose driver cannot derive them from the model's name. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import Type from 'typebox'
import { textsOf } from '../upstream/read-json.ts'

/** The sizes and lengths of videos that a model produces. */
export interface VideoLimits {
  /** Allowed sizes, such as `1280x720`; undefined allows any. */
  sizes: readonly string[] | undefined
  /** Allowed lengths in seconds; undefined allows any. */
  seconds: readonly number[] | undefined
}

export function sizeSetting(description: string) {
  return Type.Optional(Type.Array(Type.String({ pattern: '^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$' }), { minItems: 1, description }))
}

export function lengthSetting(description: string) {
  return Type.Optional(Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: 3600 }), { minItems: 1, description }))
}

/** Returns the limits in checked settings. */
export function videoLimitsOf({ sizes, seconds }: JsonObject): VideoLimits {
  return {
    sizes: sizes === undefined ? undefined : textsOf(sizes),
    seconds: Array.isArray(seconds) ? seconds.filter(each => typeof each === 'number') : undefined,
  }
}

/** Returns the refusal of a size or length that the model does not make; undefined when there is
 *  none. `who` names the model in messages. */
export function refusedLimit(
  { width, height, seconds: wanted }: VideoGenerateRequest,
  { sizes, seconds }: VideoLimits,
  who: string,
): Refusal | undefined {
  const size = `${width}x${height}`
  if (sizes && !sizes.includes(size)) return refusal('width', `${who} makes ${sizes.join(', ')}, not ${size}.`)
  if (seconds && !seconds.includes(wanted)) return refusal('seconds', `${who} makes videos of ${seconds.join(', ')} s, not of ${wanted} s.`)
  return undefined
}
