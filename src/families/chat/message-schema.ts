import Type, { type Static } from 'typebox'
import { namedObject, optional, words } from '../../contract/schemas.ts'

/** Name of a tool, at most 64 characters (docs/vendors/openai-chat.md#request). */
export const toolName = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  mustBe: '1 to 64 letters, digits, underscores and hyphens',
})

export type ImageUrl = string | { url: string; detail?: string }
export type VideoUrl = string | { url: string; fps?: number }

const partSchema = Type.Object({
  type: Type.String({ minLength: 1, description: 'text, refusal, image_url, video_url, input_audio or file.' }),
  text: optional.string(),
  refusal: optional.string(),
  image_url: optional.unsafe<ImageUrl>({
    type: ['object', 'string'],
    required: ['url'],
    properties: { url: { type: 'string' }, detail: { type: 'string' } },
    description: 'An http(s) URL or an image data URL, and the detail to look at it with.',
  }),
  video_url: optional.unsafe<VideoUrl>({
    type: ['object', 'string'],
    required: ['url'],
    properties: { url: { type: 'string' }, fps: { type: 'number', minimum: 0.2, maximum: 5 } },
    source: 'ours',
    description: 'An http(s) URL or a video data URL; the model sees `fps` pictures a second.',
  }),
  input_audio: optional.object({ data: optional.string(), format: optional.string() }, { description: 'Base64 of a wav or mp3 file.' }),
  file: optional.object({
    file_data: optional.string({ description: 'A data URL.' }),
    file_id: optional.string({ description: 'Not offered: files of an upstream belong to no account of this gateway.' }),
    filename: optional.string(),
  }),
})

const calledFunction = Type.Object({ name: Type.String({ minLength: 1 }), arguments: Type.String() })

const toolCallSchema = Type.Object({
  id: Type.String({ minLength: 1 }),
  type: optional.words(['function', 'custom']),
  function: Type.Optional(calledFunction),
  custom: optional.object({ name: Type.String({ minLength: 1 }), input: Type.String() }),
})

const roles = ['developer', 'system', 'user', 'assistant', 'tool', 'function'] as const

/** A message of any role. The fields that its role requires are checked when the message is
 *  translated. */
export const messageSchema = namedObject('ChatCompletionRequestMessage', {
  role: words(roles),
  content: optional.unsafe<string | Part[] | null>({
    type: ['string', 'array', 'null'],
    items: partSchema,
    description: 'A text or a list of parts; null or absent only beside calls or a refusal.',
  }),
  name: optional.orNull<string>('string'),
  refusal: optional.orNull<string>('string'),
  reasoning_content: optional.unsafe<string | null>({
    type: ['string', 'null'],
    source: 'ours',
    description: 'What the model thought in an earlier answer.',
  }),
  tool_calls: optional.unsafe<ToolCall[] | null>({ type: ['array', 'null'], items: toolCallSchema }),
  tool_call_id: optional.orNull<string>('string'),
  function_call: optional.unsafe<Static<typeof calledFunction> | null>({
    ...calledFunction,
    type: ['object', 'null'],
    description: 'The older form of tool_calls.',
  }),
  audio: optional.unsafe<{ id: string } | null>({ type: ['object', 'null'], required: ['id'], properties: { id: { type: 'string' } } }),
})

export type Message = Static<typeof messageSchema>
export type Part = Static<typeof partSchema>
export type ToolCall = Static<typeof toolCallSchema>
