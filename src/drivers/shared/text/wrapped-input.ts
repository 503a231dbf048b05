/** Extracts the text of a wrapped custom tool from its JSON arguments `{"input": "..."}`, which
 *  arrive in pieces. */

/** Takes the pieces in order. `push` returns the text that the piece completes, `end` the remaining
 *  text. */
export class WrappedInput {
  /** Received characters that are not decoded yet: the beginning of the JSON or of an escape
   *  sequence, or everything when the arguments do not have the form `{"input": "..."}`. */
  #rest = ''
  #state: 'opening' | 'text' | 'closed' | 'other' = 'opening'
  /** First half of a surrogate pair (UTF-16), held back until its second half arrives. */
  #half = ''

  push(piece: string): string {
    this.#rest += piece
    if (this.#state === 'opening') this.#open()
    return this.#state === 'text' ? this.#decode() : ''
  }

  /** Returns the remaining text. When the arguments do not have the form `{"input": "..."}`,
   *  returns the value of the member `input` or of the only member of a JSON object, or the value
   *  of a JSON string. Otherwise returns everything that the model wrote. */
  end(): string {
    const written = this.#rest
    const isFree = this.#state === 'opening' || this.#state === 'other'
    this.#state = 'closed'
    return isFree ? freeText(written) : ''
  }

  #open(): void {
    const found = opening.exec(this.#rest)
    if (found) {
      this.#state = 'text'
      this.#rest = this.#rest.slice(found[0].length)
      return
    }
    const dense = this.#rest.replace(/\s+/g, '')
    if (!'{"input":"'.startsWith(dense)) this.#state = 'other'
  }

  #decode(): string {
    let text = this.#half
    let at = 0
    while (at < this.#rest.length) {
      const special = specialFrom(this.#rest, at)
      text += this.#rest.slice(at, special)
      at = special
      if (at === this.#rest.length) break
      if (this.#rest[at] === '"') {
        this.#state = 'closed'
        this.#rest = ''
        this.#half = ''
        return text
      }
      const escaped = escapeAt(this.#rest, at)
      if (escaped === undefined) break
      text += escaped.text
      at += escaped.length
    }
    this.#rest = this.#rest.slice(at)
    this.#half = ''
    if (!/[\ud800-\udbff]$/.test(text)) return text
    this.#half = text.slice(-1)
    return text.slice(0, -1)
  }
}

const opening = /^\s*\{\s*"input"\s*:\s*"/
const plainEscapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

function specialFrom(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '"' || text[at] === '\\') return at
  return text.length
}

/** Returns the character of the escape sequence at this offset, and its length; undefined while the
 *  sequence is incomplete. */
function escapeAt(text: string, at: number): { text: string; length: number } | undefined {
  const kind = text[at + 1]
  if (kind === undefined) return undefined
  if (kind !== 'u') return { text: plainEscapes[kind] ?? kind, length: 2 }
  const digits = text.slice(at + 2, at + 6)
  return digits.length < 4 ? undefined : { text: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 }
}

function freeText(written: string): string {
  let value: unknown
  try {
    value = JSON.parse(written)
  } catch {
    // A custom tool expects raw text, so arguments that are not JSON are used as they are.
    return written
  }
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return written
  const members: unknown[] = 'input' in value ? [value.input] : Object.values(value)
  const [only] = members
  if (members.length !== 1) return written
  return typeof only === 'string' ? only : JSON.stringify(only)
}
