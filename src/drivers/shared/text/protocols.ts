/** The protocols for conversations that upstreams speak. A protocol is one entry of the table at
 *  the end, and is used by every driver for conversations. */
import { isObject, type JsonObject, objectsOf } from '@generation-gateway/kit/json.ts'
import type { CarriedSource } from '@generation-gateway/kit/requests/carried.ts'
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
  /** Called at `[DONE]`, with which streams of some protocols end. */
  done?(): void
  /** Returns the reason for the end of the answer and its token usage; undefined while it has not
   *  ended. */
  result(): TextResult | undefined
}

/** A protocol in which a caller's bytes can be passed to an upstream. */
export interface RelayedProtocol {
  /** Returns the path, after the base URL, of a request for an answer. `model` is the upstream's
   *  name of the model. */
  path(model: string, isStreamed: boolean): string
  /** Returns true for a whole answer, and for an event of a stream that is part of one. */
  isAnswer(value: JsonObject): boolean
  /** The part that an answer without output lacks, for error messages: `a message`. */
  output: string
}

/** Path and body of a request for a count of input tokens. */
export interface CountRequest {
  path: string
  body: JsonObject
}

/** A protocol for conversations, into which neutral requests can be translated. */
export interface UpstreamProtocol extends RelayedProtocol {
  /** Returns the body of a request for a streamed answer. Throws a `TargetRefusal` for a part
   *  of the request that the protocol or the dialect cannot express. */
  body(request: TextRequest, plan: ToolPlan, to: UpstreamModel): JsonObject
  /** Returns the request for a count of input tokens; absent when the protocol has no operation for
   *  it. */
  count?(request: TextRequest, plan: ToolPlan, to: UpstreamModel): CountRequest
  /** `from` identifies the target whose answer is read; it is stored with carried members. */
  reader(from: CarriedSource): AnswerReader
}

const unfinished = new Set<unknown>(['queued', 'in_progress'])

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
    count: responsesCount,
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
    count: messagesCount,
    reader: from => new MessagesReader(from),
    isAnswer: isMessagesAnswer,
    output: 'a message',
  },
  'generate-content': {
    path: (model, isStreamed) => `/models/${encodeURIComponent(model)}:${isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: geminiBody,
    count: geminiCount,
    reader: from => new GeminiReader(from),
    isAnswer: ({ candidates, promptFeedback }) => objectsOf(candidates).length > 0 || isObject(promptFeedback),
    output: 'a candidate',
  },
}

/** OpenAI's legacy completions, which are relayed only: conversations are not translated into
 *  them. */
export const completionsProtocol: RelayedProtocol = {
  path: () => '/completions',
  isAnswer: ({ choices }) => objectsOf(choices).some(({ text }) => typeof text === 'string'),
  output: 'a text',
}
