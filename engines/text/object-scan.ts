/** Follows the nesting of JSON from a depth (0: before the object) until the object ends. */
export class ObjectScan {
  #depth: number
  #isInString = false
  #isEscaped = false

  constructor(depth: number) {
    this.#depth = depth
  }

  /** Returns the position after the object's closing brace, if the text contains it. */
  endIn(text: string): number | undefined {
    for (let at = 0; at < text.length; at += 1) if (this.isEnd(text[at] ?? '')) return at + 1
    return undefined
  }

  /** Processes one character; true when it is the object's closing brace. */
  isEnd(char: string): boolean {
    if (this.#isEscaped) this.#isEscaped = false
    else if (this.#isInString && char === '\\') this.#isEscaped = true
    else if (char === '"') this.#isInString = !this.#isInString
    else if (!this.#isInString && char === '{') this.#depth += 1
    else if (!this.#isInString && char === '}') {
      this.#depth -= 1
      return this.#depth <= 0
    }
    return false
  }
}
