/** Follows an object or a list of JSON that comes in pieces; each character is read once, and none is kept. */
export class JsonProgress {
  #depth = 0
  #isInText = false
  #isEscaped = false
  #hasBegun = false

  /** Whether an object or list has begun and ended. */
  get isWhole(): boolean {
    return this.#hasBegun && this.#depth <= 0
  }

  add(piece: string): void {
    for (const sign of piece) {
      if (this.#isInText) this.#readText(sign)
      else if (sign === '"') this.#isInText = true
      else if (sign === '{' || sign === '[') {
        this.#depth += 1
        this.#hasBegun = true
      } else if (sign === '}' || sign === ']') this.#depth -= 1
    }
  }

  #readText(sign: string): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (sign === '\\') this.#isEscaped = true
    else if (sign === '"') this.#isInText = false
  }
}
