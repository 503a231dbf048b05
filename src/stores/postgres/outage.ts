import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { unavailable } from './faults.ts'
import type { PostgresLink } from './link.ts'

/** Records whether the database answers. During an outage, calls are refused immediately,
 *  instead of each waiting for a connection. */
export class Outage {
  readonly #links: readonly Pick<PostgresLink, 'drop'>[]
  #cause: unknown
  #isOn = false

  /** `links` are the connections to drop at the beginning of an outage, so that statements which
   *  wait for an answer fail immediately. */
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
