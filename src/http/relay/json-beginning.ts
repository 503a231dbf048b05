/** Reads the beginning of JSON that is too large to wait for its end. */

const quote = 0x22
const backslash = 0x5c
const openings = new Map([
  [0x7b, '}'],
  [0x5b, ']'],
])

/** The value whose JSON begins with these bytes, with what has come of it: lists and objects end where the bytes end, and so does
 *  a text that is a value. Undefined where the bytes begin no JSON. */
export function beginningOf(bytes: Buffer): unknown {
  const { text, closers } = cutOf(bytes)
  try {
    return JSON.parse(text + closers)
  } catch {
    return undefined
  }
}

/** The bytes up to the last place at which everything that is open can be closed, and what closes it. */
function cutOf(bytes: Buffer): { text: string; closers: string } {
  let closers = ''
  let safe = { end: 0, closers: '' }
  /** In a list, or behind a colon: a text that begins here is a value. */
  let isValue = true
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at]!
    if (code === quote) {
      const end = stringEnd(bytes, at)
      if (end < 0) return isValue ? openText(bytes, closers) : { text: bytes.toString('utf8', 0, safe.end), closers: safe.closers }
      at = end
    } else if (openings.has(code)) {
      closers = openings.get(code) + closers
      isValue = code === 0x5b
      safe = { end: at + 1, closers }
    } else if (code === 0x7d || code === 0x5d) {
      closers = closers.slice(1)
      safe = { end: at + 1, closers }
    } else if (code === 0x2c) {
      isValue = closers.startsWith(']')
      safe = { end: at, closers }
    } else if (code === 0x3a) isValue = true
  }
  return { text: bytes.toString('utf8', 0, safe.end), closers: safe.closers }
}

/** Offset of the closing quote; -1 where the bytes end before it. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(quote, start + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let before = at - 1
    while (bytes[before] === backslash) before -= 1
    if ((at - before) % 2 === 1) return at
  }
  return -1
}

/** A text that has not ended is closed where it is; an escape at the end may be cut in two. */
function openText(bytes: Buffer, closers: string): { text: string; closers: string } {
  const text = bytes.toString('utf8').replace(/(?<!\\)((?:\\\\)*)\\(u[0-9a-fA-F]{0,3})?$/, '$1')
  return { text: `${text}"`, closers }
}
