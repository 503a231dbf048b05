/** The fifth step: validates the body and chooses the model. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { CallInput } from '../../contract/family.ts'
import type { Call } from '../call/call.ts'
import { chooseModel } from '../call/call-model.ts'
import { findOwnTask } from '../call/own-task.ts'
import { warningHeader, warningText } from '../call/warning-header.ts'
import { modelPlace, withoutModel } from './azure-paths.ts'
import type { Exchange } from './exchange.ts'
import type { OperationPlan } from './plan.ts'

/** The validated body with its defaults; undefined for an operation without a body. */
export type CheckedBody = Record<string, unknown> | undefined

/** Validates the body, chooses the model (`call.model`), and refuses fields that models of its
 *  group do not take. `earlier` is the model of the task that this request continues. Throws
 *  `invalid_json`, `invalid_request`, `model_not_found`, `not_allowed`,
 *  `capability_unavailable`. */
export function checkStep(
  plan: OperationPlan,
  exchange: Exchange,
  { call, query, earlier }: { call: Call; query: Record<string, unknown>; earlier: string | undefined },
): CheckedBody {
  const { deps, entry, name, operation, validator } = plan
  const body = operation.body ? validator.body(withoutModel(plan, exchange, call.body.value)) : undefined
  const place = modelPlace(plan, exchange, call)
  if (place) {
    const { presentFields: fields } = call
    const callInput: CallInput = { operation: name, fields, body: asJson(body), query, params: exchange.params }
    const model = chooseModel(deps, entry.family, { call, callInput, place, earlier })
    if (model.group !== undefined) validator.group({ body, presentFields: fields, group: model.group, model: model.id })
    call.model = model
  }
  warn(call, exchange)
  return body
}

/** Returns the model of the task that this request continues. Throws `invalid_request` for an
 *  invalid body, and `task_not_found`. */
export async function continuedModel(
  { deps, entry, operation: { continuesTask }, validator }: OperationPlan,
  { params }: Exchange,
  { call, query }: { call: Call; query: Record<string, unknown> },
): Promise<string> {
  const place = typeof continuesTask === 'object' ? continuesTask : ({ parameter: continuesTask ?? '', in: 'body' } as const)
  const given = place.in === 'body' ? validator.body(call.body.value) : { query, path: params }[place.in]
  const wanted = { id: String(given[place.parameter]), key: call.key, endpoint: call.endpoint.name, family: entry.family }
  return (await findOwnTask(deps, wanted)).model
}

/** Adds the warnings collected so far to the headers of the answer. */
export function warn({ warnings }: Call, { headers }: Exchange): void {
  if (warnings.length > 0) headers[warningHeader] = warningText(warnings)
}

export function asJson(body: CheckedBody): JsonObject {
  // The cast is safe: the body was parsed from JSON.
  return (body ?? {}) as JsonObject
}
