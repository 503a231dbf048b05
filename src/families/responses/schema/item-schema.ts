/** Items of a conversation and their parts (docs/vendors/openai-responses.md#response-object,
 *  #input-items). Schemas that also exist in OpenAI's API have the same names as there. */

import type { Json } from '@generation-gateway/kit/json.ts'
import type { TextRole } from '@generation-gateway/kit/requests/text.ts'
import Type, { type TSchema } from 'typebox'
import { namedObject, optional, orNull, words } from '../../../contract/schemas.ts'

/** Schema of a link or a data URL. */
const link = orNull<string>('string', { description: 'Null where a listing withholds a data URL.' })

const logprobNumbers = { token: Type.String(), logprob: Type.Number(), bytes: Type.Array(Type.Integer()) }

export const logprob = namedObject('LogProb', { ...logprobNumbers, top_logprobs: Type.Array(namedObject('TopLogProb', logprobNumbers)) })

export const outputTextPart = namedObject('OutputTextContent', {
  type: Type.Literal('output_text'),
  text: Type.String(),
  annotations: Type.Array(Type.Unsafe<Json>({ type: 'object' })),
  logprobs: Type.Array(logprob),
})
export const refusalPart = namedObject('RefusalContent', { type: Type.Literal('refusal'), refusal: Type.String() })
export const summaryPart = namedObject('SummaryTextContent', { type: Type.Literal('summary_text'), text: Type.String() })
export const reasoningPart = namedObject('ReasoningTextContent', { type: Type.Literal('reasoning_text'), text: Type.String() })

const inputPart = Type.Union([
  namedObject('InputTextContent', { type: Type.Literal('input_text'), text: Type.String() }),
  namedObject('InputImageContent', { type: Type.Literal('input_image'), image_url: link, detail: Type.String() }),
  namedObject('InputVideoContent', { type: Type.Literal('input_video'), video_url: link, fps: Type.Number() }),
  namedObject('InputFileContent', { type: Type.Literal('input_file'), file_data: Type.Optional(link), filename: optional.string() }),
  namedObject('InputAudioContent', {
    type: Type.Literal('input_audio'),
    input_audio: Type.Object({ data: Type.String(), format: Type.String() }),
  }),
])

export const contentPart = Type.Union([...inputPart.anyOf, outputTextPart, refusalPart])

export const itemStatus = words(['in_progress', 'completed', 'incomplete'])
const head = { id: Type.String(), status: itemStatus }

export const messageItem = namedObject('Message', {
  ...head,
  type: Type.Literal('message'),
  role: words<TextRole>(['system', 'developer', 'user', 'assistant']),
  content: Type.Array(contentPart),
})

/** A message as a model sends it. */
const outputMessage = namedObject('OutputMessage', {
  ...head,
  type: Type.Literal('message'),
  role: Type.Literal('assistant'),
  content: Type.Array(Type.Union([outputTextPart, refusalPart])),
})

const callOf = <Kind extends string>(type: Kind) => ({
  ...head,
  type: Type.Literal(type),
  call_id: Type.String(),
  name: Type.String(),
  namespace: optional.string({ description: 'Of the tool, where it was declared in one.' }),
})

export const functionCallItem = namedObject('FunctionToolCall', {
  ...callOf('function_call'),
  arguments: Type.String({ description: 'JSON text.' }),
})

export const customCallItem = namedObject('CustomToolCall', {
  ...callOf('custom_tool_call'),
  input: Type.String({ description: 'Free text.' }),
})

export const toolOutputItem = namedObject('ToolCallOutput', {
  ...head,
  type: words(['function_call_output', 'custom_tool_call_output']),
  call_id: Type.String(),
  output: Type.Union([Type.String(), Type.Array(contentPart)]),
})

export const reasoningItem = namedObject('ReasoningItem', {
  ...head,
  type: Type.Literal('reasoning'),
  summary: Type.Array(summaryPart),
  content: optional.array(reasoningPart),
  encrypted_content: optional.string({ description: 'Where the caller included it.' }),
})

/** The summary of a conversation, which replaces the conversation in later requests. */
export const compactionItem = namedObject('CompactionItem', {
  id: Type.String(),
  type: Type.Literal('compaction'),
  encrypted_content: Type.String({ description: 'The summary. Only the gateway or the upstream that wrote it can read it.' }),
})

/** Published schema of a model's output items; a relayed upstream may send further types. */
export const outputItem: TSchema = Type.Union([outputMessage, functionCallItem, customCallItem, reasoningItem], {
  name: 'OutputItem',
  description: 'What the models of this gateway say. An upstream of the same protocol may send items of further types.',
})

/** Published schema of the items of a conversation. */
export const conversationItem: TSchema = Type.Union(
  [messageItem, functionCallItem, customCallItem, toolOutputItem, reasoningItem, compactionItem],
  {
    name: 'ItemResource',
    description: 'An item of the conversation. An upstream of the same protocol may send items of further types.',
  },
)
