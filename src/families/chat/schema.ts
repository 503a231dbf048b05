/** The body of a chat completion. The schema contains no unions: requirements that depend on a
 *  `type` are checked in `rules.ts` or during translation. In this way error messages remain
 *  readable, and the check of a relayed body is cheap. Fields:
 *  docs/interface/text.md#chat-completions, docs/vendors/openai-chat.md#request. */

import { mostTokens, type ReasoningEffort, reasoningEfforts, type Verbosity } from '@generation-gateway/kit/requests/text.ts'
import Type, { type Static, type TSchemaOptions } from 'typebox'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { messageSchema, toolName } from './message-schema.ts'

/** Returns a schema that also accepts null, which official clients send for a field that they leave
 *  out. */
function orNull<T>(type: string | string[], keywords: TSchemaOptions & { enum?: readonly unknown[] }) {
  const words = keywords.enum ? { enum: [...keywords.enum, null] } : {}
  return optional.unsafe<T | null>({ ...keywords, ...words, type: [type, 'null'].flat() })
}

const functionTool = Type.Object({
  name: toolName,
  description: optional.string(),
  parameters: optional.unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], description: 'JSON schema of the arguments.' }),
  strict: optional.orNull<boolean>('boolean'),
})

const syntax = optional.words(['lark', 'regex'])

const customTool = Type.Object({
  name: toolName,
  description: optional.string(),
  format: optional.object(
    {
      type: words(['text', 'grammar']),
      grammar: optional.object({ syntax, definition: optional.string() }),
      syntax,
      definition: optional.string(),
    },
    { description: 'Free text, or a grammar: `grammar` holds `syntax` and `definition`, which may also stand beside `type`.' },
  ),
})

const tool = namedObject('ChatCompletionTool', {
  type: Type.String({ minLength: 1, description: 'function or custom; a target that speaks this protocol may know more.' }),
  function: Type.Optional(functionTool),
  custom: Type.Optional(customTool),
})

const toolReference = Type.Object({
  type: Type.String(),
  function: optional.object({ name: Type.String() }),
  custom: optional.object({ name: Type.String() }),
})

const forcedTool = Type.Object({
  ...toolReference.properties,
  allowed_tools: optional.object({
    mode: words(['auto', 'required']),
    tools: Type.Array(toolReference),
  }),
})

const responseFormat = Type.Object({
  type: words(['text', 'json_object', 'json_schema']),
  json_schema: optional.object({
    name: toolName,
    description: optional.string(),
    schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    strict: optional.orNull<boolean>('boolean'),
  }),
})

const penalty = { minimum: -2, maximum: 2 }

