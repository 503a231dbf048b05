/** Settings of targets whose name does not say which videos they make. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import Type from 'typebox'
import { textsOf } from '../upstream/read-json.ts'

/** What a model makes. */
export interface VideoLimits {
  /** As `1280x720`; undefined: any. */
  sizes: readonly string[] | undefined
  /** Undefined: any. */
  seconds: readonly number[] | undefined
}

export function sizeSetting(description: string) {
  return Type.Optional(Type.Array(Type.String({ pattern: '^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$' }), { minItems: 1, description }))
}

export function lengthSetting(description: string) {
  return Type.Optional(Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: 3600 }), { minItems: 1, description }))
}

/** Of checked settings. */
export function videoLimitsOf({ sizes, seconds }: JsonObject): VideoLimits {
  return {
    sizes: sizes === undefined ? undefined : textsOf(sizes),
    seconds: Array.isArray(seconds) ? seconds.filter(each => typeof each === 'number') : undefined,
  }
}

/** The refusal of a size or length that such a model does not make. `who` is the model, in sentences. */
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
