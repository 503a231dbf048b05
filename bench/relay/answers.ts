/** The answers of the benchmark's upstream. The text of the last message in a request says which
 *  answer to send, because every compared gateway forwards this text. */

export type Mode = 'json' | 'sse' | 'flood' | 'slow' | 'reset'

export interface Order {
  mode: Mode
  /** Number of events of a stream per second. */
  rate: number
  /** Size of an event in bytes. */
  size: number
  /** Number of events in a stream before its usage and its end; 0 for a stream that never ends. */
  count: number
  /** Time in ms that the upstream waits before a slow answer. */
  ms: number
}

export const systemText = 'You are a helpful assistant.'
const usualOrder: Order = { mode: 'json', rate: 20, size: 235, count: 0, ms: 1_000 }

/** Returns the body of a chat request, about 190 bytes long, whose text makes the upstream
 *  answer according to `order`. `model` is the name under which the measured server knows the
 *  upstream's model. */
export function chatBody(model: string, order: Partial<Order> = {}): string {
  return JSON.stringify({
    model,
    messages: [
      { role: 'system', content: systemText },
      { role: 'user', content: orderText(order) },
    ],
    ...(isStreamed(order) ? { stream: true } : {}),
    max_tokens: 64,
  })
}

/** Returns the text that makes the upstream answer according to `order`. */
export function orderText(order: Partial<Order>): string {
  if (order.mode === undefined || order.mode === 'json') return 'Answer in one short sentence: why is the sky blue?'
  const words = Object.entries({ ...usualOrder, ...order }).map(([name, value]) => `${name}=${value}`)
  return `bench ${words.join(' ')} end`
}

export function isStreamed({ mode }: Partial<Order>): boolean {
  return mode === 'sse' || mode === 'flood'
}

/** Returns the kind of answer that the text of a request body orders. Without an order in the text,
 *  returns the order for the default JSON answer. */
export function readOrder(body: string): Order {
  const words = /bench (mode=[a-z]+(?: [a-z]+=\d+)*) end/.exec(body)?.[1]
  if (words === undefined) return usualOrder
  const given = new Map(words.split(' ').map(word => word.split('=') as [string, string]))
  const number = (name: 'rate' | 'size' | 'count' | 'ms') => Number(given.get(name) ?? usualOrder[name])
  const mode = modes.find(each => each === given.get('mode')) ?? 'json'
  return { mode, rate: number('rate'), size: number('size'), count: number('count'), ms: number('ms') }
}

const modes: readonly Mode[] = ['json', 'sse', 'flood', 'slow', 'reset']
const usage = { prompt_tokens: 29, completion_tokens: 32, total_tokens: 61 }

/** Returns a chat completion of exactly `size` bytes with its usage. */
export function jsonAnswer(size = 580): string {
  const answer = (content: string) =>
    JSON.stringify({
      id: 'chatcmpl-bench-0001',
      object: 'chat.completion',
      created: 1_794_999_000,
      model: 'bench',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage,
    })
  return answer('sky '.repeat(size).slice(0, size - answer('').length))
}

/** Returns a stream event of `size` bytes. It contains the time at which it was sent, in ms
 *  since 1970 with three decimals. */
export function eventText(size: number, sentAt: number): string {
  const head = `data: {"id":"chatcmpl-bench-0001","object":"chat.completion.chunk","created":1794999000,"model":"bench","t":"${sentAt.toFixed(3)}","choices":[{"index":0,"delta":{"content":"`
  const tail = '"},"finish_reason":null}]}\n\n'
  return head + 'x'.repeat(Math.max(0, size - head.length - tail.length)) + tail
}

export function lastEvents(): string {
  const base = { id: 'chatcmpl-bench-0001', object: 'chat.completion.chunk', created: 1_794_999_000, model: 'bench' }
  const stop = { ...base, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  return `data: ${JSON.stringify(stop)}\n\ndata: ${JSON.stringify({ ...base, choices: [], usage })}\n\ndata: [DONE]\n\n`
}

/** Returns the time in ms since 1970, with fractions. Unlike `Date.now()` it has a high
 *  resolution, and it is comparable between processes of a machine. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now()
}
