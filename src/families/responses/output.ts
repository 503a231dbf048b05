/** Collects a model's answer into output items, and returns the events that report it to the
 *  caller. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { assertNever } from '@generation-gateway/kit/errors.ts'
import { CarriedBudget, type CarriedMembers } from '@generation-gateway/kit/requests/carried.ts'
import type { TextEvent, TokenLogprob } from '@generation-gateway/kit/requests/text.ts'
import { callIsOver } from '../shared/answer-runs.ts'
import { shownCarried } from './carried-items.ts'
import { placedId } from './ids.ts'
import { ToolNames } from './input/namespaces.ts'
import { callDelta, callDone, itemAdded, itemDone, type PartKind, partAdded, partDelta, partDone, type WireEvent } from './item-events.ts'
import type { WireResponse } from './schema/response-schema.ts'
import type { CustomCallItem, FunctionCallItem, ItemStatus, MessageItem, OutputItem, ReasoningItem, WireLogprob } from './schema/wire.ts'
import { sealedReasoning } from './sealed-carried.ts'
import { withUpstreamId } from './upstream-id.ts'

interface OpenPart {
  kind: PartKind
  index: number
  text: string
  logprobs: WireLogprob[]
}

/** The answer so far. Only its last item, and only the last part of this item, can still be
 *  open, which means that further text may be added to it. */
export interface Output {
  readonly responseId: string
  readonly names: ToolNames
  /** True when the caller wants to see encrypted reasoning; the items contain it either way. */
  readonly showsEncrypted: boolean
  readonly items: OutputItem[]
  isOpen: boolean
  part?: OpenPart
  /** The model's index of the tool call that is the open item; absent when another item is open. */
  callIndex?: number
  readonly room: CarriedBudget
  /** Data that the upstream wants back in the next turn (carried members), and whose item has not
   *  begun yet. */
  ahead?: CarriedMembers
}

/** Arguments of a call for which the upstream sent none. They are an empty object, because clients
 *  parse arguments as JSON. */
export const noArguments = '{}'

export function newOutput({ id, tools }: Pick<WireResponse, 'id' | 'tools'>, showsEncrypted: boolean): Output {
  return { responseId: id, names: new ToolNames(tools), showsEncrypted, items: [], isOpen: false, room: new CarriedBudget() }
}

/** Adds one event of the model and returns the events for the caller. Throws `upstream_error`
 *  for a tool call that continues after another item began. */
export function takeEvent(output: Output, event: TextEvent): WireEvent[] {
  // Empty deltas are ignored: some upstreams begin with one before it is known which type of item
  // follows, and it must not open an item.
  if ('delta' in event && event.delta === '') return []
  switch (event.type) {
    case 'sampling':
      return []
    case 'text':
    case 'refusal':
      return takeText(output, event)
    case 'reasoning':
      return takeReasoning(output, event.part === 'summary' ? 'summary' : 'reasoning', event.delta)
    case 'reasoning-end':
      return endReasoning(output, event)
    case 'call':
      return beginCall(output, event)
    case 'call-input':
      return takeCallInput(output, event)
    case 'carried':
      carry(output, event)
      return []
    default:
      return assertNever(event)
  }
}

/** Ends the answer and returns the last events. `incomplete` means that the model was cut off in
 *  its last item. */
export function closeOutput(output: Output, status: ItemStatus = 'completed'): WireEvent[] {
  const last = closeItem(output, status)
  return [...last, ...wordlessReasoning(output)]
}

/** Ends the open item, if there is one. */
function closeItem(output: Output, status: ItemStatus = 'completed'): WireEvent[] {
  const item = output.items.at(-1)
  if (!output.isOpen || !item) return []
  const index = output.items.length - 1
  item.status = status
  const inner = item.type === 'function_call' || item.type === 'custom_tool_call' ? closeCall(item, index) : closePart(output, item)
  output.isOpen = false
  delete output.callIndex
  return [...inner, itemDone(shownItem(item, output.showsEncrypted), index), ...sealedCall(output, item)]
}

/** Returns the events of an additional reasoning item that contains the carried members of a
 *  tool call. Clients that requested encrypted reasoning may send back only reasoning items, and
 *  drop unknown members of a call. */
