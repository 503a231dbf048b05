/** Neutral request, events and result of `text.respond`: every protocol for conversations is
 *  translated to and from them. The types are type aliases, not interfaces, because their values
 *  are stored as JSON. Together they cover the shapes of docs/vendors/openai-responses.md and
 *  docs/vendors/openai-chat.md. */
import type { JsonObject } from '../json.ts'
import { capability, type UsageUnits } from './capability.ts'
import type { CarriedMembers } from './carried.ts'
import { type Extras, leftOutExtras } from './conversation/text-extras.ts'
import { expectedTokens } from './expected-tokens.ts'
import { type ServiceTier, tierUnit } from './usage/service-tier.ts'

export type TextRole = 'system' | 'developer' | 'user' | 'assistant'

/** `cacheControl` marks a point in the conversation; the service should cache everything before it.
 *  The value is as the caller wrote it, such as `{ type: 'ephemeral', ttl: '1h' }`. It never
 *  changes the answer, so a target that does not know it ignores it. */
type CacheMarked = { cacheControl?: JsonObject }

/** A part of a message or of a tool result. */
export type TextPart = CacheMarked & TextPartContent

type TextPartContent =
  | { type: 'text'; text: string }
  | { type: 'refusal'; text: string }
  /** A picture; `url` is an http(s) URL or a data URL. */
  | { type: 'image'; url: string; detail?: string }
  /** A video; `fps` (0.2 to 5) is the number of frames per second that the model samples. */
  | { type: 'video'; url: string; fps?: number }
  /** A recording: base64 data and its container (`wav`, `mp3`). */
  | { type: 'audio'; data: string; format: string }
  /** A document as a data URL. */
  | { type: 'file'; data?: string; name?: string }

/** `function`: arguments are JSON by a schema. `custom`: the model writes free text, which a
 *  grammar may constrain. */
export type ToolKind = 'function' | 'custom'

/** One item of a conversation. Tool calls and their results are items of the list, not parts of
 *  messages. `carried` contains data that the upstream sent in addition (`carried.ts`): in a tool
 *  call those of the call, in a message or in reasoning those of the answer's text. */
export type TextItem =
  | { type: 'message'; role: TextRole; parts: TextPart[]; name?: string; carried?: CarriedMembers }
  /** A tool call; `input` is the JSON text of the arguments, or the raw text of a custom tool. */
  | { type: 'call'; kind: ToolKind; callId: string; name: string; input: string; carried?: CarriedMembers; cacheControl?: JsonObject }
  /** The result of a tool call; `isError` is true when the tool failed. */
  | { type: 'result'; kind: ToolKind; callId: string; output: string | TextPart[]; isError?: boolean; cacheControl?: JsonObject }
  | { type: 'reasoning'; summary: string[]; content: string[]; encrypted?: string; id?: string; carried?: CarriedMembers }

export type ToolGrammar = { syntax: 'lark' | 'regex'; definition: string }

export type TextTool = CacheMarked & TextToolKind

type TextToolKind =
  /** A function; `parameters` is the JSON schema of its arguments. When it is absent or null,
   *  the arguments are an object without members. */
  | { kind: 'function'; name: string; description?: string; parameters?: JsonObject | null; strict?: boolean | null }
  | { kind: 'custom'; name: string; description?: string; grammar?: ToolGrammar }

/** The choice of tools. With `only`, the model can call only the declared tools with these
 *  names. To force the call of one tool, `mode` is `required` and `only` contains its name. */
export type ToolChoice = { mode: 'auto' | 'none' | 'required'; only?: string[] }

export type TextFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | { type: 'json_schema'; name: string; schema: JsonObject; strict?: boolean | null; description?: string }

export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
/** Largest token limit that a caller may set: the largest number that servers with 32-bit
 *  integers accept. */
export const mostTokens = 2 ** 31 - 1

export type ReasoningEffort = (typeof reasoningEfforts)[number]
export type Verbosity = 'low' | 'medium' | 'high'

export type TextRequest = {
  /** Number of gateways the request has passed before this one. */
  hops?: number
  /** The whole conversation, oldest item first; instructions are a first message of role
   *  `developer` or `system`. */
  items: TextItem[]
  tools: TextTool[]
  toolChoice: ToolChoice
  /** False allows at most one tool call. */
  parallelToolCalls: boolean
  format: TextFormat
  /** Largest number of tokens of the answer, including reasoning. */
  maxOutputTokens?: number
  temperature?: number
  topP?: number
  /** Each token is chosen from this number of most probable tokens. */
  topK?: number
  /** Texts at which the answer stops: it ends just before the first of them that the model writes.
   *  At most 4. */
  stop?: string[]
  seed?: number
  frequencyPenalty?: number
  presencePenalty?: number
  /** Bias of -100 to 100 by token id. */
  logitBias?: { [token: string]: number }
  /** Number of alternatives for each token, 0 to 20; no log probabilities when absent. */
  topLogprobs?: number
  /** `budgetTokens` is the largest number of tokens for reasoning, 0 for none. */
  reasoning?: { effort?: ReasoningEffort; summary?: string; budgetTokens?: number }
  verbosity?: Verbosity
  /** The caller's own name for its user. */
  user?: string
  extras: Extras
}

