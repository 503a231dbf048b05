import type { Answer, Call, Handlers, OperationName, Operations } from './operations.ts'
import { adminOperations } from './write-admin.ts'
import { callOperations } from './write-calls.ts'
import type { WriteContext } from './write-context.ts'
import { fileOperations } from './write-files.ts'
import { finishOperations } from './write-finish.ts'
import { leaseOperations } from './write-leases.ts'
import { ledgerOperations } from './write-ledger.ts'
import { nodeOperations } from './write-nodes.ts'
import { outboxOperations } from './write-outbox.ts'
import { outputOperations } from './write-outputs.ts'
import { responseOperations } from './write-responses.ts'
import { submitOperations } from './write-submit.ts'
import { sweepOperations } from './write-sweep.ts'
import { usageOperations } from './write-usage.ts'

/** Runs one write inside the open transaction. Throws what its statements throw. */
export type RunCall = (call: Call) => Answer

export function createRunCall(context: WriteContext): RunCall {
  const handlers: Handlers = {
    ...submitOperations(context),
    ...leaseOperations(context),
    ...outputOperations(context),
    ...finishOperations(context),
    ...nodeOperations(context),
    ...outboxOperations(context),
    ...sweepOperations(context),
    ...usageOperations(context),
    ...ledgerOperations(context),
    ...callOperations(context),
    ...responseOperations(context),
    ...fileOperations(context),
    ...adminOperations(context),
  }
  return call => ({ value: dispatch(handlers, call) })
}

function dispatch<Name extends OperationName>(handlers: Handlers, call: Call<Name>): Operations[Name]['output'] {
  return handlers[call.name](call.input)
}
