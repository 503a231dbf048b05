import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonKind, JsonScanner, type JsonVisitor, keyText } from './json-scanner.ts'

let seed = 20261126
function random(below: number): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

function pick<Item>(items: readonly Item[]): Item {
  return items[random(items.length)]!
}

const keys = ['a', 'b', '', 'model', 'm\\u006fdel', 'k\\"ey\\\\', 'é', '\\ud83d\\ude00', 'a'.repeat(60)]
const scalars = ['true', 'false', 'null', '0', '-0.5e-3', '1E+2', '123', '9007199254740993', '1.25', '-7']
const strings = [
  '""',
  '"x"',
  '"\\\\"',
  '"\\""',
  '"[{,:]}"',
  '"é \u{1f600} \\u00e9\\n"',
  `"${'long text, '.repeat(9)}"`,
  `"${'\\"\\\\'.repeat(30)}"`,
]
const blanks = ['', '', '', ' ', '\n  ', '\t', '\r\n']
const additions = ['', '', '', '""', ...'"\\{}[],:x1 \n']

function literal(depth: number): string {
  const kind = random(depth > 5 ? 4 : 8)
  if (kind < 2) return pick(scalars)
  if (kind < 4) return pick(strings)
  const items = Array.from(
    { length: random(5) },
    () => `${pick(blanks)}${kind < 6 ? '' : `"${pick(keys)}"${pick(blanks)}:`}${literal(depth + 1)}${pick(blanks)}`,
  )
  const inside = items.length === 0 ? pick(blanks) : items.join(',')
  return kind < 6 ? `[${inside}]` : `{${inside}}`
}

/** Wraps the JSON in up to 40 containers. */
function nested(json: string): string {
  let text = json
  for (let levels = random(8) === 0 ? random(40) : 0; levels > 0; levels--) text = random(2) === 0 ? `[${text}]` : `{"a":${text}}`
  return text
}

/** Returns the JSON with one to three bytes changed, inserted or removed. */
function broken(json: Buffer): Buffer {
  let bytes = Buffer.from(json)
  for (let edits = 1 + random(3); edits > 0; edits--) {
    const at = random(bytes.length + 1)
    const added = random(8) === 0 ? Buffer.from([random(256)]) : Buffer.from(pick(additions))
    bytes = Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + random(2))])
  }
  return bytes
}

/** Builds the JSON value from the scanner's events, and compares each event with the bytes at its
 *  offsets. */
class Builder implements JsonVisitor {
  readonly scanner = new JsonScanner(this)
  readonly #json: Buffer
  /** The scanner skips containers at this depth. The test parses a skipped container with
   *  `JSON.parse`, from the bytes between the offsets of its begin and its end. */
  readonly #skippedDepth: number
  readonly #open: { at: number; value: unknown; key: string | undefined }[] = [{ at: 0, value: [], key: undefined }]
  #text = Buffer.alloc(0)
  isValid = true

  constructor(json: Buffer, skippedDepth: number) {
    this.#json = json
    this.#skippedDepth = skippedDepth
  }

