import type { Call, OperationName } from '../operations.ts'

/** Calls of one name that run together. */
export interface Group {
  name: OperationName
  /** Positions of these calls in the list of all calls. */
  places: number[]
}

/** Writes that are run as a group when several wait: those that have a function for many inputs
 *  (`GroupHandlers`), and those that each change the rows of one job only. */
const gathered: ReadonlySet<OperationName> = new Set<OperationName>([
  ...(['submit', 'settle', 'reserve'] as const),
  ...(['sent', 'forgetSent', 'progress', 'addOutputs', 'reschedule', 'postpone'] as const),
])

/** Divides the calls of a transaction into groups of the same name; a group takes the position
 *  of its first call. This may change the order of calls that wait at the same time, which is
 *  allowed, except for calls on the same task. When a task occurs in two calls, every call is
 *  therefore a group of its own. */
export function groupsOf(calls: readonly Call[]): Group[] {
  if (namesTaskTwice(calls)) return calls.map(({ name }, place) => ({ name, places: [place] }))
  const groups: Group[] = []
  const byName = new Map<OperationName, Group>()
  calls.forEach(({ name }, place) => {
    const group = gathered.has(name) ? byName.get(name) : undefined
    if (group) group.places.push(place)
    else {
      const added = { name, places: [place] }
      groups.push(added)
      byName.set(name, added)
    }
  })
  return groups
}

function namesTaskTwice(calls: readonly Call[]): boolean {
  const seen = new Set<string>()
  for (const { input } of calls) {
    if (!('taskId' in input)) continue
    if (seen.has(input.taskId)) return true
    seen.add(input.taskId)
  }
  return false
}
