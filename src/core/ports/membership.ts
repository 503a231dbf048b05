/** The port by which a process joins the other nodes of a store. */

/** What a store notes about all its nodes. `blobs`: the marker of their blobs. `admin-keys`: the
 *  fingerprints of the admin keys that are valid. */
export type SharedFact = 'blobs' | 'admin-keys'

export interface Membership {
  /** False for a store that only one process opens at a time. */
  readonly isShared: boolean
  /** Runs the work while no other node runs such work: what the first start makes is made once. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  fact(name: SharedFact): Promise<string | undefined>
  setFact(name: SharedFact, value: string): Promise<void>
  /** Number of nodes whose heartbeats have not run out. */
  liveNodes(now: number): Promise<number>
}
