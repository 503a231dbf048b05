import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { unavailable } from './faults.ts'

/** Whether the database answers. While it does not, calls are refused at once instead of waiting
 *  for a connection each. */
export class Outage {
  readonly #onBegin: () => void
  #cause: unknown
  #isOn = false

  /** `onBegin` is called at the beginning of each outage. */
  constructor(onBegin: () => void) {
    this.#onBegin = onBegin
  }

  get isOn(): boolean {
    return this.#isOn
  }

  begin(cause: unknown): void {
    this.#cause = cause
    if (this.#isOn) return
    this.#isOn = true
    this.#onBegin()
  }

  end(): void {
    this.#isOn = false
  }

  /** Returns the error for calls during the outage. */
  refusal(): GatewayError {
    return unavailable(this.#cause)
  }
}
