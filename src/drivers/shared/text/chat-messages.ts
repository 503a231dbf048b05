/** Converts a conversation to the messages of a chat completion
 *  (docs/vendors/openai-chat.md#request). */

import { defined } from '@generation-gateway/kit/defined.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import { joinMembers } from '@generation-gateway/kit/requests/carried.ts'
import type { TextItem, TextPart } from '@generation-gateway/kit/requests/text.ts'
import { carriedFor, carriedOfMessage, mergedUnder } from './carried-members.ts'
import { cannotTake, markOf, reportLost, type UpstreamModel } from './text-common-request.ts'
import type { Dialect } from './text-target.ts'
import { wrapInput } from './tool-plan.ts'

type Message = JsonObject & { role: string; tool_calls?: JsonObject[] }

/** Returns the conversation as chat messages. Throws `invalid_request` for a part that the dialect
 *  cannot express. */
export function chatMessages(items: readonly TextItem[], to: UpstreamModel): JsonObject[] {
  const messages: Message[] = []
  /** The parts of tool results that are not text, such as pictures. A tool message can contain
   *  only text, so they are sent in a user message after the tool messages. */
  let shown: JsonObject[] = []
  /** Reasoning and carried members (members that an upstream requires back) of an answer, kept
   *  until the answer's message exists. */
  let beside: JsonObject = {}
  const joinBeside = (): void => {
    const last = messages.at(-1)
    if (last?.role === 'assistant') joinMembers(last, beside)
    beside = {}
  }
  for (const item of items) {
    reportLost(item, to)
    if (item.type !== 'result' && shown.length > 0) {
      messages.push({ role: 'user', content: shown })
      shown = []
    }
    const isAnswer = item.type === 'reasoning' || item.type === 'call' || (item.type === 'message' && item.role === 'assistant')
    if (!isAnswer) joinBeside()
    if (item.type === 'message') addMessage(messages, item, to)
    else if (item.type === 'call') addCall(messages, item, to)
    else if (item.type === 'result') shown.push(...addResult(messages, item, to))
    if (item.type === 'reasoning' || item.type === 'message') joinMembers(beside, membersOfAnswer(item, to))
    if (isAnswer && item.type !== 'reasoning') joinBeside()
  }
  joinBeside()
  if (shown.length > 0) messages.push({ role: 'user', content: shown })
  return messages
}

function addMessage(messages: Message[], item: Extract<TextItem, { type: 'message' }>, to: UpstreamModel): void {
  const { role, parts, name } = item
  const { dialect } = to
  if (role === 'assistant') {
    addAnswer(messages, parts, to)
    return
  }
  const content = contentOf(parts, to)
  if (role === 'user') {
    messages.push(message({ role, name, content }))
    return
  }
  const last = messages.at(-1)
  // Consecutive system messages are joined into one, because the prompt templates of many models
  // accept only one, at the start.
  if (dialect !== 'openai' && last?.role === 'system' && typeof last.content === 'string' && typeof content === 'string')
    last.content += `\n\n${content}`
  else messages.push(message({ role: dialect === 'openai' ? role : 'system', name, content }))
}

function addAnswer(messages: Message[], parts: readonly TextPart[], to: UpstreamModel): void {
  const said = parts.filter(part => part.type === 'text').map(part => part.text)
  const refused = parts.filter(part => part.type === 'refusal').map(part => part.text)
  const isFull = to.dialect === 'openai'
  const text = [...said, ...(isFull ? [] : refused)].join('')
  const content = isMarked(parts, to) ? parts.filter(part => part.type === 'text' || !isFull).map(part => partOf(part, to)) : text
  const fields = defined({ content: text === '' ? null : content, refusal: isFull && refused.length > 0 ? refused.join('') : undefined })
  const last = messages.at(-1)
  // When the tool calls of an answer came before its text, both are put into one message, because
  // the tool results must follow directly after the message with the calls.
  if (last?.role === 'assistant' && last.content === null && last.tool_calls) Object.assign(last, fields)
  else messages.push({ role: 'assistant', ...fields })
}

