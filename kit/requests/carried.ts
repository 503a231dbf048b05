/** Carried members: data that an upstream sends in addition to its text and tool calls, such as
 *  signatures, encrypted reasoning and members that only this upstream has. Reasoning models
 *  require these data to be sent back with the next turn (docs/decisions/0037). */
import { isObject, type Json, type JsonObject, parsedJson } from '../json.ts'
import type { TextProtocol } from './text-protocol.ts'

export type CarriedMembers = {
  /** The members under the upstream's own names, unchanged. */
  members: JsonObject
  /** Name of the member that held the reasoning text, when it was not `reasoning_content`. */
  reasoningIn?: string
  /** The target that sent the members; absent when the caller did. */
  from?: CarriedSource
  /** Carried members of the tool calls of the same answer, by call id. These members are repeated
   *  here because some clients send back only the reasoning. */
  calls?: { [callId: string]: CarriedMembers }
}

/** Identifies the target that sent carried members, so that they are sent back only to targets
 *  of the same kind. `host` and `model` are hashes, because callers may see them. */
export type CarriedSource = { protocol: TextProtocol; dialect: string; host: string; model: string }

/** Returns the source of members, such as a signature, for which the caller did not say which
 *  target made them. They are sent back to all targets with this protocol, and to no others. */
export function anySourceOf(protocol: TextProtocol): CarriedSource {
  return { protocol, dialect: '', host: '', model: '' }
}

/** Name of the carried member that lists the signed and redacted thinking blocks of the Messages
 *  protocol. Other gateways use the same name for them in chat completions. */
export const thinkingBlocks = 'thinking_blocks'

/** First characters of every signature and of all encrypted content that the gateway itself
 *  makes. No upstream understands such a text. */
export const sealedMark = 'carried='

/** Returns true for a signature or encrypted content that the gateway made. */
export function isSealedReasoning(text: unknown): text is string {
  return typeof text === 'string' && text.startsWith(sealedMark)
}

/** Largest number of characters of JSON that the carried members of one answer may have
 *  together. Members beyond this limit are dropped completely, not cut, because a part of a
 *  signature is useless. */
export const mostCarriedCharacters = 1024 * 1024
/** Deepest nesting of carried members; deeper ones are dropped. */
const mostDepth = 64
/** Names of text members that each piece of a stream repeats in full. The text of any other member
 *  is continued from piece to piece, so its parts are concatenated. */
const repeated = new Set(['type', 'id', 'index', 'format', 'role', 'status', 'object', 'name', 'version'])
/** Least length in characters of a repetition: a piece of this length or more that equals the whole
 *  text received so far is ignored. A shorter one is appended as the next part. */
const repeatedFrom = 32
/** Members with which a list element ends. When an element without `index` has one of them, the
 *  next piece starts a new element. */
const sealing = ['signature', 'data']

/** Returns the carried data of an item after one more piece of the stream. The members of `piece`
 *  are copied and joined into those of `earlier`, which are changed in place. */
function joinCarried(earlier: CarriedMembers | undefined, piece: CarriedMembers): CarriedMembers {
  return { ...earlier, ...piece, members: joinMembers(earlier?.members ?? {}, piece.members) }
}

/** Joins one more piece into `earlier` and returns `earlier`: texts are concatenated, objects are
 *  merged, and list elements are matched by `index`. The time depends only on the size of the
 *  piece. Copies the piece at any depth, so callers must refuse pieces that are nested too deep
 *  (`sizeOfCarried`). */
export function joinMembers(earlier: JsonObject, piece: JsonObject): JsonObject {
  for (const [name, value] of Object.entries(piece)) {
    if (name === '__proto__') continue
    earlier[name] = joinValues(Object.hasOwn(earlier, name) ? earlier[name] : undefined, value, name)
  }
  return earlier
}

/** Returns the number of characters by which the members count towards `mostCarriedCharacters`;
 *  infinite for members nested too deep to keep. */
export function sizeOfCarried(value: Json | undefined, depth = 0): number {
  if (depth > mostDepth) return Number.POSITIVE_INFINITY
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let size = 2
  for (const [name, member] of Object.entries(value)) size += name.length + 4 + sizeOfCarried(member, depth + 1)
  return size
}

function joinValues(earlier: Json | undefined, piece: Json | undefined, name: string): Json | undefined {
  if (piece === undefined || piece === null) return earlier ?? piece
  if (typeof piece === 'string' && typeof earlier === 'string') return joinTexts(earlier, piece, name)
  if (Array.isArray(piece) && Array.isArray(earlier)) return joinLists(earlier, piece)
  if (isObject(piece) && isObject(earlier)) return joinMembers(earlier, piece)
  return copyOf(piece)
}

function copyOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(copyOf)
  return isObject(value) ? joinMembers({}, value) : value
}

function joinTexts(earlier: string, piece: string, name: string): string {
  if (repeated.has(name)) return piece === '' ? earlier : piece
  return piece === earlier && piece.length >= repeatedFrom ? earlier : earlier + piece
}

function joinLists(list: Json[], pieces: readonly Json[]): Json[] {
  for (const piece of pieces) {
    const at = isObject(piece) ? placeOf(list, piece) : -1
    if (at < 0) list.push(copyOf(piece))
    else list[at] = joinValues(list[at], piece, '') ?? null
  }
  return list
}

/** Returns the index of the list element that a piece continues; -1 when the piece starts a new
 *  element. Services use the same `index` for reasoning and for its signature, so the type must
 *  match as well. */
function placeOf(list: readonly Json[], piece: JsonObject): number {
  if (typeof piece.index === 'number') return numberedPlace(list, piece)
  const last = list.at(-1)
  if (!isObject(last) || piece.type === undefined || last.index !== undefined) return -1
  if (last.type !== undefined && last.type !== piece.type) return -1
  return sealing.some(name => typeof last[name] === 'string' && last[name] !== '') ? -1 : list.length - 1
}

/** The positions of list elements by their `index` number, and by their number and type
 *  together; the last such element counts. */
interface NumberedPlaces {
  /** Number of elements indexed so far. */
  count: number
  places: Map<string, number>
}

/** The positions found so far in each list. With this cache, each element of a list that grows
 *  piece by piece is read only once. */
const numbered = new WeakMap<readonly Json[], NumberedPlaces>()

function numberedPlace(list: readonly Json[], piece: JsonObject): number {
  let known = numbered.get(list)
  if (known === undefined) {
    known = { count: 0, places: new Map() }
    numbered.set(list, known)
  }
  const { places } = known
  for (; known.count < list.length; known.count++) {
    const element = list[known.count]
    if (!isObject(element) || typeof element.index !== 'number') continue
    for (const name of [`${element.index}`, typedName(element)]) places.set(name, known.count)
  }
  if (piece.type === undefined) return places.get(`${piece.index}`) ?? -1
  const noType = typedName({ index: piece.index })
  const untyped = places.get(noType) ?? -1
  const place = Math.max(places.get(typedName(piece)) ?? -1, untyped)
  if (place < 0) return -1
  // The element had no type and now gets that of the piece, so it is no longer found as an element
  // without a type.
  if (place === untyped) places.delete(noType)
  places.set(typedName(piece), place)
  return place
}

function typedName({ index, type }: JsonObject): string {
  return `${index} ${JSON.stringify(type)}`
}

/** Counts how much carried data one answer may still have. */
export class CarriedBudget {
  #left = mostCarriedCharacters
  #isFull = false

  /** Returns the carried data of an item after one more piece; undefined once the answer has
   *  carried too much, and for every later piece. */
  join(earlier: CarriedMembers | undefined, piece: CarriedMembers): CarriedMembers | undefined {
    this.#left -= sizeOfCarried(piece.members)
    this.#isFull ||= this.#left < 0
    return this.#isFull ? undefined : joinCarried(earlier, piece)
  }
}

/** First characters of an `encrypted_content` in which the gateway packed the summary of a
 *  conversation. Callers send it back in place of the conversation, and no upstream can read it. */
const summaryMark = 'summary='

/** Returns the `encrypted_content` for a summary. It is encoded, not encrypted. */
export function sealedSummary(summary: string): string {
  return summaryMark + Buffer.from(JSON.stringify({ summary })).toString('base64url')
}

/** Returns true for an `encrypted_content` that a gateway wrote. No upstream can read such
 *  content. */
export function isSealedSummary(encrypted: unknown): encrypted is string {
  return typeof encrypted === 'string' && encrypted.startsWith(summaryMark)
}

/** Returns the summary in an `encrypted_content`; undefined when no gateway wrote it, or when it
 *  is damaged. */
export function openedSummary(encrypted: string): string | undefined {
  if (!isSealedSummary(encrypted)) return undefined
  const value = parsedJson(Buffer.from(encrypted.slice(summaryMark.length), 'base64url').toString())
  return isObject(value) && typeof value.summary === 'string' ? value.summary : undefined
}
