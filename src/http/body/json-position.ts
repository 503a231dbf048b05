/** Finds where JSON text stops being JSON, for the error message: `JSON.parse` says so only sometimes, and quotes the text. */

const literals = ['true', 'false', 'null']

/** Byte offset of the first byte that cannot be part of valid JSON; the length when the text ends too early; -1 when it is valid. */
export function findJsonError(text: Buffer): number {
  const closers: number[] = []
  let at = skipSpace(text, 0)
  for (;;) {
    // A value starts here.
    const code = text[at]
    if (code === 0x7b || code === 0x5b) {
      const closer = code + 2
      at = skipSpace(text, at + 1)
      if (text[at] !== closer) {
        closers.push(closer)
        if (closer === 0x5d) continue
        const next = readKey(text, at)
        if (next < 0) return ~next
        at = next
        continue
      }
      at += 1
    } else {
      const end = readScalar(text, at)
      if (end < 0) return ~end
      at = end
    }
    const next = afterValue(text, at, closers)
    if (next < 0) return ~next
    if (closers.length === 0) return next === text.length ? -1 : next
    at = next
  }
}

/** From after a value to the start of the next one; past the end of the outermost value when none is open. Negative: `~offset` of the error. */
function afterValue(text: Buffer, start: number, closers: number[]): number {
  let at = skipSpace(text, start)
  while (closers.length > 0) {
    const closer = closers.at(-1)
    if (text[at] === 0x2c) {
      at = skipSpace(text, at + 1)
      return closer === 0x7d ? readKey(text, at) : at
    }
    if (text[at] !== closer) return ~at
    closers.pop()
    at = skipSpace(text, at + 1)
  }
  return at
}

function readKey(text: Buffer, start: number): number {
  if (text[start] !== 0x22) return ~start
  const end = readString(text, start)
  if (end < 0) return end
  const colon = skipSpace(text, end)
  return text[colon] === 0x3a ? skipSpace(text, colon + 1) : ~colon
}

function readScalar(text: Buffer, start: number): number {
  if (text[start] === 0x22) return readString(text, start)
  for (const literal of literals) {
    if (text[start] !== literal.charCodeAt(0)) continue
    for (let at = 0; at < literal.length; at++) if (text[start + at] !== literal.charCodeAt(at)) return ~(start + at)
    return start + literal.length
  }
  return readNumber(text, start)
}

function readString(text: Buffer, start: number): number {
  let at = start + 1
  for (;;) {
    const code = text[at]
    if (code === undefined || code < 0x20) return ~at
    if (code === 0x22) return at + 1
    at += 1
    if (code !== 0x5c) continue
    const escaped = text[at]
    if (escaped === 0x75) {
      for (let digit = 1; digit <= 4; digit++) if (!isHex(text[at + digit])) return ~(at + digit)
      at += 5
    } else if (escaped !== undefined && '"\\/bfnrt'.includes(String.fromCharCode(escaped))) at += 1
    else return ~at
  }
}

function readNumber(text: Buffer, start: number): number {
  let at = text[start] === 0x2d ? start + 1 : start
  if (!isDigit(text[at])) return ~at
  at = text[at] === 0x30 ? at + 1 : skipDigits(text, at)
  if (text[at] === 0x2e) {
    if (!isDigit(text[at + 1])) return ~(at + 1)
    at = skipDigits(text, at + 1)
  }
  if (text[at] !== 0x65 && text[at] !== 0x45) return at
  at += text[at + 1] === 0x2b || text[at + 1] === 0x2d ? 2 : 1
  return isDigit(text[at]) ? skipDigits(text, at) : ~at
}

function skipDigits(text: Buffer, start: number): number {
  let at = start
  while (isDigit(text[at])) at += 1
  return at
}

function skipSpace(text: Buffer, start: number): number {
  let at = start
  while (text[at] === 0x20 || text[at] === 0x0a || text[at] === 0x0d || text[at] === 0x09) at += 1
  return at
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 0x30 && code <= 0x39
}

function isHex(code: number | undefined): boolean {
  return isDigit(code) || (code !== undefined && (code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)
}
