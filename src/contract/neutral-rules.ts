/** Checks requests that do not come through a family's own operations against the rules of that
 *  family. The limits of single fields are checked in `neutral-limits.ts`. */
import { type FieldName, inputRoles } from '@generation-gateway/kit/requests/field-names.ts'
import { type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { Family } from './family.ts'
import { fileFieldsOf } from './file-fields.ts'
import type { NeutralCall, NeutralProblem } from './neutral-call.ts'

/** Returns the refusal for a missing input or for the first rule that the request breaks;
 *  undefined when some operation of the family would accept the request, or when none has rules
 *  for such requests. `model` is the id of the model, for the message. */
export function brokenRule(family: Family, call: NeutralCall, model: string): Refusal | undefined {
  const missing = missingInput(family, call)
  if (missing !== undefined) return refusal(missing, `is required for ${model}.`)
  const forms = Object.values(family.operations).flatMap(({ neutralForm }) => {
    const problems = neutralForm?.problems(call)
    return problems === undefined ? [] : [problems]
  })
  if (forms.some(problems => problems.length === 0)) return undefined
  const [problem] = forms[0] ?? []
  return problem && refusalOf(family, call, problem)
}

/** Returns the role of a file that the model's group requires and that the request lacks; undefined
 *  when none is missing. */
function missingInput({ requiredByGroup = {}, operations }: Family, { group = '', inputs }: NeutralCall): FieldName | undefined {
  const names = (Object.hasOwn(requiredByGroup, group) ? requiredByGroup[group] : undefined) ?? []
  const properties = Object.values(operations).flatMap(({ body }) => Object.entries(body?.schema.properties ?? {}))
  const roles = properties.flatMap(([name, schema]) =>
    names.includes(name) ? fileFieldsOf(schema, name).map(({ rule }) => rule.role) : [],
  )
  const missing = roles.find(role => !inputs.some(input => input.role === role))
  return inputRoles.find(role => role === missing)
}

/** Returns the problem as a refusal. The message names the family, because the field names in it
 *  are those of the family, not the neutral ones. */
function refusalOf({ id, fieldNames = {} }: Family, { request, inputs }: NeutralCall, problem: NeutralProblem): Refusal {
  const { field, message, neutralField } = problem
  const top = field.split(/[.[]/, 1)[0]
  const named = Object.entries(fieldNames).flatMap(([name, own]) => (own === field || own === top ? [name] : []))
  const isThere = (name: string) => Object.hasOwn(request, name) || inputs.some(({ role }) => role === name)
  const same = isThere(field) && !Object.hasOwn(fieldNames, field) ? field : undefined
  const known = neutralField ?? named.find(isThere) ?? same ?? named[0] ?? 'model'
  // The cast is safe: `fieldNames` and requests contain only neutral names.
  return refusal(known as FieldName, `breaks a rule of ${id}: ${message}`)
}
