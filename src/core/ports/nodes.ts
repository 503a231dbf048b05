import type { NodeOrder, NodeStatus } from '../records/node.ts'

/** The nodes of a store, as operators see them. */
export interface Nodes {
  /** Nodes with a heartbeat, and those whose leases ended less than an hour before `now`, by name
   *  and id. A node that was released is not among them. */
  list(now: number): Promise<NodeStatus[]>
  /** Stores an order for all living nodes of this name, and signals it (`order`). Returns how many
   *  there are. */
  give(name: string, order: NodeOrder, now: number): Promise<number>
  /** Returns the last order to the node with this id. */
  orderOf(nodeId: string): Promise<NodeOrder | undefined>
}
