/** The rules of a family in neutral words: what requests that come past its own operations are
 *  held against, beside the limits of each field (`neutral-limits.ts`). */
import { type FieldName, inputRoles } from '@generation-gateway/kit/requests/field-names.ts'
import { type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { Family } from './family.ts'
import { fileFieldsOf } from './file-fields.ts'
import type { NeutralCall, NeutralProblem } from './neutral-call.ts'

/** The first rule that the request breaks; undefined when an operation of the family takes it, or
 *  none has rules for such requests. `model` is its id, for sentences. */
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

/** The role of a file that the group requires and the request lacks. */
function missingInput({ requiredByGroup = {}, operations }: Family, { group = '', inputs }: NeutralCall): FieldName | undefined {
  const names = (Object.hasOwn(requiredByGroup, group) ? requiredByGroup[group] : undefined) ?? []
  const properties = Object.values(operations).flatMap(({ body }) => Object.entries(body?.schema.properties ?? {}))
  const roles = properties.flatMap(([name, schema]) =>
    names.includes(name) ? fileFieldsOf(schema, name).map(({ rule }) => rule.role) : [],
  )
  const missing = roles.find(role => !inputs.some(input => input.role === role))
  return inputRoles.find(role => role === missing)
}

/** The sentence has the family's own words, so it says so. */
function refusalOf({ id, fieldNames = {} }: Family, { request, inputs }: NeutralCall, problem: NeutralProblem): Refusal {
  const { field, message, neutralField } = problem
  const top = field.split(/[.[]/, 1)[0]
  const named = Object.entries(fieldNames).flatMap(([name, own]) => (own === field || own === top ? [name] : []))
  const isThere = (name: string) => Object.hasOwn(request, name) || inputs.some(({ role }) => role === name)
  const same = isThere(field) && !Object.hasOwn(fieldNames, field) ? field : undefined
  const known = neutralField ?? named.find(isThere) ?? same ?? named[0] ?? 'model'
  // Names of `fieldNames` and of requests are neutral ones.
  return refusal(known as FieldName, `breaks a rule of ${id}: ${message}`)
}
