/** The port of rates that the nodes of a store share. A rate of N a minute is a pool of N tokens:
 *  each accepted request takes one, which is back in the pool 60.5 to 61 s
 *  later. */

/** A node's request for tokens of one key or account. */
export interface LeaseRequest {
  /** Id of the key or account. */
  id: string
  /** Requests that all nodes together may accept in a minute; 1 to 10,000,000. */
  perMinute: number
  /** Number of requests that wait for a token. */
  waiting: number
  /** Tokens wanted for requests to come. At most an eighth of the tokens that are left is granted
   *  for these, because other nodes may need them sooner. */
  ahead: number
  /** Tokens of earlier leases of this node that no request has used; they return to the pool. */
  unused: readonly UnusedTokens[]
  /** Requests that the node has accepted without a token, or with one that the store may have
   *  forgotten. */
  uncounted: readonly UncountedRequests[]
}

export interface UncountedRequests {
  requests: number
  /** Milliseconds since they were accepted. */
  ageMs: number
}

export interface UnusedTokens {
  /** `Leases.ahead.lease` of their lease. */
  lease: number
  tokens: number
}

/** The answer to a `LeaseRequest`. */
export interface Leases {
  /** Number of waiting requests that get a token: all, or as many as there were tokens. They count
   *  from the moment of the grant, however long the answer takes. */
  granted: number
  /** Tokens for requests to come; must not be used later than `lastsMs` milliseconds after the
   *  lease was requested. */
  ahead: { lease: number; tokens: number; lastsMs: number }
  /** Tokens that are left for all nodes. */
  free: number
  /** Milliseconds until the first token that is taken returns; 0 when none is taken. */
  nextInMs: number
  /** Milliseconds until all have returned. */
  allInMs: number
  /** Number of nodes that are alive; 0 when none has sent a heartbeat yet. */
  nodes: number
}

/** The tokens of all rates. Its methods throw `store_unavailable` within 2 s when the store does
 *  not answer. */
export interface RateTokens {
  lease(request: LeaseRequest): Promise<Leases>
  /** Returns `Leases.nodes`. */
  nodes(): Promise<number>
  /** Calls the listener when the connection is lost: the store may have forgotten the leases of the
   *  second before. Returns an unsubscribe function. */
  onLoss(listener: () => void): () => void
}
