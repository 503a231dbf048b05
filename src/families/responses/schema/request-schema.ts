/** Body of the request that creates a response: the fields of
 *  docs/vendors/openai-responses.md#request. The handler checks the contents of `input`, `tools`,
 *  `tool_choice` and `text`, since its messages name the item and part; a union schema would only
 *  report that nothing matched. */

import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import { mostIdCharacters } from '@generation-gateway/kit/kept-id.ts'
import { mostTokens, reasoningEfforts } from '@generation-gateway/kit/requests/text.ts'
import { MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { optional } from '../../../contract/schemas.ts'

/** Largest length of the texts `input` and `instructions`, in characters: the limit of Open
 *  Responses (docs/vendors/openai-responses.md#limits). */
export const inputLimit = 10_485_760
/** Largest body in bytes. */
export const mostBodyBytes = 70 * MiB
/** Largest number of bytes of a conversation's stored turns that are read together. The largest
 *  body must fit, with 10 MiB for its answer and for members that the gateway adds. */
export const mostConversationBytes = mostBodyBytes + 10 * MiB

const flag = (description: string, byDefault: boolean) =>
  Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], default: byDefault, description })
const text = (description: string, limits: { maxLength?: number } = {}) =>
  optional.unsafe<string | null>({ type: ['string', 'null'], ...limits, description })
const number = (minimum: number, maximum: number, description: string) =>
  optional.unsafe<number | null>({ type: ['number', 'null'], minimum, maximum, description })
const object = (description: string, shape: object = {}) =>
  optional.unsafe<JsonObject | null>({ type: ['object', 'null'], description, ...shape })

const conversation = {
  model: optional.string({
    minLength: 1,
    maxLength: 200,
    description: 'A text model; absent: the route of the endpoint, else the default model.',
  }),
  input: Type.Unsafe<string | Json[]>({
    type: ['string', 'array'],
    maxLength: inputLimit,
    description:
      'A text, or a list of items: message (with or without `type`; parts input_text, input_image, input_video with `fps` 0.2 to 5, input_file, input_audio, output_text, refusal), function_call, function_call_output, custom_tool_call, custom_tool_call_output, reasoning, item_reference.',
  }),
  instructions: text('Stands before the conversation as a message of the developer; not inherited by later turns.', {
    maxLength: inputLimit,
  }),
  previous_response_id: text('Continues the conversation of a stored response.', { maxLength: mostIdCharacters }),
  conversation: optional.unsafe<string | JsonObject | null>({
    type: ['string', 'object', 'null'],
    required: ['id'],
    properties: { id: { type: 'string' } },
    description: 'Not offered; continue a conversation with previous_response_id.',
  }),
  store: flag('Keeps the response, so that it can be read and continued.', true),
  expire_at: optional.unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    unit: 'Unix seconds',
    description: 'When the stored response ends: after now, at most 7 days ahead. Absent: 30 days after its creation.',
  }),
  stream: flag('Answers with a stream of events.', false),
  stream_options: object('`include_obfuscation` is taken; deltas are never padded.'),
  background: flag('Answers at once; the response is made by a durable task and is read with GET.', false),
  include: optional.unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description: '`reasoning.encrypted_content` and `message.output_text.logprobs` add these to the answer.',
  }),
  metadata: optional.unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    maxProperties: 16,
    propertyNames: { maxLength: 64 },
    additionalProperties: { type: 'string', maxLength: 512 },
    description: 'At most 16 pairs of text, keys of at most 64 and values of at most 512 characters; given back with the response.',
  }),
}

const generation = {
  tools: optional.unsafe<Json[] | null>({
    type: ['array', 'null'],
    description:
      'Tools of type function (`name`, `description`, `parameters`, `strict`), custom (`name`, `description`, `format` text or grammar) or namespace (`name`, `description`, `tools` of the other two types; calls of these name their `namespace`). Hosted tools (web_search, ...) are for upstreams that have them, and left out elsewhere.',
  }),
  tool_choice: optional.unsafe<string | JsonObject | null>({
    type: ['string', 'object', 'null'],
    required: ['type'],
    properties: { type: { type: 'string' } },
    description: '`none`, `auto`, `required`, `{type, name}` of one tool (with its `namespace`), or `{type: allowed_tools, mode, tools}`.',
  }),
  parallel_tool_calls: flag('False: at most one tool call.', true),
  max_tool_calls: optional.unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 1,
    description: 'Calls of hosted tools, which only some upstreams have.',
  }),
  text: object('`format` (text, json_object or json_schema) and `verbosity` (low, medium or high).'),
  reasoning: object('`effort` and `summary`.', {
    properties: {
      effort: { type: ['string', 'null'], enum: [...reasoningEfforts, null] },
      summary: { type: ['string', 'null'], enum: ['auto', 'concise', 'detailed', null] },
    },
  }),
  thinking: object('`disabled` stands for a reasoning effort of none.', {
    required: ['type'],
    properties: { type: { type: 'string', enum: ['enabled', 'disabled', 'auto'] } },
  }),
  max_output_tokens: optional.unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 16,
    maximum: mostTokens,
    description: 'Tokens the answer may have, reasoning included.',
  }),
  temperature: number(0, 2, 'Absent: the model’s own.'),
  top_p: number(0, 1, 'Absent: the model’s own.'),
  top_logprobs: optional.unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    maximum: 20,
    description: 'Alternatives for each token.',
  }),
  presence_penalty: number(-2, 2, 'Absent: 0.'),
  frequency_penalty: number(-2, 2, 'Absent: 0.'),
  truncation: optional.unsafe<'auto' | 'disabled' | null>({
    type: ['string', 'null'],
    enum: ['auto', 'disabled', null],
    description: 'Sent on to upstreams that know it; a built-in model refuses a conversation that is too long.',
  }),
}

const passedOn = {
  prompt: object('A prompt stored at an upstream; only there.', { required: ['id'], properties: { id: { type: 'string' } } }),
  caching: object('Sent on to upstreams that know it.'),
  context_management: optional.unsafe<Json[] | null>({ type: ['array', 'null'], description: 'Sent on to upstreams that know it.' }),
  service_tier: text('Sent on to upstreams that know it.'),
  user: text('Given back with the response.'),
  safety_identifier: text('Given back with the response.'),
  prompt_cache_key: text('Given back with the response.'),
  prompt_cache_retention: text('Sent on to upstreams that know it.'),
}

export const createBody = Type.Object({ ...conversation, ...generation, ...passedOn })

const { model, input, instructions, previous_response_id } = conversation
const { tools, tool_choice, parallel_tool_calls, text: textOptions, reasoning, truncation } = generation
const whole = { model, input: Type.Optional(input), instructions, previous_response_id, conversation: conversation.conversation }

export const countBody = Type.Object({ ...whole, tools, tool_choice, parallel_tool_calls, text: textOptions, reasoning, truncation })

const { prompt_cache_key, prompt_cache_retention, service_tier } = passedOn

export const compactBody = Type.Object({ ...whole, prompt_cache_key, prompt_cache_retention, service_tier })
