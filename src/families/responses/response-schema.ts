/** The response object with every key of vendors-text-audio 3.8.3, and the answers of the other operations. */
import Type, { type Static } from 'typebox'
import type { Json } from '../../core/task.ts'
import type { Item, OutputItem, WireResponseStatus, WireUsage } from './wire.ts'

const nullable = <T>(type: string, description = '') =>
  Type.Unsafe<T | null>({ type: [type, 'null'], ...(description ? { description } : {}) })
const integer = (description = '') => Type.Unsafe<number>({ type: 'integer', ...(description ? { description } : {}) })

const statuses = ['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'] as const satisfies WireResponseStatus[]

const item = (description: string, required: string[]) => ({
  type: 'object',
  required: ['type', ...required],
  properties: { id: { type: 'string' }, type: { type: 'string' }, status: { type: 'string' } },
  description,
})

const usage = {
  type: ['object', 'null'],
  required: ['input_tokens', 'input_tokens_details', 'output_tokens', 'output_tokens_details', 'total_tokens'],
  properties: {
    input_tokens: { type: 'integer' },
    input_tokens_details: {
      type: 'object',
      required: ['cached_tokens', 'cache_write_tokens'],
      properties: { cached_tokens: { type: 'integer' }, cache_write_tokens: { type: 'integer' } },
    },
    output_tokens: { type: 'integer' },
    output_tokens_details: { type: 'object', required: ['reasoning_tokens'], properties: { reasoning_tokens: { type: 'integer' } } },
    total_tokens: { type: 'integer' },
  },
}

export const responseObject = Type.Object({
  id: Type.String({ description: '`resp_` and hex.' }),
  object: Type.Literal('response'),
  created_at: integer('Unix seconds.'),
  completed_at: nullable<number>('integer', 'Unix seconds.'),
  status: Type.Unsafe<WireResponseStatus>({ type: 'string', enum: statuses, description: 'Only queued and in_progress change.' }),
  error: Type.Unsafe<{ type: string; code: string; message: string } | null>({
    type: ['object', 'null'],
    required: ['type', 'code', 'message'],
    properties: { type: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
  }),
  incomplete_details: Type.Unsafe<{ reason: 'max_output_tokens' | 'content_filter' } | null>({
    type: ['object', 'null'],
    required: ['reason'],
    properties: { reason: { type: 'string', enum: ['max_output_tokens', 'content_filter'] } },
  }),
  instructions: nullable<string>('string'),
  model: Type.String(),
  output: Type.Unsafe<OutputItem[]>({
    type: 'array',
    items: item('A message, function_call, custom_tool_call or reasoning.', ['id']),
  }),
  parallel_tool_calls: Type.Boolean(),
  previous_response_id: nullable<string>('string'),
  conversation: Type.Null(),
  reasoning: Type.Object({ effort: nullable<string>('string'), summary: nullable<string>('string') }),
  service_tier: Type.String(),
  store: Type.Boolean(),
  background: Type.Boolean(),
  max_output_tokens: nullable<number>('integer'),
  max_tool_calls: nullable<number>('integer'),
  temperature: Type.Number(),
  top_p: Type.Number(),
  top_logprobs: integer(),
  presence_penalty: Type.Number(),
  frequency_penalty: Type.Number(),
  text: Type.Unsafe<Json>({
    type: 'object',
    required: ['format'],
    properties: { format: { type: 'object' }, verbosity: { type: 'string' } },
  }),
  tool_choice: Type.Unsafe<Json>({ type: ['string', 'object'] }),
  tools: Type.Unsafe<Json>({ type: 'array', items: { type: 'object' } }),
  truncation: Type.String(),
  metadata: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  user: nullable<string>('string'),
  safety_identifier: nullable<string>('string'),
  prompt_cache_key: nullable<string>('string'),
  usage: Type.Unsafe<WireUsage | null>(usage),
  expire_at: Type.Optional(integer('Unix seconds; when the request had it.')),
})

/** As stored and as answered. */
export type WireResponse = Static<typeof responseObject>

export const itemList = Type.Object({
  object: Type.Literal('list'),
  data: Type.Unsafe<Item[]>({ type: 'array', items: item('An item of the conversation, with its id.', ['id', 'status']) }),
  first_id: nullable<string>('string'),
  last_id: nullable<string>('string'),
  has_more: Type.Boolean(),
})

export const deletion = Type.Object({ id: Type.String(), object: Type.Literal('response'), deleted: Type.Literal(true) })
