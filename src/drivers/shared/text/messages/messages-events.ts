/** Converts an answer of Anthropic's Messages protocol, streamed or whole, to neutral events
 *  (docs/vendors/anthropic-messages.md#answers, #stream). */

import { type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import { type CarriedSource, thinkingBlocks } from '@generation-gateway/kit/requests/carried.ts'
import { SpreadCounts } from '@generation-gateway/kit/requests/spread-counts.ts'
import type { TextEvent, TextFinish, TextResult } from '@generation-gateway/kit/requests/text.ts'
import { messagesUsage, usageFrom } from '@generation-gateway/kit/requests/usage/reported-usage.ts'
import { countOf } from '../../upstream/read-json.ts'

const finishes: Record<string, TextFinish> = {
  end_turn: 'stop',
  pause_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
}

/** A block of the answer that has begun and not ended. */
interface OpenBlock {
  type: unknown
  /** Index among the answer's tool calls; undefined for other blocks. */
  call?: number
  /** Arguments that came with the beginning of a call; used when no pieces of the arguments
   *  follow. */
  input?: JsonObject
  hasPieces: boolean
  thinking: string
  signature: string
}

/** Returns true for a whole message, for a count of tokens, and for an event that is part of a
 *  streamed answer. */
export function isMessagesAnswer({ type, content, input_tokens: counted }: JsonObject): boolean {
  if (type === 'message') return Array.isArray(content)
  if (type === undefined) return typeof counted === 'number'
  return typeof type === 'string' && (type.startsWith('message_') || type.startsWith('content_block_'))
}

/** Reads the events of one answer in order. Blocks of tools that run at the upstream are ignored,
 *  because there are no neutral events (`TextEvent`) for them. */
export class MessagesReader {
  readonly #blocks = new Map<unknown, OpenBlock>()
  #calls = 0
  #finish: TextFinish | undefined
  #stopText: string | undefined
  readonly #usage = new SpreadCounts()
  readonly #from: CarriedSource

  /** `from` identifies the target that sends the answer. It is stored with carried members, which
   *  the target requires back in the next turn. */
  constructor(from: CarriedSource) {
    this.#from = from
  }

  read(event: JsonObject): TextEvent[] {
    switch (event.type) {
      case 'message_start':
        this.#usage.add(objectOf(event.message).usage)
        return []
      case 'content_block_start':
        return this.#begin(event.index, objectOf(event.content_block))
      case 'content_block_delta':
        return this.#grow(event.index, objectOf(event.delta))
      case 'content_block_stop':
        return this.#end(event.index)
      case 'message_delta':
        this.#usage.add(event.usage)
        this.#stop(objectOf(event.delta))
        return []
      default:
        return []
    }
  }

  whole(message: JsonObject): TextEvent[] {
    const events = objectsOf(message.content).flatMap((block, index) => [...this.#begin(index, block), ...this.#end(index)])
    this.#usage.add(message.usage)
    this.#stop(message)
    this.#finish ??= 'stop'
    return events
  }

  /** Returns the reason for the end of the answer and its token usage; undefined while it has not
   *  ended. Token counts that the upstream did not report are 0. */
  result(): TextResult | undefined {
    if (this.#finish === undefined) return undefined
    return {
      finish: this.#finish === 'stop' && this.#calls > 0 && this.#stopText === undefined ? 'tool_calls' : this.#finish,
      usage: usageFrom(messagesUsage(this.#usage.whole()), countOf),
      ...(this.#stopText === undefined ? {} : { stopText: this.#stopText }),
    }
  }

  #stop({ stop_reason: reason, stop_sequence: text }: JsonObject): void {
    const said = textOf(reason)
    if (said !== undefined) this.#finish = finishes[said] ?? 'stop'
    if (said === 'stop_sequence') this.#stopText = textOf(text)
  }

  #begin(index: unknown, block: JsonObject): TextEvent[] {
    const { type, id, name, input, signature, data } = block
    const open: OpenBlock = { type, hasPieces: false, thinking: '', signature: textOf(signature) ?? '' }
    this.#blocks.set(index, open)
    if (type === 'tool_use') {
      open.call = this.#calls++
      open.input = objectOf(input)
      return [{ type: 'call', index: open.call, kind: 'function', callId: textOf(id) ?? '', name: textOf(name) ?? '' }]
    }
    if (type === 'redacted_thinking') return typeof data === 'string' ? this.#signed({ type, data }) : []
    return this.#said(open, block)
  }

  #grow(index: unknown, delta: JsonObject): TextEvent[] {
    const open = this.#blocks.get(index)
    if (open === undefined) return []
    const piece = textOf(delta.partial_json)
    if (piece !== undefined && open.call !== undefined) {
      open.hasPieces = true
      return [{ type: 'call-input', index: open.call, delta: piece }]
    }
    open.signature += textOf(delta.signature) ?? ''
    return this.#said(open, delta)
  }

  /** Returns the event for text or thinking in a block or a delta. */
  #said(open: OpenBlock, { text, thinking }: JsonObject): TextEvent[] {
    if (open.type === 'text') return typeof text === 'string' && text !== '' ? [{ type: 'text', delta: text }] : []
    if (open.type !== 'thinking' || typeof thinking !== 'string' || thinking === '') return []
    open.thinking += thinking
    return [{ type: 'reasoning', part: 'content', delta: thinking }]
  }

  #end(index: unknown): TextEvent[] {
    const open = this.#blocks.get(index)
    this.#blocks.delete(index)
    if (open === undefined) return []
    if (open.call !== undefined) {
      if (open.hasPieces || Object.keys(open.input ?? {}).length === 0) return []
      return [{ type: 'call-input', index: open.call, delta: JSON.stringify(open.input) }]
    }
    if (open.type !== 'thinking') return []
    const { thinking, signature } = open
    return signature === '' ? [{ type: 'reasoning-end' }] : this.#signed({ type: 'thinking', thinking, signature })
  }

  /** Returns the events that end reasoning and carry the signed block, which the upstream
   *  requires back in the next turn. */
  #signed(block: JsonObject): TextEvent[] {
    const carried = { members: { [thinkingBlocks]: [block] }, from: this.#from }
    return [{ type: 'carried', carried }, { type: 'reasoning-end' }]
  }
}
