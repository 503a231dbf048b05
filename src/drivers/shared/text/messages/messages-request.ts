/** Builds the body of Anthropic's Messages protocol from a neutral request
 *  (docs/vendors/anthropic-messages.md#request). */

import { defined } from '@generation-gateway/kit/defined.ts'
import { type JsonObject, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import type { ReasoningEffort, TextItem, TextRequest, TextTool, ToolChoice } from '@generation-gateway/kit/requests/text.ts'
import { refusalOf } from '../lacking-fields.ts'
import { extraFields, markOf, reportFormat, toolFields, type UpstreamModel, withHint } from '../text-common-request.ts'
import type { ToolPlan } from '../tool-plan.ts'
import { blockOf, isClaude, messagesOf } from './messages-blocks.ts'

/** Largest number of tokens of the answer itself when the caller sets no limit; the protocol
 *  requires `max_tokens`. The tokens for thinking are added to it, up to the limit of the model. */
const usualMaxTokens = 16_384
/** Least number of tokens for thinking that the protocol accepts. */
const leastBudget = 1_024

/** Largest `max_tokens` of Claude models that accept a number of thinking tokens
 *  (docs/vendors/anthropic-messages.md#request). */
const mostTokens = 64_000
const mostTokensOfOpus4 = 32_000
/** Matches Claude Opus 4 and 4.1. */
const opus4 = /claude-opus-4(?:-[01])?(?:-\d{8}|@|-v\d|$)/

/** Numbers of tokens for thinking by effort, for models that accept no effort. Fewer tokens are
 *  sent when `max_tokens` would otherwise leave too few for the answer. */
const budgets: Record<Exclude<ReasoningEffort, 'none'>, number> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
}

/** Returns the body; it always requests a stream. Throws `invalid_request` for a part that the
 *  protocol cannot express. */
export function messagesBody(request: TextRequest, plan: ToolPlan, to: UpstreamModel): JsonObject {
  const { temperature } = request
  const fields = extraFields(request, to)
  reportFormat(request, to)
  const items = withHint(request, 'basic')
  const messages = messagesOf(items, to)
  const tools = toolFields(request, plan, {
    toolOf: tool => ({ ...toolOf(tool), ...markOf(tool, to) }),
    choiceOf: choice => choiceOf(choice, request.parallelToolCalls),
  })
  const reasoning = reasoningFields(request, { to, messages, isForced: plan.tools.length > 0 && plan.choice.mode === 'required' })
  const thinking = fields.thinking ?? reasoning.thinking
  if (temperature !== undefined && temperature > 1)
    throw refusalOf('temperature', `is ${temperature}; the upstream of this model takes at most 1.`)
  // Claude refuses sampling parameters while it thinks.
  const isThinking = ['enabled', 'adaptive'].includes(String(objectOf(thinking).type)) && isClaude(to.model)
  if (isThinking)
    for (const field of ['temperature', 'topP', 'topK'] as const)
      if (request[field] !== undefined) to.leaveOut(field, 'the model takes none while it thinks.')
  const format = request.format.type === 'json_schema' ? { type: 'json_schema', schema: request.format.schema } : undefined
  const outputConfig = { ...reasoning.outputConfig, ...defined({ format }), ...objectOf(fields.output_config) }
  const budget = Number(objectOf(thinking).budget_tokens ?? 0)
  return defined({
    ...fields,
    model: to.model,
    max_tokens: request.maxOutputTokens ?? Math.min(usualMaxTokens + budget, mostTokensOf(to.model)),
    system: systemOf(request, items, to),
    messages,
    stream: true,
    stop_sequences: request.stop,
    temperature: isThinking ? undefined : temperature,
    top_p: isThinking ? undefined : request.topP,
    top_k: isThinking ? undefined : request.topK,
    thinking,
    output_config: Object.keys(outputConfig).length === 0 ? undefined : outputConfig,
    metadata: request.user === undefined ? undefined : { user_id: request.user },
    tools: tools.tools,
    tool_choice: tools.tool_choice,
  })
}

/** Returns the body of a request for a count of input tokens
 *  (docs/vendors/anthropic-messages.md#counting). */
export function messagesCount(request: TextRequest, plan: ToolPlan, to: UpstreamModel): JsonObject {
  const { model, messages, system, tools, tool_choice, thinking } = messagesBody(request, plan, to)
  return defined({ model, messages, system, tools, tool_choice, thinking })
}

/** Returns all instructions of the conversation; undefined when there are none. They are sent
 *  before the messages, because most models accept no instructions between messages. */
