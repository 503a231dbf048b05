import type { GatewayError } from '@generation-gateway/kit/errors.ts'

/** A call that other code can end: with an error event in the stream when part of its answer was
 *  sent, else with an error answer. */
export interface InterruptibleCall {
  cut(error: GatewayError): void
}

/** The running calls of a gateway, which have to be ended when the gateway stops. An array stores
 *  them, in slots that are used again. A `Set`, to which calls are constantly added and removed,
 *  kept every call in memory until a full garbage collection (docs/decisions/0015). */
export class CallsUnderway {
  readonly #slots: (InterruptibleCall | undefined)[] = []
  readonly #free: number[] = []

  /** Adds a call and returns the number of its slot, which `delete` needs. */
  add(call: InterruptibleCall): number {
    const slot = this.#free.pop() ?? this.#slots.length
    this.#slots[slot] = call
    return slot
  }

  /** Frees a slot; must be called once for each `add`. */
  delete(slot: number): void {
    this.#slots[slot] = undefined
    this.#free.push(slot)
  }

  /** Ends all calls with this error. */
  cut(error: GatewayError): void {
    for (const call of [...this.#slots]) call?.cut(error)
  }
}