  /** Returns the value that `JSON.parse` returns; undefined when it throws. */
  read(largestChunk: number): unknown {
    for (let at = 0; at < this.#json.length; ) {
      const end = Math.min(this.#json.length, at + 1 + random(largestChunk))
      assert.equal(this.scanner.feed(Buffer.from(this.#json.subarray(at, end))), end - at)
      at = end
    }
    this.scanner.feed(Buffer.from(' '))
    const [values] = this.#open.map(({ value }) => value)
    return this.isValid && this.scanner.isWhole && Array.isArray(values) ? values[0] : undefined
  }

  begin(kind: JsonKind, at: number): void {
    const isContainer = kind === 'object' || kind === 'array'
    const isSkipped = isContainer && this.scanner.depth === this.#skippedDepth
    if (isSkipped) this.scanner.skip()
    this.#open.push({ at: this.scanner.offset + at, value: isSkipped ? undefined : kind === 'object' ? {} : [], key: undefined })
  }

  end(kind: JsonKind, at: number): void {
    const own = this.#open.pop()
    const parent = this.#open.at(-1)
    if (own === undefined || parent === undefined) {
      this.isValid = false
      return
    }
    const isRead = (kind === 'object' || kind === 'array') && own.value !== undefined
    const value = isRead ? own.value : this.#parsed(this.#json.toString('utf8', own.at, this.scanner.offset + at))
    if (Array.isArray(parent.value)) parent.value.push(value)
    else if (typeof parent.value === 'object' && parent.value !== null) Object.assign(parent.value, { [parent.key ?? '']: value })
  }

  key(bytes: Buffer, start: number, end: number): void {
    this.#parsed(`"${bytes.toString('utf8', start, end)}"`)
    this.#open.at(-1)!.key = keyText(bytes, start, end)
  }

  text(start: number, end: number, chunk: Buffer, isLast: boolean): void {
    this.#text = Buffer.concat([this.#text, chunk.subarray(start, end)])
    if (!isLast) return
    const at = this.scanner.offset + end
    assert.deepEqual(this.#text, this.#json.subarray(at - this.#text.length, at))
    assert.equal(this.#json[at], 0x22)
    this.#text = Buffer.alloc(0)
  }

  fault(): void {
    this.isValid = false
  }

  #parsed(json: string): unknown {
    try {
      return JSON.parse(json)
    } catch {
      this.isValid = false
      return undefined
    }
  }
}

function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString())
  } catch {
    return undefined
  }
}

test('JSON in chunks of any size is read as JSON.parse reads it, and refused when JSON.parse refuses it', () => {
  const refused = [0, 0]
  for (let round = 0; round < 6000; round++) {
    const whole = Buffer.from(`${pick(blanks)}${nested(literal(0))}${pick(blanks)}`)
    const json = round % 2 === 0 ? whole : broken(whole)
    const expected = parsed(json)
    refused[round % 2]! += expected === undefined ? 1 : 0
    // The scanner does not report faults in a skipped container, so containers are skipped only
    // when the JSON was not damaged.
    const skippedDepth = round % 4 === 0 ? random(4) : -1
    assert.deepEqual(new Builder(json, skippedDepth).read(pick([1, 3, 20, 400])), expected, json.toString('latin1'))
  }
  assert.equal(refused[0], 0)
  assert.ok(refused[1]! > 1500, `${refused[1]} of the broken ones are refused`)
})

test('the text between values must match the grammar', () => {
  for (const json of [
    '',
    '1,2',
    '1 2',
    '{}{}',
    '[]]',
    '{"a""b":1}',
    '{"a"::1}',
    '{"a":1:2}',
    '{"a",1}',
    '[1,]',
    '[,1]',
    '{,}',
    '{1:2}',
    '[1}',
    ':',
    '\v1',
  ])
    assert.equal(new Builder(Buffer.from(json), -1).read(2), undefined, json)
})

test('a scanner that stopped reports the offset, and starts anew after a reset', () => {
  const scanner = new JsonScanner({
    end() {
      if (scanner.depth === 0) scanner.stop()
    },
  })
  for (const [json, end] of [
    ['x: {"a":[1]} {}', 12],
    ['x: "a]" ', 7],
    ['x: 12}', 5],
    ['x: {"a":"', 9],
  ] as const) {
    scanner.reset()
    assert.equal(scanner.feed(Buffer.from(json), 3), end, json)
  }
})

test('a reset discards a split key', () => {
  const found: string[] = []
  const scanner = new JsonScanner({ key: (bytes, start, end) => found.push(keyText(bytes, start, end)) })
  scanner.feed(Buffer.from('{"mo'))
  scanner.reset()
  for (const piece of ['{"a', 'b":1}']) scanner.feed(Buffer.from(piece))
  assert.deepEqual(found, ['ab'])
})

test('JSON may be nested up to the limit and no deeper, also where it is skipped', () => {
  for (const skips of [false, true]) {
    const scan = (levels: number) => {
      const scanner: JsonScanner = new JsonScanner({ begin: () => skips && scanner.depth === 2 && scanner.skip() }, 64)
      scanner.feed(Buffer.from('['.repeat(levels)))
    }
    scan(64)
    assert.throws(() => scan(65), { code: 'invalid_json', message: 'The body is nested deeper than 64 levels.' })
  }
})

test('a split key is reported whole, and only the beginning of a very long one', () => {
  const found: string[] = []
  const visitor: JsonVisitor = { key: (bytes, start, end) => found.push(keyText(bytes, start, end)) }
  const scanner = new JsonScanner(visitor)
  const long = 'k'.repeat(100_000)
  for (const piece of ['{"mo', 'del":1,"', 'm\\u006', 'fdel":2,"', ...(long.match(/.{1000}/g) ?? []), '":3}'])
    scanner.feed(Buffer.from(piece))
  assert.deepEqual(found.slice(0, 2), ['model', 'model'])
  assert.ok(found[2]!.length > 16 * 1024 && found[2]!.length < 20 * 1024)
  assert.ok(scanner.isWhole)
})
