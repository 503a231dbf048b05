import type { NodeOrder, NodeStatus } from '../records/node.ts'

/** The nodes that use a store: their state, and the orders that operators give them. */
export interface Nodes {
  /** Returns the nodes with a live heartbeat, and those whose leases ended less than an hour
   *  before `now`, sorted by name and id. Nodes that have released their leases are left out. */
  list(now: number): Promise<NodeStatus[]>
  /** Stores an order for all living nodes of this name, and sends them the signal `order`. Returns
   *  the number of these nodes. */
  give(name: string, order: NodeOrder, now: number): Promise<number>
  /** Returns the last order to the node with this id. */
  orderOf(nodeId: string): Promise<NodeOrder | undefined>
}
