import { createLocalSignals } from './local-signals.ts'
import { signalSuite } from './suite/signals.ts'

signalSuite('local', async () => {
  const signals = createLocalSignals()
  return { one: signals, other: signals, dispose: async () => {} }
})
