import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextItem, TextPart, ToolKind } from '@generation-gateway/kit/requests/text.ts'
import { markedParts, markIn } from '../shared/cache-marks.ts'
import { type Path, refusal } from '../shared/refusal.ts'
import { carriedOfCall, reasoningOfMessage } from './carried.ts'
import type { Message, ToolCall } from './message-schema.ts'
import { partsOf } from './parts.ts'

/** The tool calls of the conversation so far, to which tool results refer. */
interface KnownCalls {
  kinds: Map<string, ToolKind>
  /** The id of the latest call of each function in the older form (`function_call`). In this form,
   *  a result names the function instead of the call. */
  legacyIds: Map<string, string>
}

/** Returns the conversation as neutral items: calls and results are items of their own, not parts
 *  of messages. Throws `invalid_request` naming the message and its field. */
export function itemsOf(messages: readonly Message[]): TextItem[] {
  const known: KnownCalls = { kinds: new Map(), legacyIds: new Map() }
  return messages.flatMap((message, index) => itemsOfMessage(message, ['messages', index], known))
}

function itemsOfMessage(message: Message, path: Path, known: KnownCalls): TextItem[] {
  switch (message.role) {
    case 'assistant':
      return assistantItems(message, path, known)
    case 'tool':
      return [toolResult(message, path, known)]
    case 'function':
      return [functionResult(message, path, known)]
    case 'developer':
    case 'system':
    case 'user': {
      // Some clients put `cache_control` on a message instead of a part of it.
      const parts = markedParts(contentOf(message, path), message)
      return [{ type: 'message', role: message.role, parts, ...(message.name == null ? {} : { name: message.name }) }]
    }
  }
}

function assistantItems(message: Message, path: Path, known: KnownCalls): TextItem[] {
  if (message.audio != null) throw refusal([...path, 'audio'], 'names a spoken answer; those are not kept here.', 'unsupported')
  const calls = callsOf(message, path, known)
  const parts: TextPart[] = message.content == null ? [] : partsOf(message.content, 'assistant', [...path, 'content'])
  if (message.refusal != null) parts.push({ type: 'refusal', text: message.refusal })
  if (parts.length === 0 && calls.length === 0) throw refusal([...path, 'content'], 'is required in a message without calls.', 'required')
  // When an answer consisted only of calls, clients send its message back with an empty text. Such
  // a text is left out.
  const isSilent = calls.length > 0 && parts.every(part => part.type === 'text' && part.text === '')
  return [
    // The cast is safe: the message comes from JSON.parse, so it still has its unknown members.
    ...reasoningOfMessage(message as JsonObject, path),
    ...(isSilent
      ? []
      : [{ type: 'message' as const, role: 'assistant' as const, parts, ...(message.name == null ? {} : { name: message.name }) }]),
    ...calls,
  ]
}

function callsOf(message: Message, path: Path, known: KnownCalls): TextItem[] {
  const items = (message.tool_calls ?? []).map((call, index) => callItem(call, [...path, 'tool_calls', index]))
  if (message.function_call != null) {
    const { name, arguments: input } = message.function_call
    const callId = `call_${path.join('_')}`
    known.legacyIds.set(name, callId)
    items.push({ type: 'call', kind: 'function', callId, name, input })
  }
  for (const { callId, kind } of items) known.kinds.set(callId, kind)
  return items
}

function callItem(call: ToolCall, path: Path): Extract<TextItem, { type: 'call' }> {
  const { type: kind = 'function', id: callId } = call
  const called = kind === 'custom' ? call.custom : call.function
  if (!called) throw refusal([...path, kind], `is required in a call of type ${kind}.`, 'required')
  const input = 'input' in called ? called.input : called.arguments
  return { type: 'call', kind, callId, name: called.name, input, ...markIn(call), ...carriedOfCall(call as JsonObject, path) }
}

function toolResult(message: Message, path: Path, known: KnownCalls): TextItem {
  const { tool_call_id: callId } = message
  if (callId == null) throw refusal([...path, 'tool_call_id'], 'is required in a message of role tool.', 'required')
  const kind = known.kinds.get(callId)
  if (kind === undefined) throw refusal([...path, 'tool_call_id'], `is ${callId}; no earlier message has a call of this id.`)
  return { type: 'result', kind, callId, output: outputOf(message, path), ...markIn(message) }
}

function functionResult(message: Message, path: Path, known: KnownCalls): TextItem {
  if (message.name == null) throw refusal([...path, 'name'], 'is required in a message of role function.', 'required')
  const callId = known.legacyIds.get(message.name)
  if (callId === undefined) throw refusal([...path, 'name'], `is ${message.name}; no earlier message calls this function.`)
  return { type: 'result', kind: 'function', callId, output: outputOf(message, path) }
}

function outputOf(message: Message, path: Path): string | TextPart[] {
  return typeof message.content === 'string' ? message.content : contentOf(message, path)
}

function contentOf({ role, content }: Message, path: Path): TextPart[] {
  if (content == null) throw refusal([...path, 'content'], `is required in a message of role ${role}.`, 'required')
  if (content.length === 0 && typeof content !== 'string') throw refusal([...path, 'content'], 'is an empty list; at least one part.')
  return partsOf(content, role, [...path, 'content'])
}
