/** The routes of all families. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { FamilyEntry } from '../../contract/family.ts'
import type { Condition, Operation, ResponsePlace } from '../../contract/operation.ts'
import { atVendorPath } from '../../contract/places.ts'
import type { HttpDeps } from '../deps.ts'
import { cancelTaskHandler, taskEventsHandler } from '../events/task-events.ts'
import { sendFailure } from '../failures.ts'
import type { Routes } from './1-match.ts'
import type { Exchange, Handler } from './exchange.ts'
import { operationHandler } from './path.ts'

/** One operation at one of its paths, or a route that is added to an operation (events and
 *  cancellation of a task). */
interface Placed {
  handler: Handler
  label: string
  entry: FamilyEntry
  when: Condition | undefined
  response: ResponsePlace | undefined
  hasNoHead: boolean
}

/** Adds every operation at each of its paths. */
export function addOperations(routes: Routes, deps: HttpDeps): void {
  for (const [key, placed] of placedOperations(deps)) {
    const [method = '', path = ''] = key.split(' ')
    const [first] = placed
    if (!first) continue
    const handler = placed.length === 1 && !first.when ? first.handler : oneOf(deps, placed)
    const hasNoHead = placed.some(each => each.hasNoHead)
    routes.add({ method: method as Operation['method'], path, handler, operation: first.label, hasNoHead, response: first.response })
  }
}

/** Returns the operations by method and path; several may share one path. When an operation has
 *  the same method and path as an added route, the operation replaces the route. */
function placedOperations(deps: HttpDeps): Map<string, Placed[]> {
  const places = new Map<string, Placed[]>()
  const extensions: [key: string, placed: Placed][] = []
  const add = (key: string, placed: Placed): void => void places.set(key, [...(places.get(key) ?? []), placed])
  for (const entry of deps.families) {
    for (const [name, operation] of Object.entries(entry.family.operations)) {
      const { method, path: own, aliases = [], sharedPaths, vendorPaths = [] } = operation
      const placed: Placed = {
        entry,
        label: `${entry.family.id}.${name}`,
        when: operation.when,
        response: operation.readsResponse,
        hasNoHead: operation.getWrites === true,
        handler: operationHandler(deps, { entry, name }),
      }
      for (const path of [own, ...aliases]) {
        add(`${method} ${path}`, placed)
        if (operation.readsTask) extensions.push(...besideTask(deps, { entry, name, operation, path, placed }))
      }
      for (const path of sharedPaths?.paths ?? []) add(`${method} ${path}`, { ...placed, when: { header: sharedPaths?.header ?? '' } })
      for (const path of vendorPaths) {
        const there = atVendorPath(entry, { name, path })
        add(`${method} ${path}`, { ...placed, entry: there, handler: operationHandler(deps, { entry: there, name }) })
      }
    }
  }
  for (const [key, placed] of extensions) if (!places.has(key)) places.set(key, [placed])
  return places
}

/** Returns the routes that are added to an operation that reads a task: the task's events and
 *  its cancellation. */
function besideTask(
  deps: HttpDeps,
  { entry, name, operation, path, placed }: { entry: FamilyEntry; name: string; operation: Operation; path: string; placed: Placed },
): [key: string, placed: Placed][] {
  const beside = { ...placed, when: undefined, hasNoHead: true }
  return [
    [`GET ${path}/events`, { ...beside, handler: taskEventsHandler(deps, entry, operation), label: `${placed.label}.events` }],
    [`DELETE ${path}`, { ...beside, handler: cancelHandler(deps, { entry, name, operation }), label: `${placed.label}.cancel` }],
  ]
}

/** Returns a handler that cancels the task and then sends the same answer as the operation that
 *  reads the task. */
function cancelHandler(deps: HttpDeps, { entry, name, operation }: { entry: FamilyEntry; name: string; operation: Operation }): Handler {
  const { readsTask } = operation
  const read = operationHandler(deps, readsTask?.in === 'body' ? { entry, name, idInQuery: readsTask.parameter } : { entry, name })
  const cancel = cancelTaskHandler(deps, entry, name)
  return async exchange => {
    if (await cancel(exchange)) await read(exchange)
  }
}

/** Returns a handler for operations that share a path. It chooses the operation whose condition
 *  the request meets; when there is none, the operation without a condition. */
function oneOf(deps: HttpDeps, placed: readonly Placed[]): Handler {
  const [first] = placed
  const names = [...new Set(placed.flatMap(({ when }) => Object.keys(when?.query ?? {})))]
  return exchange => {
    const chosen = placed.find(({ when }) => when && holds(when, exchange)) ?? placed.find(({ when }) => !when)
    if (chosen) {
      exchange.operation = chosen.label
      return chosen.handler(exchange)
    }
    const field = names[0] ?? 'Accept'
    const known = placed.map(({ when }) => when?.query?.[field] ?? when?.accept).join(', ')
    const given = names.length > 0 ? exchange.query[field] : exchange.requestHeaders.accept
    const error = new GatewayError('invalid_request', `${field} is ${JSON.stringify(given ?? null)}; it must be one of ${known}.`, {
      field,
    })
    return sendFailure(deps, exchange, first ? { error, failure: first.entry.family.failure } : { error })
  }
}

function holds({ query = {}, accept, header }: Condition, { requestHeaders, query: given }: Exchange): boolean {
  if (header !== undefined && requestHeaders[header] === undefined) return false
  if (!Object.entries(query).every(([name, value]) => given[name] === value)) return false
  if (accept === undefined) return true
  return (requestHeaders.accept ?? '').split(',').some(each => each.split(';', 1)[0]?.trim().toLowerCase() === accept)
}
