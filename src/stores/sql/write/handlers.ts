import type { Answer, Call, Handlers, OperationName, Operations } from '../operations.ts'
import type { Steps } from '../steps.ts'
import { adminOperations } from './admin.ts'
import { callOperations } from './calls.ts'
import type { WriteContext } from './context.ts'
import { fileOperations } from './files.ts'
import { finishOperations } from './finish.ts'
import { leaseOperations } from './leases.ts'
import { ledgerOperations } from './ledger.ts'
import { nodeOperations } from './nodes.ts'
import { outboxOperations } from './outbox.ts'
import { outputOperations } from './outputs.ts'
import { responseOperations } from './responses.ts'
import { submitOperations } from './submit.ts'
import { sweepOperations } from './sweep.ts'
import { usageOperations } from './usage.ts'

/** Runs one write inside the open transaction. Throws the errors of its statements. */
export type RunCall = (call: Call) => Steps<Answer>

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
  return function* (call) {
    return { value: yield* dispatch(handlers, call) }
  }
}

function dispatch<Name extends OperationName>(handlers: Handlers, call: Call<Name>): Steps<Operations[Name]['output']> {
  return handlers[call.name](call.input)
}
