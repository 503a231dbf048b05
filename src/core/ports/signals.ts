/** The port through which nodes send each other short messages. */

/** `wake`: the upstream has reported that the task changed, so the node that polls for this task
 *  polls at once. `target`: see `TargetHint`. */
export type NodeSignal = { kind: 'wake'; taskId: string } | TargetHint

/** Reports that a node does not use a target for the next `waitMs` milliseconds. `limited`: the
 *  target reports a rate limit. `failing`: the circuit breaker of that node has opened. */
export interface TargetHint {
  kind: 'target'
  target: string
  why: 'limited' | 'failing'
  waitMs: number
}

/** Sends signals to all nodes of a store; with a single node, within its process. A signal may be
 *  lost, late or repeated: it only makes something happen earlier that would happen anyway. */
export interface Signals {
  /** Sends the signal to the subscribers of every node, this one included. Never throws. */
  publish(signal: NodeSignal): void
  /** Listeners must not throw. Returns an unsubscribe function. */
  subscribe(listener: (signal: NodeSignal) => void): () => void
}
