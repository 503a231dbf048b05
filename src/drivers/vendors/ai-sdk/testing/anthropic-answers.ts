/** Answers of Anthropic's Messages API, as its service sends them. */
import { type FakeReply, jsonReply, rawReply } from '../../../../testing/fakes/fake-upstream.ts'

export type AnthropicBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: object }

interface AnthropicAnswer {
  blocks: readonly AnthropicBlock[]
  stop?: string
  /** The stop sequence at which the answer ended. */
  stopText?: string
}

const usage = { input_tokens: 20, cache_read_input_tokens: 5, cache_creation_input_tokens: 3 }

/** Returns the events of an answer, one JSON text each, with their names. */
export function anthropicEvents({
  blocks,
  stopText,
  stop = stopText === undefined ? 'end_turn' : 'stop_sequence',
}: AnthropicAnswer): object[] {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-1',
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
  return [
    { type: 'message_start', message: { ...message, usage: { ...usage, output_tokens: 1 } } },
    { type: 'ping' },
    ...blocks.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: beginningOf(block) },
      ...deltasOf(block).map(delta => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: stopText ?? null }, usage: { output_tokens: 30 } },
    { type: 'message_stop' },
  ]
}

/** Returns the reply that streams these events. */
export function anthropicReply(...answer: Parameters<typeof anthropicEvents>): FakeReply {
  return rawReply(eventsText(anthropicEvents(...answer)), 200, { 'content-type': 'text/event-stream', 'request-id': 'req_up' })
}

export function eventsText(events: readonly object[]): string {
  return events.map(event => `event: ${Reflect.get(event, 'type')}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

export function anthropicError(status: number, type: string, message: string, headers: Record<string, string> = {}): FakeReply {
  return jsonReply({ type: 'error', error: { type, message } }, status, headers)
}

function beginningOf(block: AnthropicBlock): object {
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'text':
      return { type: 'text', text: '' }
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: {} }
    case 'redacted_thinking':
      return block
  }
}

/** Returns the deltas of a block: each text in two halves. */
function deltasOf(block: AnthropicBlock): object[] {
  switch (block.type) {
    case 'thinking':
      return [
        ...halves(block.thinking).map(thinking => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ]
    case 'text':
      return halves(block.text).map(text => ({ type: 'text_delta', text }))
    case 'tool_use':
      return halves(JSON.stringify(block.input)).map(partial_json => ({ type: 'input_json_delta', partial_json }))
    case 'redacted_thinking':
      return []
  }
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
