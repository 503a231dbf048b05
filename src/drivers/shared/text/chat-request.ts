/** Builds the body of a chat completion from a neutral request
 *  (docs/vendors/openai-chat.md#request). */

import { defined } from '@generation-gateway/kit/defined.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextFormat, TextRequest, TextTool, ToolChoice } from '@generation-gateway/kit/requests/text.ts'
import { chatMessages } from './chat-messages.ts'
import { effortFields, extraFields, markOf, toolFields, type UpstreamModel, withHint } from './text-common-request.ts'
import { kindsOf, type ToolPlan } from './tool-plan.ts'

/** Returns the body; it always requests a stream with usage. Throws `invalid_request` for a part
 *  that the dialect cannot express. */
export function chatBody(request: TextRequest, plan: ToolPlan, to: UpstreamModel): JsonObject {
  const { model, dialect } = to
  const isFull = dialect === 'openai'
  if (request.reasoning?.summary !== undefined && isFull) to.leaveOut('reasoning', 'the model shows no summary.')
  const limit = { [dialect === 'basic' ? 'max_tokens' : 'max_completion_tokens']: request.maxOutputTokens }
  return defined({
    ...withoutOurs(extraFields(request, to)),
    model,
    messages: chatMessages(withHint(request, dialect), to),
    stream: true,
    stream_options: { include_usage: true },
    ...limit,
    temperature: request.temperature,
    top_p: request.topP,
    stop: request.stop,
    seed: request.seed,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    logit_bias: request.logitBias,
    logprobs: request.topLogprobs === undefined ? undefined : true,
    top_logprobs: request.topLogprobs,
    response_format: formatOf(request.format),
    ...effortFields(request, to),
    verbosity: isFull ? request.verbosity : undefined,
    user: request.user,
    ...toolFields(request, plan, { toolOf: tool => ({ ...toolOf(tool), ...markOf(tool, to) }), choiceOf }),
  })
}

/** Returns the members that the caller added, without those that the gateway sets itself and those
 *  that would change the form of the answer. */
function withoutOurs({
  n,
  stream,
  stream_options,
  store,
  max_tokens,
  max_completion_tokens,
  functions,
  function_call,
  ...rest
}: JsonObject) {
  return rest
}

function toolOf(tool: TextTool): JsonObject {
  const { name, description } = tool
  if (tool.kind === 'function') {
    const parameters = tool.parameters ?? undefined
    return { type: 'function', function: defined({ name, description, parameters, strict: tool.strict ?? undefined }) }
  }
  const format = tool.grammar === undefined ? undefined : { type: 'grammar', grammar: { ...tool.grammar } }
  return { type: 'custom', custom: defined({ name, description, format }) }
}

function choiceOf({ mode, only }: ToolChoice, tools: readonly TextTool[]): Json | undefined {
  if (only === undefined) return mode === 'auto' ? undefined : mode
  const kindOf = kindsOf(tools)
  const named = only.map(name => {
    const kind = kindOf(name)
    return { type: kind, [kind]: { name } }
  })
  if (mode === 'required' && named.length === 1) return named[0]
  return mode === 'none' ? 'none' : { type: 'allowed_tools', allowed_tools: { mode, tools: named } }
}

function formatOf(format: TextFormat): JsonObject | undefined {
  if (format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json_object' }
  const { name, description, schema, strict } = format
  return { type: 'json_schema', json_schema: defined({ name, description, schema, strict: strict ?? undefined }) }
}
