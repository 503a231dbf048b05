/** The answer of a chat completion (vendors-text-audio 3.9.1). */
import Type, { type Static } from 'typebox'
import type { JsonObject } from '../../core/task.ts'

const count = Type.Integer({ minimum: 0, unit: 'tokens' })

const usageSchema = Type.Object({
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
  bytes: Type.Unsafe<number[] | null>({ type: ['array', 'null'], items: { type: 'integer' } }),
}

const logprobsSchema = Type.Object({
  content: Type.Array(Type.Object({ ...token, top_logprobs: Type.Array(Type.Object(token)) })),
  refusal: Type.Null(),
})

const callSchema = Type.Object({
  id: Type.String(),
  type: Type.Unsafe<'function' | 'custom'>({ type: 'string', enum: ['function', 'custom'] }),
  function: Type.Optional(Type.Object({ name: Type.String(), arguments: Type.String({ description: 'JSON text.' }) })),
  custom: Type.Optional(Type.Object({ name: Type.String(), input: Type.String({ description: 'Free text.' }) })),
})

const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'] as const

const choiceSchema = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  message: Type.Object({
    role: Type.Literal('assistant'),
    content: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Null beside calls or a refusal.' }),
    refusal: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    annotations: Type.Array(Type.Unsafe<JsonObject>({ type: 'object' })),
    reasoning_content: Type.Optional(Type.String({ source: 'ours', description: 'What the model thought, when it says so.' })),
    tool_calls: Type.Optional(Type.Array(callSchema)),
    function_call: Type.Optional(
      Type.Object({ name: Type.String(), arguments: Type.String() }, { description: 'When functions were given.' }),
    ),
  }),
  logprobs: Type.Union([logprobsSchema, Type.Null()]),
  finish_reason: Type.Unsafe<FinishReason>({ type: 'string', enum: finishReasons }),
})

export const completionSchema = Type.Object({
  id: Type.String({ description: 'Begins with chatcmpl-.' }),
  object: Type.Literal('chat.completion'),
  created: Type.Integer({ description: 'Unix seconds.' }),
  model: Type.String(),
  service_tier: Type.Literal('default'),
  choices: Type.Array(choiceSchema),
  usage: usageSchema,
})

export type FinishReason = (typeof finishReasons)[number]
export type Completion = Static<typeof completionSchema>
export type Choice = Static<typeof choiceSchema>
export type ChatUsage = Static<typeof usageSchema>
export type ChatLogprobs = Static<typeof logprobsSchema>
