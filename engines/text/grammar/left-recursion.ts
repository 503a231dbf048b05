/** Removes left recursion (rules that begin with themselves), which llama.cpp does not support.
 *  A rule that begins directly with itself is rewritten; a rule that begins with itself in
 *  another way (through other rules, in a group) is refused. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Pattern } from './pattern-form.ts'

/** Returns a grammar for the same texts without left recursion. Throws `invalid_request` with
 *  the name of a rule that still begins with itself. */
export function withoutLeftRecursion(grammar: ReadonlyMap<string, Pattern>, where: string): Map<string, Pattern> {
  const rewritten = new Map([...grammar].map(([name, pattern]) => [name, unrolled(name, pattern)]))
  const empty = nullableRules(rewritten)
  for (const name of rewritten.keys()) {
    if (reaches(name, name, rewritten, empty, new Set())) {
      throw new GatewayError(
        'invalid_request',
        `${where} uses the rule ${name}, which begins with itself; such left recursion is not supported here.`,
      )
    }
  }
  return rewritten
}

/** Rewrites `a: a x | b` as `a: b x*`. */
function unrolled(name: string, pattern: Pattern): Pattern {
  const options = pattern.kind === 'choice' ? pattern.items : [pattern]
  const tails: Pattern[] = []
  const starts: Pattern[] = []
  for (const option of options) {
    const items = option.kind === 'sequence' ? option.items : [option]
    const [first, ...rest] = items
    if (first?.kind === 'rule' && first.name === name && rest.length > 0) tails.push({ kind: 'sequence', items: rest })
    else starts.push(option)
  }
  if (tails.length === 0 || starts.length === 0) return pattern
  return {
    kind: 'sequence',
    items: [
      { kind: 'choice', items: starts },
      { kind: 'repeat', item: { kind: 'choice', items: tails }, min: 0, max: undefined },
    ],
  }
}

function nullableRules(grammar: ReadonlyMap<string, Pattern>): Set<string> {
  const empty = new Set<string>()
  for (let before = -1; before < empty.size; ) {
    before = empty.size
    for (const [name, pattern] of grammar) if (isNullable(pattern, empty)) empty.add(name)
  }
  return empty
}

function isNullable(pattern: Pattern, empty: ReadonlySet<string>): boolean {
  switch (pattern.kind) {
    case 'chars':
      return false
    case 'text':
      return pattern.text === ''
    case 'sequence':
      return pattern.items.every(item => isNullable(item, empty))
    case 'choice':
      return pattern.items.some(item => isNullable(item, empty))
    case 'repeat':
      return pattern.min === 0 || isNullable(pattern.item, empty)
    case 'rule':
      return empty.has(pattern.name)
  }
}

function reaches(
  target: string,
  from: string,
  grammar: ReadonlyMap<string, Pattern>,
  empty: ReadonlySet<string>,
  seen: Set<string>,
): boolean {
  if (seen.has(from)) return false
  seen.add(from)
  const pattern = grammar.get(from)
  if (!pattern) return false
  return firstRules(pattern, empty).some(name => name === target || reaches(target, name, grammar, empty, seen))
}

/** Returns the names of the rules with which a text that matches the pattern may begin. */
function firstRules(pattern: Pattern, empty: ReadonlySet<string>): string[] {
  switch (pattern.kind) {
    case 'chars':
    case 'text':
      return []
    case 'rule':
      return [pattern.name]
    case 'choice':
      return pattern.items.flatMap(item => firstRules(item, empty))
    case 'repeat':
      return firstRules(pattern.item, empty)
    case 'sequence': {
      const until = pattern.items.findIndex(item => !isNullable(item, empty))
      return pattern.items.slice(0, until < 0 ? undefined : until + 1).flatMap(item => firstRules(item, empty))
    }
  }
}
