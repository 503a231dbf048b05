/** The port of request rates that the nodes of a store share. A rate of N requests a minute is a
 *  pool of N tokens: each accepted request takes one, and it returns to the pool after 60.5 to 61
 *  s. */

/** A request of a node for tokens of one key or account. */
export interface LeaseRequest {
  /** Id of the key or account. */
  id: string
  /** Requests that all nodes together may accept in a minute; 1 to 10,000,000. */
  perMinute: number
  /** Number of requests at the node that wait for a token. */
  waiting: number
  /** Number of tokens that the node requests in advance. At most an eighth of the free tokens is
   *  granted in advance, because other nodes may need them sooner. */
  ahead: number
  /** Tokens of this node's earlier leases that no request has used; they return to the pool. */
  unused: readonly UnusedTokens[]
  /** Requests that the node accepted without a token of the store, or with a token of a lease that
   *  the store may have forgotten. */
  uncounted: readonly UncountedRequests[]
}

export interface UncountedRequests {
  requests: number
  /** Milliseconds since these requests were accepted. */
  ageMs: number
}

export interface UnusedTokens {
  /** Number of the lease that the tokens belong to (`Leases.ahead.lease`). */
  lease: number
  tokens: number
}

/** The answer to a `LeaseRequest`. */
export interface Leases {
  /** Number of waiting requests that get a token: all of them, or as many as there were tokens.
   *  These tokens are taken at the time of the grant, however long the answer takes. */
  granted: number
  /** The lease of tokens in advance. They must not be used later than `lastsMs` milliseconds after
   *  the node sent its request. */
  ahead: { lease: number; tokens: number; lastsMs: number }
  /** Number of tokens in the pool after the grant, for all nodes. */
  free: number
  /** Milliseconds until the next taken token returns to the pool; 0 when no token is taken. */
  nextInMs: number
  /** Milliseconds until all taken tokens have returned to the pool. */
  allInMs: number
  /** Number of nodes that are alive; 0 before the first heartbeat. */
  nodes: number
}

/** The token pools of all keys and accounts. The methods throw `store_unavailable` within 2 s when
 *  the store does not answer. */
export interface RateTokens {
  lease(request: LeaseRequest): Promise<Leases>
  /** Returns the number of nodes that are alive (`Leases.nodes`). */
  nodes(): Promise<number>
  /** Calls the listener when the connection to the store is lost: the store may then have forgotten
   *  the leases of the last second. Returns an unsubscribe function. */
  onLoss(listener: () => void): () => void
}
