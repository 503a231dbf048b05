/** Steps over valid JSON by its bytes. */

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const shortString = 48

/** Offset after the closing quote of the string that begins at `start`. */
export function stringEnd(json: Buffer, start: number): number {
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

/** Offset after the value that begins at `start`. */
export function valueEnd(json: Buffer, start: number): number {
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

/** Offset of the next byte that is no blank. */
export function skipBlank(json: Buffer, from: number): number {
  let at = from
  while (at < json.length && json[at]! <= 0x20) at += 1
  return at
}
