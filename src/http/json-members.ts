/** Finds members of a JSON object by their bytes, so that one value can be replaced and everything else stays as it was sent. */

/** Where a member's value stands: `start` inclusive, `end` exclusive. */
export interface Span {
  start: number
  end: number
}

export interface Members {
  /** Offset after the object's `{`. */
  open: number
  /** Of each wanted name that is there, the value's place. A name that came twice has two. */
  spans: ReadonlyMap<string, readonly Span[]>
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const shortString = 48

/** Top-level members of valid JSON whose root is an object. `wanted` are plain names; a key written with escapes counts as the name it means. */
export function findMembers(json: Buffer, wanted: ReadonlySet<string>): Members {
  const spans = new Map<string, Span[]>()
  let at = json.indexOf(0x7b) + 1
  const open = at
  for (;;) {
    at = nextQuote(json, at)
    if (at < 0) return { open, spans }
    const keyEnd = stringEnd(json, at)
    const name = keyOf(json, at, keyEnd)
    const start = skipBlank(json, skipBlank(json, keyEnd) + 1)
    const end = valueEnd(json, start)
    if (wanted.has(name)) {
      const known = spans.get(name)
      if (known) known.push({ start, end })
      else spans.set(name, [{ start, end }])
    }
    at = skipBlank(json, end)
    if (json[at] !== comma) return { open, spans }
  }
}

/** Offset after the closing quote of the string that begins at `start`. */
function stringEnd(json: Buffer, start: number): number {
  // Most strings are short: a call into the runtime for each would cost more than the loop.
  const near = Math.min(json.length, start + shortString)
  for (let at = start + 1; at < near; at++) {
    const code = json[at]
    if (code === quote) return at + 1
    if (code === backslash) at += 1
  }
  return longStringEnd(json, start)
}

function longStringEnd(json: Buffer, start: number): number {
  let at = start
  for (;;) {
    at = json.indexOf(quote, at + 1)
    if (at < 0) return json.length
    let before = at - 1
    while (json[before] === backslash) before -= 1
    if ((at - before) % 2 === 1) return at + 1
  }
}

function keyOf(json: Buffer, start: number, end: number): string {
  const raw = json.toString('latin1', start + 1, end - 1)
  return raw.includes('\\') ? String(JSON.parse(json.toString('utf8', start, end))) : raw
}

function valueEnd(json: Buffer, start: number): number {
  const first = json[start]
  if (first === quote) return stringEnd(json, start)
  if (first === 0x7b || first === 0x5b) return containerEnd(json, start)
  let at = start
  // A number or a word ends at a comma, a bracket or a blank.
  while (at < json.length && json[at]! > 0x20 && json[at] !== comma && json[at] !== 0x7d) at += 1
  return at
}

function containerEnd(json: Buffer, start: number): number {
  let depth = 0
  let at = start
  while (at < json.length) {
    const code = json[at]!
    if (code === quote) {
      at = stringEnd(json, at)
      continue
    }
    if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1
      if (depth === 0) return at + 1
    }
    at += 1
  }
  return at
}

/** The next key's quote; -1 at the end of the object. */
function nextQuote(json: Buffer, from: number): number {
  let at = from
  while (at < json.length && json[at] !== quote && json[at] !== 0x7d) at += 1
  return json[at] === quote ? at : -1
}

function skipBlank(json: Buffer, from: number): number {
  let at = from
  while (at < json.length && json[at]! <= 0x20) at += 1
  return at
}