/** Returns the members that an item adds to the message of its answer: the text of the reasoning,
 *  and carried members. */
function membersOfAnswer(item: Extract<TextItem, { type: 'message' | 'reasoning' }>, to: UpstreamModel): JsonObject {
  const carried = carriedFor(to, item.carried)
  const members = (carried && carriedOfMessage(carried.members)) ?? {}
  const text = item.type === 'reasoning' ? item.content.join('') : ''
  // Reasoning from a target of the same kind is sent in the member in which it was received.
  // Otherwise the setting of this target names the member.
  const name = carried?.reasoningIn ?? to.reasoningIn
  return text === '' || name === undefined ? members : { ...members, [name]: text }
}

function addCall(messages: Message[], item: Extract<TextItem, { type: 'call' }>, to: UpstreamModel): void {
  const { kind, callId, name, input } = item
  const own =
    kind === 'custom' && to.dialect === 'openai'
      ? { id: callId, type: 'custom', custom: { name, input } }
      : { id: callId, type: 'function', function: { name, arguments: kind === 'custom' ? wrapInput(input) : input } }
  const carried = carriedFor(to, item.carried)
  const call = { ...(carried ? mergedUnder(carried.members, own) : own), ...markOf(item, to) }
  const last = messages.at(-1)
  if (last?.role !== 'assistant') messages.push({ role: 'assistant', content: null, tool_calls: [call] })
  else if (last.tool_calls) last.tool_calls.push(call)
  else last.tool_calls = [call]
}

/** Adds a tool message with the texts of the result. Returns the parts that are not text, which a
 *  tool message cannot hold. */
function addResult(messages: Message[], item: Extract<TextItem, { type: 'result' }>, to: UpstreamModel): JsonObject[] {
  const { callId, output } = item
  const parts: readonly TextPart[] = typeof output === 'string' ? [{ type: 'text', text: output }] : output
  const texts = parts.filter(part => part.type === 'text' || part.type === 'refusal')
  const text = texts.map(part => part.text).join('\n')
  // The cache mark of the whole result is put on its last part.
  const mark = markOf(item, to)
  const isList = 'cache_control' in mark || isMarked(texts, to)
  const listed = texts.map((part, index) => ({ ...partOf(part, to), ...(index === texts.length - 1 ? mark : {}) }))
  messages.push({ role: 'tool', tool_call_id: callId, content: isList ? listed : text })
  return parts.filter(part => part.type !== 'text' && part.type !== 'refusal').map(part => partOf(part, to))
}

function contentOf(parts: readonly TextPart[], to: UpstreamModel): Json {
  const texts = parts.filter(part => part.type === 'text')
  // One text is sent as a string, which every server accepts; in the dialect `basic` several texts
  // are joined to one string.
  const isPlain = texts.length === parts.length && (parts.length <= 1 || to.dialect === 'basic')
  if (isPlain && !isMarked(parts, to)) return texts.map(part => part.text).join('\n')
  return parts.map(part => partOf(part, to))
}

function isMarked(parts: readonly TextPart[], to: UpstreamModel): boolean {
  return parts.some(part => 'cache_control' in markOf(part, to))
}

function partOf(part: TextPart, to: UpstreamModel): JsonObject {
  return { ...plainPartOf(part, to.dialect), ...markOf(part, to) }
}

function plainPartOf(part: TextPart, dialect: Dialect): JsonObject {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: defined({ url: part.url, detail: part.detail }) }
    case 'video':
      if (dialect === 'basic' && part.fps !== undefined) throw cannotTake('a frame rate for videos')
      return { type: 'video_url', video_url: defined({ url: part.url, fps: part.fps }) }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } }
    case 'file':
      return { type: 'file', file: defined({ file_data: part.data, filename: part.name }) }
  }
}

/** Returns the message without its undefined members. */
function message(fields: Message): Message {
  return { ...defined(fields), role: fields.role }
}
