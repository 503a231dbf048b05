/** Replaces the upstream's model name in answers by the name that the model has in the gateway,
 *  for models with the setting `model_in_answers: ours`. All other bytes stay as they are. */
import { isTextAt, type JsonKind, JsonScanner, type JsonVisitor, keyText } from '@generation-gateway/kit/json-scanner.ts'
import type { RelayScan } from '../../contract/relay.ts'
import { eventEnd } from './whole-events.ts'

const backslash = 0x5c
const blank = 0x20
const lineFeed = 0x0a
const dataField = 'data:'

/** Replaces the model name in one answer; `name` is the gateway's name for the model. */
export class ModelInAnswers {
  readonly #inAnswer: ModelNames
  readonly #inEvents: ModelNames

  constructor({ inside, model = 'model' }: RelayScan, name: string) {
    const json = Buffer.from(JSON.stringify(name))
    this.#inAnswer = new ModelNames(json, { model })
    this.#inEvents = new ModelNames(json, { model, inside: inside?.in.text })
  }

  /** Returns whole events in which the model name is replaced: in the answer object inside an
   *  event, or, in protocols whose events are pieces of the answer, at the top level of the
   *  event. */
  inEvents(events: Buffer): Buffer {
    const first = eventEnd(events, 0)
    if (first === events.length) return this.#inEvent(events)
    const changed: Buffer[] = []
    for (let start = 0, end = first; start < events.length; start = end, end = eventEnd(events, start))
      changed.push(this.#inEvent(events.subarray(start, end)))
    return Buffer.concat(changed)
  }

  inAnswer(json: Buffer): Buffer {
    return this.#inAnswer.inWhole(json)
  }

  /** Returns the next piece of an answer that is too large to be kept as a whole, with the model
   *  name replaced. */
  inPiece(piece: Buffer): Buffer {
    return this.#inAnswer.inPiece(piece)
  }

  #inEvent(event: Buffer): Buffer {
    const start = dataIn(event, 0)
    if (start < 0) return event
    const end = lineEnd(event, start)
    // Nearly every event has a single line of data; its bytes can be used without a copy.
    const json = dataIn(event, end + 1) < 0 ? event.subarray(0, end) : unfolded(event)
    return this.#inEvents.inWhole(event, { json, start })
  }
}

/** Replaces the value of the member `model` in one JSON object. With `inside`, replaces it only
 *  in the member object of that name, not in the object itself. Values that are not strings
 *  stay. */
class ModelNames implements JsonVisitor {
  readonly #scanner = new JsonScanner(this)
  readonly #name: Buffer
  readonly #inside: string | undefined
  /** Name of the member that holds the model's name. */
  readonly #model: string
  /** Depth at which this member is replaced. */
  readonly #level: number
  #isWhole = false
  /** True when the latest key was `model`, or the name of the object inside which a `model` has
   *  to be replaced. */
  #isWanted = false
  /** Offset of the upstream's model name, while that name is being read. */
  #start: number | undefined
  /** Offsets of the upstream's model names that were found: start, end, start, end, ... */
  readonly #places: number[] = []

  constructor(name: Buffer, { model, inside }: { model: string; inside?: string | undefined }) {
    this.#name = name
    this.#model = model
    this.#inside = inside
    this.#level = inside === undefined ? 1 : 2
  }

  /** Returns `bytes` with the model name replaced. `json` contains the JSON in `bytes` at the
   *  same offsets; the JSON begins at `start`. In broken JSON, an unterminated name stays, and
   *  so does everything after the syntax error. */
  inWhole(bytes: Buffer, { json, start } = { json: bytes, start: 0 }): Buffer {
    this.#scanner.reset()
    this.#isWhole = true
    this.#start = undefined
    this.#scanner.feed(json, start)
    this.#start = undefined
    return this.#renamed(bytes)
  }

  inPiece(piece: Buffer): Buffer {
    if (this.#start !== undefined) this.#start = 0
    this.#scanner.feed(piece)
    if (this.#start !== undefined) this.#places.push(this.#start, piece.length)
    return this.#renamed(piece)
  }

  begin(kind: JsonKind, at: number): void {
    const { depth } = this.#scanner
    const isWanted = this.#isWanted
    this.#isWanted = false
    if (kind === 'string') this.#start = isWanted && depth === this.#level ? at : undefined
    else if (kind !== 'scalar' && depth > 0 && !(isWanted && kind === 'object' && depth < this.#level)) this.#scanner.skip()
  }

  end(_kind: JsonKind, at: number): void {
    if (this.#start !== undefined) this.#places.push(this.#start, at)
    this.#start = undefined
  }

  key(bytes: Buffer, start: number, end: number): void {
    const name = this.#scanner.depth === this.#level ? this.#model : (this.#inside ?? '')
    const spare = end - start - name.length
    this.#isWanted =
      spare === 0 ? isTextAt(name, bytes, start) : spare > 0 && isEscaped(bytes, start, end) && keyText(bytes, start, end) === name
  }

  fault(): void {
    if (this.#isWhole) this.#scanner.stop()
  }

  /** Replaces the model names that were found so far. A name that continues in the next piece is
   *  replaced in that piece. */
  #renamed(bytes: Buffer): Buffer {
    const places = this.#places
    if (places.length === 0) return bytes
    const last = this.#start === undefined ? places.length : places.length - 2
    let length = bytes.length + (last / 2) * this.#name.length
    for (let index = 0; index < places.length; index += 2) length -= places[index + 1]! - places[index]!
    const changed = Buffer.allocUnsafe(length)
    let from = 0
    let to = 0
    for (let index = 0; index < places.length; index += 2) {
      to += bytes.copy(changed, to, from, places[index])
      if (index < last) to += this.#name.copy(changed, to)
      from = places[index + 1]!
    }
    bytes.copy(changed, to, from)
    places.length = 0
    return changed
  }
}

function isEscaped(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === backslash) return true
  return false
}

/** Returns the offset of the first data (the text after `data:`) in or after the line that
 *  begins at `from`; -1 when the event has no more data. */
function dataIn(event: Buffer, from: number): number {
  for (let line = from; line + dataField.length <= event.length; line = lineEnd(event, line) + 1)
    if (isTextAt(dataField, event, line)) return line + dataField.length
  return -1
}

function lineEnd(event: Buffer, from: number): number {
  const end = event.indexOf(lineFeed, from)
  return end < 0 ? event.length : end
}

/** Returns the data of an event with several `data:` lines as one JSON text. All other bytes are
 *  replaced by blanks, so that each byte keeps its offset. */
function unfolded(event: Buffer): Buffer {
  const json = Buffer.alloc(event.length, blank)
  for (let start = dataIn(event, 0); start >= 0; ) {
    const end = lineEnd(event, start)
    event.copy(json, start, start, end)
    start = dataIn(event, end + 1)
  }
  return json
}
