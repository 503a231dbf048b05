/** Estimates the tokens of a text for which nobody has counted them. A caller must not be able to
 *  lower the count by the choice of words, so the estimate is too high rather than too low: by
 *  about a quarter for English and code, and by more for other scripts that the model was trained
 *  on. docs/decisions/0015 compares it with a tokenizer. */

const letter = 1
const digit = 2
const blank = 3
const mark = 4
const further = 5

const kinds = new Uint8Array(256).map((_, code) => {
  if (code >= 0x80) return further
  if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) return letter
  if (code >= 0x30 && code <= 0x39) return digit
  return code <= 0x20 || code === 0x7f ? blank : mark
})
const backslash = 0x5c
/** Longest word in bytes. A longer run of letters is not a word; tokenizers split it into tokens of
 *  about two letters. */
const longestWord = 16

/** Returns the estimated number of tokens of a text given as UTF-8 bytes. */
export function tokensInBytes(bytes: Uint8Array): number {
  return tokensBetween(bytes, 0, bytes.length, false)
}

/** Returns the estimated number of tokens in the bytes from `start` to `end` (exclusive) of a
 *  JSON string, whose escapes count as the characters that they stand for. */
export function tokensInJson(bytes: Uint8Array, start: number, end: number): number {
  return tokensBetween(bytes, start, end, true)
}

function tokensBetween(bytes: Uint8Array, start: number, end: number, isJson: boolean): number {
  let tokens = 0
  let at = start
  while (at < end) {
    const code = bytes[at]!
    if (isJson && code === backslash) {
      // True for `\uXXXX`, an escaped character that is usually not a Latin letter and is counted
      // as two tokens. False for an escape of two characters, such as that of a quote or a line
      // feed.
      const isFurther = bytes[at + 1] === 0x75
      tokens += isFurther ? 2 : 1
      at += isFurther ? 6 : 2
      continue
    }
    const kind = kinds[code]!
    let next = at + 1
    if (kind !== digit && kind !== mark) while (next < end && kinds[bytes[next]!] === kind) next += 1
    tokens += tokensOfRun(kind, next - at, code === 0x20 && (next < end || at > start))
    at = next
  }
  return tokens
}

/** Returns the estimated number of tokens of a run of bytes of one kind. `isBeside` is true for
 *  blanks that begin with a space and have other text before or after them. A single space of this
 *  kind counts as 0 tokens, because it belongs to the token of a word. */
function tokensOfRun(kind: number, length: number, isBeside: boolean): number {
  switch (kind) {
    case letter:
      return Math.ceil(length / (length > longestWord ? 2 : 4))
    case blank:
      return isBeside && length === 1 ? 0 : Math.ceil(length / 4)
    case further:
      return Math.ceil(length / 1.5)
    default:
      return length
  }
}

/** Returns the estimated number of tokens of a text. */
export function tokensIn(text: string): number {
  return text === '' ? 0 : tokensInBytes(Buffer.from(text))
}
