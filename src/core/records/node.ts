/** What a node of the gateway reports of itself with each heartbeat. */
export interface NodeFacts {
  /** `GATEWAY_NODE_NAME`; stays when the node takes a new id. */
  name: string
  /** Version of the program. */
  version: string
  /** Start of the program, Unix milliseconds of its own clock. */
  startedAt: number
  /** `draining`: takes no new work, because an operator has ordered it or because it stops. */
  state: NodeState
  /** Runs of tasks in progress. */
  running: number
  /** Webhook deliveries in progress. */
  deliveries: number
  /** Version of the schema of the store that the program knows. */
  schema: number
  /** The address it listens on, like `http://10.0.0.5:8080`. */
  address?: string
}

export type NodeState = 'ready' | 'draining'

/** A node as the store knows it. */
export interface NodeStatus {
  id: string
  /** Empty for a node that has reported no facts. */
  name: string
  facts?: NodeFacts
  /** Time of the last heartbeat, Unix milliseconds. */
  beatAt: number
  /** Its leases end then, unless a heartbeat comes before. */
  aliveUntil: number
  /** False once the node was declared dead, or its leases have ended. */
  isAlive: boolean
  /** The last order of an operator to this node. */
  order?: NodeOrder
  /** Jobs whose lease it holds. */
  leasedJobs: number
  /** Webhook deliveries whose lease it holds. */
  leasedWebhooks: number
}

export type NodeOrder = 'drain' | 'resume'
