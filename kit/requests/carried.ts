/** What an upstream put beside its words and its tool calls: signatures, sealed thoughts, members of its own. Thinking models want them back with the next turn (docs/decisions/0037). */
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { TextProtocol } from './text-protocol.ts'

export type Carried = {
  /** As they stood there, under the upstream's own names. */
  members: JsonObject
  /** The member that the text of the reasoning stood in, where that was not `reasoning_content`. */
  reasoningIn?: string
  /** The target that said it. Absent: the caller sent it. */
  from?: CarriedFrom
  /** What stood beside calls of the same answer, by their ids: for clients that keep nothing beside a call. */
  calls?: { [callId: string]: Carried }
}

/** What tells whether another target is of the same kind. Host and model are digests: callers may see them. */
export type CarriedFrom = { protocol: TextProtocol; dialect: string; host: string; model: string }

/** Most that the members of one answer may hold together, in characters of JSON. Members beyond are not kept: half of a signature is worth nothing. */
export const mostCarriedCharacters = 1024 * 1024
/** Deeper members are not kept. */
const mostDepth = 64
/** Members that a stream repeats with each piece; all other texts are pieces of a longer one. */
const repeated = new Set(['type', 'id', 'index', 'format', 'role', 'status', 'object', 'name', 'version'])
/** A text of this length that comes twice in a row is the same again, and not a piece. Characters. */
const repeatedFrom = 32
/** Members whose presence ends an element of a list that has no `index`. */
const sealing = ['signature', 'data']

/** What is carried by an item of one answer, with one more piece of the same. Changes the members of `earlier`, and only copies those of `piece`. */
function joinCarried(earlier: Carried | undefined, piece: Carried): Carried {
  return { ...earlier, ...piece, members: joinMembers(earlier?.members ?? {}, piece.members) }
}

/** Joins one more piece of the same members into `earlier`, and returns that: texts grow, members of objects are joined, elements of
 *  lists are found by their `index`. Takes as long as the piece is large, however much came before. The piece is copied, and at most 64 levels deep. */
export function joinMembers(earlier: JsonObject, piece: JsonObject): JsonObject {
  for (const [name, value] of Object.entries(piece)) {
    if (name === '__proto__') continue
    earlier[name] = joinValues(Object.hasOwn(earlier, name) ? earlier[name] : undefined, value, name)
  }
  return earlier
}

/** How much of `mostCarriedCharacters` the members take; infinite for members that are too deep to be kept. */
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

/** The element that a piece belongs to; -1 for a new one. Services number thoughts and their seals alike, so the type has to be the same, too. */
function placeOf(list: readonly Json[], piece: JsonObject): number {
  if (typeof piece.index === 'number') return numberedPlace(list, piece)
  const last = list.at(-1)
  if (!isObject(last) || piece.type === undefined || last.index !== undefined) return -1
  if (last.type !== undefined && last.type !== piece.type) return -1
  return sealing.some(name => typeof last[name] === 'string' && last[name] !== '') ? -1 : list.length - 1
}

/** Where the last element of each number, and of each number and type, stands in a list. */
interface Numbered {
  /** How many elements have been looked at. */
  count: number
  places: Map<string, number>
}

/** A long list is joined piece by piece: each element is looked at once. */
const numbered = new WeakMap<readonly Json[], Numbered>()

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
  // The element gets the type of the piece.
  if (place === untyped) places.delete(noType)
  places.set(typedName(piece), place)
  return place
}

function typedName({ index, type }: JsonObject): string {
  return `${index} ${JSON.stringify(type)}`
}

/** Keeps account of what one answer may still carry. */
export class CarriedRoom {
  #left = mostCarriedCharacters
  #isFull = false

  /** What an item carries with one more piece; undefined when the answer carries too much, and from then on. */
  join(earlier: Carried | undefined, piece: Carried): Carried | undefined {
    this.#left -= sizeOfCarried(piece.members)
    this.#isFull ||= this.#left < 0
    return this.#isFull ? undefined : joinCarried(earlier, piece)
  }
}
