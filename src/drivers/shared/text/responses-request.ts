/** Builds the body of a Responses request from a neutral request
 *  (docs/vendors/openai-responses.md#request, docs/vendors/ark.md#responses). */

import { defined } from '@generation-gateway/kit/defined.ts'
import { type Json, type JsonObject, listOf, objectOf } from '@generation-gateway/kit/json.ts'
import type { TextFormat, TextItem, TextPart, TextRequest, TextTool, ToolChoice } from '@generation-gateway/kit/requests/text.ts'
import { carriedFor, carriedOfItem } from './carried-members.ts'
import { cannotTake, effortFields, extraFields, reportLost, toolFields, type UpstreamModel, withHint } from './text-common-request.ts'
import type { Dialect } from './text-target.ts'
import { kindsOf, type ToolPlan, wrapInput } from './tool-plan.ts'

/** Returns the body. The body always requests a stream and forbids storage at the upstream. Storage
 *  is not needed, because each request contains the whole conversation. Throws a
 *  `TargetRefusal` for a part that the dialect cannot express. */
export function responsesBody(request: TextRequest, plan: ToolPlan, to: UpstreamModel): JsonObject {
  const { model, dialect } = to
  const isFull = dialect === 'openai'
  const { include, ...extras } = withoutOurs(extraFields(request, to))
  const text = defined({ format: formatOf(request.format), verbosity: isFull ? request.verbosity : undefined })
  return defined({
    ...extras,
    model,
    input: withHint(request, dialect).flatMap((item, index) => itemOf(item, to, index)),
    stream: true,
    store: false,
    include: includeOf(request, { isFull, others: listOf(include) }),
    max_output_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_logprobs: request.topLogprobs,
    user: request.user,
    text: Object.keys(text).length === 0 ? undefined : text,
    ...reasoningFields(request, to),
    ...toolFields(request, plan, { toolOf, choiceOf }),
  })
}

/** Returns the request that makes the upstream count input tokens
 *  (docs/vendors/openai-responses.md#input-tokens). */
export function responsesCount(request: TextRequest, plan: ToolPlan, to: UpstreamModel): JsonObject {
  const { model, input, tools, tool_choice, parallel_tool_calls, text, reasoning, truncation } = responsesBody(request, plan, to)
  return defined({ model, input, tools, tool_choice, parallel_tool_calls, text, reasoning, truncation })
}

/** Returns the members that the caller added, without those that the gateway sets itself and those
 *  that refer to objects stored at the upstream. */
function withoutOurs({ stream, stream_options, store, background, previous_response_id, conversation, ...rest }: JsonObject) {
  return rest
}

function includeOf(request: TextRequest, { isFull, others }: { isFull: boolean; others: readonly Json[] }): Json[] | undefined {
  const include = [...others]
  if (request.topLogprobs !== undefined) include.push('message.output_text.logprobs')
  // Encrypted reasoning is requested only when the caller set `reasoning`, because models without
  // reasoning refuse this `include` value.
  if (isFull && request.reasoning !== undefined) include.push('reasoning.encrypted_content')
  return include.length === 0 ? undefined : include
}

function reasoningFields(request: TextRequest, to: UpstreamModel): JsonObject {
  const { dialect } = to
  const { reasoning } = request
  const fields = effortFields(request, to)
  if (reasoning?.summary === undefined || dialect !== 'openai') return fields
  return { ...fields, reasoning: { ...objectOf(fields.reasoning), summary: reasoning.summary } }
}

function toolOf(tool: TextTool): JsonObject {
  const { name, description } = tool
  if (tool.kind === 'custom') {
    const format = tool.grammar === undefined ? undefined : { type: 'grammar', ...tool.grammar }
    return defined({ type: 'custom', name, description, format })
  }
  // The Responses protocol requires `parameters` and `strict`: absent parameters are sent as null,
  // and an absent `strict` as false.
  return defined({ type: 'function', name, description, parameters: tool.parameters ?? null, strict: tool.strict ?? false })
}

