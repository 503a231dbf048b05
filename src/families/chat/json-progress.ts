import { type JsonKind, JsonScanner, type JsonVisitor } from '@generation-gateway/kit/json-scanner.ts'

/** Follows an object or list of JSON that arrives in pieces; keeps none of its contents. */
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