function sealedCall(output: Output, item: OutputItem): WireEvent[] {
  const isCall = item.type === 'function_call' || item.type === 'custom_tool_call'
  if (!output.showsEncrypted || !isCall || item.carried === undefined) return []
  const { item: holder, events } = openReasoning(output)
  const { members = {}, ...rest } = holder.carried ?? {}
  holder.carried = { ...rest, members, calls: { [item.call_id]: item.carried } }
  return [...events, ...closeItem(output)]
}

/** Returns the item as the caller may see it. */
export function shownItem<T extends { type: string; encrypted_content?: string; carried?: CarriedMembers; content?: unknown }>(
  item: T,
  showsEncrypted: boolean,
): T {
  if (showsEncrypted && item.encrypted_content === undefined && item.type === 'reasoning') {
    const encrypted_content = sealedReasoning(item)
    return { ...shownCarried(item), ...defined({ encrypted_content }) }
  }
  if (showsEncrypted || item.encrypted_content === undefined) return shownCarried(item)
  const shown = { ...shownCarried(item) }
  delete shown.encrypted_content
  return shown
}

function takeText(output: Output, event: Extract<TextEvent, { type: 'text' | 'refusal' }>): WireEvent[] {
  const { item, events } = openMessage(output)
  const logprobs = event.type === 'text' ? (event.logprobs ?? []).map(wireLogprob) : []
  return [...events, ...writePart(output, item, { kind: event.type, delta: event.delta, logprobs })]
}

function takeReasoning(output: Output, kind: 'summary' | 'reasoning', delta: string): WireEvent[] {
  const { item, events } = openReasoning(output)
  return [...events, ...writePart(output, item, { kind, delta, logprobs: [] })]
}

function endReasoning(output: Output, { encrypted, id }: Extract<TextEvent, { type: 'reasoning-end' }>): WireEvent[] {
  // An end of reasoning without encrypted content is ignored when no reasoning item is open.
  // Otherwise it would end a message that is open, and split the message in two.
  if (encrypted === undefined && !(output.isOpen && output.items.at(-1)?.type === 'reasoning')) return []
  const { item, events } = openReasoning(output)
  if (encrypted !== undefined) item.encrypted_content = withUpstreamId(encrypted, id)
  return [...events, ...closeItem(output)]
}

/** Returns the events of a reasoning item without text. The item contains the carried members that
 *  arrived before any item to which they could belong. Without such members there are no events. */
function wordlessReasoning(output: Output): WireEvent[] {
  if (output.ahead === undefined) return []
  const { events } = openReasoning(output)
  return [...events, ...closeItem(output)]
}

/** Stores data that the upstream wants back in the next turn (carried members). Data of a tool call
 *  goes into the item of this call, other data into the open item or the next one. */
function carry(output: Output, { call, carried: piece }: Extract<TextEvent, { type: 'carried' }>): void {
  const last = output.isOpen ? output.items.at(-1) : undefined
  const isCall = last?.type === 'function_call' || last?.type === 'custom_tool_call'
  const item = call === undefined ? (isCall ? undefined : last) : isCall && output.callIndex === call ? last : undefined
  // Carried members of a call that has ended are dropped, because the finished call was already
  // sent to the caller.
  if (call !== undefined && item === undefined) return
  const holder: { carried?: CarriedMembers } = item ?? {}
  const carried = output.room.join(item === undefined ? output.ahead : holder.carried, piece)
  delete holder.carried
  if (item === undefined) delete output.ahead
  if (carried === undefined) return
  if (item === undefined) output.ahead = carried
  else item.carried = carried
}

function beginCall(output: Output, event: Extract<TextEvent, { type: 'call' }>): WireEvent[] {
  const closed = [...closeItem(output), ...wordlessReasoning(output)]
  const call = { status: 'in_progress', call_id: event.callId, ...output.names.full(event.name) } as const
  const item: FunctionCallItem | CustomCallItem =
    event.kind === 'function'
      ? { id: nextId(output, 'function_call'), type: 'function_call', ...call, arguments: '' }
      : { id: nextId(output, 'custom_tool_call'), type: 'custom_tool_call', ...call, input: '' }
  const opened = open(output, item)
  output.callIndex = event.index
  return [...closed, ...opened]
}

