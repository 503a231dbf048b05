/** Reads `input`: checks every item and converts it to the form in which it is stored and
 *  listed. */

import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import { openedSummary } from '@generation-gateway/kit/requests/carried.ts'
import type { TextRole } from '@generation-gateway/kit/requests/text.ts'
import { readCarried } from '../carried-items.ts'
import type { UnplacedItem } from '../schema/wire.ts'
import { openedReasoning } from '../sealed-carried.ts'
import { withUpstreamId } from '../upstream-id.ts'
import { readContent } from './input-parts.ts'
import { objectAt, optionalTextAt, refuse, shown, textAt, wordAt } from './refuse.ts'

/** A reference to an item of an earlier response; clients send it instead of repeating the item. */
export type Reference = { type: 'item_reference'; id: string; field: string }

const roles: readonly TextRole[] = ['user', 'assistant', 'system', 'developer']
const itemTypes =
  'message, function_call, function_call_output, custom_tool_call, custom_tool_call_output, reasoning, compaction or item_reference'

/** Returns the items of a request's `input` in order; ids that were sent with them are ignored.
 *  Throws `invalid_request` naming the item and part. */
export function readInput(input: string | Json[]): (UnplacedItem | Reference)[] {
  if (typeof input === 'string') {
    return [{ type: 'message', status: 'completed', role: 'user', content: [{ type: 'input_text', text: input }] }]
  }
  return input.map((item, index) => readItem(item, `input[${index}]`))
}

function readItem(value: Json, field: string): UnplacedItem | Reference {
  const item = objectAt(value, field)
  switch (item.type) {
    case undefined:
    case null:
      if ((item.role === undefined || item.role === null) && typeof item.id === 'string')
        return { type: 'item_reference', id: item.id, field }
      return readMessage(item, field)
    case 'message':
      return readMessage(item, field)
    case 'function_call':
      return { ...readCall(item, field), type: 'function_call', arguments: textAt(item, 'arguments', field) }
    case 'custom_tool_call':
      return { ...readCall(item, field), type: 'custom_tool_call', input: textAt(item, 'input', field) }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return readOutput(item, item.type, field)
    case 'reasoning':
      return readReasoning(item, field)
    case 'compaction':
      return readCompaction(item, field)
    case 'item_reference':
      return { type: 'item_reference', id: textAt(item, 'id', field), field }
    default:
      throw refuse(field, `${field}.type is ${shown(item.type)}; it must be ${itemTypes}.`)
  }
}

function readMessage(item: JsonObject, field: string): UnplacedItem {
  const role = wordAt(item, 'role', field, roles)
  return {
    type: 'message',
    status: 'completed',
    role,
    content: readContent(item.content, `${field}.content`, role),
    ...(role === 'assistant' ? readCarried(item, field) : {}),
  }
}

function readCall(item: JsonObject, field: string) {
  const namespace = optionalTextAt(item, 'namespace', field)
  const name = textAt(item, 'name', field)
  return {
    status: 'completed',
    call_id: readCallId(item, field),
    name,
    ...(namespace ? { namespace } : {}),
    ...readCarried(item, field),
  } as const
}

function readOutput(item: JsonObject, type: 'function_call_output' | 'custom_tool_call_output', field: string): UnplacedItem {
  const { output } = item
  const place = `${field}.output`
  return {
    type,
    status: 'completed',
    call_id: readCallId(item, field),
    output: typeof output === 'string' ? output : readContent(output, place, 'user'),
  }
}

function readCallId(item: JsonObject, field: string): string {
  const id = textAt(item, 'call_id', field)
  // The length of an id is not limited: some upstreams encode the model's reasoning in the id,
  // which then has several kilobytes.
  if (id !== '') return id
  throw refuse(`${field}.call_id`, `${field}.call_id is empty.`)
}

function readReasoning(item: JsonObject, field: string): UnplacedItem {
  const encrypted = optionalTextAt(item, 'encrypted_content', field)
  const summary = readTexts(item.summary, `${field}.summary`)
  const opened = encrypted === undefined ? undefined : openedReasoning(encrypted, field)
  const readable = readTexts(item.content, `${field}.content`)
  const content = readable.length > 0 || opened === undefined ? readable : opened.texts
  return {
    type: 'reasoning',
    status: 'completed',
    summary: summary.map(text => ({ type: 'summary_text', text })),
    ...(content.length > 0 ? { content: content.map(text => ({ type: 'reasoning_text' as const, text })) } : {}),
    ...(encrypted === undefined || opened !== undefined
      ? {}
      : { encrypted_content: withUpstreamId(encrypted, optionalTextAt(item, 'id', field)) }),
    ...(opened?.carried ? { carried: opened.carried } : readCarried(item, field)),
  }
}

function readCompaction(item: JsonObject, field: string): UnplacedItem {
  const encrypted = textAt(item, 'encrypted_content', field)
  const place = `${field}.encrypted_content`
  if (openedSummary(encrypted) === undefined)
    throw refuse(place, `${place} is not a summary that this gateway wrote; only the upstream that wrote it can read it.`)
  return { type: 'compaction', encrypted_content: encrypted }
}

function readTexts(value: Json | undefined, field: string): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw refuse(field, `${field} is ${shown(value)}; it must be a list of parts.`, 'type')
  return value.map((part, index) => textAt(objectAt(part, `${field}[${index}]`), 'text', `${field}[${index}]`))
}
