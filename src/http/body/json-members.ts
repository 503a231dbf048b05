/** Finds the byte offsets of members in JSON, so that one value can be replaced while all other
 *  bytes stay as sent. Refuses JSON that two parsers could read differently: parsers treat
 *  duplicate names, and names in another case, in different ways. The gateway checks the body
 *  and the upstream reads it, so both must see the same values (docs/decisions/0015). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonKind, JsonScanner, type JsonVisitor, keyText, maxDepth } from '@generation-gateway/kit/json-scanner.ts'

/** Byte offsets of a member's value: `start` inclusive, `end` exclusive. */
export interface Span {
  start: number
  end: number
}

export interface Members {
  /** Offset after the `{` that opens the object. */
  open: number
  /** Name -> offsets of its value, for each wanted name that the object contains. */
  spans: ReadonlyMap<string, Span>
}

/** Largest number of bytes of a body that are parsed or checked in one turn of the event loop. */
export const turnBytes = 128 * 1024
/** Number of names in one object above which they are kept in a set instead of a list. */
const manyNames = 12

/** Members whose contents are the caller's own data; names inside them have no meaning for the
 *  gateway and may be written in any case. */
const ownWords = new Set(
  'metadata parameters schema logit_bias variables headers arguments input_schema env attributes properties $defs guided_json structured_outputs json json_schema chat_template_kwargs extra_body'.split(
    ' ',
  ),
)

interface Frame {
  names: string[]
  many: Set<string> | undefined
}

/** Returns the offsets of the `wanted` top-level members of valid JSON; a name written with
 *  escapes (`\u0061`) counts as the name it stands for. `judged`: names, in lower case, of
 *  members that the gateway acts on. Throws `invalid_json` for JSON deeper than `maxDepth`,
 *  `invalid_request` for a name that occurs twice in an object, or a judged name in another
 *  case. */
export function readMembers(json: Buffer, wanted: ReadonlySet<string>, judged?: ReadonlySet<string>): Members {
  return new MemberReader(json, wanted, judged).read()
}

/** Does the same for a long body, with a turn of the event loop for each 128 KiB. */
export function readMembersInTurns(json: Buffer, wanted: ReadonlySet<string>, judged?: ReadonlySet<string>): Promise<Members> {
  return new MemberReader(json, wanted, judged).readInTurns()
}

class MemberReader implements JsonVisitor {
  readonly #scanner = new JsonScanner(this, maxDepth)
  readonly #json: Buffer
  readonly #wanted: ReadonlySet<string>
  readonly #judged: ReadonlySet<string>
  readonly #spans = new Map<string, Span>()
  /** The open objects by depth, each with the names of its members that were read so far. */
  readonly #frames: Frame[] = []
  /** Depth of the open member whose contents are the caller's own data; 0 outside of such a
   *  member. */
  #ownDepth = 0
  /** Name of the wanted member whose value comes next or is being read. */
  #member: string | undefined
  #start = 0

  constructor(json: Buffer, wanted: ReadonlySet<string>, judged: ReadonlySet<string> = new Set()) {
    this.#json = json
    this.#wanted = wanted
    this.#judged = judged
  }

  read(): Members {
    this.#scanner.feed(this.#json)
    return this.#members()
  }

  async readInTurns(): Promise<Members> {
    for (let from = 0; from < this.#json.length; from += turnBytes) {
      this.#scanner.feed(this.#json.subarray(0, from + turnBytes), from)
      await nextTurn()
    }
    return this.#members()
  }

  #members(): Members {
    return { open: this.#json.indexOf(0x7b) + 1, spans: this.#spans }
  }

  begin(kind: JsonKind, at: number): void {
    const { depth } = this.#scanner
    if (depth < this.#ownDepth) this.#ownDepth = 0
    if (depth === 1) this.#start = at
    if (kind === 'object') this.#enter(depth + 1)
  }

  #enter(depth: number): void {
    const frame = this.#frames[depth]
    if (frame === undefined) this.#frames[depth] = { names: [], many: undefined }
    else {
      frame.names = []
      frame.many = undefined
    }
  }

  end(_kind: JsonKind, at: number): void {
    if (this.#member === undefined || this.#scanner.depth !== 1) return
    this.#spans.set(this.#member, { start: this.#start, end: at })
    this.#member = undefined
  }

  key(bytes: Buffer, start: number, end: number): void {
    const name = keyText(bytes, start, end)
    const { depth } = this.#scanner
    this.#note(name, this.#frames[depth]!)
    if (depth <= this.#ownDepth) this.#ownDepth = 0
    if (this.#ownDepth === 0) {
      this.#judge(name)
      if (ownWords.has(name)) this.#ownDepth = depth
    }
    if (depth === 1 && this.#wanted.has(name)) this.#member = name
  }

  #note(name: string, frame: Frame): void {
    const { names, many } = frame
    if (many?.has(name) ?? names.includes(name)) throw twice(name)
    if (many) many.add(name)
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
  return new GatewayError('invalid_request', `${shown(name)} occurs twice in one object of the body; each name may occur only once.`, {
    field: shown(name),
  })
}

function shown(name: string): string {
  return name.slice(0, 100)
}

/** Returns true when a parser that ignores case could take the name for another one: it contains
 *  upper-case ASCII letters, or characters that are not ASCII. */
function isUnusual(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if ((code >= 0x41 && code <= 0x5a) || code >= 0x80) return true
  }
  return false
}

/** Returns the name as parsers that ignore case compare it. Unicode maps some other characters
 *  to letters as well: the Kelvin sign to k, and the long s to s. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase()
}
