/** Body and answer of a legacy completion (docs/vendors/openai-completions.md). */
import { mostTokens } from '@generation-gateway/kit/requests/text.ts'
import Type, { type Static, type TSchemaOptions } from 'typebox'
import { namedObject, optional, orNull } from '../../contract/schemas.ts'

/** A text, texts, the ids of the tokens of one text, or a list of such lists. */
export type PromptBody = string | (string | number | number[])[]

/** Largest number of answers in one call: prompts times `n` or `best_of`. */
export const mostAnswers = 128
const mostPromptTokens = 131_072
const tokenId = { minimum: 0, maximum: 2 ** 31 - 1 }

function nullable<T>(type: string | string[], keywords: TSchemaOptions) {
  return optional.unsafe<T | null>({ ...keywords, type: [type, 'null'].flat() })
}

const penalty = { minimum: -2, maximum: 2 }

export const completionBody = Type.Object({
  prompt: Type.Unsafe<PromptBody>({
    type: ['string', 'array'],
    minItems: 1,
    maxItems: mostPromptTokens,
    items: {
      type: ['string', 'integer', 'array'],
      ...tokenId,
      minItems: 1,
      maxItems: mostPromptTokens,
      items: { type: 'integer', ...tokenId },
    },
    examples: ['Once upon a time'],
    description: `A text or a list of texts. Lists of token ids only on a target that speaks this protocol itself. Prompts times answers: at most ${mostAnswers}.`,
  }),
  model: optional.string({ minLength: 1, maxLength: 200, description: 'Absent: the route of the endpoint, else the default model.' }),
  max_tokens: nullable<number>('integer', {
    minimum: 0,
    maximum: mostTokens,
    unit: 'tokens',
    description: 'Most tokens of an answer; default 16.',
  }),
  n: nullable<number>('integer', { minimum: 1, maximum: 128, description: 'Answers to each prompt; default 1.' }),
  best_of: nullable<number>('integer', {
    minimum: 1,
    maximum: 20,
    description: 'Makes this many answers to each prompt and gives the `n` whose tokens are likeliest. All of them count. Not with stream.',
  }),
  stream: nullable<boolean>('boolean', { description: 'The answer comes as chunks while it is made.' }),
  stream_options: nullable<{ include_usage?: boolean | null; include_obfuscation?: boolean | null }>('object', {
    properties: { include_usage: { type: ['boolean', 'null'] }, include_obfuscation: { type: ['boolean', 'null'] } },
    description: 'Only with stream. `include_usage`: one more chunk with the token counts before the end.',
  }),
  stop: nullable<string | string[]>(['string', 'array'], {
    minLength: 1,
    maxItems: 4,
    items: { type: 'string', minLength: 1 },
    description: 'A text, or up to 4: the answer ends before any of them.',
  }),
  temperature: nullable<number>('number', { minimum: 0, maximum: 2 }),
  top_p: nullable<number>('number', { minimum: 0, maximum: 1 }),
  seed: nullable<number>('integer', { minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  presence_penalty: nullable<number>('number', penalty),
  frequency_penalty: nullable<number>('number', penalty),
  logit_bias: nullable<Record<string, number>>('object', {
    additionalProperties: { type: 'number', minimum: -100, maximum: 100 },
    description: 'Token id -> -100 to 100.',
  }),
  logprobs: nullable<number>('integer', {
    minimum: 0,
    maximum: 5,
    description: 'Log probabilities of the tokens of the answer, and of this many alternatives for each.',
  }),
  suffix: nullable<string>('string', { description: 'Text after the answer; only on a target that speaks this protocol itself.' }),
  echo: nullable<boolean>('boolean', { description: 'Gives back the prompt, too; only on a target that speaks this protocol itself.' }),
  user: nullable<string>('string', {}),
})

const finishReasons = ['stop', 'length', 'content_filter'] as const
export type FinishReason = (typeof finishReasons)[number]

const logprobs = namedObject('TextCompletionLogprobs', {
  tokens: Type.Array(Type.String()),
  token_logprobs: Type.Array(Type.Number()),
  top_logprobs: orNull<Record<string, number>[]>('array', { items: { type: 'object' }, description: 'Null with `logprobs` 0.' }),
  text_offset: Type.Array(Type.Integer(), { description: 'Place of each token in `text`, in characters.' }),
})

const choice = namedObject('TextCompletionChoice', {
  index: Type.Integer({ minimum: 0, description: 'Answers to the first prompt come first.' }),
  text: Type.String(),
  logprobs: Type.Union([logprobs, Type.Null()]),
  finish_reason: orNull<FinishReason>('string', { enum: [...finishReasons, null], description: 'Null in chunks but the last.' }),
})

const count = Type.Integer({ minimum: 0, unit: 'tokens' })
const usage = namedObject('TextCompletionUsage', { prompt_tokens: count, completion_tokens: count, total_tokens: count })

const head = {
  id: Type.String({ description: 'Begins with cmpl-.' }),
  object: Type.Literal('text_completion'),
  created: Type.Integer({ description: 'Unix seconds.' }),
  model: Type.String(),
  choices: Type.Array(choice),
}

export const completionReply = namedObject('TextCompletion', { ...head, usage })
export const chunkReply = namedObject('TextCompletionChunk', { ...head, usage: Type.Optional(Type.Union([usage, Type.Null()])) })

export type CompletionBody = Static<typeof completionBody>
export type CompletionReply = Static<typeof completionReply>
export type ChunkReply = Static<typeof chunkReply>
export type Choice = Static<typeof choice>
export type Logprobs = Static<typeof logprobs>
export type Usage = Static<typeof usage>
