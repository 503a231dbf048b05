/** The response object with every key of docs/vendors/openai-responses.md#response-object, and the
 *  answers of the other operations. */

import type { Json } from '@generation-gateway/kit/json.ts'
import Type, { type Static } from 'typebox'
import { namedObject, orNull, words } from '../../../contract/schemas.ts'
import { compactionItem, conversationItem, messageItem, outputItem } from './item-schema.ts'
import type { Item, OutputItem } from './wire.ts'

const integer = (description = '') => Type.Unsafe<number>({ type: 'integer', ...(description ? { description } : {}) })

const statuses = ['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'] as const

const usage = namedObject('ResponseUsage', {
  input_tokens: integer(),
  input_tokens_details: Type.Object({ cached_tokens: integer(), cache_write_tokens: integer() }),
  output_tokens: integer(),
  output_tokens_details: Type.Object({ reasoning_tokens: integer() }),
  total_tokens: integer(),
})

const failure = namedObject('ModelResponseError', { type: Type.String(), code: Type.String(), message: Type.String() })

export const responseObject = namedObject('ModelResponse', {
  id: Type.String({ description: '`resp_` and hex.' }),
  object: Type.Literal('response'),
  created_at: integer('Unix seconds.'),
  completed_at: orNull<number>('integer', { description: 'Unix seconds.' }),
  status: words(statuses, { description: 'Only queued and in_progress change.' }),
  error: Type.Union([failure, Type.Null()]),
  incomplete_details: Type.Unsafe<{ reason: 'max_output_tokens' | 'content_filter' } | null>({
    type: ['object', 'null'],
    required: ['reason'],
    properties: { reason: { type: 'string', enum: ['max_output_tokens', 'content_filter'] } },
  }),
  instructions: orNull<string>('string'),
  model: Type.String(),
  output: Type.Unsafe<OutputItem[]>({ type: 'array', items: outputItem }),
  parallel_tool_calls: Type.Boolean(),
  previous_response_id: orNull<string>('string'),
  conversation: Type.Null(),
  reasoning: Type.Object({ effort: orNull<string>('string'), summary: orNull<string>('string') }),
  service_tier: Type.String(),
  store: Type.Boolean(),
  background: Type.Boolean(),
  max_output_tokens: orNull<number>('integer'),
  max_tool_calls: orNull<number>('integer'),
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
  tool_choice: Type.Unsafe<Json>({
    type: ['string', 'object'],
    properties: { type: { type: 'string', description: '`function`, `custom`, `allowed_tools`.' } },
    description: 'As it was given.',
  }),
  tools: Type.Unsafe<Json>({ type: 'array', items: { type: 'object' } }),
  truncation: Type.String(),
  metadata: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  user: orNull<string>('string'),
  safety_identifier: orNull<string>('string'),
  prompt_cache_key: orNull<string>('string'),
  usage: Type.Union([usage, Type.Null()]),
  expire_at: Type.Optional(integer('Unix seconds; when the request had it.')),
})

/** The response object, as it is stored and as callers get it. */
export type WireResponse = Static<typeof responseObject>
export type WireUsage = Static<typeof usage>

export const itemList = namedObject('ResponseItemList', {
  object: Type.Literal('list'),
  data: Type.Unsafe<Item[]>({ type: 'array', items: conversationItem }),
  first_id: orNull<string>('string'),
  last_id: orNull<string>('string'),
  has_more: Type.Boolean(),
})

export const inputTokenCount = namedObject('ResponseInputTokens', {
  object: Type.Literal('response.input_tokens'),
  input_tokens: integer('An estimate when the header `x-gateway-warning` says so.'),
})

export const compactedResponse = namedObject('CompactedResponse', {
  id: Type.String({ description: '`resp_` and hex; the gateway does not keep it.' }),
  object: Type.Literal('response.compaction'),
  created_at: integer('Unix seconds.'),
  output: Type.Array(Type.Union([messageItem, compactionItem]), {
    description: 'The messages of the user, then the summary; send them as the input of the next request.',
  }),
  usage,
})

export const deletion = namedObject('ResponseDeletion', {
  id: Type.String(),
  object: Type.Literal('response'),
  deleted: Type.Literal(true),
})
