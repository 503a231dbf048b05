/** Converts the body that creates a response into the neutral request and into the fields that the
 *  response object repeats. */

import { defined } from '@generation-gateway/kit/defined.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import { type ReasoningEffort, reasoningEfforts, type TextRequest } from '@generation-gateway/kit/requests/text.ts'
import type { Static } from 'typebox'
import { othersIn } from '../shared/left-out.ts'
import type { ToolNames } from './input/namespaces.ts'
import { refuse } from './input/refuse.ts'
import { readToolChoice } from './input/tool-choice.ts'
import { readTextOptions, readTools } from './input/tools.ts'
import type { createBody } from './schema/request-schema.ts'
import type { WireResponse } from './schema/response-schema.ts'

export type CreateBody = Static<typeof createBody>

/** The neutral request without the conversation itself. */
type ModelRequest = Omit<TextRequest, 'items'>
export type ResponseEcho = Omit<WireResponse, 'id' | 'created_at' | 'model' | 'previous_response_id'>

/** Fields that are translated into the neutral request, and fields that the gateway itself handles.
 *  All other fields are forwarded only to an upstream that speaks this protocol. Of `include` and
 *  `thinking`, only the parts that were not translated are forwarded (`extraFields`). */
const understood = new Set([
  ...['model', 'input', 'instructions', 'previous_response_id', 'conversation', 'store', 'expire_at', 'stream', 'stream_options'],
  ...['background', 'tools', 'tool_choice', 'parallel_tool_calls', 'text', 'reasoning', 'max_output_tokens', 'temperature', 'top_p'],
  ...['top_logprobs', 'presence_penalty', 'frequency_penalty', 'user'],
])
const logprobsWord = 'message.output_text.logprobs'
const encryptedWord = 'reasoning.encrypted_content'

interface ParsedRequest {
  modelRequest: ModelRequest
  echo: ResponseEcho
  names: ToolNames
  /** Types of declared tools that are not sent to the model. */
  leftOut: readonly string[]
}

/** Returns the parsed request. Throws `invalid_request` naming the field. */
export function readRequest(body: CreateBody): ParsedRequest {
  refuseUnoffered(body)
  const tools = readTools(body.tools ?? [])
  const choice = readToolChoice(body.tool_choice, tools)
  const text = readTextOptions(body.text ?? {})
  const reasoning = readReasoning(body)
  const modelRequest: ModelRequest = {
    tools: tools.neutral,
    toolChoice: choice.neutral,
    parallelToolCalls: body.parallel_tool_calls ?? true,
    ...text.neutral,
    ...sampling(body),
    ...(reasoning ? { reasoning } : {}),
    extras: { protocol: 'responses', fields: extraFields(body) },
  }
  const echo = echoOf(body, { tools: tools.echo, tool_choice: choice.echo, text: text.echo, reasoning })
  return { modelRequest, echo, names: tools.names, leftOut: tools.leftOut }
}

/** Returns true when the caller wants to see encrypted reasoning. */
export function includesEncrypted(include: readonly string[]): boolean {
  return include.includes(encryptedWord)
}

function refuseUnoffered(body: CreateBody): void {
  if (body.prompt) throw refuse('prompt', 'prompt is not offered by this model; send its text as instructions and input.', 'unsupported')
}

function sampling(body: CreateBody): Partial<ModelRequest> {
  const wantsLogprobs = (body.top_logprobs ?? 0) > 0 || body.include?.includes(logprobsWord) === true
  return {
    ...(typeof body.max_output_tokens === 'number' ? { maxOutputTokens: body.max_output_tokens } : {}),
    ...(typeof body.temperature === 'number' ? { temperature: body.temperature } : {}),
    ...(typeof body.top_p === 'number' ? { topP: body.top_p } : {}),
    ...(typeof body.presence_penalty === 'number' ? { presencePenalty: body.presence_penalty } : {}),
    ...(typeof body.frequency_penalty === 'number' ? { frequencyPenalty: body.frequency_penalty } : {}),
    ...(typeof body.user === 'string' ? { user: body.user } : {}),
    ...(wantsLogprobs ? { topLogprobs: body.top_logprobs ?? 0 } : {}),
  }
}

/** Returns the reasoning effort and the kind of summary. `thinking` is Ark's field: `disabled`
 *  means effort `none`, and contradicts any effort above `minimal`
 *  (docs/vendors/ark.md#responses). */
function readReasoning(body: CreateBody): { effort?: ReasoningEffort; summary?: string } | undefined {
  const { effort: given, summary } = body.reasoning ?? {}
  let effort = reasoningEfforts.find(word => word === given)
  if (body.thinking?.type === 'disabled') {
    if (effort !== undefined && effort !== 'none' && effort !== 'minimal') {
      throw refuse('reasoning.effort', `reasoning.effort is ${effort}, but thinking is disabled.`)
    }
    effort ??= 'none'
  }
  if (effort === undefined && typeof summary !== 'string') return undefined
  return { ...defined({ effort }), ...(typeof summary === 'string' ? { summary } : {}) }
}

function extraFields(body: CreateBody): JsonObject {
  const fields = othersIn(body, understood)
  const include = (body.include ?? []).filter(word => word !== logprobsWord && word !== encryptedWord)
  if (include.length > 0) fields.include = include
  else delete fields.include
  if (body.thinking?.type === 'disabled') delete fields.thinking // The neutral effort says the same, so `thinking` is not forwarded.
  return fields
}

interface EchoFields {
  tools: Json
  tool_choice: Json
  text: Json
  reasoning: { effort?: string; summary?: string } | undefined
}

function echoOf(body: CreateBody, { reasoning, ...echoed }: EchoFields): ResponseEcho {
  return {
    object: 'response',
    completed_at: null,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    conversation: null,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    service_tier: 'default',
    store: body.store ?? true,
    background: body.background ?? false,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    temperature: body.temperature ?? 1,
    top_p: body.top_p ?? 1,
    top_logprobs: body.top_logprobs ?? 0,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    ...echoed,
    truncation: body.truncation ?? 'disabled',
    metadata: body.metadata ?? {},
    user: body.user ?? null,
    safety_identifier: body.safety_identifier ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    usage: null,
    ...(typeof body.expire_at === 'number' ? { expire_at: body.expire_at } : {}),
  }
}