function choiceOf({ mode, only }: ToolChoice, tools: readonly TextTool[]): Json | undefined {
  if (only === undefined) return mode === 'auto' ? undefined : mode
  const kindOf = kindsOf(tools)
  const named = only.map(name => ({ type: kindOf(name), name }))
  if (mode === 'required' && named.length === 1) return named[0]
  return mode === 'none' ? 'none' : { type: 'allowed_tools', mode, tools: named }
}

function formatOf(format: TextFormat): JsonObject | undefined {
  if (format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json_object' }
  const { name, description, schema, strict } = format
  return defined({ type: 'json_schema', name, description, schema, strict: strict ?? undefined })
}

function itemOf(item: TextItem, to: UpstreamModel, index: number): JsonObject[] {
  const carried = item.type === 'result' ? undefined : carriedFor(to, item.carried)
  reportLost(item, to)
  const items = plainItemOf(item, to.dialect, index)
  const members = carried && carriedOfItem(carried.members)
  return members ? items.map(plain => ({ ...members, ...plain })) : items
}

function plainItemOf(item: TextItem, dialect: Dialect, index: number): JsonObject[] {
  const isFull = dialect === 'openai'
  if (item.type === 'message') return [messageOf(item, dialect, index)]
  if (item.type === 'reasoning') return reasoningOf(item, dialect)
  if (item.type === 'call') {
    const { callId: call_id, name, input } = item
    if (item.kind === 'custom' && isFull) return [{ type: 'custom_tool_call', call_id, name, input }]
    return [{ type: 'function_call', call_id, name, arguments: item.kind === 'custom' ? wrapInput(input) : input }]
  }
  const output = typeof item.output === 'string' ? item.output : item.output.map(part => partOf(part, dialect))
  const type = item.kind === 'custom' && isFull ? 'custom_tool_call_output' : 'function_call_output'
  return [{ type, call_id: item.callId, output }]
}

function messageOf({ role, parts }: Extract<TextItem, { type: 'message' }>, dialect: Dialect, index: number): JsonObject {
  const isFull = dialect === 'openai'
  if (role === 'user') return { type: 'message', role, content: parts.map(part => partOf(part, dialect)) }
  const texts = parts.flatMap(part => (part.type === 'text' || part.type === 'refusal' ? [part.text] : []))
  if (role === 'assistant') return { type: 'message', role, ...answerOf(texts.join(''), dialect, index) }
  return { type: 'message', role: isFull ? role : 'system', content: texts.join('\n') }
}

/** Returns an earlier answer of the model as an input item. The full form of an answer has an id. A
 *  service that stores responses may look up that id and fail, so it gets the text as a plain
 *  string. Servers of the dialect `basic` store nothing and get the full form, because llama.cpp
 *  accepts no other. */
function answerOf(text: string, dialect: Dialect, index: number): JsonObject {
  if (dialect !== 'basic') return { content: text }
  return { id: `msg_${index}`, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] }
}

/** Returns the reasoning items that the target can use. Encrypted reasoning is always sent;
 *  readable reasoning is sent only to servers of the dialect `basic`. An item with only an id is
 *  never sent: it would refer to reasoning that the service stores, perhaps for another account. */
function reasoningOf(item: Extract<TextItem, { type: 'reasoning' }>, dialect: Dialect): JsonObject[] {
  const summary = item.summary.map(text => ({ type: 'summary_text', text }))
  if (item.encrypted) return [defined({ type: 'reasoning', id: item.id, summary, encrypted_content: item.encrypted })]
  if (dialect !== 'basic' || item.content.length === 0) return []
  return [defined({ type: 'reasoning', id: item.id, summary, content: item.content.map(text => ({ type: 'reasoning_text', text })) })]
}

function partOf(part: TextPart, dialect: Dialect): JsonObject {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: 'input_text', text: part.text }
    case 'image':
      return defined({ type: 'input_image', image_url: part.url, detail: part.detail ?? (dialect === 'openai' ? 'auto' : undefined) })
    case 'video':
      if (dialect === 'basic') throw cannotTake('videos')
      return defined({ type: 'input_video', video_url: part.url, fps: part.fps })
    case 'audio':
      if (dialect === 'ark') return { type: 'input_audio', audio_url: `data:audio/${part.format};base64,${part.data}` }
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } }
    case 'file':
      return defined({ type: 'input_file', file_data: part.data, filename: part.name })
  }
}
