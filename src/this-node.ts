/** The properties and counts that this process reports about itself to the other nodes and to
 *  operators. */
import { hostname } from 'node:os'
import { defined } from '@generation-gateway/kit/defined.ts'
import { authorityOf, isEveryAddress } from '@generation-gateway/kit/outbound/destination.ts'
import { version } from './config/settings.ts'
import { Duty } from './core/duty.ts'
import type { Clock } from './core/ports/store.ts'
import type { EngineState, NodeFacts } from './core/records/node.ts'

interface Counts {
  /** Returns the number of runs in progress, including those for other nodes. */
  running(): number
  /** Returns the number of webhook deliveries in progress. */
  deliveries(): number
}

interface NodeDetails extends Pick<NodeFacts, 'name' | 'schema' | 'startedAt'> {
  roles: NonNullable<NodeFacts['roles']>
  /** Address of the node from its settings. When the settings contain none, it is undefined, and
   *  `listensAt` sets the address later. */
  address: string | undefined
  /** The clock of the database that nodes share; undefined for a store of one node. */
  databaseClock: Clock | undefined
}

export class ThisNode {
  readonly name: string
  readonly duty = new Duty()
  readonly roles: NonNullable<NodeFacts['roles']>
  readonly #fixed: Pick<NodeFacts, 'name' | 'version' | 'startedAt' | 'schema' | 'roles'>
  readonly #databaseClock: Clock | undefined
  #address: string | undefined
  #counts: Counts | undefined
  #engines: () => Readonly<Record<string, EngineState>> | undefined = () => undefined

  /** Creates the report of this node. `schema` is the version of the database schema;
   *  `startedAt` is in Unix milliseconds. */
  constructor({ name, schema, startedAt, databaseClock, roles, address }: NodeDetails) {
    this.name = name
    this.roles = roles
    this.#databaseClock = databaseClock
    this.#address = address
    this.#fixed = { name, version, startedAt, schema, roles }
  }

  /** The address at which other nodes reach this node: the one in the settings. When the
   *  settings contain none, it is undefined until the node listens. */
  get address(): string | undefined {
    return this.#address
  }

  /** Sets the function that returns the engines which this node runs for other nodes. */
  offer(engines: () => Readonly<Record<string, EngineState>>): void {
    this.#engines = engines
  }

  /** Sets the functions that count runs and deliveries; until then, both numbers are 0. */
  count(counts: Counts): void {
    this.#counts = counts
  }

  /** Sets the address that this node reports to the other nodes, unless the settings contain a
   *  URL. `host` (a name or an IP address without brackets) comes from the settings. When it is
   *  0.0.0.0 or ::, the host name of the machine is reported instead. */
  listensAt(host: string, port: number): void {
    this.#address ??= `http://${authorityOf({ host: isEveryAddress(host) ? hostname() : host, port })}`
  }

  readonly facts = (): NodeFacts => ({
    ...this.#fixed,
    ...defined({ engines: this.#engines() }),
    state: this.duty.state,
    running: this.#counts?.running() ?? 0,
    deliveries: this.#counts?.deliveries() ?? 0,
    ...(this.#databaseClock ? { clockOffsetMs: this.#databaseClock.now() - Date.now() } : {}),
    ...(this.#address === undefined ? {} : { address: this.#address }),
  })
}
