/** The bodies of a message and of a count of tokens
 *  (docs/vendors/anthropic-messages.md#request). The schema accepts every body that an upstream
 *  of this protocol may understand; requirements that depend on a `type` are checked in
 *  `rules.ts` or during translation. */
import { mostTokens } from '@generation-gateway/kit/requests/text.ts'
import Type, { type Static, type TSchemaOptions } from 'typebox'
import { namedObject, optional, words } from '../../contract/schemas.ts'

/** Returns the schema of a field that may be absent or null, because official clients send null for
 *  absent fields, too. */
function orNull<T>(type: string | string[], keywords: TSchemaOptions = {}) {
  return optional.unsafe<T | null>({ ...keywords, type: [type, 'null'].flat() })
}

const source = Type.Object({
  type: optional.string({ description: 'base64, text, content or url; a target that speaks this protocol may know more.' }),
  media_type: optional.string(),
  data: optional.string({ description: 'The base64 of a file, or the text of a document.' }),
  url: optional.string(),
  file_id: optional.string({ description: 'Not offered, because files that an upstream stores belong to no account of this gateway.' }),
  content: optional.unsafe<string | Block[]>({ type: ['string', 'array'], description: 'Blocks of a document.' }),
})

export interface Block {
  type: string
  text?: string
  source?: Static<typeof source> | string
  id?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: unknown
  is_error?: boolean | null
  thinking?: string
  signature?: string
  data?: string
  title?: string | null
  context?: string | null
  cache_control?: unknown
}

const block = namedObject('MessagesContentBlock', {
  type: Type.String({
    minLength: 1,
    description:
      'text, image, document, search_result, tool_use, tool_result, thinking or redacted_thinking; a target that speaks this protocol may know more.',
  }),
  text: optional.string(),
  source: optional.unsafe<Static<typeof source> | string>({
    ...source,
    type: ['object', 'string'],
    description: 'Source of an image or a document, as an object; address of a search result, as a text.',
  }),
  id: optional.string(),
  name: optional.string(),
  input: Type.Optional(Type.Unsafe<unknown>({ description: 'Arguments of a call, as an object.' })),
  tool_use_id: optional.string(),
  content: Type.Optional(Type.Unsafe<unknown>({ description: 'Result of a call: a text or blocks of text, images and documents.' })),
  is_error: orNull<boolean>('boolean'),
  thinking: optional.string(),
  signature: optional.string({ description: 'Data that the target needs in the next turn; send it back unchanged with the thinking.' }),
  data: optional.string(),
  title: orNull<string>('string'),
  context: orNull<string>('string'),
})

const message = namedObject('MessagesMessage', {
  role: words(['user', 'assistant', 'system']),
  content: Type.Unsafe<string | Block[]>({ type: ['string', 'array'], items: block, description: 'A text or a list of blocks.' }),
})

export type Message = Static<typeof message>

const tool = namedObject('MessagesTool', {
  type: orNull<string>('string', { description: 'custom or absent; a target that speaks this protocol may know tools of its own.' }),
  name: optional.string({ pattern: '^[A-Za-z0-9_-]{1,128}$', mustBe: '1 to 128 letters, digits, underscores and hyphens' }),
  description: orNull<string>('string'),
  input_schema: optional.unsafe<Record<string, unknown>>({ type: 'object', description: 'JSON schema of the arguments.' }),
  strict: orNull<boolean>('boolean'),
})

export type Tool = Static<typeof tool>

const toolChoice = Type.Object({
  type: words(['auto', 'any', 'tool', 'none']),
  name: optional.string({ description: 'Name of the tool; required when the type is tool.' }),
  disable_parallel_tool_use: orNull<boolean>('boolean', { description: 'True: at most one call in an answer.' }),
})

const outputConfig = Type.Object({
  effort: optional.unsafe<Effort | null>({
    type: ['string', 'null'],
    enum: ['low', 'medium', 'high', 'xhigh', 'max', null],
    description: 'How much the model thinks before it answers.',
  }),
  format: optional.unsafe<{ type: string; schema?: Record<string, unknown> } | null>({
    type: ['object', 'null'],
    required: ['type'],
    properties: { type: { type: 'string' }, schema: { type: 'object' } },
    description: '`json_schema` with a schema.',
  }),
})

type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max'

const thinking = Type.Object({
  type: Type.String({ description: 'enabled, adaptive or disabled; a target that speaks this protocol may know more.' }),
  budget_tokens: optional.integer({
    minimum: 1024,
    maximum: mostTokens,
    unit: 'tokens',
    description: 'Largest number of tokens for thinking; required when the type is enabled.',
  }),
  display: optional.unsafe<string | null>({
    type: ['string', 'null'],
    description: 'omitted: the blocks with thinking have only a signature.',
  }),
})

/** Fields that a request for a message and a request for a token count have in common. */
const shared = {
  messages: Type.Array(message, { minItems: 1, maxItems: 100_000, description: 'The conversation, oldest first.' }),
  model: optional.string({ minLength: 1, maxLength: 200, description: 'Absent: the route of the endpoint, else the default model.' }),
  system: optional.unsafe<string | Block[]>({
    type: ['string', 'array'],
    items: block,
    description: 'Instructions: a text or blocks of text.',
  }),
  tools: orNull<Tool[]>('array', {
    items: tool,
    description: 'Tools with a JSON schema. Hosted tools are allowed only on a target that speaks this protocol.',
  }),
  tool_choice: optional.unsafe<Static<typeof toolChoice> | null>({
    ...toolChoice,
    type: ['object', 'null'],
    description: 'auto (default), any, tool with a name, or none.',
  }),
  thinking: optional.unsafe<Static<typeof thinking> | null>({
    ...thinking,
    type: ['object', 'null'],
    description: 'enabled with budget_tokens, adaptive or disabled. When absent, the model thinks as it does by default.',
  }),
  output_config: optional.unsafe<Static<typeof outputConfig> | null>({
    ...outputConfig,
    type: ['object', 'null'],
    description: 'The effort, and the schema of an answer in JSON.',
  }),
  cache_control: orNull<Record<string, unknown>>('object', { description: 'Marks the end of the part that an upstream caches.' }),
}

export const messageBody = Type.Object({
  ...shared,
  max_tokens: Type.Integer({
    minimum: 0,
    maximum: mostTokens,
    unit: 'tokens',
    description:
      'Largest number of tokens of the answer, thinking included. 0 only fills the cache, and is allowed only on a target that speaks this protocol.',
  }),
  stream: orNull<boolean>('boolean', { description: 'True: the answer is sent as events while the model writes it.' }),
  stop_sequences: orNull<string[]>('array', {
    items: { type: 'string', minLength: 1 },
    description: 'Texts at which the answer ends; up to 4 on a target that does not speak this protocol.',
  }),
  temperature: orNull<number>('number', { minimum: 0, maximum: 1 }),
  top_p: orNull<number>('number', { minimum: 0, maximum: 1 }),
  top_k: orNull<number>('integer', {
    minimum: 0,
    maximum: mostTokens,
    description: 'Each token is chosen from this number of most probable tokens.',
  }),
  metadata: optional.unsafe<{ user_id?: string | null } | null>({
    type: ['object', 'null'],
    properties: { user_id: { type: ['string', 'null'] } },
    description: '`user_id`: your own name for your user.',
  }),
  service_tier: orNull<string>('string'),
})

export const countBody = Type.Object(shared)

export type MessageBody = Static<typeof messageBody>
export type CountBody = Static<typeof countBody>
