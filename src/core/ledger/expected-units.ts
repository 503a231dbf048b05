import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Capability, UsageUnits } from '@generation-gateway/kit/requests/job.ts'
import { expectedTokens } from './expected-tokens.ts'

/** What a request will probably use, for its hold: exact for pictures of a known size; the end settles by what was really used. */
export function expectedUnits(
  capability: Capability,
  request: JsonObject,
  inputs: readonly { width?: number; height?: number }[],
): UsageUnits[] {
  // The stored request is what the family of this very capability made.
  switch (capability) {
    case 'image.generate': {
      const { count, width, height } = request as ImageGenerateRequest
      return pictures(count, width * height)
    }
    case 'image.edit': {
      const { width = inputs[0]?.width ?? 0, height = inputs[0]?.height ?? 0 } = request as ImageEditRequest
      return pictures(1, width * height)
    }
    case 'text.respond': {
      const { inputTokens, outputTokens } = expectedTokens('neutral', request)
      return [
        { unit: 'input_tokens', units: inputTokens },
        { unit: 'output_tokens', units: outputTokens },
      ]
    }
  }
}

function pictures(count: number, pixels: number): UsageUnits[] {
  return [
    { unit: 'images', units: count },
    { unit: 'pixels', units: count * pixels },
  ]
}
