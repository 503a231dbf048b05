/** Holds the rules of an operation: limits that span fields. */
import type { BrokenRule } from './neutral-call.ts'
import type { Operation, Rule } from './operation.ts'

/** The rules of one group only, or those without a group. */
export function rulesOf({ rules = [] }: Operation, group: string | undefined): Rule<Record<string, unknown>>[] {
  // The rules were declared for the schema that the body fits.
  const all = rules as Rule<Record<string, unknown>>[]
  return all.filter(rule => isOnlyFor(rule, group))
}

/** True when the rule belongs to the group; without a group, when it belongs to all. */
export function isOnlyFor<Body>({ groups }: Pick<Rule<Body>, 'groups'>, group: string | undefined): boolean {
  return group === undefined ? groups === undefined : (groups?.includes(group) ?? false)
}

export function brokenRules<Body>(rules: readonly Rule<Body>[], body: Body): BrokenRule[] {
  return rules
    .filter(rule => !rule.holds(body))
    .map(rule => ({ id: rule.id, field: rule.field, message: rule.explain?.(body) ?? rule.says }))
}
