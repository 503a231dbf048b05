/** Puts the gateway's name for a model where an upstream's answer has its own, for models with `model_in_answers: ours`. Only that member's value changes, byte for byte. */
import { type MemberName, memberName, type RelayScan } from '../../contract/relay.ts'
import { skipBlank, stringEnd, valueEnd } from '../body/json-bytes.ts'
import type { Span } from '../body/json-members.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const brace = 0x7b
const blank = 0x20
const lineFeed = 0x0a
const carriageReturn = 0x0d
const dataField = Buffer.from('data:')
const model = memberName('model')
/** Every character of the name as an escape, and its quotes. */
const longestName = 50
const noSpans: readonly Span[] = []

/** One per answer: `name` is the gateway's. */
export class ModelInAnswers {
  readonly #name: Buffer
  readonly #inside: MemberName | undefined

  constructor({ inside }: RelayScan, name: string) {
    this.#inside = inside?.in
    this.#name = Buffer.from(JSON.stringify(name))
  }

  /** The whole events of a stream: the model stands in each of them, or in the answer that some have inside. */
  inEvents(events: Buffer): Buffer {
    const first = afterEvent(events, 0)
    if (first === events.length) return this.#inEvent(events)
    const changed: Buffer[] = []
    for (let start = 0, end = first; start < events.length; start = end, end = afterEvent(events, start))
      changed.push(this.#inEvent(events.subarray(start, end)))
    return Buffer.concat(changed)
  }

  inAnswer(json: Buffer): Buffer {
    return this.inPiece(json, namesIn(json, 0))
  }

  /** A piece of a large answer: `spans` are where the name stands in it, the first of them the rest of one that has begun before when `hasBegun`. */
  inPiece(piece: Buffer, spans: readonly Span[], hasBegun = false): Buffer {
    if (spans.length === 0) return piece
    const cut = spans.reduce((bytes, { start, end }) => bytes + end - start, 0)
    const names = spans.length - (hasBegun ? 1 : 0)
    const changed = Buffer.allocUnsafe(piece.length - cut + names * this.#name.length)
    let from = 0
    let to = 0
    for (const [index, { start, end }] of spans.entries()) {
      to += piece.copy(changed, to, from, start)
      if (index > 0 || !hasBegun) to += this.#name.copy(changed, to)
      from = end
    }
    piece.copy(changed, to, from)
    return changed
  }

  #inEvent(event: Buffer): Buffer {
    const start = dataIn(event, 0)
    if (start < 0) return event
    const end = lineEnd(event, start)
    // Nearly every event is one line of data.
    const json = dataIn(event, end + 1) < 0 ? event.subarray(0, end) : unfolded(event)
    return this.inPiece(event, this.#inside === undefined ? namesIn(json, start) : namesInside(json, start, this.#inside))
  }
}

function namesInside(json: Buffer, start: number, member: MemberName): readonly Span[] {
  const found = membersOf(json, start, member)
  return found.length === 0 ? found : found.flatMap(span => namesIn(json, span.start))
}

/** Null and the like stay: there is no name to hide. So does what has no end: it is the upstream's, and may be broken. */
function namesIn(json: Buffer, start: number): readonly Span[] {
  const found = membersOf(json, start, model)
  return found.every(span => isString(json, span)) ? found : found.filter(span => isString(json, span))
}

function isString(json: Buffer, { start, end }: Span): boolean {
  return json[start] === quote && end > start + 1 && json[end - 1] === quote
}

/** Where the values of the members with that name stand in the object that begins at `start`, or after blanks; none when there is no object. */
function membersOf(json: Buffer, start: number, name: MemberName): readonly Span[] {
  let found: Span[] | undefined
  let at = skipBlank(json, start)
  if (json[at] !== brace) return noSpans
  do {
    at = skipBlank(json, at + 1)
    if (json[at] !== quote) break
    const nameEnd = stringEnd(json, at)
    const value = skipBlank(json, skipBlank(json, nameEnd) + 1)
    const end = valueEnd(json, value)
    if (isName(json, at, nameEnd, name)) {
      found ??= []
      found.push({ start: value, end })
    }
    at = skipBlank(json, end)
  } while (json[at] === comma)
  return found ?? noSpans
}

function isName(json: Buffer, start: number, end: number, { bytes, text }: MemberName): boolean {
  const length = end - start - 2
  if (length < bytes.length || length > longestName) return false
  if (length === bytes.length) return startsWith(json, start + 1, bytes)
  // An escape makes it longer; else it is another name.
  if (!json.subarray(start, end).includes(backslash)) return false
  try {
    return JSON.parse(json.toString('utf8', start, end)) === text
  } catch {
    return false
  }
}

/** Offset of the first data of an event at or after the line that begins at `from`; -1 when there is none. */
function dataIn(event: Buffer, from: number): number {
  for (let line = from; line + dataField.length <= event.length; line = lineEnd(event, line) + 1)
    if (startsWith(event, line, dataField)) return line + dataField.length
  return -1
}

/** Offset after the blank line that ends the event at `start`. By bytes: a search for a text costs more than an event. */
function afterEvent(events: Buffer, start: number): number {
  for (let end = lineEnd(events, start); end < events.length; end = lineEnd(events, end + 1)) {
    if (events[end + 1] === lineFeed) return end + 2
    if (events[end + 1] === carriageReturn && events[end + 2] === lineFeed) return end + 3
  }
  return events.length
}

function startsWith(bytes: Buffer, start: number, text: Buffer): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text[at]) return false
  return true
}

function lineEnd(event: Buffer, from: number): number {
  const end = event.indexOf(lineFeed, from)
  return end < 0 ? event.length : end
}

/** The data of an event over several lines, with blanks for all else, so that each byte keeps its place. */
function unfolded(event: Buffer): Buffer {
  const json = Buffer.alloc(event.length, blank)
  for (let start = dataIn(event, 0); start >= 0; ) {
    const end = lineEnd(event, start)
    event.copy(json, start, start, end)
    start = dataIn(event, end + 1)
  }
  return json
}
