/** The neutral request, events and result of `text.respond`: what every protocol for conversations is translated to and from.
 *  Type aliases, not interfaces, since they are stored as JSON. They serve the shapes of
 *  docs/vendors/openai-responses.md and docs/vendors/openai-chat.md. */
import type { JsonObject } from '../json.ts'
import { capability, type UsageUnits } from './capability.ts'
import type { Carried } from './carried.ts'
import { expectedTokens } from './expected-tokens.ts'
import type { TextProtocol } from './text-protocol.ts'

export type TextRole = 'system' | 'developer' | 'user' | 'assistant'

export type TextPart =
  | { type: 'text'; text: string }
  | { type: 'refusal'; text: string }
  /** `url` is http(s) or a data URL. */
  | { type: 'image'; url: string; detail?: string }
  /** `fps` (0.2 to 5) says how many pictures a second the model looks at. */
  | { type: 'video'; url: string; fps?: number }
  /** Base64 and its container (`wav`, `mp3`). */
  | { type: 'audio'; data: string; format: string }
  /** A document: a data URL. */
  | { type: 'file'; data?: string; name?: string }

/** `function`: arguments are JSON by a schema. `custom`: the model writes free text, perhaps held by a grammar. */
export type ToolKind = 'function' | 'custom'

/** One thing of a conversation, in order. Calls and results stand beside the messages, not inside of them.
 *  `carried` of a message and of reasoning is what stood beside the words of the whole answer, `carried` of a call what stood beside that call. */
export type TextItem =
  | { type: 'message'; role: TextRole; parts: TextPart[]; name?: string; carried?: Carried }
  /** `input` is the JSON text of the arguments, or the raw text of a custom tool. */
  | { type: 'call'; kind: ToolKind; callId: string; name: string; input: string; carried?: Carried }
  | { type: 'result'; kind: ToolKind; callId: string; output: string | TextPart[] }
  | { type: 'reasoning'; summary: string[]; content: string[]; encrypted?: string; id?: string; carried?: Carried }

export type ToolGrammar = { syntax: 'lark' | 'regex'; definition: string }

export type TextTool =
  /** `parameters` is a JSON schema; absent or null: an object without members. */
  | { kind: 'function'; name: string; description?: string; parameters?: JsonObject | null; strict?: boolean | null }
  | { kind: 'custom'; name: string; description?: string; grammar?: ToolGrammar }

/** `only` narrows the declared tools to these names and is exact: no other tool is ever called. A forced tool is `required` with one name. */
export type ToolChoice = { mode: 'auto' | 'none' | 'required'; only?: string[] }

export type TextFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | { type: 'json_schema'; name: string; schema: JsonObject; strict?: boolean | null; description?: string }

export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
/** Largest limit a caller may set, as servers with 32-bit counts take it. */
export const mostTokens = 2 ** 31 - 1

export type ReasoningEffort = (typeof reasoningEfforts)[number]
export type Verbosity = 'low' | 'medium' | 'high'

export type TextRequest = {
  /** Gateways the request has passed before this one. */
  hops?: number
  /** The whole conversation, oldest first; instructions come as a first message of role `developer` or `system`. */
  items: TextItem[]
  tools: TextTool[]
  toolChoice: ToolChoice
  /** False: at most one tool call. */
  parallelToolCalls: boolean
  format: TextFormat
  /** Tokens the answer may have, reasoning included. */
  maxOutputTokens?: number
  temperature?: number
  topP?: number
  /** At most 4; the answer ends before any of them. */
  stop?: string[]
  seed?: number
  frequencyPenalty?: number
  presencePenalty?: number
  /** Token id -> -100 to 100. */
  logitBias?: { [token: string]: number }
  /** 0 to 20 alternatives for each token; absent: no log probabilities. */
  topLogprobs?: number
  reasoning?: { effort?: ReasoningEffort; summary?: string }
  verbosity?: Verbosity
  /** Fields of the caller's protocol that have no neutral meaning (`user`, `service_tier`, unknown ones): sent on to an upstream that speaks the same protocol. */
  extras: { protocol: TextProtocol; fields: JsonObject }
}

export type TokenLogprob = {
  token: string
  logprob: number
  bytes: number[] | null
  top: { token: string; logprob: number; bytes: number[] | null }[]
}

/** What a model says, as it says it. Texts, calls and reasoning come in the order of the answer; a part ends where another kind begins. */
export type TextEvent =
  /** How the answer is drawn, from a target that knows it, before anything else. */
  | ({ type: 'sampling' } & TextSampling)
  | { type: 'text'; delta: string; logprobs?: TokenLogprob[] }
  | { type: 'refusal'; delta: string }
  | { type: 'reasoning'; part: 'summary' | 'content'; delta: string }
  /** What an upstream wants to see again in the next turn; ends the reasoning. */
  | { type: 'reasoning-end'; encrypted?: string; id?: string }
  /** Begins a tool call; `index` counts the calls from 0. Names are whole. */
  | { type: 'call'; index: number; kind: ToolKind; callId: string; name: string }
  | { type: 'call-input'; index: number; delta: string }
  /** Members that the upstream put beside the call with this index; without one, beside the answer's words. Several of the same are pieces (`joinCarried`). */
  | { type: 'carried'; call?: number; carried: Carried }

export type TextFinish = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** Token counts as the model's own tokenizer or the upstream gives them. */
export type TextUsage = {
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  reasoningTokens: number
}

/** The counts of both together. */
export function sumOfUsage(one: TextUsage, other: TextUsage): TextUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  }
}

/** The counts as units of the ledger. Cached input is part of the input, and reasoning of the output. */
export function unitsOfUsage(usage: TextUsage): UsageUnits[] {
  return [
    { unit: 'input_tokens', units: usage.inputTokens },
    { unit: 'cached_input_tokens', units: usage.cachedInputTokens },
    { unit: 'output_tokens', units: usage.outputTokens },
    { unit: 'reasoning_tokens', units: usage.reasoningTokens },
  ]
}

/** What the answer was drawn with: the caller's word, else the model's own. */
export type TextSampling = { temperature: number; topP: number }

/** The report of a finished answer. */
export type TextResult = { finish: TextFinish; usage: TextUsage; sampling?: TextSampling }

export const textRespond = capability<TextRequest, TextResult, TextEvent>({
  failover: 'text',
  expectedUnits: request => {
    const { inputTokens, outputTokens } = expectedTokens('neutral', request)
    return [
      { unit: 'input_tokens', units: inputTokens },
      { unit: 'output_tokens', units: outputTokens },
    ]
  },
})
