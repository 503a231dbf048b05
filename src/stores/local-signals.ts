import type { NodeSignal, Signals } from '../core/ports/signals.ts'

/** The signals of a single node. */
export function createLocalSignals(): Signals {
  const listeners = new Set<(signal: NodeSignal) => void>()
  return {
    publish: signal => {
      for (const listener of listeners) listener(signal)
    },
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
