import Type, { type Static } from 'typebox'

/** At most 64 characters (docs/vendors/openai-chat.md#request). */
export const toolName = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  mustBe: '1 to 64 letters, digits, underscores and hyphens',
})

export type ImageUrl = string | { url: string; detail?: string }
export type VideoUrl = string | { url: string; fps?: number }

const partSchema = Type.Object({
  type: Type.String({ minLength: 1, description: 'text, refusal, image_url, video_url, input_audio or file.' }),
  text: Type.Optional(Type.String()),
  refusal: Type.Optional(Type.String()),
  image_url: Type.Optional(
    Type.Unsafe<ImageUrl>({
      type: ['object', 'string'],
      required: ['url'],
      properties: { url: { type: 'string' }, detail: { type: 'string' } },
      description: 'An http(s) URL or an image data URL, and the detail to look at it with.',
    }),
  ),
  video_url: Type.Optional(
    Type.Unsafe<VideoUrl>({
      type: ['object', 'string'],
      required: ['url'],
      properties: { url: { type: 'string' }, fps: { type: 'number', minimum: 0.2, maximum: 5 } },
      source: 'ours',
      description: 'An http(s) URL or a video data URL; the model sees `fps` pictures a second.',
    }),
  ),
  input_audio: Type.Optional(
    Type.Object(
      { data: Type.Optional(Type.String()), format: Type.Optional(Type.String()) },
      { description: 'Base64 of a wav or mp3 file.' },
    ),
  ),
  file: Type.Optional(
    Type.Object({
      file_data: Type.Optional(Type.String({ description: 'A data URL.' })),
      file_id: Type.Optional(Type.String({ description: 'Not offered: files of an upstream belong to no account of this gateway.' })),
      filename: Type.Optional(Type.String()),
    }),
  ),
})

const calledFunction = Type.Object({ name: Type.String({ minLength: 1 }), arguments: Type.String() })

const toolCallSchema = Type.Object({
  id: Type.String({ minLength: 1 }),
  type: Type.Optional(Type.Unsafe<'function' | 'custom'>({ type: 'string', enum: ['function', 'custom'] })),
  function: Type.Optional(calledFunction),
  custom: Type.Optional(Type.Object({ name: Type.String({ minLength: 1 }), input: Type.String() })),
})

const roles = ['developer', 'system', 'user', 'assistant', 'tool', 'function'] as const

/** One message of any role; which fields a role needs is checked while it is translated. */
export const messageSchema = Type.Object(
  {
    role: Type.Unsafe<(typeof roles)[number]>({ type: 'string', enum: roles }),
    content: Type.Optional(
      Type.Unsafe<string | Part[] | null>({
        type: ['string', 'array', 'null'],
        items: partSchema,
        description: 'A text or a list of parts; null or absent only beside calls or a refusal.',
      }),
    ),
    name: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
    refusal: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
    reasoning_content: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], source: 'ours', description: 'What the model thought in an earlier answer.' }),
    ),
    tool_calls: Type.Optional(Type.Unsafe<ToolCall[] | null>({ type: ['array', 'null'], items: toolCallSchema })),
    tool_call_id: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
    function_call: Type.Optional(
      Type.Unsafe<Static<typeof calledFunction> | null>({
        ...calledFunction,
        type: ['object', 'null'],
        description: 'The older form of tool_calls.',
      }),
    ),
    audio: Type.Optional(
      Type.Unsafe<{ id: string } | null>({ type: ['object', 'null'], required: ['id'], properties: { id: { type: 'string' } } }),
    ),
  },
  { name: 'ChatCompletionRequestMessage' },
)

export type Message = Static<typeof messageSchema>
export type Part = Static<typeof partSchema>
export type ToolCall = Static<typeof toolCallSchema>
