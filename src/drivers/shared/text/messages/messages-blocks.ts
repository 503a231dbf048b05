/** Converts a conversation to the messages of Anthropic's Messages protocol
 *  (docs/vendors/anthropic-messages.md#messages). */

import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type JsonObject, listOf, parsedJson } from '@generation-gateway/kit/json.ts'
import { thinkingBlocks } from '@generation-gateway/kit/requests/carried.ts'
import type { TextItem, TextPart } from '@generation-gateway/kit/requests/text.ts'
import { carriedFor } from '../carried-members.ts'
import { cannotTake, markOf, reportLost, type UpstreamModel } from '../text-common-request.ts'
import { wrapInput } from '../tool-plan.ts'

interface Message {
  role: 'user' | 'assistant'
  content: JsonObject[]
}

/** Returns the conversation as messages whose roles alternate: neighbours of the same role are
 *  joined. Instructions are left out, because the protocol has a field of its own for them. Throws
 *  `invalid_request` for a part that the protocol cannot express. */
export function messagesOf(items: readonly TextItem[], to: UpstreamModel): JsonObject[] {
  const messages: Message[] = []
  for (const item of items) {
    reportLost(item, to)
    const role = roleOf(item)
    const blocks = role === undefined ? [] : blocksOf(item, to)
    if (role === undefined || blocks.length === 0) continue
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else messages.push({ role, content: blocks })
  }
  return messages.map(({ role, content }) => ({ role, content: role === 'user' ? resultsFirst(content) : content }))
}

/** Returns true for the name of a Claude model. Claude refuses thinking without a signature. */
export function isClaude(model: string): boolean {
  return /claude/i.test(model)
}

function roleOf(item: TextItem): Message['role'] | undefined {
  if (item.type === 'result') return 'user'
  if (item.type !== 'message') return 'assistant'
  return item.role === 'user' || item.role === 'assistant' ? item.role : undefined
}

/** Moves the results of tools to the beginning, because they must follow directly after the
 *  calls. */
function resultsFirst(blocks: JsonObject[]): JsonObject[] {
  const isResult = (block: JsonObject) => block.type === 'tool_result'
  return [...blocks.filter(isResult), ...blocks.filter(block => !isResult(block))]
}

function blocksOf(item: TextItem, to: UpstreamModel): JsonObject[] {
  switch (item.type) {
    case 'message':
      return [...thinkingOf(item, to), ...item.parts.flatMap(part => blockOf(part, to))]
    case 'reasoning':
      return thinkingOf(item, to)
    case 'call':
      return [{ type: 'tool_use', id: idOf(item.callId), name: item.name, input: inputOf(item), ...markOf(item, to) }]
    case 'result': {
      const content = typeof item.output === 'string' ? item.output : item.output.flatMap(part => blockOf(part, to))
      return [defined({ type: 'tool_result', tool_use_id: idOf(item.callId), content, is_error: item.isError, ...markOf(item, to) })]
    }
  }
}

/** Returns the thinking that the target can use: blocks that a target of the same kind made, or
 *  that the caller sent, with their signatures. Models other than Claude also get readable
 *  thinking without a signature. */
function thinkingOf(item: Extract<TextItem, { type: 'message' | 'reasoning' }>, to: UpstreamModel): JsonObject[] {
  const signed = listOf(carriedFor(to, item.carried)?.members[thinkingBlocks]).flatMap(signedBlock)
  if (signed.length > 0 || item.type === 'message' || isClaude(to.model)) return signed
  const thinking = [...item.summary, ...item.content].join('\n\n')
  return thinking === '' ? [] : [{ type: 'thinking', thinking, signature: '' }]
}

function signedBlock(block: unknown): JsonObject[] {
  if (!isObject(block)) return []
  const { type, thinking, signature, data } = block
  if (type === 'redacted_thinking') return typeof data === 'string' ? [{ type, data }] : []
  return typeof thinking === 'string' && typeof signature === 'string' ? [{ type: 'thinking', thinking, signature }] : []
}

/** Replaces the characters of the id that the protocol does not allow. */
function idOf(callId: string): string {
  return callId.replace(/[^\w-]/g, '_')
}

/** Returns the arguments as the object that the protocol requires. Text that is not a JSON object
 *  becomes `{ INVALID_JSON: text }`, as Anthropic documents. */
function inputOf({ kind, input }: Extract<TextItem, { type: 'call' }>): JsonObject {
  const text = kind === 'custom' ? wrapInput(input) : input.trim() === '' ? '{}' : input
  const value = parsedJson(text)
  return isObject(value) ? value : { INVALID_JSON: input }
}

const dataUrl = /^data:([^;,]*)(?:;[^,]*)?;base64,/i

/** Returns the block of a part, with its cache mark; an empty list for a text without visible
 *  characters. */
export function blockOf(part: TextPart, to: UpstreamModel): JsonObject[] {
  return plainBlockOf(part).map(block => ({ ...block, ...markOf(part, to) }))
}

function plainBlockOf(part: TextPart): JsonObject[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      // The service refuses blocks without visible text.
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image': {
      const found = dataUrl.exec(part.url)
      if (!found) return [{ type: 'image', source: { type: 'url', url: part.url } }]
      return [{ type: 'image', source: { type: 'base64', media_type: found[1] ?? '', data: part.url.slice(found[0].length) } }]
    }
    case 'file':
      return [documentOf(part)]
    case 'video':
      throw cannotTake('videos')
    case 'audio':
      throw cannotTake('recordings')
  }
}

function documentOf({ data = '', name }: Extract<TextPart, { type: 'file' }>): JsonObject {
  const found = dataUrl.exec(data)
  const base64 = data.slice(found?.[0].length ?? 0)
  const type = found?.[1]?.toLowerCase()
  if (type === 'application/pdf')
    return defined({ type: 'document', source: { type: 'base64', media_type: type, data: base64 }, title: name })
  if (type?.startsWith('text/') !== true) throw cannotTake(`files of the type ${type ?? 'unknown'}`)
  return defined({
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: Buffer.from(base64, 'base64').toString() },
    title: name,
  })
}
