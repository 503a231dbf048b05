import type { GatewayError } from '@generation-gateway/kit/errors.ts'

/** A call that can be ended from outside: with an error event where its answer is out in part, else with an error. */
export interface Cuttable {
  cut(error: GatewayError): void
}

/** The calls of one gateway that a stop has to end. Slots of an array, not a set: what a set that calls come to and leave all the time throws away kept every call alive until a full garbage collection (docs/decisions/0015). */
export class Underway {
  readonly #slots: (Cuttable | undefined)[] = []
  readonly #free: number[] = []

  /** Gives the slot, for `delete`. */
  add(call: Cuttable): number {
    const slot = this.#free.pop() ?? this.#slots.length
    this.#slots[slot] = call
    return slot
  }

  /** Once for each `add`. */
  delete(slot: number): void {
    this.#slots[slot] = undefined
    this.#free.push(slot)
  }

  /** Ends all of them. */
  cut(error: GatewayError): void {
    for (const call of [...this.#slots]) call?.cut(error)
  }
}
