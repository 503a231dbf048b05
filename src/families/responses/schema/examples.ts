/** Examples for the documentation of the Responses API: requests with their answers, and the
 *  list of input items of a response. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Example } from '../../../contract/operation.ts'

const id = 'resp_8b1f2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071'
const hex = id.slice('resp_'.length)

function said(text: string): JsonObject {
  return {
    id: `msg_${hex}10000000`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  }
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
  output: [said('The capital of France is Paris.')],
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
      content: [{ type: 'input_text', text: 'What is the capital of France?' }],
    },
  ],
  first_id: `msg_${hex}00000000`,
  last_id: `msg_${hex}00000000`,
  has_more: false,
}

export const deletionExample: JsonObject = { id, object: 'response', deleted: true }

/** Shared by the examples of all operations that read a stored response: the path parameter, and a
 *  note about what a caller needs to run the example. */
export const stored = { path: { response_id: id }, needs: 'the id of a stored response.' }

export const countExample: Example = {
  title: 'A question',
  body: { instructions: 'Answer in one sentence.', input: 'What is the capital of France?' },
  reply: { object: 'response.input_tokens', input_tokens: 27 },
}

const question = {
  id: `msg_${hex}10000000`,
  type: 'message',
  status: 'completed',
  role: 'user',
  content: [{ type: 'input_text', text: 'What is the capital of France?' }],
}

export const compactExample: Example = {
  title: 'A question and its answer',
  body: {
    input: [
      { role: 'user', content: 'What is the capital of France?' },
      { role: 'assistant', content: 'The capital of France is Paris.' },
    ],
  },
  reply: {
    id,
    object: 'response.compaction',
    created_at: 1_795_000_000,
    output: [question, { id: `cmp_${hex}10000001`, type: 'compaction', encrypted_content: 'summary=eyJzdW1tYXJ5IjoiUGFyaXMifQ' }],
    usage: responseExample.usage ?? null,
  },
}

export const createExamples: Example[] = [
  {
    title: 'A question',
    body: {
      instructions: 'Answer in one sentence.',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'What is the capital of France?' }] }],
      max_output_tokens: 60,
      metadata: { order: '17' },
    },
    reply: { ...responseExample, max_output_tokens: 60 },
  },
  {
    title: 'A question about a video',
    body: {
      model: 'house-llm',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is in this clip?' },
            { type: 'input_video', video_url: 'https://media.example/clip.mp4', fps: 2 },
          ],
        },
      ],
    },
    needs: 'a model of the configuration with an upstream that looks at videos, here `house-llm`.',
    reply: { ...responseExample, model: 'house-llm', output: [said('Three boats in a storm.')] },
  },
  {
    title: 'A forced tool',
    body: {
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
      max_output_tokens: 30,
    },
    reply: {
      ...responseExample,
      output: [
        {
          id: `fc_${hex}10000000`,
          type: 'function_call',
          status: 'completed',
          call_id: 'call_1',
          name: 'weather',
          arguments: '{"town":"Oslo"}',
        },
      ],
    },
  },
]
