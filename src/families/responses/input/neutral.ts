/** Converts items of the Responses interface to items of the neutral request, and the items of a
 *  model's answer back. */

import { defined } from '@generation-gateway/kit/defined.ts'
import { assertNever } from '@generation-gateway/kit/errors.ts'
import type { CarriedMembers } from '@generation-gateway/kit/requests/carried.ts'
import { openedSummary } from '@generation-gateway/kit/requests/carried.ts'
import type { TextItem, TextPart } from '@generation-gateway/kit/requests/text.ts'
import { noArguments } from '../output.ts'
import type { ContentPart, Item, ItemStatus, OutputItem } from '../schema/wire.ts'
import { splitUpstreamId, withUpstreamId } from '../upstream-id.ts'
import type { ToolNames } from './namespaces.ts'

/** Returns a neutral item. `names` maps tools of namespaces to the names that the model knows. */
export function textItemOf(item: Item, names: ToolNames): TextItem {
  switch (item.type) {
    case 'message':
      return { type: 'message', role: item.role, parts: item.content.map(textPartOf), ...carriedOf(item) }
    case 'function_call':
      return { type: 'call', kind: 'function', callId: item.call_id, name: names.flat(item), input: item.arguments, ...carriedOf(item) }
    case 'custom_tool_call':
      return { type: 'call', kind: 'custom', callId: item.call_id, name: names.flat(item), input: item.input, ...carriedOf(item) }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const kind = item.type === 'function_call_output' ? 'function' : 'custom'
      const output = typeof item.output === 'string' ? item.output : item.output.map(textPartOf)
      return { type: 'result', kind, callId: item.call_id, output }
    }
    case 'reasoning':
      return {
        type: 'reasoning',
        summary: item.summary.map(part => part.text),
        content: (item.content ?? []).map(part => part.text),
        ...(item.encrypted_content === undefined ? {} : splitUpstreamId(item.encrypted_content)),
        ...carriedOf(item),
      }
    case 'compaction': {
      // The summary becomes a message of the user: some models refuse a conversation that ends with
      // a message of the assistant, and a message of the developer would give it too much
      // authority.
      const text = `Summary of the earlier conversation:\n\n${openedSummary(item.encrypted_content) ?? ''}`
      return { type: 'message', role: 'user', parts: [{ type: 'text', text }] }
    }
    default:
      return assertNever(item)
  }
}

function carriedOf({ carried }: { carried?: CarriedMembers }): { carried?: CarriedMembers } {
  return carried === undefined ? {} : { carried }
}

function textPartOf(part: ContentPart): TextPart {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: part.text }
    case 'refusal':
      return { type: 'refusal', text: part.refusal }
    case 'input_image':
      return { type: 'image', url: part.image_url ?? '', ...(part.detail === 'auto' ? {} : { detail: part.detail }) }
    case 'input_video':
      return { type: 'video', url: part.video_url ?? '', fps: part.fps }
    case 'input_audio':
      return { type: 'audio', ...part.input_audio }
    case 'input_file':
      return {
        type: 'file',
        ...(typeof part.file_data === 'string' ? { data: part.file_data } : {}),
        ...defined({ name: part.filename }),
      }
    default:
      return assertNever(part)
  }
}

interface PlacementOptions {
  id(type: OutputItem['type']): string
  status: ItemStatus
  /** Maps the model's names of tools to the caller's names. */
  names: ToolNames
}

/** Returns an item of a model's answer as the response shows it; undefined for types that only
 *  callers send. */
export function outputItemOf(item: TextItem, { id, status, names }: PlacementOptions): OutputItem | undefined {
  switch (item.type) {
    case 'message':
      return {
        id: id('message'),
        type: 'message',
        status,
        role: 'assistant',
        content: item.parts.flatMap(outputPartOf),
        ...carriedOf(item),
      }
    case 'call': {
      const call = { status, call_id: item.callId, ...names.full(item.name), ...carriedOf(item) }
      if (item.kind === 'function') return { id: id('function_call'), type: 'function_call', ...call, arguments: item.input || noArguments }
      return { id: id('custom_tool_call'), type: 'custom_tool_call', ...call, input: item.input }
    }
    case 'reasoning':
      return {
        id: id('reasoning'),
        type: 'reasoning',
        status,
        summary: item.summary.map(text => ({ type: 'summary_text', text })),
        ...(item.content.length > 0 ? { content: item.content.map(text => ({ type: 'reasoning_text' as const, text })) } : {}),
        ...(item.encrypted === undefined ? {} : { encrypted_content: withUpstreamId(item.encrypted, item.id) }),
        ...carriedOf(item),
      }
    case 'result':
      return undefined
    default:
      return assertNever(item)
  }
}

function outputPartOf(part: TextPart): ContentPart[] {
  if (part.type === 'text') return [{ type: 'output_text', text: part.text, annotations: [], logprobs: [] }]
  return part.type === 'refusal' ? [{ type: 'refusal', refusal: part.text }] : []
}
