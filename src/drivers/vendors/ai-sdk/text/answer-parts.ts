/** Carries the metadata of the parts of an answer (`providerMetadata`: signatures, encrypted
 *  reasoning, ids) to the next turn, in which the package gets them back as `providerOptions`.
 *
 *  Callers see the texts of the parts joined. So the carried member `provider_parts` of an answer
 *  lists the parts in order, with the lengths and checksums of their texts, by which the joined
 *  texts are divided again. Calls have their own member `provider_metadata`. The list ends with the
 *  last part that has metadata. */
import { crc32 } from 'node:zlib'
import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type JsonObject, objectOf, objectsOf, parsedJson, textOf } from '@generation-gateway/kit/json.ts'
import type { TextItem } from '@generation-gateway/kit/requests/text.ts'
import { wrapInput } from '../../../shared/text/tool-plan.ts'
import { lastMark, withMark } from './cache-marks.ts'
import type { PromptPart } from './language-model.ts'
import { type AnswerTarget, membersFor, signedThinking, thoughtSignature } from './signatures.ts'

export const partsMember = 'provider_parts'
export const metadataMember = 'provider_metadata'

/** Length and checksum by which a text is found again in the joined texts of an answer. */
export interface TextMark {
  /** Number of UTF-16 code units. */
  length: number
  /** CRC-32 of the UTF-16 code units, little endian, by which a changed text is recognized. */
  sum: number
}

/** The mark of an empty text. */
export const noText: TextMark = { length: 0, sum: 0 }

/** Returns the mark of a text after one more piece was appended. */
export function markWith({ length, sum }: TextMark, piece: string): TextMark {
  return { length: length + piece.length, sum: crc32(Buffer.from(piece, 'utf16le'), sum) }
}

/** An entry of the carried member `provider_parts`. `part` is a part of a prompt that callers do
 *  not see, such as the call of a tool that the service runs itself. */
export type ListedPart =
  | ({ index: number; type: 'reasoning' | 'text'; metadata?: JsonObject } & TextMark)
  | { index: number; type: 'call'; id: string }
  | { index: number; type: 'part'; part: JsonObject }

export type AnswerItem = Extract<TextItem, { type: 'message' | 'call' | 'reasoning' }>

const hiddenTypes = new Set<unknown>(['tool-call', 'tool-result', 'custom'])

/** Returns an earlier answer of the model as the parts of a prompt. `items` are the items of this
 *  answer. */
export function partsOfAnswer(items: readonly AnswerItem[], to: AnswerTarget): PromptPart[] {
  const { source } = to
  const plain = items.flatMap(item => plainPart(item, to))
  const listed = items
    .flatMap(item => (item.type === 'call' ? [] : listedIn(membersFor(source, item.carried))))
    .sort((one, other) => one.index - other.index)
  // Some clients keep only the last piece of a streamed list. With an incomplete list, the texts
  // would be divided wrongly.
  const isWhole = listed.length > 0 && listed.every(({ index }, place) => index === place)
  if (!isWhole) return plain
  const parts = ordered(plain, listed)
  // The listed parts are other pieces of the text, so only its last mark has a place.
  const text = parts.findLastIndex(({ type }) => type === 'text')
  const mark = lastMark(items.flatMap(item => (item.type === 'message' ? item.parts : [])))
  return text < 0 ? parts : parts.with(text, withMark(parts[text]!, mark, to))
}

function plainPart(item: AnswerItem, to: AnswerTarget): PromptPart[] {
  const signature = defined({ providerOptions: thoughtSignature(item.carried, to) })
  if (item.type === 'call') {
    const { callId: toolCallId, name: toolName } = item
    const providerOptions = optionsOf(membersFor(to.source, item.carried)[metadataMember])
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
    const signed = signedThinking(item.carried, to)
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

function listedIn(members: JsonObject): ListedPart[] {
  return objectsOf(members[partsMember]).flatMap((given): ListedPart[] => {
    const { index, type, length, sum, part, id } = given
    if (typeof index !== 'number') return []
    if (type === 'call') return [{ index, type, id: textOf(id) ?? '' }]
    if (type === 'part') return isObject(part) && hiddenTypes.has(part.type) ? [{ index, type, part }] : []
    if ((type !== 'reasoning' && type !== 'text') || typeof length !== 'number' || typeof sum !== 'number') return []
    return [{ index, type, length, sum, ...defined({ metadata: optionsOf(given.metadata) }) }]
  })
}

/** Returns the value when it has the form of `providerOptions`, an object for each provider;
 *  undefined otherwise. */
function optionsOf(value: unknown): JsonObject | undefined {
  return isObject(value) && Object.values(value).every(isObject) ? value : undefined
}

/** Returns the listed parts with their metadata, then the rest of the answer. When a text differs
 *  from the listed one, the caller has changed it; the answer is then returned without metadata of
 *  its texts. */
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
      const { type, length, sum, metadata } = each
      const text = rest[type].slice(0, length)
      if (markWith(noText, text).sum !== sum) return [...plain]
      parts.push({ type, text, ...defined({ providerOptions: metadata }) })
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
