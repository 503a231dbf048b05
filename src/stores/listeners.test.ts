import type { NodeSignal } from '../core/ports/signals.ts'
import { Listeners } from './listeners.ts'
import { signalSuite } from './suite/signals.ts'

signalSuite('local', async () => {
  const signals = new Listeners<NodeSignal>()
  return { one: signals, other: signals, dispose: async () => {} }
})
