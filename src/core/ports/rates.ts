/** The port of request rates that the nodes of a store share. A rate of N requests a minute is a
 *  pool of N tokens: each accepted request takes one token, which returns to the pool after 60.5
 *  to 61 s. */

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
  /** Requests that the node has accepted without a token from the store, or with a token of a lease
   *  that the store may have lost. The store has not counted these requests. */
  uncounted: readonly UncountedRequests[]
}

export interface UncountedRequests {
  requests: number
  /** Age of these requests: milliseconds since the node accepted them. */
  ageMs: number
}

export interface UnusedTokens {
  /** Number of the lease to which these tokens belong (`Leases.ahead.lease`). */
  lease: number
  tokens: number
}

/** The answer to a `LeaseRequest`. */
export interface Leases {
  /** Number of waiting requests that get a token: all of them, or as many as there are tokens.
   *  Such a token counts as taken from the moment of the grant, even if the answer reaches the
   *  node later. */
  granted: number
  /** The lease of the tokens requested in advance. The node may use them for `lastsMs`
   *  milliseconds from the moment at which it sent the request. */
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
  /** Calls the listener when the connection to the store is lost, because a store that crashed
   *  may have lost the leases of its last second. Returns a function that removes the listener. */
  onLoss(listener: () => void): () => void
}
