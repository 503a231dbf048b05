/** Computes from the bytes of a conversation how many tokens it has at least. So a conversation
 *  that cannot fit is refused before it is sent to a child process, converted to a prompt or
 *  counted. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextItem, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { callableTools } from './grammar/answer-grammar.ts'

/** Limits of a model. The child process reports them when it has opened the model. */
export interface ModelLimits {
  /** Largest number of tokens of one conversation, including the answer. */
  contextSize: number
  /** UTF-8 bytes of the longest token in the vocabulary. A text has at least as many tokens as its
   *  bytes divided by this number. */
  longestTokenBytes: number
}

/** How many times as long as the context a conversation may be when only its tokens are counted.
 *  Clients count tokens to find out by how much a conversation is too long; the limit bounds the
 *  work of one count. */
const countedContexts = 8

/** Returns the limits for a conversation whose tokens are only counted. */
export function countingLimits<Limits extends ModelLimits>(limits: Limits): Limits {
  return { ...limits, contextSize: limits.contextSize * countedContexts }
}

/** Throws `context_length_exceeded` when a conversation has so many bytes that its tokens cannot
 *  fit into the context. The function stops reading the conversation as soon as this is certain. */
export function refuseOversized(request: TextRequest, { contextSize, longestTokenBytes }: ModelLimits): void {
  const most = contextSize * longestTokenBytes
  let bytes = 0
  for (const size of sizesOf(request, longestTokenBytes)) {
    bytes += size
    if (bytes > most) throw tooLong(request, contextSize, `more than ${contextSize}`)
  }
}

/** Returns the refusal of a conversation with this many tokens (9000, or "more than 8192"). The
 *  message has OpenAI's exact wording, because clients recognise an overflow by it (decision
 *  0006). */
export function tooLong({ maxOutputTokens = 0 }: TextRequest, contextSize: number, tokens: number | string): GatewayError {
  const isAnswer = typeof tokens === 'number' && tokens < contextSize
  const [found, what] = isAnswer
    ? [
        `you requested ${tokens + maxOutputTokens} tokens (${tokens} in the messages, ${maxOutputTokens} in the completion)`,
        'messages or completion',
      ]
    : [`your messages resulted in ${tokens} tokens`, 'messages']
  return new GatewayError(
    'context_length_exceeded',
    `This model's maximum context length is ${contextSize} tokens. However, ${found}. Please reduce the length of the ${what}.`,
    { field: 'items' },
  )
}

/** Yields the byte lengths of the parts that `chatHistory` puts into the prompt. For each item, the
 *  length of the longest token is added, because each turn begins with a mark, and texts that are
 *  joined to one turn have a newline between them. */
function* sizesOf(request: TextRequest, longestTokenBytes: number): Generator<number> {
  for (const item of request.items) {
    yield* itemSizes(item)
    if (item.type === 'message' || item.type === 'call' || item.type === 'result') yield longestTokenBytes
  }
  for (const tool of callableTools(request)) {
    yield* valueSizes([tool.name, tool.description])
    if (tool.kind === 'function') yield* valueSizes(tool.parameters)
  }
  if (request.format.type === 'json_schema') yield* valueSizes(request.format.schema)
}

function* itemSizes(item: TextItem): Generator<number> {
  if (item.type === 'message') yield* valueSizes(textsOf(item.parts))
  else if (item.type === 'call') yield* valueSizes([item.name, item.input])
  else if (item.type === 'result') yield* valueSizes(typeof item.output === 'string' ? item.output : textsOf(item.output))
}

function textsOf(parts: Extract<TextItem, { type: 'message' }>['parts']): string[] {
  return parts.map(part => ('text' in part ? part.text : ''))
}

/** Yields the byte lengths of the keys and values in JSON, without punctuation and escapes. It is
 *  not recursive, because JSON from a caller may be nested so deeply that recursion would overflow
 *  the stack. */
function* valueSizes(value: unknown): Generator<number> {
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') yield Buffer.byteLength(next)
    else if (typeof next === 'number' || typeof next === 'boolean') yield 1
    else if (typeof next === 'object' && next !== null) {
      if (!Array.isArray(next)) for (const key of Object.keys(next)) yield Buffer.byteLength(key)
      for (const inner of Object.values(next)) open.push(inner)
    }
  }
}
