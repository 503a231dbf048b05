/** The protocols for conversations that upstreams speak. Each protocol is one entry of the table
 *  `textProtocols`. All drivers that themselves speak to upstreams over HTTP share this table. */
import { isObject, type JsonObject, objectsOf } from '@generation-gateway/kit/json.ts'
import type { CarriedSource } from '@generation-gateway/kit/requests/carried.ts'
import type { MinorOperation } from '@generation-gateway/kit/requests/relay.ts'
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import { ChatReader } from './chat-events.ts'
import { chatBody } from './chat-request.ts'
import { GeminiReader } from './gemini/gemini-events.ts'
import { geminiBody, geminiCount } from './gemini/gemini-request.ts'
import { isMessagesAnswer, MessagesReader } from './messages/messages-events.ts'
import { messagesBody, messagesCount } from './messages/messages-request.ts'
import { ResponsesReader } from './responses-events.ts'
import { responsesBody, responsesCount } from './responses-request.ts'
import type { UpstreamModel } from './text-common-request.ts'
import type { ToolPlan } from './tool-plan.ts'

/** Reads one answer of an upstream as neutral events. */
export interface AnswerReader {
  /** Returns the neutral events for the next event of a stream. The caller checks for failures. */
  read(event: JsonObject): TextEvent[]
  /** Returns the neutral events for an answer that arrived as one JSON object. */
  whole(answer: JsonObject): TextEvent[]
  /** Called at the event `[DONE]`, which ends the streams of some protocols. */
  done?(): void
  /** Returns the reason for the end of the answer and its token usage; undefined while it has not
   *  ended. */
  result(): TextResult | undefined
}

/** A protocol for which a caller's bytes can be forwarded to an upstream. */
export interface RelayedProtocol {
  /** Returns the path, after the base URL, of a request for an answer. `model` is the upstream's
   *  name of the model. */
  path(model: string, isStreamed: boolean): string
  /** Returns true for a whole answer, and for an event of a stream that is part of one. */
  isAnswer(value: JsonObject): boolean
  /** Name of the part that every answer has, such as `a message`; error messages use it when the
   *  part is missing. */
  output: string
}

/** A protocol for conversations, into which neutral requests can be translated. */
export interface UpstreamProtocol extends RelayedProtocol {
  /** Returns the body of a request for a streamed answer. Throws a `TargetRefusal` for a part
   *  of the request that the protocol or the dialect cannot express. */
  body(request: TextRequest, plan: ToolPlan, to: UpstreamModel): JsonObject
  /** Operations of the protocol other than the main one, which creates an answer. */
  minor?: { readonly [Name in MinorOperation]?: RelayedProtocol }
  /** Returns the body of a request for a count of input tokens; absent when the protocol has no
   *  operation for it. */
  countBody?(request: TextRequest, plan: ToolPlan, to: UpstreamModel): JsonObject
  /** `from` identifies the target that sends the answer. It is stored with carried members, which
   *  the target requires back in the next turn. */
  reader(from: CarriedSource): AnswerReader
}

const unfinished = new Set<unknown>(['queued', 'in_progress'])

/** Returns the operation that counts input tokens. `member` names the member of its answer that
 *  holds the number. */
function counting(path: RelayedProtocol['path'], member: string): RelayedProtocol {
  return { path, isAnswer: value => isTokenCount(value[member]), output: 'a number of tokens' }
}

/** Returns true for a number of tokens. */
export function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

const compacting: RelayedProtocol = {
  path: () => '/responses/compact',
  isAnswer: ({ output }) => Array.isArray(output),
  output: 'output',
}

export const textProtocols: Record<TextProtocol, UpstreamProtocol> = {
  chat: {
    path: () => '/chat/completions',
    body: chatBody,
    reader: from => new ChatReader(from),
    isAnswer: ({ choices }) => objectsOf(choices).some(({ message, delta }) => isObject(message ?? delta)),
    output: 'a message',
  },
  responses: {
    path: () => '/responses',
    body: responsesBody,
    minor: { count: counting(() => '/responses/input_tokens', 'input_tokens'), compact: compacting },
    countBody: responsesCount,
    reader: from => new ResponsesReader(from),
    isAnswer: ({ type, output, id, status }) => {
      if (typeof type === 'string') return type.startsWith('response.')
      return Array.isArray(output) || (typeof id === 'string' && unfinished.has(status))
    },
    output: 'output',
  },
  messages: {
    path: () => '/messages',
    body: messagesBody,
    minor: { count: counting(() => '/messages/count_tokens', 'input_tokens') },
    countBody: messagesCount,
    reader: from => new MessagesReader(from),
    isAnswer: isMessagesAnswer,
    output: 'a message',
  },
  'generate-content': {
    path: (model, isStreamed) => `${geminiModel(model)}:${isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: geminiBody,
    minor: { count: counting(model => `${geminiModel(model)}:countTokens`, 'totalTokens') },
    countBody: geminiCount,
    reader: from => new GeminiReader(from),
    isAnswer: ({ candidates, promptFeedback }) => objectsOf(candidates).length > 0 || isObject(promptFeedback),
    output: 'a candidate',
  },
}

function geminiModel(model: string): string {
  return `/models/${encodeURIComponent(model)}`
}

/** OpenAI's legacy completions. They are only relayed, because conversations cannot be translated
 *  into them. */
export const completionsProtocol: RelayedProtocol = {
  path: () => '/completions',
  isAnswer: ({ choices }) => objectsOf(choices).some(({ text }) => typeof text === 'string'),
  output: 'a text',
}
