/** Holds the rules of a family's operations for neutral requests, which did not come as a body of
 *  the family (docs/decisions/0044). */
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { FieldName, InputRole } from '@generation-gateway/kit/requests/field-names.ts'
import type { BrokenRule, NeutralCall, NeutralForm, NeutralProblem } from './neutral-call.ts'
import type { Rule } from './operation.ts'
import { brokenRules, isOnlyFor } from './rules.ts'

interface FormSpec<C extends Capability, Body> {
  capabilities: readonly C[]
  rules: readonly Rule<Body>[]
  /** Returns the parts of the body that the rules read. Several bodies each have to hold. Undefined
   *  when the operation makes no such requests. */
  bodyOf(call: NeutralCall<C>): Body | readonly Body[] | undefined
  /** Returns what a handler checks beside the rules. */
  problem?(call: NeutralCall<C>): BrokenRule | undefined
  /** Neutral names of fields that `fieldNames` does not have: by the name in the body. */
  fields?: Readonly<Record<string, FieldName>>
}

/** Declares the form; the compiler holds the body against what the rules read. */
export function neutralForm<const C extends Capability, Body extends object>({
  capabilities,
  rules,
  bodyOf,
  problem,
  fields = {},
}: FormSpec<C, Body>): NeutralForm {
  const isFor = (call: NeutralCall): call is NeutralCall<C> => capabilities.some(each => each === call.capability)
  return {
    problems: call => {
      if (!isFor(call)) return undefined
      const bodies = bodyOf(call)
      if (bodies === undefined) return undefined
      const held = rules.filter(rule => rule.groups === undefined || isOnlyFor(rule, call.group))
      const broken = [bodies].flat().flatMap(body => brokenRules(held, body as Body))
      const other = problem?.(call)
      return [...broken, ...(other ? [other] : [])].map(each => ({ ...each, ...neutralOf(fields, each) }))
    },
  }
}

/** The inputs of these roles, in the order of the request. */
export function inputsOf({ inputs }: Pick<NeutralCall, 'inputs'>, ...roles: readonly InputRole[]): InputFacts[] {
  return inputs.filter(({ role }) => roles.some(each => each === role))
}

function neutralOf(fields: Readonly<Record<string, FieldName>>, { field }: BrokenRule): Pick<NeutralProblem, 'neutralField'> {
  const neutralField = Object.hasOwn(fields, field) ? fields[field] : undefined
  return neutralField === undefined ? {} : { neutralField }
}
