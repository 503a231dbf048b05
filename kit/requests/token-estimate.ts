/** Estimates the tokens of a text when nothing has counted them. The estimate is too high rather
 *  than too low, so that a caller cannot lower the count by the choice of words. It is about a
 *  quarter too high for English and code, and still higher for other scripts that the model was
 *  trained on. Measured against a tokenizer in docs/decisions/0015. */

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
/** Longest word in bytes; a longer run is not a word and splits into tokens of about two
 *  letters. */
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
      // True for `\uXXXX`, the escape of a character of another script. False for an escape of two
      // characters, such as that of a quote or a line feed.
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
 *  blanks that begin with a space and have other text before or after them; a single such space
 *  belongs to the token of a word. */
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
