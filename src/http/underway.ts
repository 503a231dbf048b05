import type { GatewayError } from '../core/errors.ts'

/** A call that can be ended from outside: with an error event where its answer is out in part, else with an error. */
export interface Cuttable {
  cut(error: GatewayError): void
}

/** The calls of one gateway that a stop has to end. */
export class Underway {
  readonly #calls = new Set<Cuttable>()

  add(call: Cuttable): void {
    this.#calls.add(call)
  }

  delete(call: Cuttable): void {
    this.#calls.delete(call)
  }

  /** Ends all of them. */
  cut(error: GatewayError): void {
    for (const call of [...this.#calls]) call.cut(error)
  }
}
