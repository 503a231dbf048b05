/** Translates the messages of a body into neutral items. Calls, results and thinking become
 *  items of their own, not parts of messages. */
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'
import {
  anySourceOf,
  type CarriedMembers,
  isSealedReasoning,
  mostCarriedCharacters,
  thinkingBlocks,
} from '@generation-gateway/kit/requests/carried.ts'
import type { TextItem, TextPart } from '@generation-gateway/kit/requests/text.ts'
import { markedParts, markIn } from '../shared/cache-marks.ts'
import { type Path, refusal } from '../shared/refusal.ts'
import { limitSealed, sealedCalls, unsealed } from '../shared/sealed-reasoning.ts'
import { partsOf } from './parts.ts'
import type { Block, Message } from './schema.ts'

type Reasoning = Extract<TextItem, { type: 'reasoning' }>

/** Returns the conversation. Throws `invalid_request`, which names the block that cannot be
 *  translated. */
export function itemsOf(messages: readonly Message[]): TextItem[] {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  limitSealed(blocks.filter(({ signature }) => isSealedReasoning(signature)).length, says => refusal(['messages'], says))
  const calls = new Set<string>()
  const items = messages.flatMap((message, index) => itemsOfMessage(message, ['messages', index], calls))
  const carried = sealedCalls(items.flatMap(item => (item.type === 'reasoning' ? [item] : [])))
  if (carried.size === 0) return items
  return items.map(item => withCarried(item, carried))
}

/** Returns a content that may have only text. Throws `invalid_request`, which names the first block
 *  that is not text. */
export function textsOf(content: string | readonly Block[], path: Path): TextPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.map((block, index) => {
    if (block.type !== 'text') throw refusal([...path, index, 'type'], `is ${block.type}; it must be text.`, 'unsupported')
    return { type: 'text', text: block.text ?? '', ...markIn(block) }
  })
}

function withCarried(item: TextItem, calls: ReadonlyMap<string, CarriedMembers>): TextItem {
  if (item.type !== 'call') return item
  const carried = calls.get(item.callId)
  return carried === undefined ? item : { ...item, carried }
}

function itemsOfMessage({ role, content }: Message, path: Path, calls: Set<string>): TextItem[] {
  const at = [...path, 'content']
  if (role === 'system') return [{ type: 'message', role, parts: textsOf(content, at) }]
  if (typeof content === 'string') return [{ type: 'message', role, parts: [{ type: 'text', text: content }] }]
  const items: TextItem[] = []
  for (const [index, block] of content.entries()) {
    const place = [...at, index]
    const item = role === 'assistant' ? answerItem(block, place, calls) : resultItem(block, place, calls)
    if (item !== undefined) {
      items.push(item)
      continue
    }
    const parts = markedParts(partsOf(block, role, place), block)
    const last = items.at(-1)
    if (last?.type === 'message') last.parts.push(...parts)
    else items.push({ type: 'message', role, parts })
  }
  return items
}

/** Returns the item for a call or thinking in the model's answer; undefined for any other block,
 *  which is part of a message. */
function answerItem(block: Block, path: Path, calls: Set<string>): TextItem | undefined {
  if (block.type === 'tool_use') return callOf(block, path, calls)
  if (block.type === 'thinking') return thinkingOf(block, path)
  return block.type === 'redacted_thinking' ? redactedOf(block, path) : undefined
}

function callOf(block: Block, path: Path, calls: Set<string>): TextItem {
  const { id, name, input } = block
  if (!id) throw refusal([...path, 'id'], 'is required in a block of type tool_use.', 'required')
  if (!name) throw refusal([...path, 'name'], 'is required in a block of type tool_use.', 'required')
  if (!isObject(input ?? {})) throw refusal([...path, 'input'], 'must be an object.')
  calls.add(id)
  return { type: 'call', kind: 'function', callId: id, name, input: JSON.stringify(input ?? {}), ...markIn(block) }
}

function thinkingOf({ thinking, signature = '' }: Block, path: Path): Reasoning {
  if (thinking === undefined) throw refusal([...path, 'thinking'], 'is required in a block of type thinking.', 'required')
  const place = [...path, 'signature']
  const opened = unsealed(signature, says => refusal(place, says))
  if (opened) {
    const { texts, isSummary, ...rest } = opened
    const said = thinking === '' ? texts : [thinking]
    return { type: 'reasoning', summary: isSummary ? said : [], content: isSummary ? [] : said, ...rest }
  }
  const content = thinking === '' ? [] : [thinking]
  return { type: 'reasoning', summary: [], content, ...signedBy({ type: 'thinking', thinking, signature }, place) }
}

function redactedOf({ data }: Block, path: Path): Reasoning {
  const place = [...path, 'data']
  if (data === undefined) throw refusal(place, 'is required in a block of type redacted_thinking.', 'required')
  return { type: 'reasoning', summary: [], content: [], ...signedBy({ type: 'redacted_thinking', data }, place) }
}

/** Returns an object that carries the block unchanged to targets of this protocol; an empty object
 *  for a block with an empty signature, which no target has signed. */
function signedBy(block: JsonObject, path: Path): Pick<Reasoning, 'carried'> {
  if (block.signature === '') return {}
  const size = JSON.stringify(block).length
  if (size > mostCarriedCharacters) throw refusal(path, `belongs to a block of ${size} characters; at most ${mostCarriedCharacters}.`)
  return { carried: { members: { [thinkingBlocks]: [block] }, from: anySourceOf('messages') } }
}

function resultItem(block: Block, path: Path, calls: ReadonlySet<string>): TextItem | undefined {
  if (block.type !== 'tool_result') return undefined
  const { tool_use_id: callId, content, is_error: isError } = block
  if (!callId) throw refusal([...path, 'tool_use_id'], 'is required in a block of type tool_result.', 'required')
  if (!calls.has(callId)) throw refusal([...path, 'tool_use_id'], `is ${callId}; no earlier message has a tool_use block of this id.`)
  const output = resultOf(content, [...path, 'content'])
  return { type: 'result', kind: 'function', callId, output, ...(isError == null ? {} : { isError }), ...markIn(block) }
}

function resultOf(content: unknown, path: Path): string | TextPart[] {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw refusal(path, 'must be a text or a list of blocks.')
  return content.flatMap((block: unknown, index) => {
    if (!isObject(block) || typeof block.type !== 'string') throw refusal([...path, index], 'must be a block with a type.')
    // The cast is safe: `partsOf` checks the members that it reads.
    return markedParts(partsOf(block as unknown as Block, 'user', [...path, index]), block)
  })
}
