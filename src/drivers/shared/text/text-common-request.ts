/** Functions shared by the code that builds the bodies of conversation requests for upstreams. Many
 *  of these functions decide what happens to fields of a request that the upstream does not
 *  support. */
import { hash } from 'node:crypto'
import { TargetRefusal } from '@generation-gateway/kit/errors.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import type { OwnFields } from '@generation-gateway/kit/requests/capability.ts'
import { leftOutExtras, translatedExtras } from '@generation-gateway/kit/requests/conversation/text-extras.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { ReasoningEffort, TextItem, TextRequest, TextTool, ToolChoice, Verbosity } from '@generation-gateway/kit/requests/text.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { CarriedTarget } from './carried-members.ts'
import type { Dialect, TextTarget } from './text-target.ts'
import type { ToolPlan } from './tool-plan.ts'

/** The target to which a request is sent; `model` is the upstream's own name of the model. */
export interface UpstreamModel extends CarriedTarget {
  model: string
  dialect: Dialect
  /** True when the target knows Anthropic's marks for its cache (`cache_control`). */
  takesCacheMarks: boolean
  /** See `TextFacts`. */
  isVertex: boolean
  /** Called for each part of the request that the body leaves out or changes, possibly several
   *  times with the same sentence (`Job.warn`). */
  leaveOut(field: FieldName | OwnFields, says: string): void
}

interface TargetFacts {
  facts: TextTarget
  model: string
  protocol: TextProtocol
  leaveOut?: UpstreamModel['leaveOut']
}

/** Returns the target in the form that the request builder of a protocol needs. */
export function upstreamModel({ facts, model, protocol, leaveOut = () => {} }: TargetFacts): UpstreamModel {
  const { dialect, refusesUnknown = false, reasoningIn = refusesUnknown ? null : 'reasoning_content' } = facts
  // Anthropic's Messages protocol defines cache marks. In the chat protocol, only some services
  // know them.
  const takesCacheMarks = protocol === 'messages' || (protocol === 'chat' && facts.takesCacheMarks === true)
  const kind = { protocol, dialect, ...serviceDigests(new URL(facts.upstream.origin).hostname, model) }
  const isVertex = facts.isVertex === true
  return { model, dialect, kind, refusesUnknown, takesCacheMarks, isVertex, leaveOut, reasoningIn: reasoningIn ?? undefined }
}

/** Returns digests of host and model. A later request compares them to find out whether a target
 *  has the same host or model. */
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

/** Returns the fields for a reasoning effort; none without an effort. The dialect `openai` gets
 *  the effort unchanged. The other dialects know only low, medium and high: for `none` and
 *  `minimal`, reasoning is turned off, and an effort above high becomes high. A limit of 0
 *  reasoning tokens (`budgetTokens`) means `none`, whatever the effort is. Reports a changed
 *  effort, and a limit above 0, because these protocols have no field for it. */
export function effortFields({ reasoning }: Pick<TextRequest, 'reasoning'>, { dialect, kind, leaveOut }: EffortTarget): JsonObject {
  const { budgetTokens } = reasoning ?? {}
  const effort = budgetTokens === 0 ? 'none' : reasoning?.effort
  if (effort === undefined) {
    if (budgetTokens !== undefined) leaveOut('reasoning', 'the model accepts no number of tokens.')
    return {}
  }
  const step = stepOf(effort, dialect)
  if (budgetTokens) leaveOut('reasoning', `the model accepts no number of tokens and gets the effort ${step}.`)
  else if (step !== effort) leaveOut('reasoning', `the model does not know the effort ${effort} and gets ${step}.`)
  if (dialect !== 'openai' && step === 'none')
    return dialect === 'ark' ? { thinking: { type: 'disabled' } } : { chat_template_kwargs: { enable_thinking: false } }
  return kind.protocol === 'chat' ? { reasoning_effort: step } : { reasoning: { effort: step } }
}

type EffortTarget = Pick<UpstreamModel, 'dialect' | 'leaveOut'> & { kind: Pick<CarriedTarget['kind'], 'protocol'> }

function stepOf(effort: ReasoningEffort, dialect: Dialect): ReasoningEffort {
  if (dialect === 'openai') return effort
  if (effort === 'minimal') return 'none'
  return effort === 'xhigh' || effort === 'max' ? 'high' : effort
}

/** Returns those fields of the caller's body that the gateway itself does not read, in the form
 *  of the target's protocol. Reports the fields that have no such form and are left out. */
export function extraFields(
  { extras }: TextRequest,
  { kind: { protocol }, dialect, takesCacheMarks, leaveOut }: UpstreamModel,
): JsonObject {
  if (extras.protocol === protocol) return extras.fields
  // Servers of the dialects `basic` and `ark` may refuse fields that only OpenAI knows.
  const isTaken = dialect === 'openai' || protocol === 'messages'
  const sent = isTaken || takesCacheMarks ? translatedExtras(extras, { protocol, takesCacheMarks }) : {}
  if (!isTaken) for (const name in sent) if (name !== 'cache_control') delete sent[name]
  const found = leftOutExtras(extras, new Set(Object.keys(sent)))
  if (found) leaveOut(found.fields, found.says)
  return sent
}

/** Parts of a conversation that not every protocol can express. */
const losses = {
  name: 'the names of participants are left out.',
  isError: 'that a tool failed is left out.',
  detail: 'the detail of pictures is left out.',
  fileName: 'the names of files are left out.',
}

/** Reports the members of an item for which the protocol has no place. */
export function reportLost(item: TextItem, { kind: { protocol }, leaveOut }: UpstreamModel): void {
  const lost = (what: keyof typeof losses) => leaveOut('items', losses[what])
  const isOpenai = protocol === 'chat' || protocol === 'responses'
  if (item.type === 'message' && item.name !== undefined && protocol !== 'chat') lost('name')
  if (item.type === 'result' && item.isError && isOpenai) lost('isError')
  if (isOpenai) return
  const parts = item.type === 'message' ? item.parts : item.type === 'result' && typeof item.output !== 'string' ? item.output : []
  for (const part of parts) {
    if (part.type === 'image' && part.detail !== undefined) lost('detail')
    if (part.type === 'file' && part.name !== undefined && protocol === 'generate-content') lost('fileName')
  }
}

/** Reports the members of a response format that the Messages protocol and Gemini's protocol cannot
 *  express. */
export function reportFormat({ format }: TextRequest, { leaveOut }: UpstreamModel): void {
  if (format.type === 'json_schema' && format.description !== undefined) leaveOut('format', 'the description is left out.')
}

/** Returns an object with the cache mark of a part, a tool or an item; an empty object without a
 *  mark, and for a target that knows no marks. */
export function markOf(
  { cacheControl }: { cacheControl?: JsonObject },
  { takesCacheMarks }: UpstreamModel,
): { cache_control?: JsonObject } {
  return takesCacheMarks && cacheControl !== undefined ? { cache_control: cacheControl } : {}
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

/** Returns the refusal of a part of the conversation for which the upstream has no field; another
 *  target is then tried. */
export function cannotTake(what: string): TargetRefusal {
  return new TargetRefusal('invalid_request', `The upstream of this model cannot take ${what}.`)
}
