/** Applies the rules of a family's operations to neutral requests, which were not sent as a body of
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
  /** Returns the fields of the operation's body that the rules read, derived from the neutral
   *  request. When the request corresponds to several bodies, returns a list, and each body has to
   *  keep the rules. Returns undefined when the operation never creates requests of this kind. */
  bodyOf(call: NeutralCall<C>): Body | readonly Body[] | undefined
  /** Returns a problem that no rule covers, because the handler of the operation finds it
   *  itself; undefined when there is none. */
  problem?(call: NeutralCall<C>): BrokenRule | undefined
  /** Neutral names of fields of the body, by their name in the body. Needed only for fields that
   *  the family's `fieldNames` do not list. */
  fields?: Readonly<Record<string, FieldName>>
}

/** Returns the check of neutral requests for one operation. The compiler ensures that `bodyOf`
 *  returns every field that the rules read. */
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

/** Returns the inputs with these roles, in the order of the request. */
export function inputsOf({ inputs }: Pick<NeutralCall, 'inputs'>, ...roles: readonly InputRole[]): InputFacts[] {
  return inputs.filter(({ role }) => roles.some(each => each === role))
}

function neutralOf(fields: Readonly<Record<string, FieldName>>, { field }: BrokenRule): Pick<NeutralProblem, 'neutralField'> {
  const neutralField = Object.hasOwn(fields, field) ? fields[field] : undefined
  return neutralField === undefined ? {} : { neutralField }
}
