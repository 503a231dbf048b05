/** Examples of the family's docs: one turn with a tool, as it is sent, answered and listed. */
import type { JsonObject } from '../../core/task.ts'

const id = 'resp_8b1f2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071'
const hex = id.slice('resp_'.length)

export const createExample = {
  model: 'qwen2.5-coder-0.5b-instruct',
  instructions: 'Answer in one sentence.',
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is in this clip?' },
        { type: 'input_video', video_url: 'https://media.example/clip.mp4', fps: 2 },
      ],
    },
  ],
  metadata: { order: '17' },
}

export const toolExample = {
  input: 'What is the weather in Oslo?',
  tools: [
    {
      type: 'function',
      name: 'weather',
      description: 'Weather of a town',
      parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
    },
  ],
  tool_choice: { type: 'function', name: 'weather' },
}

const message: JsonObject = {
  id: `msg_${hex}10000000`,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Three boats in a storm.', annotations: [], logprobs: [] }],
}

export const responseExample: JsonObject = {
  id,
  object: 'response',
  created_at: 1_795_000_000,
  completed_at: 1_795_000_002,
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: 'Answer in one sentence.',
  model: 'qwen2.5-coder-0.5b-instruct',
  output: [message],
  parallel_tool_calls: true,
  previous_response_id: null,
  conversation: null,
  reasoning: { effort: null, summary: null },
  service_tier: 'default',
  store: true,
  background: false,
  max_output_tokens: null,
  max_tool_calls: null,
  temperature: 0.7,
  top_p: 0.8,
  top_logprobs: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  truncation: 'disabled',
  metadata: { order: '17' },
  user: null,
  safety_identifier: null,
  prompt_cache_key: null,
  usage: {
    input_tokens: 21,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 6,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 27,
  },
}

export const listExample: JsonObject = {
  object: 'list',
  data: [
    {
      id: `msg_${hex}00000000`,
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_text', text: 'What is in this clip?' }],
    },
  ],
  first_id: `msg_${hex}00000000`,
  last_id: `msg_${hex}00000000`,
  has_more: false,
}

export const deletionExample: JsonObject = { id, object: 'response', deleted: true }
