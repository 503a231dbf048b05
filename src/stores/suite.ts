import { describe } from 'node:test'
import { accountCases } from './suite-accounts.ts'
import { endingCases } from './suite-endings.ts'
import { fairnessCases } from './suite-fairness.ts'
import { fileCases } from './suite-files.ts'
import { leaseCases } from './suite-leases.ts'
import { ledgerCases } from './suite-ledger.ts'
import { outputCases } from './suite-outputs.ts'
import { pinCases } from './suite-pins.ts'
import { responseCases } from './suite-responses.ts'
import { type OpenStore, storeTester } from './suite-samples.ts'
import { submitCases } from './suite-submit.ts'
import { sweepCases } from './suite-sweep.ts'
import { callCases } from './suite-usage.ts'
import { webhookCases } from './suite-webhooks.ts'

/** The contract of `TaskStore`: every implementation passes it. `open` gives a new empty store for each case. */
export function taskStoreSuite(name: string, open: OpenStore): void {
  describe(`task store: ${name}`, () => {
    const check = storeTester(open)
    submitCases(check)
    leaseCases(check)
    fairnessCases(check)
    pinCases(check)
    endingCases(check)
    outputCases(check)
    webhookCases(check)
    sweepCases(check)
    accountCases(check)
    callCases(check)
    ledgerCases(check)
    responseCases(check)
    fileCases(check)
  })
}
