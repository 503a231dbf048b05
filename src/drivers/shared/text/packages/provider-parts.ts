/** Carries to the next turn what a package of an AI SDK provider reports about the parts of an
 *  answer (`providerMetadata`: signatures, encrypted reasoning, ids).
 *
 *  Callers see the texts of the parts joined into one. So the carried member `provider_parts` of
 *  an answer lists the parts in their order, each with the length and the checksum of its text.
 *  In the next turn, the driver uses this list to cut the joined text into parts again. Calls have
 *  `provider_metadata` of their own. Only the parts up to the last one with metadata are listed. */
import { crc32 } from 'node:zlib'
import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type JsonObject, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { TextItem } from '@generation-gateway/kit/requests/text.ts'

export const partsMember = 'provider_parts'
export const metadataMember = 'provider_metadata'

/** Length and checksum of a text, with which the text is found again in the joined texts of an
 *  answer. */
export interface TextMark {
  /** Number of UTF-16 code units. */
  length: number
  /** CRC-32 of the UTF-16 code units, little endian, by which a changed text is recognized. */
  sum: number
}

/** The length and checksum of an empty text. */
export const noText: TextMark = { length: 0, sum: 0 }

/** Returns the length and checksum of a text after `piece` is added to it. */
export function markWith({ length, sum }: TextMark, piece: string): TextMark {
  return { length: length + piece.length, sum: crc32(Buffer.from(piece, 'utf16le'), sum) }
}

/** A part of an answer, as the carried member `provider_parts` lists it. Callers do not see parts
 *  of the type `part`, such as calls of a tool that the service runs itself. */
export type ListedPart =
  | ({ index: number; type: 'reasoning' | 'text'; metadata?: JsonObject } & TextMark)
  | { index: number; type: 'call'; id: string }
  | { index: number; type: 'part'; part: JsonObject }

export type AnswerItem = Extract<TextItem, { type: 'message' | 'call' | 'reasoning' }>

/** A part of an answer, with its text cut out of the joined text. */
export type CutPart =
  | { type: 'reasoning' | 'text'; text: string; metadata?: JsonObject }
  | { type: 'call'; id: string }
  | { type: 'part'; part: JsonObject }

interface AnswerTexts {
  /** The joined texts of the answer, and the ids of its calls. */
  reasoning: string
  text: string
  calls: readonly string[]
}

const hiddenTypes = new Set<unknown>(['tool-call', 'tool-result', 'custom'])

/** Returns the item when it belongs to the model's answer; undefined for a tool result and for a
 *  message that is not the assistant's. */
export function answerItem(item: TextItem): AnswerItem | undefined {
  if (item.type === 'result' || (item.type === 'message' && item.role !== 'assistant')) return undefined
  return item
}

/** Returns the successive items, from the index `from` on, for which `kindOf` returns an item. */
export function runOf<Item extends TextItem>(
  items: readonly TextItem[],
  from: number,
  kindOf: (item: TextItem) => Item | undefined,
): Item[] {
  const run: Item[] = []
  // The items are read in place. Copying the remaining items for each run would take long for a
  // hostile conversation with 100,000 runs of items.
  for (let at = from; at < items.length; at += 1) {
    const item = items[at]
    const found = item && kindOf(item)
    if (found === undefined) break
    run.push(found)
  }
  return run
}

/** Returns the parts that are listed in `members`, the carried members of an answer's items, in
 *  the order of the answer. Empty when parts are missing, because some clients keep only the
 *  last piece of a list, and an incomplete list would cut the text at wrong places. */
export function listedParts(members: readonly JsonObject[]): ListedPart[] {
  const listed = members.flatMap(listedIn).sort((one, other) => one.index - other.index)
  return listed.every(({ index }, place) => index === place) ? listed : []
}

/** Returns the listed parts with their texts, then the rest of the answer. Returns undefined when a
 *  text does not match its listed checksum, because the caller has changed it. */
export function cutAnswer(answer: AnswerTexts, listed: readonly ListedPart[]): CutPart[] | undefined {
  const rest = { reasoning: answer.reasoning, text: answer.text }
  const calls = new Set(answer.calls)
  const parts: CutPart[] = []
  for (const each of listed) {
    if (each.type === 'part') parts.push({ type: 'part', part: each.part })
    else if (each.type === 'call') {
      if (calls.delete(each.id)) parts.push({ type: 'call', id: each.id })
    } else {
      const { type, length, sum, metadata } = each
      const text = rest[type].slice(0, length)
      if (markWith(noText, text).sum !== sum) return undefined
      parts.push({ type, text, ...defined({ metadata }) })
      rest[type] = rest[type].slice(length)
    }
  }
  for (const type of ['reasoning', 'text'] as const) if (rest[type] !== '') parts.push({ type, text: rest[type] })
  return [...parts, ...[...calls].map(id => ({ type: 'call', id }) as const)]
}

/** Returns the value when it has the form of `providerOptions`: an object for each provider. */
export function providerOptionsIn(value: unknown): JsonObject | undefined {
  return isObject(value) && Object.values(value).every(isObject) ? value : undefined
}

function listedIn(members: JsonObject): ListedPart[] {
  return objectsOf(members[partsMember]).flatMap((given): ListedPart[] => {
    const { index, type, length, sum, part, id } = given
    if (typeof index !== 'number') return []
    if (type === 'call') return [{ index, type, id: textOf(id) ?? '' }]
    if (type === 'part') return isObject(part) && hiddenTypes.has(part.type) ? [{ index, type, part }] : []
    if ((type !== 'reasoning' && type !== 'text') || typeof length !== 'number' || typeof sum !== 'number') return []
    return [{ index, type, length, sum, ...defined({ metadata: providerOptionsIn(given.metadata) }) }]
  })
}
