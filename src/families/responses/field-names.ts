import type { FieldNames } from '@generation-gateway/kit/requests/field-names.ts'

export const fieldNames: FieldNames = {
  items: 'input',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
  format: 'text.format',
  maxOutputTokens: 'max_output_tokens',
  topP: 'top_p',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  topLogprobs: 'top_logprobs',
  verbosity: 'text.verbosity',
}
