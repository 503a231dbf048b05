import type { Answer, Call, GroupHandlers, Handlers, OperationName, Operations } from '../operations.ts'
import { reencryptOperations } from '../secret-key/write-reencrypted.ts'
import { type Steps, sideBySide } from '../steps.ts'
import { adminOperations } from './admin.ts'
import { callOperations } from './calls.ts'
import type { WriteContext } from './context.ts'
import { fileOperations } from './files.ts'
import { finishOperations, prepareSettle } from './finish.ts'
import { groupsOf } from './groups.ts'
import { leaseOperations } from './leases.ts'
import { ledgerOperations, prepareReserve } from './ledger.ts'
import { nodeOperations } from './nodes.ts'
import { outboxOperations } from './outbox.ts'
import { outputOperations } from './outputs.ts'
import { responseOperations } from './responses.ts'
import { prepareSubmit } from './submit.ts'
import { sweepOperations } from './sweep.ts'
import { usageOperations } from './usage.ts'

/** Runs writes inside the open transaction. Returns the answers in the order of the writes.
 *  Throws the errors of their statements. */
export type RunCalls = (calls: readonly Call[]) => Steps<Answer[]>

export function createRunCalls(context: WriteContext): RunCalls {
  const groups: GroupHandlers = {
    submit: prepareSubmit(context),
    settle: prepareSettle(context),
    reserve: prepareReserve(context),
  }
  const handlers: Handlers = {
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
    ...reencryptOperations(context),
  }
  const runners = runnersOf(groups, handlers)
  return function* (calls) {
    const answers: Answer[] = []
    for (const { name, places } of groupsOf(calls)) {
      const values = (yield* runners.get(name)?.(places.map(place => calls[place]?.input)) ?? []) as Output[]
      places.forEach((place, index) => {
        answers[place] = { value: values[index] }
      })
    }
    return answers
  }
}

type Output = Operations[OperationName]['output']
type Runner = (inputs: readonly unknown[]) => Steps<Output[]>

/** Returns, by name, the function that runs a group of writes. The casts are needed because the
 *  compiler cannot follow the types through a map. They are safe, because the function of a name
 *  receives only inputs of that name. */
function runnersOf(groups: GroupHandlers, handlers: Handlers): ReadonlyMap<OperationName, Runner> {
  const runners = new Map<string, Runner>(Object.entries(groups) as [string, Runner][])
  for (const [name, handler] of Object.entries(handlers) as [string, (input: unknown) => Steps<Output>][])
    runners.set(name, inputs => sideBySide(inputs.map(handler)))
  return runners as ReadonlyMap<OperationName, Runner>
}
