/** Translates a conversation into the arguments of a language model's `doStream`, and the model's
 *  warnings about them into sentences for the caller. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { hopsHeader, nextHop } from '@generation-gateway/kit/requests/hops.ts'
import type { JobFacts } from '@generation-gateway/kit/requests/job.ts'
import type { TextFormat, TextRequest, TextTool } from '@generation-gateway/kit/requests/text.ts'
import { refused } from '../../../shared/refusal.ts'
import type { ToolPlan } from '../../../shared/text/tool-plan.ts'
import { withoutSecrets } from '../../../shared/upstream/secrets.ts'
import { settings, type TargetFacts } from '../settings.ts'
import { withMark } from './cache-marks.ts'
import type { FunctionTool, LanguageCall, LanguageVersion, PromptMessage } from './language-model.ts'
import { cacheMarksUnder, reasoningFor, takesFrameRate, takesUser, textOptionsOf } from './options.ts'

export interface CallContext {
  facts: TargetFacts
  version: LanguageVersion
  request: TextRequest
  plan: ToolPlan
  /** The gateway's id of the job. */
  requestId: string
  prompt: readonly PromptMessage[]
  signal: AbortSignal
}

/** A part of the request that the model does not follow. */
export interface LeftOut {
  field: FieldName
  says: string
}

const longestSentence = 300

/** Throws a refusal for a request with log probabilities or a logit bias, which the AI SDK's
 *  interface lacks. */
export function refuseUnsupportedText({
  request,
  model,
  settings: given,
}: Pick<JobFacts<TextRequest>, 'request' | 'model' | 'settings'>): void {
  const name = `the model ${model} of ${settings.targetOf(given).package}`
  if (request.topLogprobs !== undefined) throw refused('topLogprobs', `${name} returns no log probabilities.`)
  if (request.logitBias !== undefined && Object.keys(request.logitBias).length > 0)
    throw refused('logitBias', `${name} takes no bias of tokens.`)
}

/** Returns the arguments of `doStream`. */
export function languageCallOf({ facts, version, request, plan, requestId, prompt, signal }: CallContext): LanguageCall {
  const { maxOutputTokens, temperature, topP, topK, frequencyPenalty, presencePenalty, seed } = request
  const hosted = plan.choice.mode === 'none' ? [] : facts.textTools.map(tool => hostedTool(tool, version))
  const tools = [
    ...plan.tools.flatMap(tool => toolOf(tool, version).map(each => withMark(each, tool, { marksUnder: cacheMarksUnder(facts.package) }))),
    ...hosted,
  ]
  return {
    prompt,
    ...defined({ maxOutputTokens, temperature, topP, topK, frequencyPenalty, presencePenalty, seed }),
    ...defined({ stopSequences: request.stop?.length ? request.stop : undefined, responseFormat: formatOf(request.format) }),
    ...(tools.length === 0 ? {} : { tools, toolChoice: choiceOf(plan) }),
    ...defined({ reasoning: version === 'v4' ? reasoningFor(facts.package, version, request).effort : undefined }),
    providerOptions: textOptionsOf(facts.package, { version, request, fixed: facts.providerOptions }),
    headers: callHeaders({ requestId, hops: request.hops }),
    abortSignal: signal,
  }
}

/** Returns the headers of every call: the gateway's id of the job, and the number of gateways that
 *  the request has passed. */
export function callHeaders({ requestId, hops }: { requestId: string; hops: number | undefined }): Readonly<Record<string, string>> {
  return { 'x-client-request-id': requestId, [hopsHeader]: '1', ...nextHop(hops) }
}

function toolOf(tool: TextTool, version: LanguageVersion): FunctionTool[] {
  // There are no custom tools here, because the plan has declared them as functions.
  if (tool.kind !== 'function') return []
  const { name, description, parameters, strict } = tool
  const inputSchema = parameters ?? { type: 'object', properties: {} }
  return [
    { type: 'function', name, inputSchema, ...defined({ description, strict: version === 'v2' ? undefined : (strict ?? undefined) }) },
  ]
}

function hostedTool({ id, name, args }: JsonObject, version: LanguageVersion): NonNullable<LanguageCall['tools']>[number] {
  return { type: version === 'v2' ? 'provider-defined' : 'provider', id: textOf(id) ?? '', name: textOf(name) ?? '', args: objectOf(args) }
}

function choiceOf({ choice: { mode, only } }: ToolPlan): NonNullable<LanguageCall['toolChoice']> {
  const [toolName] = only ?? []
  return mode === 'required' && toolName !== undefined ? { type: 'tool', toolName } : { type: mode }
}

function formatOf(format: TextFormat): LanguageCall['responseFormat'] {
  if (format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json' }
  const { schema, name, description } = format
  return { type: 'json', schema, name, ...defined({ description }) }
}

/** Maps members of the call to request fields, where the two have different names. */
const fieldsOfMembers: Readonly<Record<string, FieldName>> = { stopSequences: 'stop', responseFormat: 'format' }
const sameNames: readonly FieldName[] = [
  ...(['temperature', 'topP', 'topK', 'maxOutputTokens', 'frequencyPenalty', 'presencePenalty', 'seed', 'tools'] as const),
  ...(['toolChoice', 'reasoning'] as const),
]

/** Returns the parts of the request that the model does not follow, and the remaining remarks of
 *  the package for the operator. Warnings about members that the call does not have are dropped;
 *  some packages send them. */
export function readWarnings(
  warnings: readonly JsonObject[],
  { facts, version, request, call }: { facts: TargetFacts; version: LanguageVersion; request: TextRequest; call: LanguageCall },
): { leftOut: LeftOut[]; remarks: string[] } {
  const leftOut: LeftOut[] = []
  const remarks: string[] = []
  const { effort, isApproximate, isLeftOut } = reasoningFor(facts.package, version, request)
  if (isLeftOut) leftOut.push({ field: 'reasoning', says: 'the model has no such setting.' })
  if (isApproximate) leftOut.push({ field: 'reasoning', says: `the model accepts no number of tokens and gets the effort ${effort}.` })
  if (hasFrameRate(request) && !takesFrameRate(facts.package))
    leftOut.push({ field: 'items', says: 'the frame rate of videos is left out.' })
  if (request.user !== undefined && !takesUser(facts.package)) leftOut.push({ field: 'user', says: 'the model has no such setting.' })
  for (const warning of warnings) {
    const { type, feature, setting, details, message, tool } = warning
    const said = textOf(details) ?? textOf(message)
    const member = type === 'unsupported-tool' ? 'tools' : (textOf(feature) ?? textOf(setting) ?? '')
    const field = fieldsOfMembers[member] ?? sameNames.find(name => name === member)
    if (!String(type).startsWith('unsupported') || field === undefined) remarks.push(`${member}: ${said ?? String(type)}`)
    else if (Reflect.get(call, member) !== undefined || type === 'unsupported-tool') {
      const what = said ?? (type === 'unsupported-tool' ? `${textOf(objectOf(tool).name)} left out.` : 'the model does not follow it.')
      leftOut.push({ field, says: withoutSecrets(what, facts.secrets).slice(0, longestSentence) })
    }
  }
  return { leftOut, remarks }
}

function hasFrameRate({ items }: TextRequest): boolean {
  return items.some(item => item.type === 'message' && item.parts.some(part => part.type === 'video' && part.fps !== undefined))
}