export type TokenLogprob = {
  token: string
  logprob: number
  bytes: number[] | null
  top: { token: string; logprob: number; bytes: number[] | null }[]
}

/** A piece of the model's answer, while the model writes it. Events arrive in the order of the
 *  answer. A text or a piece of reasoning ends when an event of another kind arrives. */
export type TextEvent =
  /** The sampling parameters in use, sent first by a target that knows them. */
  | ({ type: 'sampling' } & TextSampling)
  | { type: 'text'; delta: string; logprobs?: TokenLogprob[] }
  | { type: 'refusal'; delta: string }
  | { type: 'reasoning'; part: 'summary' | 'content'; delta: string }
  /** Ends the reasoning, with data that the upstream requires back in the next turn. */
  | { type: 'reasoning-end'; encrypted?: string; id?: string }
  /** Begins a tool call; `index` counts the tool calls from 0. `name` is the whole name, not a
   *  piece of it. */
  | { type: 'call'; index: number; kind: ToolKind; callId: string; name: string }
  | { type: 'call-input'; index: number; delta: string }
  /** Carried members that the upstream sent for the tool call with the index `call`; when `call` is
   *  absent, for the answer's text. Several events for the same call or text are pieces that
   *  `joinCarried` joins. */
  | { type: 'carried'; call?: number; carried: CarriedMembers }

export type TextFinish = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** Token counts of the model's own tokenizer or of the upstream. */
export type TextUsage = {
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  reasoningTokens: number
  /** Input tokens that were written into the upstream's cache; part of `inputTokens`. */
  cacheWriteTokens?: number
  /** Number of the `cacheWriteTokens` that the cache keeps for an hour; it keeps the others for
   *  minutes. */
  longCacheWriteTokens?: number
  /** Searches of the web that the upstream made for the answer. */
  searches?: number
  /** Search units of a reranking that the upstream charges. */
  searchUnits?: number
  /** The tier in which the upstream answered; absent for its usual one. */
  tier?: ServiceTier
}

/** Counts that only some upstreams report, and the name of the unit in which usage records contain
 *  each of them. */
const furtherUnits = {
  cacheWriteTokens: 'cache_write_tokens',
  longCacheWriteTokens: 'long_cache_write_tokens',
  searches: 'searches',
  searchUnits: 'search_units',
} as const
type FurtherCount = keyof typeof furtherUnits
// The cast is safe: the keys of a constant object are its names.
export const furtherCounts = Object.keys(furtherUnits) as FurtherCount[]

/** The usage of a request that used nothing. */
export const noUsage: TextUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }

/** Returns the sum of both counts. */
export function sumOfUsage(one: TextUsage, other: TextUsage): TextUsage {
  const sum: TextUsage = {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  }
  for (const name of furtherCounts) {
    if (one[name] !== undefined || other[name] !== undefined) sum[name] = (one[name] ?? 0) + (other[name] ?? 0)
  }
  const tier = one.tier ?? other.tier
  return tier === undefined ? sum : { ...sum, tier }
}

/** Returns the counts as units of the ledger. Cached input and input written into a cache are
 *  part of the input, and reasoning is part of the output. With a tier, all tokens are counted a
 *  second time, in the unit of that tier. */
export function unitsOfUsage(usage: TextUsage): UsageUnits[] {
  const lines: UsageUnits[] = [
    { unit: 'input_tokens', units: usage.inputTokens },
    { unit: 'cached_input_tokens', units: usage.cachedInputTokens },
    { unit: 'output_tokens', units: usage.outputTokens },
    { unit: 'reasoning_tokens', units: usage.reasoningTokens },
  ]
  for (const name of furtherCounts) {
    const units = usage[name]
    if (units) lines.push({ unit: furtherUnits[name], units })
  }
  if (usage.tier !== undefined) lines.push({ unit: tierUnit(usage.tier), units: usage.inputTokens + usage.outputTokens })
  return lines
}

/** The sampling parameters that apply to the answer: those in the request, else the model's
 *  defaults. */
export type TextSampling = { temperature: number; topP: number }

/** The report of a finished answer. */
export type TextResult = {
  finish: TextFinish
  usage: TextUsage
  sampling?: TextSampling
  /** The text of `stop` at which the answer ended, when the target reports it. */
  stopText?: string
}

export const textRespond = capability<TextRequest, TextResult, TextEvent>({
  failover: 'text',
  leftOut: ({ extras }) => leftOutExtras(extras),
  expectedUnits: request => {
    const { inputTokens, outputTokens } = expectedTokens('neutral', request)
    return [
      { unit: 'input_tokens', units: inputTokens },
      { unit: 'output_tokens', units: outputTokens },
    ]
  },
})
