import type { Call, OperationName } from '../operations.ts'

/** Calls of one name that run together. */
export interface Group {
  name: OperationName
  /** Their places among the calls. */
  places: number[]
}

/** Writes that run together when several wait: those with a function for many (operations.ts,
 *  GroupHandlers), and those for one job each, which touch different rows. */
const gathered: ReadonlySet<OperationName> = new Set<OperationName>([
  ...(['submit', 'settle', 'reserve'] as const),
  ...(['sent', 'forgetSent', 'progress', 'addOutputs', 'reschedule', 'postpone'] as const),
])

/** Gathers the calls of a transaction into groups, each at the place of its first call. Calls that
 *  wait at once have no order among themselves, except those for one task: when a task is named
 *  twice, every call is a group of its own. */
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
