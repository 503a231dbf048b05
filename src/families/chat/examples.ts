import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Example } from '../../contract/operation.ts'
import type { ChatUsage, Choice } from './reply-schema.ts'

const head = {
  id: 'chatcmpl-6f1d2c9ab0e94f0d8a1c52e7b3f4a651',
  object: 'chat.completion',
  created: 1_795_000_000,
  model: 'qwen2.5-coder-0.5b-instruct',
  service_tier: 'default',
} as const

function usage(prompt: number, completion: number): ChatUsage {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
  }
}

function choice(message: Partial<Choice['message']>, finish_reason: Choice['finish_reason']): Choice {
  return {
    index: 0,
    message: { role: 'assistant', content: null, refusal: null, annotations: [], ...message },
    logprobs: null,
    finish_reason,
  }
}

export const examples: Example[] = [
  {
    title: 'A question',
    body: { messages: [{ role: 'user', content: 'What is the capital of France?' }], max_completion_tokens: 60 },
    reply: { ...head, choices: [choice({ content: 'The capital of France is Paris.' }, 'stop')], usage: usage(14, 8) },
  },
  {
    title: 'A function is called',
    body: {
      messages: [
        { role: 'developer', content: 'Answer with the tools.' },
        { role: 'user', content: 'Weather in Oslo?' },
      ],
      reasoning_effort: 'low',
      verbosity: 'low',
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather',
            description: 'Weather of a city.',
            parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      max_completion_tokens: 30,
    },
    reply: {
      ...head,
      choices: [
        choice(
          { tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }] },
          'tool_calls',
        ),
      ],
      usage: usage(120, 9),
    },
  },
  {
    title: 'A custom tool held by a grammar, one of two allowed',
    body: {
      messages: [{ role: 'user', content: 'Add two and three.' }],
      tools: [
        {
          type: 'custom',
          custom: {
            name: 'sum',
            description: 'Adds numbers.',
            format: { type: 'grammar', grammar: { syntax: 'regex', definition: '[0-9]+( \\+ [0-9]+)+' } },
          },
        },
        { type: 'function', function: { name: 'weather' } },
      ],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [{ type: 'custom', custom: { name: 'sum' } }] } },
      max_completion_tokens: 30,
    },
    reply: {
      ...head,
      choices: [choice({ tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'sum', input: '2 + 3' } }] }, 'tool_calls')],
      usage: usage(96, 6),
    },
  },
]

const completion: JsonObject = { ...head, choices: [choice({ content: 'The capital of France is Paris.' }, 'stop')], usage: usage(14, 8) }

export const storedExample: JsonObject = { ...completion, metadata: { project: 'atlas' } }
export const storedPlace = { path: { completion_id: head.id }, needs: 'the id of a stored completion.' }
export const deletionExample: JsonObject = { id: head.id, object: 'chat.completion.deleted', deleted: true }
export const listExample: JsonObject = { object: 'list', data: [storedExample], first_id: head.id, last_id: head.id, has_more: false }

const message = { id: `${head.id}-0`, role: 'user', content: 'What is the capital of France?', content_parts: null, name: null }

export const messagesExample: JsonObject = { object: 'list', data: [message], first_id: message.id, last_id: message.id, has_more: false }
