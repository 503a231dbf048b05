/** The port through which nodes send each other short messages. */

/** `wake`: the upstream has reported a change of the task, so the node that polls for the task
 *  polls at once. `TargetHint` describes the other kind. */
export type NodeSignal = { kind: 'wake'; taskId: string } | TargetHint

/** Reports that a node will not use a target for the next `waitMs` milliseconds. `limited`: the
 *  target has reported a rate limit. `failing`: the node's circuit breaker for the target has
 *  opened. */
export interface TargetHint {
  kind: 'target'
  target: string
  why: 'limited' | 'failing'
  waitMs: number
}

/** Sends signals to all nodes of a store; with a single node, within its process. A signal may
 *  be lost, late or repeated. That does no harm: a signal only speeds up work that each node
 *  would also start without it. */
export interface Signals {
  /** Sends the signal to the subscribers of every node, this one included. Never throws. */
  publish(signal: NodeSignal): void
  /** Calls the listener with each signal; the listener must not throw. Returns a function that
   *  removes the listener. */
  subscribe(listener: (signal: NodeSignal) => void): () => void
}
