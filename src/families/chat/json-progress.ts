import { type JsonKind, JsonScanner, type JsonVisitor } from '@generation-gateway/kit/json-scanner.ts'

/** Detects the end of a JSON object or list that arrives in pieces, without storing the pieces. */
export class JsonProgress implements JsonVisitor {
  readonly #scanner = new JsonScanner(this)
  #hasBegun = false

  /** True once an object or list has begun and ended. */
  get isWhole(): boolean {
    return this.#hasBegun && this.#scanner.depth === 0
  }

  add(piece: string): void {
    this.#scanner.feed(Buffer.from(piece))
  }

  begin(kind: JsonKind): void {
    this.#hasBegun ||= kind === 'object' || kind === 'array'
  }
}
