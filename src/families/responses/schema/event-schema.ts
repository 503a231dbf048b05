/** The events of a streamed response (docs/vendors/openai-responses.md#stream); the schemas have
 *  the names that OpenAI gives them. */
import Type, { type TProperties } from 'typebox'
import { openaiErrorSchema } from '../../shared/openai-failure.ts'
import { logprob, outputItem, outputTextPart, reasoningPart, refusalPart, summaryPart } from './item-schema.ts'
import { responseObject } from './response-schema.ts'

const place = { item_id: Type.String(), output_index: Type.Integer() }
const contentPlace = { ...place, content_index: Type.Integer() }
const summaryPlace = { ...place, summary_index: Type.Integer() }
const delta = { delta: Type.String() }
const text = { text: Type.String() }
const logprobs = { logprobs: Type.Array(logprob) }
const part = { part: Type.Union([outputTextPart, refusalPart, reasoningPart]) }
const item = { output_index: Type.Integer(), item: outputItem }
const { message, code, param } = openaiErrorSchema.properties

function event<Properties extends TProperties>(type: string, name: string, properties: Properties) {
  const number = Type.Integer({ minimum: 0, description: 'Counts the events of the stream from 0.' })
  return Type.Object({ type: Type.Literal(type), sequence_number: number, ...properties }, { name })
}

/** Events that contain the whole response. */
const wholes = ['Created', 'Queued', 'InProgress', 'Completed', 'Incomplete', 'Failed'].map(word =>
  event(`response.${word.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase()}`, `Response${word}Event`, { response: responseObject }),
)

const inner = [
  event('response.output_item.added', 'ResponseOutputItemAddedEvent', item),
  event('response.output_item.done', 'ResponseOutputItemDoneEvent', item),
  event('response.content_part.added', 'ResponseContentPartAddedEvent', { ...contentPlace, ...part }),
  event('response.content_part.done', 'ResponseContentPartDoneEvent', { ...contentPlace, ...part }),
  event('response.output_text.delta', 'ResponseTextDeltaEvent', { ...contentPlace, ...delta, ...logprobs }),
  event('response.output_text.done', 'ResponseTextDoneEvent', { ...contentPlace, ...text, ...logprobs }),
  event('response.refusal.delta', 'ResponseRefusalDeltaEvent', { ...contentPlace, ...delta }),
  event('response.refusal.done', 'ResponseRefusalDoneEvent', { ...contentPlace, refusal: Type.String() }),
  event('response.reasoning_text.delta', 'ResponseReasoningTextDeltaEvent', { ...contentPlace, ...delta }),
  event('response.reasoning_text.done', 'ResponseReasoningTextDoneEvent', { ...contentPlace, ...text }),
  event('response.reasoning_summary_part.added', 'ResponseReasoningSummaryPartAddedEvent', { ...summaryPlace, part: summaryPart }),
  event('response.reasoning_summary_part.done', 'ResponseReasoningSummaryPartDoneEvent', { ...summaryPlace, part: summaryPart }),
  event('response.reasoning_summary_text.delta', 'ResponseReasoningSummaryTextDeltaEvent', { ...summaryPlace, ...delta }),
  event('response.reasoning_summary_text.done', 'ResponseReasoningSummaryTextDoneEvent', { ...summaryPlace, ...text }),
  event('response.function_call_arguments.delta', 'ResponseFunctionCallArgumentsDeltaEvent', { ...place, ...delta }),
  event('response.function_call_arguments.done', 'ResponseFunctionCallArgumentsDoneEvent', {
    ...place,
    name: Type.String(),
    arguments: Type.String(),
  }),
  event('response.custom_tool_call_input.delta', 'ResponseCustomToolCallInputDeltaEvent', { ...place, ...delta }),
  event('response.custom_tool_call_input.done', 'ResponseCustomToolCallInputDoneEvent', { ...place, input: Type.String() }),
]

/** The error event. It contains the error twice: in `code`, `message` and `param`, as OpenAI
 *  sends it, and in `error`, as Open Responses does. */
const failed = event('error', 'ResponseErrorEvent', { code, message, param, error: openaiErrorSchema })

/** The data of one event of the stream. */
export const responseEvent = Type.Union([...wholes, ...inner, failed], {
  name: 'ResponseStreamEvent',
  description:
    'The data of every event but the last, which is `[DONE]`. An upstream of the same protocol may send events of further types.',
})
