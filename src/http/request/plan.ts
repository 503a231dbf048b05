import type { FamilyEntry } from '../../contract/family.ts'
import type { Operation } from '../../contract/operation.ts'
import { type OperationValidator, operationValidator } from '../../contract/validate.ts'
import { contextsOf } from '../call/call-context.ts'
import type { HttpDeps } from '../deps.ts'
import { type BodyLimits, bodyLimitsOf } from './body-limits.ts'

/** What the way of an operation needs, found once, at the start, in its declaration. */
export interface OperationPlan extends BodyLimits {
  readonly deps: HttpDeps
  readonly entry: FamilyEntry
  /** Of the operation within its family. */
  readonly name: string
  /** `<family>.<operation>`. */
  readonly label: string
  readonly operation: Operation
  /** The handler of the family. */
  readonly run: FamilyEntry['handlers'][string]
  readonly validator: OperationValidator
  /** What the handler may do within a call. */
  readonly contextOf: ReturnType<typeof contextsOf>
  /** The body is not sent: its one field stands in the query (the extension that cancels a
   *  task). */
  readonly idInQuery: string | undefined
  readonly hasBody: boolean
  /** It goes on with an earlier task, whose model it takes. */
  readonly continuesTask: boolean
  /** It may be relayed. */
  readonly isRelayed: boolean
}

export interface PlannedOperation {
  entry: FamilyEntry
  name: string
  idInQuery?: string
}

export function operationPlan(deps: HttpDeps, { entry, name, idInQuery }: PlannedOperation): OperationPlan {
  const operation = entry.family.operations[name]
  const run = entry.handlers[name]
  if (!operation || !run) throw new TypeError(`family ${entry.family.id} has no operation ${name}`)
  return Object.freeze({
    deps,
    entry,
    name,
    label: `${entry.family.id}.${name}`,
    operation,
    run,
    validator: operationValidator(entry.family, operation),
    contextOf: contextsOf(deps, entry.family, operation),
    idInQuery,
    hasBody: operation.body !== undefined,
    continuesTask: operation.continuesTask !== undefined,
    isRelayed: operation.relays !== undefined || operation.readsResponse !== undefined,
    ...bodyLimitsOf(operation),
  })
}
