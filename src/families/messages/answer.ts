/** Builds the answer to a message, as the events of a stream or as a whole. A whole answer is
 *  collected from the same events, so both always agree. */

import { randomUUID } from 'node:crypto'
import { isObject, type JsonObject, parsedJson } from '@generation-gateway/kit/json.ts'
import { noUsage, type TextResult } from '@generation-gateway/kit/requests/text.ts'
import type { TextRunEvent } from '../../contract/needs/respond.ts'
import type { ReplyFrame } from '../../contract/replies.ts'
import { brokenOff } from '../shared/answer-runs.ts'
import { BlockEvents, type ThinkingDisplay } from './block-events.ts'
import type { AnswerBlock, MessageAnswer, MessageEvent, StopReason, Usage } from './reply-schema.ts'
import type { MessageBody } from './schema.ts'

/** Yields the frames of a streamed answer. Yields nothing before the model's first event, so that
 *  an error before it can still be answered with an HTTP status. Throws the errors of `run`. */
export async function* framesOf(body: MessageBody, model: string, run: AsyncIterable<TextRunEvent>): AsyncGenerator<ReplyFrame> {
  for await (const data of eventsOf(body, model, run)) yield { event: data.type, data }
}

/** Returns the whole answer once it has ended. Throws the errors of `run`. */
export async function answerOf(body: MessageBody, model: string, run: AsyncIterable<TextRunEvent>): Promise<MessageAnswer> {
  let answer: MessageAnswer | undefined
  const inputs = new Map<AnswerBlock, string>()
  for await (const event of eventsOf(body, model, run)) {
    answer ??= event.message
    const block = event.index === undefined ? undefined : answer?.content[event.index]
    if (event.type === 'content_block_start' && event.content_block) answer?.content.push(event.content_block)
    else if (event.type === 'content_block_delta' && block) grow(block, event.delta ?? {}, inputs)
    else if (event.type === 'message_delta' && answer) Object.assign(answer, event.delta, { usage: event.usage })
  }
  if (!answer) throw brokenOff()
  for (const [block, input] of inputs) block.input = objectIn(input)
  return answer
}

async function* eventsOf(body: MessageBody, model: string, run: AsyncIterable<TextRunEvent>): AsyncGenerator<MessageEvent> {
  const blocks = new BlockEvents(displayOf(body))
  let hasBegun = false
  let result: TextResult | undefined
  for await (const event of run) {
    if (!hasBegun) {
      hasBegun = true
      yield { type: 'message_start', message: beginning(model) }
      yield { type: 'ping' }
    }
    if (event.type === 'finish') result = event.result
    else for (const each of blocks.take(event)) yield each
  }
  if (!result) throw brokenOff()
  yield* blocks.end()
  yield ending(result, blocks.hasRefused)
  yield { type: 'message_stop' }
}

function displayOf({ thinking }: MessageBody): ThinkingDisplay {
  if (thinking?.type === 'disabled') return 'hidden'
  return thinking?.display === 'omitted' ? 'omitted' : 'shown'
}

function beginning(model: string): MessageAnswer {
  return {
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage: usageOf(noUsage),
  }
}

function ending(result: TextResult, hasRefused: boolean): MessageEvent {
  const stop_reason = stopReason(result, hasRefused)
  const stop_sequence = stop_reason === 'stop_sequence' ? (result.stopText ?? null) : null
  return { type: 'message_delta', delta: { stop_reason, stop_sequence, stop_details: null, container: null }, usage: usageOf(result.usage) }
}

function stopReason({ finish, stopText }: TextResult, hasRefused: boolean): StopReason {
  switch (finish) {
    case 'length':
      return 'max_tokens'
    case 'tool_calls':
      return 'tool_use'
    case 'content_filter':
      return 'refusal'
    case 'stop':
      if (hasRefused) return 'refusal'
      return stopText === undefined ? 'end_turn' : 'stop_sequence'
  }
}

function usageOf(usage: TextResult['usage']): Usage {
  const { inputTokens, cachedInputTokens, cacheWriteTokens = 0, longCacheWriteTokens = 0, searches, tier } = usage
  const shortWrites = Math.max(0, cacheWriteTokens - longCacheWriteTokens)
  return {
    input_tokens: Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens),
    output_tokens: usage.outputTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedInputTokens,
    cache_creation:
      cacheWriteTokens > 0 ? { ephemeral_5m_input_tokens: shortWrites, ephemeral_1h_input_tokens: longCacheWriteTokens } : null,
    output_tokens_details: { thinking_tokens: usage.reasoningTokens },
    server_tool_use: searches ? { web_search_requests: searches } : null,
    service_tier: tier === 'priority' ? 'priority' : 'standard',
    ...(tier === 'fast' ? { speed: 'fast' } : {}),
  }
}

/** Adds a delta to its block. The input of a tool call is collected as text in `inputs`;
 *  `answerOf` parses it at the end. */
function grow(block: AnswerBlock, { type, ...delta }: JsonObject, inputs: Map<AnswerBlock, string>): void {
  if (type === 'input_json_delta') inputs.set(block, (inputs.get(block) ?? '') + String(delta.partial_json))
  else if (type === 'text_delta') block.text += String(delta.text)
  else if (type === 'thinking_delta') block.thinking += String(delta.thinking)
  else if (type === 'signature_delta') block.signature += String(delta.signature)
}

/** Returns the input of a tool call. Text that is not a JSON object becomes
 *  `{ INVALID_JSON: text }`, as Anthropic documents. */
function objectIn(input: string): JsonObject {
  const value = parsedJson(input)
  return isObject(value) ? value : { INVALID_JSON: input }
}
