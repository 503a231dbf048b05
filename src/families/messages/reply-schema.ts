/** Answers of the Messages protocol (docs/vendors/anthropic-messages.md#answers, #stream). */
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import Type, { type Static } from 'typebox'
import { namedObject, optional, orNull, words } from '../../contract/schemas.ts'

const answerBlock = namedObject('MessagesAnswerBlock', {
  type: words(['text', 'tool_use', 'thinking']),
  text: optional.string(),
  citations: optional.orNull<Json[]>('array', { items: {} }),
  id: optional.string(),
  name: optional.string(),
  input: optional.unsafe<JsonObject>({ type: 'object', description: 'Arguments of the call.' }),
  thinking: optional.string(),
  signature: optional.string({ description: 'Data that the target needs in the next turn; send it back unchanged with the thinking.' }),
})

const usage = namedObject('MessagesUsage', {
  input_tokens: Type.Integer({ description: 'Input tokens, without those that were read from the cache or written into it.' }),
  output_tokens: Type.Integer(),
  cache_creation_input_tokens: Type.Integer(),
  cache_read_input_tokens: Type.Integer(),
  cache_creation: orNull<JsonObject>('object'),
  output_tokens_details: Type.Object({ thinking_tokens: Type.Integer() }),
  server_tool_use: orNull<JsonObject>('object'),
  service_tier: orNull<string>('string'),
  speed: optional.string({ description: '`fast`, where the target answered in its fast mode.' }),
})

const stopReason = Type.Unsafe<StopReason | null>({
  type: ['string', 'null'],
  enum: ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal', null],
  description: 'Null only at the beginning of a stream.',
})

export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal'

export const messageSchema = namedObject('MessagesAnswer', {
  id: Type.String({ description: 'Begins with `msg_`.' }),
  type: Type.Literal('message'),
  role: Type.Literal('assistant'),
  model: Type.String(),
  content: Type.Array(answerBlock),
  stop_reason: stopReason,
  stop_sequence: orNull<string>('string', {
    description: 'The text of `stop_sequences` at which the answer ended; null when the target does not report it.',
  }),
  stop_details: orNull<JsonObject>('object'),
  container: orNull<JsonObject>('object'),
  usage,
})

export const eventSchema = namedObject('MessagesEvent', {
  type: words([
    'message_start',
    'ping',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]),
  message: Type.Optional(messageSchema),
  index: optional.integer({ description: 'Position of the block in the content.' }),
  content_block: Type.Optional(answerBlock),
  delta: optional.unsafe<JsonObject>({
    type: 'object',
    description: 'A piece of a block (text_delta, input_json_delta, thinking_delta, signature_delta), or the reason for the end.',
  }),
  usage: Type.Optional(usage),
})

export const countSchema = namedObject('MessagesTokenCount', { input_tokens: Type.Integer() })

const modelInfo = namedObject('MessagesModel', {
  type: Type.Literal('model'),
  id: Type.String(),
  display_name: Type.String(),
  created_at: Type.String({ description: 'Time at which this gateway started (RFC 3339).' }),
  lifecycle: words(['active']),
  capabilities: orNull<JsonObject>('object'),
  max_input_tokens: orNull<number>('integer'),
  max_tokens: orNull<number>('integer'),
  line: orNull<string>('string'),
  deprecated_at: orNull<string>('string'),
  retires_at: orNull<string>('string'),
})

export const modelInfoSchema = modelInfo

export const modelListSchema = namedObject('MessagesModelList', {
  data: Type.Array(modelInfo),
  has_more: Type.Boolean(),
  first_id: orNull<string>('string'),
  last_id: orNull<string>('string'),
})

export type AnswerBlock = Static<typeof answerBlock>
export type Usage = Static<typeof usage>
export type MessageAnswer = Static<typeof messageSchema>
export type MessageEvent = Static<typeof eventSchema>
export type ModelInfo = Static<typeof modelInfo>
