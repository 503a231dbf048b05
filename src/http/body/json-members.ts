/** Reads the members of JSON by their bytes: where a value stands, so that it can be replaced and everything else stays as it was sent, and whether every reader would read the same.
 *  Readers differ on members that stand twice and on names in another case; a body that is judged here and read by an upstream may have neither (docs/decisions/0015). */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { skipBlank, stringEnd, valueEnd } from './json-bytes.ts'

/** Where a member's value stands: `start` inclusive, `end` exclusive. */
export interface Span {
  start: number
  end: number
}

export interface Members {
  /** Offset after the object's `{`. */
  open: number
  /** Of each wanted name that is there, the value's place. */
  spans: ReadonlyMap<string, Span>
}

/** Deeper JSON is refused everywhere: whoever walks it would run out of stack. */
export const maxDepth = 64

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
/** From so many names on an object's are kept in a set. */
const manyNames = 12

/** Members whose contents are the caller's own, with names that mean nothing here. */
const ownWords = new Set(
  'metadata parameters schema logit_bias variables headers arguments input_schema env attributes properties $defs guided_json structured_outputs json json_schema chat_template_kwargs extra_body'.split(
    ' ',
  ),
)

interface Frame {
  /** Undefined in an array. */
  names: string[] | undefined
  many: Set<string> | undefined
}

/** Top-level members of valid JSON. `wanted` are plain names; one written with escapes counts as the name it means. `judged` are names that something is decided by, in lower case.
 *  Throws `invalid_json` for JSON deeper than `maxDepth`, `invalid_request` for a name that stands twice in an object, or is a judged one in another case. */
export function readMembers(json: Buffer, wanted: ReadonlySet<string>, judged: ReadonlySet<string> = new Set()): Members {
  return new MemberReader(json, wanted, judged).read()
}

class MemberReader {
  readonly #json: Buffer
  readonly #wanted: ReadonlySet<string>
  readonly #judged: ReadonlySet<string>
  readonly #spans = new Map<string, Span>()
  readonly #frames: Frame[] = []
  #depth = 0
  /** Depth of the member whose contents are the caller's own, or 0. */
  #ownDepth = 0

  constructor(json: Buffer, wanted: ReadonlySet<string>, judged: ReadonlySet<string>) {
    this.#json = json
    this.#wanted = wanted
    this.#judged = judged
  }

  read(): Members {
    const json = this.#json
    const open = json.indexOf(0x7b) + 1
    let expectsName = false
    for (let at = 0; at < json.length; at++) {
      switch (json[at]) {
        case quote: {
          const end = stringEnd(json, at)
          if (expectsName) this.#name(at, end)
          expectsName = false
          at = end - 1
          break
        }
        case 0x7b:
          this.#enter([])
          expectsName = true
          break
        case 0x5b:
          this.#enter(undefined)
          expectsName = false
          break
        case 0x7d:
        case 0x5d:
          this.#depth -= 1
          if (this.#depth < this.#ownDepth) this.#ownDepth = 0
          expectsName = false
          break
        case comma:
          if (this.#depth === this.#ownDepth) this.#ownDepth = 0
          expectsName = this.#frames[this.#depth]?.names !== undefined
          break
      }
    }
    return { open, spans: this.#spans }
  }

  #enter(names: string[] | undefined): void {
    if (this.#depth === maxDepth) throw new GatewayError('invalid_json', `The body is nested deeper than ${maxDepth} levels.`)
    this.#depth += 1
    const frame = this.#frames[this.#depth]
    if (frame === undefined) this.#frames[this.#depth] = { names, many: undefined }
    else {
      frame.names = names
      frame.many = undefined
    }
  }

  #name(at: number, end: number): void {
    const json = this.#json
    const name = nameOf(json, at, end)
    this.#note(name)
    if (this.#ownDepth === 0) {
      this.#judge(name)
      if (ownWords.has(name)) this.#ownDepth = this.#depth
    }
    if (this.#depth !== 1 || !this.#wanted.has(name)) return
    const start = skipBlank(json, skipBlank(json, end) + 1)
    this.#spans.set(name, { start, end: valueEnd(json, start) })
  }

  #note(name: string): void {
    const frame = this.#frames[this.#depth]!
    const names = frame.names!
    if (frame.many?.has(name) ?? names.includes(name)) throw twice(name)
    if (frame.many) frame.many.add(name)
    else if (names.push(name) > manyNames) frame.many = new Set(names)
  }

  #judge(name: string): void {
    if (!isUnusual(name)) return
    const meant = folded(name)
    if (meant === name || !this.#judged.has(meant)) return
    throw new GatewayError('invalid_request', `${shown(name)} is no field; the field is called ${meant}.`, { field: shown(name) })
  }
}

function twice(name: string): GatewayError {
  return new GatewayError('invalid_request', `${shown(name)} stands twice in one object of the body; each name may stand there once.`, {
    field: shown(name),
  })
}

function shown(name: string): string {
  return name.slice(0, 100)
}

/** Whether a name has anything but small letters, digits and signs. */
function isUnusual(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if ((code >= 0x41 && code <= 0x5a) || code >= 0x80) return true
  }
  return false
}

/** As readers that take no heed of case see a name: Unicode's simple folding maps the Kelvin sign to k and the long s to s. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase()
}

function nameOf(json: Buffer, start: number, end: number): string {
  for (let at = start + 1; at < end - 1; at++) {
    const code = json[at]!
    if (code === backslash) return String(JSON.parse(json.toString('utf8', start, end)))
    if (code >= 0x80) return json.toString('utf8', start + 1, end - 1)
  }
  return json.toString('latin1', start + 1, end - 1)
}
