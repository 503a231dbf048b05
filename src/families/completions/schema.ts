/** Body and answer of a legacy completion (docs/vendors/openai-completions.md). */
import { mostTokens } from '@generation-gateway/kit/requests/text.ts'
import Type, { type Static, type TSchemaOptions } from 'typebox'
import { namedObject, optional, orNull } from '../../contract/schemas.ts'

/** A text, a list of texts, a list of the token ids of one text, or a list of such lists. */
export type PromptBody = string | (string | number | number[])[]

/** Largest number of answers in one call: the number of prompts times the larger of `n` and
 *  `best_of`. */
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
    description: `A text or a list of texts. Lists of token ids are allowed only on a target that speaks this protocol itself. The number of prompts times the larger of \`n\` and \`best_of\` is at most ${mostAnswers}.`,
  }),
  model: optional.string({ minLength: 1, maxLength: 200, description: 'Absent: the route of the endpoint, else the default model.' }),
  max_tokens: nullable<number>('integer', {
    minimum: 0,
    maximum: mostTokens,
    unit: 'tokens',
    description: 'Largest number of tokens of an answer; default 16.',
  }),
  n: nullable<number>('integer', { minimum: 1, maximum: 128, description: 'Number of answers to each prompt; default 1.' }),
  best_of: nullable<number>('integer', {
    minimum: 1,
    maximum: 20,
    description:
      'Number of answers that the model writes to each prompt; the caller gets the `n` answers with the most probable tokens, and all of them are charged. With stream, at most `n`.',
  }),
  stream: nullable<boolean>('boolean', { description: 'True: the answer is sent as chunks while the model writes it.' }),
  stream_options: nullable<{ include_usage?: boolean | null; include_obfuscation?: boolean | null }>('object', {
    properties: { include_usage: { type: ['boolean', 'null'] }, include_obfuscation: { type: ['boolean', 'null'] } },
    description: 'Only with stream. `include_usage`: a chunk with the token counts is sent before the end.',
  }),
  stop: nullable<string | string[]>(['string', 'array'], {
    minLength: 1,
    maxItems: 4,
    items: { type: 'string', minLength: 1 },
    description: 'A text, or a list of up to 4 texts; the answer ends before the first one that occurs.',
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
    description: 'The answer has the log probability of each token and of this many alternatives for it.',
  }),
  suffix: nullable<string>('string', { description: 'Text that follows the answer; only on a target that speaks this protocol itself.' }),
  echo: nullable<boolean>('boolean', {
    description: 'True: the answer begins with the prompt; only on a target that speaks this protocol itself.',
  }),
  user: nullable<string>('string', {}),
})

const finishReasons = ['stop', 'length', 'content_filter'] as const
export type FinishReason = (typeof finishReasons)[number]

const logprobs = namedObject('TextCompletionLogprobs', {
  tokens: Type.Array(Type.String()),
  token_logprobs: Type.Array(Type.Number()),
  top_logprobs: orNull<Record<string, number>[]>('array', { items: { type: 'object' }, description: 'Null with `logprobs` 0.' }),
  text_offset: Type.Array(Type.Integer(), { description: 'Position of each token in `text`, in characters.' }),
})

const choice = namedObject('TextCompletionChoice', {
  index: Type.Integer({ minimum: 0, description: 'Position of the answer; the answers to the first prompt come first.' }),
  text: Type.String(),
  logprobs: Type.Union([logprobs, Type.Null()]),
  finish_reason: orNull<FinishReason>('string', {
    enum: [...finishReasons, null],
    description: 'Null in all chunks of a choice but the last.',
  }),
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