function takeCallInput(output: Output, { index, delta }: Extract<TextEvent, { type: 'call-input' }>): WireEvent[] {
  const item = output.items.at(-1)
  if (!output.isOpen || output.callIndex !== index || (item?.type !== 'function_call' && item?.type !== 'custom_tool_call')) {
    throw callIsOver()
  }
  if (item.type === 'function_call') item.arguments += delta
  else item.input += delta
  return [callDelta(item, output.items.length - 1, delta)]
}

function openMessage(output: Output): { item: MessageItem; events: WireEvent[] } {
  const last = output.items.at(-1)
  if (output.isOpen && last?.type === 'message') return { item: last, events: [] }
  const closed = closeItem(output)
  const item: MessageItem = { id: nextId(output, 'message'), type: 'message', status: 'in_progress', role: 'assistant', content: [] }
  return { item, events: [...closed, ...open(output, item)] }
}

function openReasoning(output: Output): { item: ReasoningItem; events: WireEvent[] } {
  const last = output.items.at(-1)
  if (output.isOpen && last?.type === 'reasoning') return { item: last, events: [] }
  const closed = closeItem(output)
  const item: ReasoningItem = { id: nextId(output, 'reasoning'), type: 'reasoning', status: 'in_progress', summary: [] }
  return { item, events: [...closed, ...open(output, item)] }
}

function open(output: Output, item: OutputItem): WireEvent[] {
  if (output.ahead !== undefined && (item.type === 'message' || item.type === 'reasoning')) {
    item.carried = output.ahead
    delete output.ahead
  }
  output.items.push(item)
  output.isOpen = true
  return [itemAdded(item, output.items.length - 1)]
}

function nextId(output: Output, type: OutputItem['type']): string {
  return placedId(output.responseId, type, 'output', output.items.length)
}

interface PartDelta {
  kind: PartKind
  delta: string
  logprobs: WireLogprob[]
}

function writePart(output: Output, item: MessageItem | ReasoningItem, { kind, delta, logprobs }: PartDelta): WireEvent[] {
  const events: WireEvent[] = []
  if (output.part?.kind !== kind) {
    events.push(...closePart(output, item))
    output.part = { kind, index: partCount(item, kind), text: '', logprobs: [] }
    events.push(partAdded({ item, outputIndex: output.items.length - 1, partIndex: output.part.index }, kind))
  }
  output.part.text += delta
  output.part.logprobs.push(...logprobs)
  events.push(partDelta({ item, outputIndex: output.items.length - 1, partIndex: output.part.index }, kind, delta, logprobs))
  return events
}

function closeCall(item: FunctionCallItem | CustomCallItem, index: number): WireEvent[] {
  const isBare = item.type === 'function_call' && item.status === 'completed' && item.arguments === ''
  if (!isBare) return [callDone(item, index)]
  item.arguments = noArguments
  return [callDelta(item, index, noArguments), callDone(item, index)]
}

/** Adds the open part to its item. */
function closePart(output: Output, item: MessageItem | ReasoningItem): WireEvent[] {
  const { part } = output
  if (!part) return []
  delete output.part
  const { kind, text, logprobs } = part
  if (item.type === 'message') {
    item.content.push(kind === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [], logprobs })
  } else if (kind === 'summary') item.summary.push({ type: 'summary_text', text })
  else item.content = [...(item.content ?? []), { type: 'reasoning_text', text }]
  return partDone({ item, outputIndex: output.items.length - 1, partIndex: part.index }, kind, text, logprobs)
}

function partCount(item: MessageItem | ReasoningItem, kind: PartKind): number {
  if (item.type === 'message') return item.content.length
  return kind === 'summary' ? item.summary.length : (item.content?.length ?? 0)
}

function wireLogprob({ token, logprob, bytes, top }: TokenLogprob): WireLogprob {
  return {
    token,
    logprob,
    bytes: bytes ?? [],
    top_logprobs: top.map(other => ({ token: other.token, logprob: other.logprob, bytes: other.bytes ?? [] })),
  }
}
