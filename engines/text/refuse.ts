/** Checks a request before it is sent to a model, and refuses what no model of this engine can
 *  do. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about, type FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { type ReadablePart, unreadablePart } from '@generation-gateway/kit/requests/refused-part.ts'
import type { TextPart, TextRequest } from '@generation-gateway/kit/requests/text.ts'

const senses: Readonly<Record<ReadablePart, string>> = {
  image: 'This model reads no images.',
  video: 'This model watches no videos.',
  audio: 'This model hears no audio.',
  file: 'This model reads no files.',
}

/** Throws `invalid_request` for inputs other than text, and for settings that contradict each
 *  other. */
export function refuseUnsupported(request: TextRequest): void {
  for (const item of request.items) {
    const parts = item.type === 'message' ? item.parts : item.type === 'result' && typeof item.output !== 'string' ? item.output : []
    for (const part of parts) {
      if (isMedia(part)) throw unreadablePart(part.type, senses[part.type])
    }
  }
  const isHeld = request.format.type !== 'text' || (request.tools.length > 0 && request.toolChoice.mode !== 'none')
  if (request.topLogprobs !== undefined && isHeld && request.temperature !== 0) {
    throw refused('topLogprobs', 'together with tools or a JSON format this model needs temperature 0.')
  }
  if (request.toolChoice.mode === 'required' && !request.tools.some(({ name }) => request.toolChoice.only?.includes(name) ?? true)) {
    throw refused('toolChoice', 'a call is asked for, but no tool may be called.')
  }
}

function isMedia(part: TextPart): part is Extract<TextPart, { type: ReadablePart }> {
  return Object.hasOwn(senses, part.type)
}

function refused(field: FieldName, says: string): GatewayError {
  return new GatewayError('invalid_request', about(field, says), { field })
}
