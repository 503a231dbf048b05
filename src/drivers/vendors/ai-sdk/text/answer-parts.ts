/** Converts earlier answers to parts of a prompt. Each part gets back the metadata that the
 *  package sent with it (`src/drivers/shared/text/packages/provider-parts.ts`). */
import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type JsonObject, objectOf, parsedJson, textOf } from '@generation-gateway/kit/json.ts'
import type { TextItem } from '@generation-gateway/kit/requests/text.ts'
import {
  type AnswerItem,
  type CutPart,
  cutAnswer,
  listedParts,
  metadataMember,
  providerOptionsIn,
} from '../../../shared/text/packages/provider-parts.ts'
import { wrapInput } from '../../../shared/text/tool-plan.ts'
import { lastMark, withMark } from './cache-marks.ts'
import type { PromptPart } from './language-model.ts'
import { type AnswerTarget, encryptedReasoning, packageMembers, signedThinking, thoughtSignature } from './signatures.ts'

/** Returns the parts of an earlier answer of the model for a prompt. `items` are the items of this
 *  answer. When the caller has changed a text, all texts lose their metadata. */
export function partsOfAnswer(items: readonly AnswerItem[], to: AnswerTarget): PromptPart[] {
  const plain = items.flatMap(item => plainPart(item, to))
  const listed = listedParts(items.flatMap(item => (item.type === 'call' ? [] : [packageMembers(item.carried, to)])))
  if (listed.length === 0) return plain
  const calls = new Map(plain.flatMap(part => (part.type === 'tool-call' ? [[String(part.toolCallId), part] as const] : [])))
  const texts = { reasoning: joinedTexts(plain, 'reasoning'), text: joinedTexts(plain, 'text') }
  const cut = cutAnswer({ ...texts, calls: [...calls.keys()] }, listed)
  if (cut === undefined) return plain
  const parts = cut.flatMap(part => promptPart(part, calls))
  // The listed parts divide the text at other positions than the caller's parts. So of the caller's
  // cache marks only the last one is kept, on the last part of the text.
  const text = parts.findLastIndex(({ type }) => type === 'text')
  const mark = lastMark(items.flatMap(item => (item.type === 'message' ? item.parts : [])))
  return text < 0 ? parts : parts.with(text, withMark(parts[text]!, mark, to))
}

function promptPart(cut: CutPart, calls: ReadonlyMap<string, PromptPart>): PromptPart[] {
  if (cut.type === 'part') return [{ ...cut.part, type: String(cut.part.type) }]
  if (cut.type === 'call') return [calls.get(cut.id) ?? []].flat()
  const { type, text, metadata } = cut
  return [{ type, text, ...defined({ providerOptions: metadata }) }]
}

function plainPart(item: AnswerItem, to: AnswerTarget): PromptPart[] {
  const signature = defined({ providerOptions: thoughtSignature(item.carried, to) })
  if (item.type === 'call') {
    const { callId: toolCallId, name: toolName } = item
    const providerOptions = providerOptionsIn(packageMembers(item.carried, to)[metadataMember])
    const call: PromptPart = {
      type: 'tool-call',
      toolCallId,
      toolName,
      input: inputOf(item),
      ...signature,
      ...defined({ providerOptions }),
    }
    return [withMark(call, item, to)]
  }
  if (item.type === 'reasoning') {
    const signed = [...signedThinking(item.carried, to), ...encryptedReasoning(item, to)]
    if (signed.length > 0) return signed
    return item.content.length === 0 ? [] : [{ type: 'reasoning', text: item.content.join(''), ...signature }]
  }
  // The text of the answer is one part, unless parts of it are marked for the cache.
  const isMarked = to.marksUnder !== undefined && item.parts.some(part => part.cacheControl !== undefined)
  const pieces = isMarked ? item.parts.map(part => [part]) : [item.parts]
  return pieces.flatMap((parts): PromptPart[] => {
    const text = parts.map(part => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('')
    return text === '' ? [] : [withMark({ type: 'text', text, ...signature }, lastMark(parts), to)]
  })
}

/** Returns the arguments as an object. Text that is not a JSON object becomes `{ input: text }`,
 *  because services accept only objects. */
function inputOf({ kind, input }: Extract<TextItem, { type: 'call' }>): JsonObject {
  const wrapped = kind === 'custom' ? wrapInput(input) : input === '' ? '{}' : input
  const value = parsedJson(wrapped)
  return isObject(value) ? value : { input }
}

function joinedTexts(parts: readonly PromptPart[], type: string): string {
  return parts.map(part => (part.type === type ? textOf(part.text) : undefined) ?? '').join('')
}

/** Returns the metadata of a stream part as JSON; undefined when it has none. */
export function metadataOf(value: unknown): JsonObject | undefined {
  const options = providerOptionsIn(value)
  if (options === undefined || Object.keys(options).length === 0) return undefined
  return objectOf(parsedJson(JSON.stringify(options)))
}
