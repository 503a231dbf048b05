import { describe } from 'node:test'
import { accountCases } from './accounts.ts'
import { callLedgerCases } from './call-ledger.ts'
import { damagedCases } from './damaged.ts'
import { endingCases } from './endings.ts'
import { fairnessCases } from './fairness.ts'
import { fileCases } from './files.ts'
import { groupCases } from './groups.ts'
import { leaseCases } from './leases.ts'
import { ledgerCases } from './ledger.ts'
import { nodeCases } from './nodes.ts'
import { outputCases } from './outputs.ts'
import { pinCases } from './pins.ts'
import { responseCases } from './responses.ts'
import { type OpenStore, storeTester } from './samples.ts'
import { submitCases } from './submit.ts'
import { sweepCases } from './sweep.ts'
import { textCases } from './texts.ts'
import { callCases } from './usage.ts'
import { webhookCases } from './webhooks.ts'

/** Tests the contract of `TaskStore`, which every implementation must keep. `open` returns a new
 *  empty store for each case. */
export function taskStoreSuite(name: string, open: OpenStore): void {
  describe(`task store: ${name}`, () => {
    const check = storeTester(open)
    submitCases(check)
    leaseCases(check)
    fairnessCases(check)
    groupCases(check)
    pinCases(check)
    nodeCases(check)
    endingCases(check)
    outputCases(check)
    webhookCases(check)
    sweepCases(check)
    accountCases(check)
    callCases(check)
    ledgerCases(check)
    callLedgerCases(check)
    responseCases(check)
    fileCases(check)
    textCases(check)
    damagedCases(check)
  })
}
