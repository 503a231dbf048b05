/** The answer of a chat completion and its chunks (docs/vendors/openai-chat.md#completion).
 *  Schemas that also exist in OpenAI's API have the same names as there. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type, { type Static } from 'typebox'
import { namedObject, optional, orNull, words } from '../../contract/schemas.ts'

const count = Type.Integer({ minimum: 0, unit: 'tokens' })

const usageSchema = namedObject('CompletionUsage', {
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: Type.Object({ cached_tokens: count, audio_tokens: count }),
  completion_tokens_details: Type.Object({
    reasoning_tokens: count,
    audio_tokens: count,
    accepted_prediction_tokens: count,
    rejected_prediction_tokens: count,
  }),
})

const token = {
  token: Type.String(),
  logprob: Type.Number(),
  bytes: orNull<number[]>('array', { items: { type: 'integer' } }),
}

const logprobsSchema = namedObject('ChatCompletionLogprobs', {
  content: Type.Array(namedObject('ChatCompletionTokenLogprob', { ...token, top_logprobs: Type.Array(Type.Object(token)) })),
  refusal: Type.Null(),
})

const kind = words(['function', 'custom'])

const callSchema = namedObject('ChatCompletionMessageToolCall', {
  id: Type.String(),
  type: kind,
  function: optional.object({ name: Type.String(), arguments: Type.String({ description: 'JSON text.' }) }),
  custom: optional.object({ name: Type.String(), input: Type.String({ description: 'Free text.' }) }),
})

const reasoningDetails = Type.Array(Type.Unsafe<JsonObject>({ type: 'object' }), {
  source: 'ours',
  description: 'Reasoning as the upstream gives it, sealed or signed. Send it back with the message: a thinking model may want it.',
})

const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'] as const

const messageSchema = namedObject('ChatCompletionMessage', {
  role: Type.Literal('assistant'),
  content: orNull<string>('string', { description: 'Null beside calls or a refusal.' }),
  refusal: orNull<string>('string'),
  annotations: Type.Array(Type.Unsafe<JsonObject>({ type: 'object' })),
  reasoning_content: optional.string({ source: 'ours', description: 'What the model thought, when it says so.' }),
  reasoning_details: Type.Optional(reasoningDetails),
  tool_calls: optional.array(callSchema),
  function_call: optional.object({ name: Type.String(), arguments: Type.String() }, { description: 'When functions were given.' }),
})

const choiceSchema = namedObject('ChatCompletionChoice', {
  index: Type.Integer({ minimum: 0 }),
  message: messageSchema,
  logprobs: Type.Union([logprobsSchema, Type.Null()]),
  finish_reason: words(finishReasons),
})

const head = {
  id: Type.String({ description: 'Begins with chatcmpl-.' }),
  created: Type.Integer({ description: 'Unix seconds.' }),
  model: Type.String(),
  service_tier: Type.String({ description: '`default`, unless an upstream says another.' }),
}

export const completionSchema = namedObject('ChatCompletion', {
  id: head.id,
  object: Type.Literal('chat.completion'),
  created: head.created,
  model: head.model,
  service_tier: head.service_tier,
  choices: Type.Array(choiceSchema),
  usage: usageSchema,
})

const callDeltaSchema = namedObject('ChatCompletionMessageToolCallChunk', {
  index: Type.Integer({ minimum: 0, description: 'Index of the call that this piece belongs to.' }),
  id: optional.string(),
  type: Type.Optional(kind),
  function: optional.object({ name: optional.string(), arguments: Type.String() }),
  custom: optional.object({ name: optional.string(), input: Type.String() }),
})

/** The part that a chunk adds to one choice. Calls of custom tools have the form in which an
 *  upstream was observed to send them (docs/vendors/openai-chat.md#chunks). */
const deltaSchema = namedObject('ChatCompletionDelta', {
  role: Type.Optional(Type.Literal('assistant')),
  content: optional.string(),
  refusal: optional.orNull<string>('string'),
  reasoning_content: optional.string({ source: 'ours' }),
  reasoning_details: Type.Optional(reasoningDetails),
  tool_calls: optional.array(callDeltaSchema),
  function_call: optional.object({ name: optional.string(), arguments: Type.String() }),
})

const chunkChoiceSchema = namedObject('ChatCompletionChunkChoice', {
  index: Type.Integer({ minimum: 0 }),
  delta: deltaSchema,
  logprobs: Type.Union([logprobsSchema, Type.Null()]),
  finish_reason: orNull<FinishReason>('string', { enum: [...finishReasons, null] }),
})

export const chunkSchema = namedObject('ChatCompletionChunk', {
  ...head,
  object: Type.Literal('chat.completion.chunk'),
  choices: Type.Array(chunkChoiceSchema, { description: 'Empty in the chunk with the token counts.' }),
  usage: Type.Optional(
    Type.Union([usageSchema, Type.Null()], { description: 'With `stream_options.include_usage`: null but in the last chunk.' }),
  ),
})

export type FinishReason = (typeof finishReasons)[number]
export type Completion = Static<typeof completionSchema>
export type Choice = Static<typeof choiceSchema>
export type ChatUsage = Static<typeof usageSchema>
export type ChatLogprobs = Static<typeof logprobsSchema>
export type Chunk = Static<typeof chunkSchema>
export type Delta = Static<typeof deltaSchema>
export type CallDelta = Static<typeof callDeltaSchema>
