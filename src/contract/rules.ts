/** Checks the rules of an operation, which are limits that involve several fields. */
import type { BrokenRule } from './neutral-call.ts'
import type { Operation, Rule } from './operation.ts'

/** Returns the rules whose groups include this one; without a group, the rules that apply to all
 *  groups. */
export function rulesOf({ rules = [] }: Operation, group: string | undefined): Rule<Record<string, unknown>>[] {
  // The cast is safe: the rules were declared for the schema that the body fits.
  const all = rules as Rule<Record<string, unknown>>[]
  return all.filter(rule => isOnlyFor(rule, group))
}

/** Returns true when the groups of the rule include this one; without a group, when the rule
 *  applies to all groups. */
export function isOnlyFor<Body>({ groups }: Pick<Rule<Body>, 'groups'>, group: string | undefined): boolean {
  return group === undefined ? groups === undefined : (groups?.includes(group) ?? false)
}

export function brokenRules<Body>(rules: readonly Rule<Body>[], body: Body): BrokenRule[] {
  return rules
    .filter(rule => !rule.holds(body))
    .map(rule => ({ id: rule.id, field: rule.field, message: rule.explain?.(body) ?? rule.says }))
}
