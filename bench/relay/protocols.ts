/** The protocols whose relays are measured: requests to a gateway, and answers of the benchmark's
 *  upstream. Answers and events of all protocols for conversations have the same sizes. */
import { chatBody, eventText, isStreamed, jsonAnswer, lastEvents, type Order, orderText, systemText } from './answers.ts'

export type ProtocolName = 'chat' | 'messages' | 'generate-content' | 'embeddings'

export interface BenchProtocol {
  /** Returns the path of a request at a gateway. */
  path(model: string, isStream: boolean): string
  /** Returns the body of a request, about 190 bytes long, whose text makes the upstream answer
   *  according to `order`. */
  body(model: string, order?: Partial<Order>): string
  /** Returns a whole answer. */
  answer(): string
  /** The events with which a stream begins. */
  opening: string
  /** Returns a stream event of `size` bytes. It contains the time at which it was sent, in ms
   *  since 1970 with three decimals. */
  event(size: number, sentAt: number): string
  /** Returns the events with which a stream ends. */
  lastEvents(): string
}

const answerBytes = 580
const vectorLength = 1_536
const message = { id: 'msg_bench_0001', type: 'message', role: 'assistant', model: 'bench', stop_sequence: null }
const versions = { modelVersion: 'bench', responseId: 'bench-0001' }

export const protocols: Readonly<Record<ProtocolName, BenchProtocol>> = {
  chat: {
    path: () => '/v1/ai/default/chat/completions',
    body: chatBody,
    answer: () => jsonAnswer(answerBytes),
    opening: '',
    event: eventText,
    lastEvents,
  },
  messages: {
    path: () => '/v1/ai/default/messages',
    body: (model, order = {}) =>
      JSON.stringify({
        model,
        system: systemText,
        messages: [{ role: 'user', content: orderText(order) }],
        ...(isStreamed(order) ? { stream: true } : {}),
        max_tokens: 64,
      }),
    answer: () =>
      filled(answerBytes, text =>
        JSON.stringify({ ...message, content: [{ type: 'text', text }], stop_reason: 'end_turn', usage: messageTokens(32) }),
      ),
    opening:
      named({ type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: messageTokens(1) } }) +
      named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
      named({ type: 'ping' }),
    event: eventsOf((t, text) => named({ type: 'content_block_delta', index: 0, t, delta: { type: 'text_delta', text } })),
    lastEvents: () =>
      named({ type: 'content_block_stop', index: 0 }) +
      named({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 32 } }) +
      named({ type: 'message_stop' }),
  },
  'generate-content': {
    path: (model, isStream) => `/v1/ai/default/v1beta/models/${model}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (_model, order = {}) =>
      JSON.stringify({
        systemInstruction: { parts: [{ text: systemText }] },
        contents: [{ role: 'user', parts: [{ text: orderText(order) }] }],
        generationConfig: { maxOutputTokens: 64 },
      }),
    answer: () =>
      filled(answerBytes, text =>
        JSON.stringify({ candidates: [candidate(text, { finishReason: 'STOP' })], usageMetadata: contentTokens(32), ...versions }),
      ),
    opening: '',
    event: eventsOf((t, text) => unnamed({ candidates: [candidate(text)], usageMetadata: contentTokens(9), modelVersion: 'bench', t })),
    lastEvents: () => unnamed({ candidates: [candidate('', { finishReason: 'STOP' })], usageMetadata: contentTokens(32), ...versions }),
  },
  embeddings: {
    path: () => '/v1/ai/default/embeddings',
    body: model => JSON.stringify({ model, input: 'The tide comes in at noon, and high water is at twelve.'.repeat(3) }),
    answer: () => {
      const embedding = Array.from({ length: vectorLength }, (_, index) => Number((Math.sin(index) / 25).toFixed(9)))
      const usage = { prompt_tokens: 29, total_tokens: 29 }
      return JSON.stringify({ object: 'list', data: [{ object: 'embedding', index: 0, embedding }], model: 'bench', usage })
    },
    opening: '',
    event: () => '',
    lastEvents: () => '',
  },
}

/** Returns the protocol of a path at the upstream. */
export function protocolAt(path: string): BenchProtocol {
  if (path.endsWith('/messages')) return protocols.messages
  if (path.endsWith('/embeddings')) return protocols.embeddings
  return /:(stream)?generateContent\b/i.test(path) ? protocols['generate-content'] : protocols.chat
}

function messageTokens(output: number) {
  return { input_tokens: 29, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: output }
}

function contentTokens(output: number) {
  return { promptTokenCount: 29, candidatesTokenCount: output, totalTokenCount: 29 + output }
}

function candidate(text: string, rest: { finishReason?: string } = {}) {
  return { content: { parts: [{ text }], role: 'model' }, ...rest, index: 0 }
}

/** Returns an event whose name is the type of its data, as in the Messages protocol. */
function named(data: { type: string; [member: string]: unknown }): string {
  return `event: ${data.type}\n${unnamed(data)}`
}

function unnamed(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** Returns a function that creates the events of a stream. `made` builds an event from a time and a
 *  text. It is called only for the first event of each size; later events reuse the result with
 *  another time. */
function eventsOf(made: (t: string, text: string) => string): BenchProtocol['event'] {
  const someTime = (1e12).toFixed(3)
  const parts = new Map<number, readonly [string, string]>()
  return (size, sentAt) => {
    const [head, tail] =
      parts.get(size) ??
      halves(
        filled(size, text => made(someTime, text)),
        someTime,
      )
    parts.set(size, [head, tail])
    return head + sentAt.toFixed(3) + tail
  }
}

function halves(text: string, between: string): readonly [string, string] {
  const at = text.indexOf(between)
  return [text.slice(0, at), text.slice(at + between.length)]
}

/** Returns the result of `made` for a text that is just long enough for this result to have
 *  `size` bytes. */
function filled(size: number, made: (text: string) => string): string {
  return made('x'.repeat(Math.max(0, size - made('').length)))
}
