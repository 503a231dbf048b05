/** Builds the body of a request in Gemini's protocol (`generateContent`) from a neutral request. */

import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type JsonObject, objectOf, parsedJson } from '@generation-gateway/kit/json.ts'
import { isOpenLink } from '@generation-gateway/kit/outbound/open-link.ts'
import { joinMembers } from '@generation-gateway/kit/requests/carried.ts'
import type { TextFormat, TextItem, TextPart, TextRequest, TextTool, ToolChoice } from '@generation-gateway/kit/requests/text.ts'
import { carriedFor } from '../carried-members.ts'
import { cannotTake, extraFields, reportFormat, reportLost, type UpstreamModel, withHint } from '../text-common-request.ts'
import { type ToolPlan, wrapInput } from '../tool-plan.ts'

interface Content {
  role: 'user' | 'model'
  parts: JsonObject[]
}

/** Returns the body. It does not say whether the answer is streamed; the URL does. Throws
 *  `invalid_request` for a part that the protocol cannot express. */
export function geminiBody(request: TextRequest, plan: ToolPlan, to: UpstreamModel): JsonObject {
  const items = withHint(request, to.dialect)
  const start = items.findIndex(item => !isInstruction(item))
  const instructions = start < 0 ? items : items.slice(0, start)
  const system = instructions.flatMap(item => (item.type === 'message' ? item.parts.map(partOf) : []))
  const own = extraFields(request, to)
  reportFormat(request, to)
  return defined({
    ...withoutOurs(own),
    contents: contentsOf(start < 0 ? [] : items.slice(start), to),
    systemInstruction: system.length === 0 ? undefined : { parts: system },
    generationConfig: configOf(request, objectOf(own.generationConfig)),
    ...toolFields(plan, to),
  })
}

/** Returns the request for a count of input tokens (docs/vendors/gemini.md#count-of-tokens). */
export function geminiCount(request: TextRequest, plan: ToolPlan, to: UpstreamModel): JsonObject {
  const body = geminiBody(request, plan, to)
  if (!to.isVertex) return { generateContentRequest: { model: `models/${to.model}`, ...body } }
  const { contents, systemInstruction, generationConfig, tools } = body
  return defined({ contents, systemInstruction, generationConfig, tools })
}

function isInstruction(item: TextItem): boolean {
  return item.type === 'message' && (item.role === 'system' || item.role === 'developer')
}

/** Returns the members that the caller added, without those that the gateway sets itself and
 *  without `cachedContent`, which names an object that an upstream stores. */
function withoutOurs({ contents, systemInstruction, generationConfig, tools, toolConfig, cachedContent, ...rest }: JsonObject) {
  return rest
}

/** Returns the items as contents. Successive items of the same role are joined into one content, so
 *  the roles alternate. */
function contentsOf(items: readonly TextItem[], to: UpstreamModel): JsonObject[] {
  const contents: Content[] = []
  const names = new Map<string, string>()
  /** The signature of reasoning. It is put on the next part of the answer. */
  let beside: JsonObject = {}
  const add = (role: Content['role'], parts: readonly JsonObject[]): void => {
    const last = contents.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else if (parts.length > 0) contents.push({ role, parts: [...parts] })
  }
  for (const item of items) {
    reportLost(item, to)
    if (item.type === 'reasoning') joinMembers(beside, signatureOf(item, to))
    else if (item.type === 'call') {
      names.set(item.callId, item.name)
      const signature = { ...beside, ...signatureOf(item, to) }
      add('model', [{ functionCall: { name: item.name, args: argumentsOf(item) }, ...signature }])
      beside = {}
    } else if (item.type === 'result') add('user', resultParts(item, names.get(item.callId) ?? item.callId))
    else if (item.role === 'assistant') {
      add('model', answerParts(item, { ...beside, ...signatureOf(item, to) }))
      beside = {}
    } else add('user', item.parts.map(partOf))
  }
  return contents.map(content => ({ ...content }))
}

/** Returns an object with the signature that a target of this kind sent for the item; an empty
 *  object when there is none. */
function signatureOf(item: TextItem, to: UpstreamModel): JsonObject {
  const carried = 'carried' in item ? carriedFor(to, item.carried) : undefined
  const signature = carried?.members.thoughtSignature
  return typeof signature === 'string' ? { thoughtSignature: signature } : {}
}

/** Returns the parts of the model's answer; the last part gets the signature. */
function answerParts({ parts }: Extract<TextItem, { type: 'message' }>, signature: JsonObject): JsonObject[] {
  const said = parts.map(partOf)
  const last = said.pop()
  return last === undefined ? [] : [...said, { ...last, ...signature }]
}

