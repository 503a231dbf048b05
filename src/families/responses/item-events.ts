/** The events of one output item (docs/vendors/openai-responses.md#stream), for the live stream and
 *  for the replay of a stored response. Sequence numbers are added later. */

import { assertNever } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type {
  CustomCallItem,
  FunctionCallItem,
  MessageItem,
  OutputItem,
  OutputTextPart,
  ReasoningItem,
  RefusalPart,
  WireLogprob,
} from './schema/wire.ts'

/** An event without its sequence number. */
export type WireEvent = JsonObject & { type: string }

/** The kind of a part; the names of its events depend on it. */
export type PartKind = 'text' | 'refusal' | 'summary' | 'reasoning'

/** Identifies the item and its part. */
export interface PartPlace {
  item: OutputItem
  outputIndex: number
  partIndex: number
}

export function itemAdded(item: OutputItem, outputIndex: number): WireEvent {
  return { type: 'response.output_item.added', output_index: outputIndex, item: emptied(item) }
}

export function itemDone(item: OutputItem, outputIndex: number): WireEvent {
  return { type: 'response.output_item.done', output_index: outputIndex, item }
}

const contentPart = { added: 'response.content_part.added', ended: 'response.content_part.done' } as const

/** Names of the events that report the beginning of a part, its text in deltas, and its end; by the
 *  kind of the part. */
const eventsOf = {
  text: { delta: 'response.output_text.delta', done: 'response.output_text.done', ...contentPart },
  refusal: { delta: 'response.refusal.delta', done: 'response.refusal.done', ...contentPart },
  reasoning: { delta: 'response.reasoning_text.delta', done: 'response.reasoning_text.done', ...contentPart },
  summary: {
    delta: 'response.reasoning_summary_text.delta',
    done: 'response.reasoning_summary_text.done',
    added: 'response.reasoning_summary_part.added',
    ended: 'response.reasoning_summary_part.done',
  },
} as const satisfies Record<PartKind, object>

export function partAdded(place: PartPlace, kind: PartKind): WireEvent {
  return { type: eventsOf[kind].added, ...wirePlace(place, kind), part: wirePart(kind, '', []) }
}

export function partDelta(place: PartPlace, kind: PartKind, delta: string, logprobs: WireLogprob[] = []): WireEvent {
  const event = { type: eventsOf[kind].delta, ...wirePlace(place, kind), delta }
  return kind === 'text' ? { ...event, logprobs } : event
}

export function partDone(place: PartPlace, kind: PartKind, text: string, logprobs: WireLogprob[] = []): WireEvent[] {
  const { done, ended } = eventsOf[kind]
  const where = wirePlace(place, kind)
  const said = kind === 'text' ? { text, logprobs } : kind === 'refusal' ? { refusal: text } : { text }
  return [
    { type: done, ...where, ...said },
    { type: ended, ...where, part: wirePart(kind, text, logprobs) },
  ]
}

export function callDelta(item: FunctionCallItem | CustomCallItem, outputIndex: number, delta: string): WireEvent {
  const type = item.type === 'function_call' ? 'response.function_call_arguments.delta' : 'response.custom_tool_call_input.delta'
  return { type, item_id: item.id, output_index: outputIndex, delta }
}

export function callDone(item: FunctionCallItem | CustomCallItem, outputIndex: number): WireEvent {
  const place = { item_id: item.id, output_index: outputIndex }
  if (item.type === 'custom_tool_call') return { type: 'response.custom_tool_call_input.done', ...place, input: item.input }
  return { type: 'response.function_call_arguments.done', ...place, name: item.name, arguments: item.arguments }
}

/** Returns all events of a finished item, each part in one delta. */
export function itemEvents(item: OutputItem, outputIndex: number): WireEvent[] {
  return [itemAdded(item, outputIndex), ...innerEvents(item, outputIndex), itemDone(item, outputIndex)]
}

function innerEvents(item: OutputItem, outputIndex: number): WireEvent[] {
  switch (item.type) {
    case 'message':
      return messageEvents(item, outputIndex)
    case 'reasoning':
      return reasoningEvents(item, outputIndex)
    case 'function_call':
      return [callDelta(item, outputIndex, item.arguments), callDone(item, outputIndex)]
    case 'custom_tool_call':
      return [callDelta(item, outputIndex, item.input), callDone(item, outputIndex)]
    default:
      return assertNever(item)
  }
}

function messageEvents(item: MessageItem, outputIndex: number): WireEvent[] {
  return item.content.flatMap((part, partIndex) => {
    const place = { item, outputIndex, partIndex }
    if (part.type === 'output_text') return wholePart(place, 'text', part.text, part.logprobs)
    return part.type === 'refusal' ? wholePart(place, 'refusal', part.refusal) : []
  })
}

function reasoningEvents(item: ReasoningItem, outputIndex: number): WireEvent[] {
  const summary = item.summary.flatMap(({ text }, partIndex) => wholePart({ item, outputIndex, partIndex }, 'summary', text))
  const content = (item.content ?? []).flatMap(({ text }, partIndex) => wholePart({ item, outputIndex, partIndex }, 'reasoning', text))
  return [...summary, ...content]
}

function wholePart(place: PartPlace, kind: PartKind, text: string, logprobs: WireLogprob[] = []): WireEvent[] {
  const deltas = text === '' ? [] : [partDelta(place, kind, text, logprobs)]
  return [partAdded(place, kind), ...deltas, ...partDone(place, kind, text, logprobs)]
}

/** Returns the item without its contents, for the event that announces it. */
function emptied(announced: OutputItem): OutputItem {
  const item = { ...announced }
  delete item.carried
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] }
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' }
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' }
    case 'reasoning':
      return { id: item.id, type: 'reasoning', status: 'in_progress', summary: [] }
    default:
      return assertNever(item)
  }
}

type WirePart = OutputTextPart | RefusalPart | { type: 'summary_text' | 'reasoning_text'; text: string }

function wirePart(kind: PartKind, text: string, logprobs: WireLogprob[]): WirePart {
  switch (kind) {
    case 'text':
      return { type: 'output_text', text, annotations: [], logprobs }
    case 'refusal':
      return { type: 'refusal', refusal: text }
    case 'summary':
      return { type: 'summary_text', text }
    case 'reasoning':
      return { type: 'reasoning_text', text }
    default:
      return assertNever(kind)
  }
}

function wirePlace({ item, outputIndex, partIndex }: PartPlace, kind: PartKind) {
  const place = { item_id: item.id, output_index: outputIndex }
  return kind === 'summary' ? { ...place, summary_index: partIndex } : { ...place, content_index: partIndex }
}
