/** Carries what a package says about the parts of an answer (`providerMetadata`: signatures,
 *  encrypted reasoning, ids) to the next turn, where the package gets it back as `providerOptions`.
 *
 *  Callers see the parts' texts joined, so the carried member `provider_parts` of an answer lists
 *  the parts in their order with their lengths, by which the texts are cut again. Calls have
 *  `provider_metadata` of their own. Only the parts up to the last one with metadata are listed. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type JsonObject, objectOf, objectsOf, parsedJson, textOf } from '@generation-gateway/kit/json.ts'
import { type CarriedMembers, type CarriedSource, thinkingBlocks } from '@generation-gateway/kit/requests/carried.ts'
import type { TextItem } from '@generation-gateway/kit/requests/text.ts'
import { carriedFor } from '../../../shared/text/carried-members.ts'
import { wrapInput } from '../../../shared/text/tool-plan.ts'
import type { PromptPart } from './language-model.ts'

export const partsMember = 'provider_parts'
export const metadataMember = 'provider_metadata'

/** A part of an answer, as it is carried. `length` counts UTF-16 code units. `part` is a part of a
 *  prompt that callers do not see, such as the call of a tool that the service runs itself. */
export type ListedPart =
  | { index: number; type: 'reasoning' | 'text'; length: number; metadata?: JsonObject }
  | { index: number; type: 'call'; id: string }
  | { index: number; type: 'part'; part: JsonObject }

export type AnswerItem = Extract<TextItem, { type: 'message' | 'call' | 'reasoning' }>

const hiddenTypes = new Set<unknown>(['tool-call', 'tool-result', 'custom'])

/** The target that gets a prompt. */
export interface AnswerTarget {
  source: CarriedSource
  /** Key in `providerOptions` under which the package takes the signatures of Anthropic's models;
   *  undefined for other packages. */
  signaturesIn: string | undefined
}

/** Returns the parts of an earlier answer of the model for a prompt. `items` are the items of this
 *  answer. */
export function partsOfAnswer(items: readonly AnswerItem[], to: AnswerTarget): PromptPart[] {
  const { source } = to
  const plain = items.flatMap(item => plainPart(item, to))
  const listed = items
    .flatMap(item => (item.type === 'call' ? [] : listedIn(membersFor(source, item.carried))))
    .sort((one, other) => one.index - other.index)
  // Some clients keep only the last piece of a list, and a text cut by half a list would be wrong.
  const isWhole = listed.length > 0 && listed.every(({ index }, place) => index === place)
  return isWhole ? ordered(plain, listed) : plain
}

function membersFor(kind: CarriedSource, carried: CarriedMembers | undefined): JsonObject {
  return carriedFor({ kind, refusesUnknown: false, reasoningIn: undefined }, carried)?.members ?? {}
}

function plainPart(item: AnswerItem, to: AnswerTarget): PromptPart[] {
  if (item.type === 'call') {
    const { callId: toolCallId, name: toolName } = item
    const providerOptions = optionsOf(membersFor(to.source, item.carried)[metadataMember])
    return [{ type: 'tool-call', toolCallId, toolName, input: inputOf(item), ...defined({ providerOptions }) }]
  }
  if (item.type === 'reasoning') {
    const signed = signedParts(item, to)
    if (signed.length > 0) return signed
    return item.content.length === 0 ? [] : [{ type: 'reasoning', text: item.content.join('') }]
  }
  const text = item.parts.map(part => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('')
  return text === '' ? [] : [{ type: 'text', text }]
}

/** Returns the thinking that a caller sends back with the signatures of Anthropic's own
 *  protocol. */
function signedParts({ carried }: Extract<TextItem, { type: 'reasoning' }>, { source, signaturesIn }: AnswerTarget): PromptPart[] {
  if (signaturesIn === undefined) return []
  const members = membersFor({ ...source, protocol: 'messages' }, carried)
  return objectsOf(members[thinkingBlocks]).flatMap(({ type, thinking, signature, data }): PromptPart[] => {
    const redactedData = type === 'redacted_thinking' ? textOf(data) : undefined
    if (redactedData !== undefined) return [{ type: 'reasoning', text: '', providerOptions: { [signaturesIn]: { redactedData } } }]
    if (typeof thinking !== 'string' || textOf(signature) === undefined) return []
    return [{ type: 'reasoning', text: thinking, providerOptions: { [signaturesIn]: { signature } } }]
  })
}

/** Returns the arguments as an object. Text that is no JSON object is wrapped in one, because
 *  services accept only objects. */
function inputOf({ kind, input }: Extract<TextItem, { type: 'call' }>): JsonObject {
  const wrapped = kind === 'custom' ? wrapInput(input) : input === '' ? '{}' : input
  const value = parsedJson(wrapped)
  return isObject(value) ? value : { input }
}

function listedIn(members: JsonObject): ListedPart[] {
  return objectsOf(members[partsMember]).flatMap((given): ListedPart[] => {
    const { index, type, length, part, id } = given
    if (typeof index !== 'number') return []
    if (type === 'call') return [{ index, type, id: textOf(id) ?? '' }]
    if (type === 'part') return isObject(part) && hiddenTypes.has(part.type) ? [{ index, type, part }] : []
    if ((type !== 'reasoning' && type !== 'text') || typeof length !== 'number' || length < 0) return []
    return [{ index, type, length, ...defined({ metadata: optionsOf(given.metadata) }) }]
  })
}

/** Returns the value when it has the form of `providerOptions`: an object for each provider. */
function optionsOf(value: unknown): JsonObject | undefined {
  return isObject(value) && Object.values(value).every(isObject) ? value : undefined
}

/** Returns the listed parts with their metadata, then the rest of the answer. When the texts are
 *  shorter than their listed parts, the caller has changed them, and they lose their metadata. */
function ordered(plain: readonly PromptPart[], listed: readonly ListedPart[]): PromptPart[] {
  const rest = { reasoning: joinedTexts(plain, 'reasoning'), text: joinedTexts(plain, 'text') }
  const calls = new Map(plain.flatMap(part => (part.type === 'tool-call' ? [[part.toolCallId, part] as const] : [])))
  const parts: PromptPart[] = []
  for (const each of listed) {
    if (each.type === 'part') parts.push({ ...each.part, type: String(each.part.type) })
    else if (each.type === 'call') {
      const call = calls.get(each.id)
      calls.delete(each.id)
      if (call) parts.push(call)
    } else {
      const { type, length, metadata } = each
      if (rest[type].length < length) return [...plain]
      parts.push({ type, text: rest[type].slice(0, length), ...defined({ providerOptions: metadata }) })
      rest[type] = rest[type].slice(length)
    }
  }
  for (const type of ['reasoning', 'text'] as const) if (rest[type] !== '') parts.push({ type, text: rest[type] })
  return [...parts, ...calls.values()]
}

function joinedTexts(parts: readonly PromptPart[], type: string): string {
  return parts.map(part => (part.type === type ? textOf(part.text) : undefined) ?? '').join('')
}

/** Returns the metadata of a stream part as JSON; undefined when it has none. */
export function metadataOf(value: unknown): JsonObject | undefined {
  const options = optionsOf(value)
  if (options === undefined || Object.keys(options).length === 0) return undefined
  return objectOf(parsedJson(JSON.stringify(options)))
}
