import type { Token } from 'node-llama-cpp'

/** A character takes at most this many tokens of a byte each. */
const longestCharacter = 4

/** The part of a model that knows the text of tokens. */
interface Detokenizer<T> {
  detokenize(tokens: readonly T[], specialTokens: boolean, lastTokens: readonly T[]): string
}

/** Turns tokens into text, a piece at a time; a character split over tokens comes with the last of them. */
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

  /** What is left of a character that was never finished. */
  end(): string {
    return this.#pending.length === 0 ? '' : this.#model.detokenize(this.#pending, false, this.#before)
  }
}
