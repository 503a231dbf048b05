/** Parts that chat and Responses bodies share, for upstreams that support less than the caller
 *  requests. */
import { hash } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import type { ReasoningEffort, TextItem, TextRequest, TextTool, ToolChoice, Verbosity } from '@generation-gateway/kit/requests/text.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { CarriedTarget } from './carried-members.ts'
import type { Dialect, TextTarget } from './text-target.ts'
import type { ToolPlan } from './tool-plan.ts'

/** The target to which a request is sent; `model` is the upstream's own name of the model. */
export interface UpstreamModel extends CarriedTarget {
  model: string
  dialect: Dialect
}

/** Returns the target in the form that the request builder of a protocol needs. */
export function upstreamModel({ facts, model, protocol }: { facts: TextTarget; model: string; protocol: TextProtocol }): UpstreamModel {
  const { dialect, refusesUnknown = false, reasoningIn = refusesUnknown ? null : 'reasoning_content' } = facts
  const kind = { protocol, dialect, ...serviceDigests(new URL(facts.upstream.origin).hostname, model) }
  return { model, dialect, kind, refusesUnknown, reasoningIn: reasoningIn ?? undefined }
}

/** Returns the digests by which a target of this host and model is known again. */
export function serviceDigests(host: string, model: string): { host: string; model: string } {
  return { host: digestOf(host), model: digestOf(model) }
}

function digestOf(name: string): string {
  return hash('sha256', name, 'hex').slice(0, 16)
}

const verbosityHints: Record<Verbosity, string> = {
  low: 'Answer as briefly as the question allows.',
  medium: 'Answer at moderate length.',
  high: 'Answer at length, with detail and explanation.',
}

/** Returns the conversation. When the upstream has no field for `verbosity`, an instruction to the
 *  model takes its place. */
export function withHint({ items, verbosity }: TextRequest, dialect: Dialect): readonly TextItem[] {
  if (verbosity === undefined || dialect === 'openai') return items
  const hint: TextItem = { type: 'message', role: 'developer', parts: [{ type: 'text', text: verbosityHints[verbosity] }] }
  const isInstruction = (item: TextItem) => item.type === 'message' && (item.role === 'system' || item.role === 'developer')
  const start = items.findIndex(item => !isInstruction(item))
  return items.toSpliced(start < 0 ? items.length : start, 0, hint)
}

/** Returns the fields for a reasoning effort. Outside the dialect `openai` there are only the steps
 *  low, medium and high: `none` and `minimal` turn reasoning off, and an effort above high becomes
 *  high. */
export function effortFields(effort: ReasoningEffort | undefined, dialect: Dialect, protocol: TextProtocol): JsonObject {
  if (effort === undefined) return {}
  if (dialect !== 'openai' && (effort === 'none' || effort === 'minimal'))
    return dialect === 'ark' ? { thinking: { type: 'disabled' } } : { chat_template_kwargs: { enable_thinking: false } }
  const step = dialect !== 'openai' && (effort === 'xhigh' || effort === 'max') ? 'high' : effort
  return protocol === 'chat' ? { reasoning_effort: step } : { reasoning: { effort: step } }
}

interface ToolWords {
  toolOf(tool: TextTool): JsonObject
  choiceOf(choice: ToolChoice, tools: readonly TextTool[]): Json | undefined
}

/** Returns the fields for tools and the tool choice, in the form of the protocol; empty without
 *  tools. */
export function toolFields(request: TextRequest, { tools, choice }: ToolPlan, { toolOf, choiceOf }: ToolWords): JsonObject {
  if (tools.length === 0) return {}
  return {
    tools: tools.map(toolOf),
    tool_choice: choiceOf(choice, tools),
    parallel_tool_calls: request.parallelToolCalls ? undefined : false,
  }
}

/** Returns the error for a part of the request for which the upstream has no field. */
export function cannotTake(what: string): GatewayError {
  return new GatewayError('invalid_request', `The upstream of this model cannot take ${what}.`)
}
