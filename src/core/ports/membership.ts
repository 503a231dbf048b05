/** The port (interface to the store) through which a gateway process becomes one of the nodes that
 *  share a store. */

/** Name of a text that a store keeps for all its nodes. `blobs` is the marker by which nodes
 *  recognise their common blob store. `admin-keys` is the fingerprint of the valid admin keys. */
export type SharedFact = 'blobs' | 'admin-keys'

export interface Membership {
  /** True when several processes may open the store at the same time. */
  readonly isShared: boolean
  /** Runs the work while no other node runs work through this method. Used by nodes that start
   *  together, so that only one of them creates the first entries. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  fact(name: SharedFact): Promise<string | undefined>
  setFact(name: SharedFact, value: string): Promise<void>
  /** Returns the number of nodes whose heartbeats have not expired. */
  liveNodes(now: number): Promise<number>
}