function systemOf({ format }: TextRequest, items: readonly TextItem[], to: UpstreamModel): string | JsonObject[] | undefined {
  const instructions = items.flatMap(item => (item.type === 'message' && isInstruction(item) ? [item.parts] : []))
  if (format.type === 'json_object') instructions.push([{ type: 'text', text: 'Answer with one JSON object and nothing around it.' }])
  // The instructions are one text, unless parts of it are marked for the cache.
  if (instructions.some(parts => parts.some(part => part.cacheControl))) return instructions.flat().flatMap(part => blockOf(part, to))
  const texts = instructions.map(parts => parts.flatMap(part => (part.type === 'text' && part.text !== '' ? [part.text] : [])).join('\n'))
  const text = texts.filter(each => each !== '').join('\n\n')
  return text === '' ? undefined : text
}

function isInstruction({ role }: Extract<TextItem, { type: 'message' }>): boolean {
  return role === 'system' || role === 'developer'
}

function toolOf({ name, description, ...tool }: TextTool): JsonObject {
  const parameters = tool.kind === 'function' ? tool.parameters : undefined
  const strict = tool.kind === 'function' && tool.strict === true ? true : undefined
  return defined({ name, description, input_schema: { type: 'object', ...parameters }, strict })
}

function choiceOf({ mode, only }: ToolChoice, isParallel: boolean): JsonObject | undefined {
  const single = isParallel || mode === 'none' ? {} : { disable_parallel_tool_use: true }
  if (mode === 'required' && only?.length === 1) return { type: 'tool', name: only[0], ...single }
  if (mode === 'auto') return isParallel ? undefined : { type: 'auto', ...single }
  return { type: mode === 'required' ? 'any' : 'none', ...single }
}

interface ReasoningFields {
  thinking?: JsonObject
  outputConfig?: JsonObject
}

interface ThinkingFacts {
  to: UpstreamModel
  messages: readonly JsonObject[]
  /** True when the model must call a tool. */
  isForced: boolean
}

/** Returns the fields for the reasoning. Newer Claude models accept an effort; older Claude models
 *  and other servers accept a number of tokens. A model that must call a tool cannot think. */
function reasoningFields({ reasoning, maxOutputTokens }: TextRequest, { to, messages, isForced }: ThinkingFacts): ReasoningFields {
  const { effort, budgetTokens } = reasoning ?? {}
  if (effort === 'none' || budgetTokens === 0) return { thinking: { type: 'disabled' } }
  if (effort === undefined && budgetTokens === undefined) return {}
  if (isClaude(to.model) && !takesBudget.test(to.model)) {
    const step = effort === 'minimal' ? 'low' : effort
    if (budgetTokens !== undefined)
      to.leaveOut('reasoning', `the model accepts no number of tokens${step === undefined ? '' : ` and gets the effort ${step}`}.`)
    else if (step !== effort) to.leaveOut('reasoning', `the model does not know the effort ${effort} and gets ${step}.`)
    const outputConfig = step === undefined ? {} : { outputConfig: { effort: step } }
    return isForced ? outputConfig : { thinking: { type: 'adaptive' }, ...outputConfig }
  }
  if (isForced || (isClaude(to.model) && continuesUnsigned(messages))) {
    to.leaveOut('reasoning', 'the model cannot think in this turn, because of its tool calls.')
    return {}
  }
  const wanted = budgetTokens ?? budgets[effort ?? 'medium']
  const room = maxOutputTokens === undefined ? mostTokensOf(to.model) - usualMaxTokens : maxOutputTokens - leastBudget
  if (room < leastBudget) {
    to.leaveOut('reasoning', `the limit of the answer leaves less than the ${leastBudget} tokens that thinking needs.`)
    return {}
  }
  if (maxOutputTokens === undefined && budgetTokens !== undefined && budgetTokens > room)
    to.leaveOut('reasoning', `the model gets ${room} tokens for thinking, so that ${usualMaxTokens} are left for its answer.`)
  return { thinking: { type: 'enabled', budget_tokens: Math.min(wanted, room) } }
}

/** Returns the largest `max_tokens` of the model; Infinity when it is not known. */
function mostTokensOf(model: string): number {
  if (!isClaude(model) || !takesBudget.test(model)) return Number.POSITIVE_INFINITY
  return opus4.test(model) ? mostTokensOfOpus4 : mostTokens
}

/** Matches Claude models that accept a number of thinking tokens: those before version 4.6. */
const takesBudget = /claude-(?:3|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8}|@|-v\d|$))/

/** Returns true when the conversation ends with tool results, and the turn with their calls does
 *  not begin with thinking. Claude refuses to think in the rest of such a turn. */
function continuesUnsigned(messages: readonly JsonObject[]): boolean {
  const [results] = objectsOf(messages.at(-1)?.content)
  if (results?.type !== 'tool_result') return false
  const [first] = objectsOf(messages.at(-2)?.content)
  return first?.type !== 'thinking' && first?.type !== 'redacted_thinking'
}