export const chatBody = Type.Object({
  messages: Type.Array(messageSchema, { minItems: 1, description: 'The conversation, oldest first.' }),
  model: optional.string({ minLength: 1, maxLength: 200, description: 'Absent: the route of the endpoint, else the default model.' }),
  reasoning_effort: orNull<ReasoningEffort>('string', {
    enum: reasoningEfforts,
    description:
      'How much the model thinks before it answers; the interface names minimal, low, medium and high. Left out, a model that reasons takes medium.',
  }),
  verbosity: orNull<Verbosity>('string', { enum: ['low', 'medium', 'high'], description: 'How long the answer is; medium when left out.' }),
  tools: orNull<Static<typeof tool>[]>('array', {
    items: tool,
    description: 'Tools of kind function (arguments by a JSON schema) or custom (free text).',
  }),
  tool_choice: orNull<string | Static<typeof forcedTool>>(['string', 'object'], {
    ...forcedTool,
    pattern: '^(none|auto|required)$',
    mustBe: 'none, auto, required or an object that names tools',
    description:
      'none, auto (default with tools), required, one tool by its type and name, or `allowed_tools`: a mode and a part of the declared tools.',
  }),
  parallel_tool_calls: orNull<boolean>('boolean', { description: 'False: at most one call in an answer. Default true.' }),
  response_format: orNull<Static<typeof responseFormat>>('object', {
    ...responseFormat,
    description: 'text, json_object, or json_schema with a schema.',
  }),
  stream: orNull<boolean>('boolean', { description: 'The answer comes as chunks while it is made.' }),
  stream_options: orNull<{ include_usage?: boolean | null; include_obfuscation?: boolean | null }>('object', {
    properties: { include_usage: { type: ['boolean', 'null'] }, include_obfuscation: { type: ['boolean', 'null'] } },
    description: 'Only with stream. `include_usage`: one more chunk with the token counts before the end.',
  }),
  n: orNull<number>('integer', { minimum: 1, maximum: 128, description: 'Number of answers; default 1. Answer i is made with seed + i.' }),
  max_completion_tokens: orNull<number>('integer', {
    minimum: 1,
    maximum: mostTokens,
    unit: 'tokens',
    description: 'Most tokens of the answer, reasoning included.',
  }),
  max_tokens: orNull<number>('integer', {
    minimum: 1,
    maximum: mostTokens,
    unit: 'tokens',
    description: 'The older name of max_completion_tokens.',
  }),
  temperature: orNull<number>('number', { minimum: 0, maximum: 2 }),
  top_p: orNull<number>('number', { minimum: 0, maximum: 1 }),
  stop: orNull<string | string[]>(['string', 'array'], {
    minLength: 1,
    maxItems: 4,
    items: { type: 'string', minLength: 1 },
    description: 'A text, or up to 4: the answer ends before any of them.',
  }),
  seed: orNull<number>('integer', {
    minimum: -Number.MAX_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The same seed gives the same answer, as far as the model can.',
  }),
  presence_penalty: orNull<number>('number', penalty),
  frequency_penalty: orNull<number>('number', penalty),
  logit_bias: orNull<Record<string, number>>('object', {
    additionalProperties: { type: 'number', minimum: -100, maximum: 100 },
    description: 'Token id -> -100 to 100.',
  }),
  logprobs: orNull<boolean>('boolean', { description: 'Log probabilities of the tokens of the answer, where the model gives them.' }),
  top_logprobs: orNull<number>('integer', { minimum: 0, maximum: 20, description: 'Alternatives for each token; only with logprobs.' }),
  metadata: orNull<Record<string, string>>('object', {
    maxProperties: 16,
    additionalProperties: { type: 'string', maxLength: 512 },
    description: 'Up to 16 pairs, names of at most 64 characters.',
  }),
  user: orNull<string>('string', {}),
  safety_identifier: orNull<string>('string', {}),
  prompt_cache_key: orNull<string>('string', {}),
  store: orNull<boolean>('boolean', {
    description:
      'True: the completion is kept for 30 days, so that it can be listed and read. A target that speaks OpenAI’s dialect keeps it itself.',
  }),
  service_tier: orNull<string>('string', {}),
  modalities: orNull<('text' | 'audio')[]>('array', {
    items: { type: 'string', enum: ['text', 'audio'] },
    description: 'Spoken answers come only from a target that speaks this protocol itself.',
  }),
  audio: orNull<{ voice: unknown; format: string }>('object', {
    required: ['voice', 'format'],
    properties: { voice: {}, format: { type: 'string' } },
    description: 'Voice and format of a spoken answer.',
  }),
  prediction: orNull<{ type: string; content?: unknown }>('object', {
    required: ['type'],
    properties: { type: { type: 'string' }, content: {} },
    description: 'Text that most of the answer will repeat: a hint for speed.',
  }),
  web_search_options: orNull<Record<string, unknown>>('object', { description: 'Only on a target that speaks this protocol itself.' }),
  functions: orNull<Static<typeof functionTool>[]>('array', { items: functionTool, description: 'The older form of tools.' }),
  function_call: orNull<string | { name: string }>(['string', 'object'], {
    pattern: '^(none|auto)$',
    mustBe: 'none, auto or an object with a name',
    required: ['name'],
    properties: { name: { type: 'string' } },
    description: 'The older form of tool_choice: none, auto or the name of a function.',
  }),
})

export type ChatBody = Static<typeof chatBody>
export type ToolChoiceBody = Static<typeof forcedTool>
