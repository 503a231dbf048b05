/** What this process reports of itself to the other nodes and to operators. */
import { hostname } from 'node:os'
import { version } from './config/settings.ts'
import { Duty } from './core/duty.ts'
import type { NodeFacts } from './core/records/node.ts'

interface Counts {
  /** Runs of tasks in progress. */
  running(): number
  /** Webhook deliveries in progress. */
  deliveries(): number
}

export class ThisNode {
  readonly name: string
  readonly duty = new Duty()
  readonly #fixed: Pick<NodeFacts, 'name' | 'version' | 'startedAt' | 'schema'>
  #address: string | undefined
  #counts: Counts | undefined

  /** `schema`: version of the schema of the store. `startedAt`: Unix milliseconds. */
  constructor({ name, schema, startedAt }: Pick<NodeFacts, 'name' | 'schema' | 'startedAt'>) {
    this.name = name
    this.#fixed = { name, version, startedAt, schema }
  }

  /** Counts with these from now on; zeros before. */
  count(counts: Counts): void {
    this.#counts = counts
  }

  /** `host` as in the settings: for one that means every address, the name of the machine is
   *  shown. */
  listensAt(host: string, port: number): void {
    const isEvery = host === '0.0.0.0' || host === '::'
    const shown = isEvery ? hostname() : host.includes(':') ? `[${host}]` : host
    this.#address = `http://${shown}:${port}`
  }

  readonly facts = (): NodeFacts => ({
    ...this.#fixed,
    state: this.duty.state,
    running: this.#counts?.running() ?? 0,
    deliveries: this.#counts?.deliveries() ?? 0,
    ...(this.#address === undefined ? {} : { address: this.#address }),
  })
}
