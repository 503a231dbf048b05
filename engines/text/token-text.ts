import type { Token } from 'node-llama-cpp'

/** Largest number of tokens for one character. In the worst case, each of its UTF-8 bytes, at
 *  most four, is a token. */
const longestCharacter = 4

/** The part of a model that converts tokens to text. */
interface Detokenizer<T> {
  detokenize(tokens: readonly T[], specialTokens: boolean, lastTokens: readonly T[]): string
}

/** Converts tokens to text one at a time. The text of a character that consists of several tokens
 *  is returned with the last of them. */
export class TokenText<T = Token> {
  readonly #model: Detokenizer<T>
  #pending: T[] = []
  #before: T[] = []

  constructor(model: Detokenizer<T>) {
    this.#model = model
  }

  push(token: T): string {
    this.#pending.push(token)
    const text = this.#model.detokenize(this.#pending, false, this.#before)
    if (text.endsWith('\ufffd') && this.#pending.length < longestCharacter) return ''
    this.#before = [...this.#before, ...this.#pending].slice(-longestCharacter)
    this.#pending = []
    return text
  }

  /** Returns the text of an unfinished character at the end of the answer; an empty text when there
   *  is none. */
  end(): string {
    return this.#pending.length === 0 ? '' : this.#model.detokenize(this.#pending, false, this.#before)
  }
}
