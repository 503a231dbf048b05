/** The port of news that nodes send one another. */

/** `wake`: the upstream of the task reports news of it; the node that polls for the task polls
 *  now. `target`: see `TargetHint`. */
export type NodeSignal = { kind: 'wake'; taskId: string } | TargetHint

/** A node leaves a target alone for the next `waitMs` milliseconds. `limited`: the target reports a
 *  rate limit. `failing`: the breaker of that node has opened. */
export interface TargetHint {
  kind: 'target'
  target: string
  why: 'limited' | 'failing'
  waitMs: number
}

/** Carries signals to all nodes of a store, in-process where there is one node. A signal may be
 *  lost, late or repeated: it only makes something happen sooner that happens anyway. */
export interface Signals {
  /** Sends the signal to the subscribers of every node, this one included. Never throws. */
  publish(signal: NodeSignal): void
  /** Listeners must not throw. Returns an unsubscribe function. */
  subscribe(listener: (signal: NodeSignal) => void): () => void
}
