import type { ImageEditRequest, ImageGenerateRequest } from './requests/image.ts'
import type { Capability, UsageUnits } from './requests/job.ts'
import type { TextRequest } from './requests/text.ts'
import type { Json, JsonObject } from './task.ts'

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
      const { maxOutputTokens } = request as TextRequest
      return expectedTokens(request, maxOutputTokens)
    }
  }
}

function pictures(count: number, pixels: number): UsageUnits[] {
  return [
    { unit: 'images', units: count },
    { unit: 'pixels', units: count * pixels },
  ]
}

/** English text has about four characters to a token. */
const charactersPerToken = 4
/** Where a caller sets no limit: longer than most answers, so that a budget is rarely overrun by the last ones. */
const usualOutputTokens = 4_096

/** The tokens of a conversation, as its body or its neutral request. */
export function expectedTokens(conversation: JsonObject, maxOutputTokens: number | undefined, answers = 1): UsageUnits[] {
  return [
    { unit: 'input_tokens', units: Math.ceil(charactersIn(conversation) / charactersPerToken) },
    { unit: 'output_tokens', units: answers * (maxOutputTokens ?? usualOutputTokens) },
  ]
}

/** Characters of all texts; files inside the JSON are no text. */
function charactersIn(value: Json | undefined): number {
  if (typeof value === 'string') return value.startsWith('data:') ? 0 : value.length
  if (typeof value !== 'object' || value === null) return 0
  let characters = 0
  for (const member of Array.isArray(value) ? value : Object.values(value)) characters += charactersIn(member)
  return characters
}
