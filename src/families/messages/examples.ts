import type { Example } from '../../contract/operation.ts'
import type { MessageAnswer, ModelInfo } from './reply-schema.ts'

const head = {
  id: 'msg_6f1d2c9ab0e94f0d8a1c52e7b3f4a651',
  type: 'message',
  role: 'assistant',
  model: 'qwen2.5-coder-0.5b-instruct',
  stop_sequence: null,
  stop_details: null,
  container: null,
} as const

function usage(input: number, output: number): MessageAnswer['usage'] {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: null,
    output_tokens_details: { thinking_tokens: 0 },
    server_tool_use: null,
    service_tier: 'standard',
  }
}

const weather = {
  name: 'weather',
  description: 'Weather of a city.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

export const messageExamples: Example[] = [
  {
    title: 'A question',
    body: { max_tokens: 60, messages: [{ role: 'user', content: 'What is the capital of France?' }] },
    reply: {
      ...head,
      content: [{ type: 'text', text: 'The capital of France is Paris.', citations: null }],
      stop_reason: 'end_turn',
      usage: usage(14, 8),
    },
  },
  {
    title: 'A tool is called',
    body: {
      max_tokens: 40,
      system: [{ type: 'text', text: 'Answer with the tools.', cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Weather in Oslo?' }] }],
      tools: [weather],
      tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
      thinking: { type: 'disabled' },
      metadata: { user_id: 'u-1' },
    },
    reply: {
      ...head,
      content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } }],
      stop_reason: 'tool_use',
      usage: usage(120, 9),
    },
  },
]

export const modelExample: ModelInfo = {
  type: 'model',
  id: 'qwen2.5-coder-0.5b-instruct',
  display_name: 'Qwen2.5 Coder 0.5B Instruct, built in',
  created_at: '2026-11-18T10:40:00.000Z',
  lifecycle: 'active',
  capabilities: null,
  max_input_tokens: null,
  max_tokens: null,
  line: null,
  deprecated_at: null,
  retires_at: null,
}
