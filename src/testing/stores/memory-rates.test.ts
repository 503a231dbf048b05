import { rateSuite } from '../../stores/suite/rates.ts'
import { createMemoryRates } from './memory-rates.ts'

rateSuite('memory', async clock => ({ tokens: createMemoryRates(clock), dispose: async () => {} }))
