import type { GatewayError } from '@generation-gateway/kit/errors.ts'

/** A call that can be ended from outside: with an error event when part of its answer was sent,
 *  else with an error. */
export interface InterruptibleCall {
  cut(error: GatewayError): void
}

/** The running calls of a gateway, which a stop has to end. They are slots of an array: a set that
 *  calls constantly enter and leave kept every call alive until a full garbage collection
 *  (docs/decisions/0015). */
export class CallsUnderway {
  readonly #slots: (InterruptibleCall | undefined)[] = []
  readonly #free: number[] = []

  /** Adds a call; returns its slot, for `delete`. */
  add(call: InterruptibleCall): number {
    const slot = this.#free.pop() ?? this.#slots.length
    this.#slots[slot] = call
    return slot
  }

  /** Frees a slot; call it once for each `add`. */
  delete(slot: number): void {
    this.#slots[slot] = undefined
    this.#free.push(slot)
  }

  /** Ends all calls with this error. */
  cut(error: GatewayError): void {
    for (const call of [...this.#slots]) call?.cut(error)
  }
}
