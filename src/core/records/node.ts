/** A kind of work that a node does. `api`: it serves the interface. `work`: it runs tasks at
 *  upstreams, delivers webhooks and sweeps. `engines`: it runs the built-in engines. */
export type NodeRole = 'api' | 'work' | 'engines'

/** All roles, in the order in which they are shown. */
export const nodeRoles: readonly NodeRole[] = ['api', 'work', 'engines']

/** The models of an engine that a node can run: all of them (`true`), none (a sentence with the
 *  reason), or all except those that the record lists, each with the reason. */
export type EngineState = true | string | Readonly<Record<string, string>>

/** The facts that a node reports with each heartbeat. */
export interface NodeFacts {
  /** Name of the node (`GATEWAY_NODE_NAME`); it stays the same when the node takes a new id. */
  name: string
  /** Version of the program. */
  version: string
  /** Time at which the program started, Unix milliseconds of the node's own clock. */
  startedAt: number
  /** State of the node. `draining`: it takes no new work, because an operator has ordered this or
   *  because it is stopping. */
  state: NodeState
  /** Number of runs in progress, including those for other nodes. */
  running: number
  /** Number of webhook deliveries in progress. */
  deliveries: number
  /** Version of the database schema that the program uses. */
  schema: number
  /** Milliseconds by which the node's own clock is behind the clock of the database; negative when
   *  it is ahead. All stored times come from the clock of the database. Absent for a store of one
   *  node. */
  clockOffsetMs?: number
  /** Address on which the node listens, such as `http://10.0.0.5:8080`. */
  address?: string
  /** Roles of the node; absent for a node of an older version, which has all of them. */
  roles?: readonly NodeRole[]
  /** The engines that the node runs, by id, also for other nodes. Absent when there are none. */
  engines?: Readonly<Record<string, EngineState>>
}

export type NodeState = 'ready' | 'draining'

/** A node as the store knows it. */
export interface NodeStatus {
  id: string
  /** Name of the node; empty when the node has reported no facts. */
  name: string
  facts?: NodeFacts
  /** Time of the last heartbeat, Unix milliseconds. */
  beatAt: number
  /** Time at which the leases of the node end unless it sends another heartbeat, Unix
   *  milliseconds. */
  aliveUntil: number
  /** False when the node was declared dead, or when its leases have ended. */
  isAlive: boolean
  /** The last order of an operator to this node. */
  order?: NodeOrder
  /** Number of jobs that the node has leased. */
  leasedJobs: number
  /** Number of webhook deliveries that the node has leased. */
  leasedWebhooks: number
}

export type NodeOrder = 'drain' | 'resume'
