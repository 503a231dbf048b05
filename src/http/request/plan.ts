import type { FamilyEntry } from '../../contract/family.ts'
import type { Operation } from '../../contract/operation.ts'
import { type OperationValidator, operationValidator } from '../../contract/validate.ts'
import { contextsOf } from '../call/call-context.ts'
import type { HttpDeps } from '../deps.ts'
import { type BodyLimits, bodyLimitsOf } from './body-limits.ts'

/** Everything that the steps of a request need to know about an operation, derived from its
 *  declaration once, when the gateway starts. */
export interface OperationPlan extends BodyLimits {
  readonly deps: HttpDeps
  readonly entry: FamilyEntry
  /** Name of the operation within its family. */
  readonly name: string
  /** `<family>.<operation>`. */
  readonly label: string
  readonly operation: Operation
  /** The handler of the family. */
  readonly run: FamilyEntry['handlers'][string]
  readonly validator: OperationValidator
  /** Creates the context that a handler gets; its members are the functions of the gateway that
   *  the handler may use. */
  readonly contextOf: ReturnType<typeof contextsOf>
  /** Name of the body's only field, for the route that cancels a task: its DELETE request has
   *  the field in the query instead of a body. Undefined for all other operations. */
  readonly idInQuery: string | undefined
  readonly hasBody: boolean
  /** True for an operation that continues an earlier task and uses its model. */
  readonly continuesTask: boolean
  /** True when the operation may be relayed. */
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
