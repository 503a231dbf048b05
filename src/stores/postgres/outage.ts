import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { unavailable } from './faults.ts'
import type { PostgresLink } from './link.ts'

/** Holds whether the database answers. While it does not, calls are refused at once instead of
 *  waiting for a connection each. */
export class Outage {
  readonly #links: readonly Pick<PostgresLink, 'drop'>[]
  #cause: unknown
  #isOn = false

  /** `links` are dropped at the beginning of an outage, so that what waits for an answer is
   *  refused. */
  constructor(links: readonly Pick<PostgresLink, 'drop'>[]) {
    this.#links = links
  }

  get isOn(): boolean {
    return this.#isOn
  }

  begin(cause: unknown): void {
    this.#cause = cause
    if (this.#isOn) return
    this.#isOn = true
    for (const link of this.#links) link.drop()
  }

  end(): void {
    this.#isOn = false
  }

  /** Returns the error for calls during the outage. */
  refusal(): GatewayError {
    return unavailable(this.#cause)
  }
}
