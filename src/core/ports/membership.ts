/** The port through which a process registers as one of the nodes of a store. */

/** A text that a store keeps for all its nodes. `blobs`: the marker of their blob store.
 *  `admin-keys`: the fingerprints of the valid admin keys. */
export type SharedFact = 'blobs' | 'admin-keys'

export interface Membership {
  /** True when several processes may open the store at the same time. */
  readonly isShared: boolean
  /** Runs the work while no other node runs such work, so that several nodes that start together
   *  create the first entries only once. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  fact(name: SharedFact): Promise<string | undefined>
  setFact(name: SharedFact, value: string): Promise<void>
  /** Returns the number of nodes whose heartbeats have not expired. */
  liveNodes(now: number): Promise<number>
}
