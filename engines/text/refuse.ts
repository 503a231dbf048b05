/** What no model of this engine can do, refused before anything runs. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextPart, TextRequest } from '@generation-gateway/kit/requests/text.ts'

const senses: Readonly<Partial<Record<TextPart['type'], string>>> = {
  image: 'This model reads no images.',
  video: 'This model watches no videos.',
  audio: 'This model hears no audio.',
  file: 'This model reads no files.',
}

/** Throws `invalid_request` for parts that are not text, and for settings that cannot be kept together. */
export function refuseUnsupported(request: TextRequest): void {
  for (const item of request.items) {
    const parts = item.type === 'message' ? item.parts : item.type === 'result' && typeof item.output !== 'string' ? item.output : []
    for (const part of parts) {
      const sentence = senses[part.type]
      if (sentence) throw new GatewayError('invalid_request', sentence)
    }
  }
  const isHeld = request.format.type !== 'text' || (request.tools.length > 0 && request.toolChoice.mode !== 'none')
  if (request.topLogprobs !== undefined && isHeld && request.temperature !== 0) {
    throw new GatewayError('invalid_request', 'top_logprobs together with tools or a JSON format needs temperature 0 on this model.', {
      field: 'top_logprobs',
    })
  }
  if (request.toolChoice.mode === 'required' && !request.tools.some(({ name }) => request.toolChoice.only?.includes(name) ?? true)) {
    throw new GatewayError('invalid_request', 'tool_choice asks for a call, but no tool may be called.', { field: 'tool_choice' })
  }
}