function argumentsOf({ kind, input }: Extract<TextItem, { type: 'call' }>): JsonObject {
  const value = parsedJson(kind === 'custom' ? wrapInput(input) : input)
  return isObject(value) ? value : { input }
}

/** Returns the result of a tool as an object, which the protocol requires. A result that is not an
 *  object becomes the member `output`, or `error` when the tool failed. Files follow as parts of
 *  their own. */
function resultParts({ output, isError }: Extract<TextItem, { type: 'result' }>, name: string): JsonObject[] {
  const parts: readonly TextPart[] = typeof output === 'string' ? [{ type: 'text', text: output }] : output
  const texts = parts.flatMap(part => (part.type === 'text' || part.type === 'refusal' ? [part.text] : []))
  const text = texts.join('\n')
  const value = isError ? undefined : parsedJson(text)
  const response = isObject(value) && !isOutcome(value) ? value : { [isError ? 'error' : 'output']: text }
  const files = parts.filter(part => part.type !== 'text' && part.type !== 'refusal').map(partOf)
  return [{ functionResponse: { name, response } }, ...files]
}

/** Returns true for an object with a member `error` or `output`. The service reads these members as
 *  the failure or the result of the tool. */
function isOutcome(value: JsonObject): boolean {
  return 'error' in value || 'output' in value
}

function partOf(part: TextPart): JsonObject {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { text: part.text }
    case 'image':
      return fileOf(part.url)
    case 'video':
      return { ...fileOf(part.url), ...(part.fps === undefined ? {} : { videoMetadata: { fps: part.fps } }) }
    case 'audio':
      return { inlineData: { mimeType: `audio/${part.format}`, data: part.data } }
    case 'file':
      if (part.data === undefined) throw cannotTake('files without data')
      return fileOf(part.data)
  }
}

const dataUrl = /^data:([^;,]+)(?:;[^,]*)?;base64,/

function fileOf(url: string): JsonObject {
  const found = dataUrl.exec(url)
  if (found) return { inlineData: { mimeType: found[1]!, data: url.slice(found[0].length) } }
  if (isOpenLink(url)) return { fileData: { fileUri: url } }
  throw cannotTake("links to files in Google's stores; send the file itself")
}

/** Returns `generationConfig`. `further` has those settings of the caller that the gateway
 *  itself does not read. */
function configOf(request: TextRequest, further: JsonObject): JsonObject | undefined {
  const config = defined({
    ...further,
    maxOutputTokens: request.maxOutputTokens,
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    stopSequences: request.stop,
    seed: request.seed,
    frequencyPenalty: request.frequencyPenalty,
    presencePenalty: request.presencePenalty,
    responseLogprobs: request.topLogprobs === undefined ? undefined : true,
    logprobs: request.topLogprobs || undefined,
    thinkingConfig: thinkingOf(request),
    ...formatOf(request.format),
  })
  return Object.keys(config).length === 0 ? undefined : config
}

/** Returns `thinkingConfig`. A number of tokens that the caller set is sent unchanged; otherwise
 *  the effort is sent as a level. Unless reasoning is turned off, thoughts are requested too,
 *  because callers of other protocols expect them whenever they request reasoning. */
function thinkingOf({ reasoning }: TextRequest): JsonObject | undefined {
  if (reasoning === undefined) return undefined
  const { effort, budgetTokens } = reasoning
  if (budgetTokens === 0 || effort === 'none') return { thinkingBudget: 0 }
  const level = budgetTokens === undefined && effort !== undefined ? levels[effort] : undefined
  return defined({ thinkingBudget: budgetTokens, thinkingLevel: level, includeThoughts: true })
}

const levels = { minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' }

function formatOf(format: TextFormat): JsonObject {
  if (format.type === 'text') return {}
  const json = { responseMimeType: 'application/json' }
  return format.type === 'json_object' ? json : { ...json, responseJsonSchema: format.schema }
}

function toolFields({ tools, choice }: ToolPlan, { leaveOut }: UpstreamModel): JsonObject {
  if (tools.length === 0) return {}
  if (tools.some(tool => tool.kind === 'function' && tool.strict)) leaveOut('tools', 'the model has no strict schemas.')
  const config = callingOf(choice)
  return {
    tools: [{ functionDeclarations: tools.map(declarationOf) }],
    ...(config ? { toolConfig: { functionCallingConfig: config } } : {}),
  }
}

function declarationOf(tool: TextTool): JsonObject {
  const parameters = tool.kind === 'function' ? (tool.parameters ?? undefined) : undefined
  return defined({ name: tool.name, description: tool.description, parametersJsonSchema: parameters })
}

function callingOf({ mode, only }: ToolChoice): JsonObject | undefined {
  if (mode === 'none') return { mode: 'NONE' }
  if (mode === 'auto') return undefined
  return defined({ mode: 'ANY', allowedFunctionNames: only })
}
