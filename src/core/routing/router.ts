import { GatewayError, LostRunError, NotSentError, NotServedError, TargetRefusal } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { wasNeverConnected } from '@generation-gateway/kit/never-connected.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FailoverKind } from '@generation-gateway/kit/requests/capability.ts'
import { refusedExtra } from '@generation-gateway/kit/requests/extras.ts'
import type { Driver, JobFacts, OfferFacts } from '@generation-gateway/kit/requests/job.ts'
import type { CatalogueModel, Target } from './catalogue.ts'
import { createTargetHealth, type TargetHealth } from './target-health.ts'
import { TargetPlaces } from './target-places.ts'

export interface Route {
  target: Target
  driver: Driver
}

export interface Router {
  /** Circuit breakers of the targets. Code that uses targets does so through `TargetTries`,
   *  which calls `health.mayTry` just before each use and reports how the use ended. */
  readonly health: TargetHealth
  /** Limits the number of exchanges with a target at a time. Code that uses a target first waits
   *  for a place (`TargetUse`). */
  readonly places: TargetPlaces
  /** Returns the targets of the model that can be used for the capability and the request, in the
   *  order in which they are tried. Throws `invalid_request` with the field when every usable
   *  target refuses the request; `capability_unavailable` (a `NotServedError`), with a remedy, when
   *  no target is usable; `overloaded`, with the time of the next try, while the breakers of all
   *  usable targets are open. */
  routes(model: CatalogueModel, capability: Capability, requested?: RouteRequest): Route[]
  /** Returns the targets like `routes`, for a call that cannot wait. While all breakers are
   *  open, returns only the target whose breaker closes first, instead of throwing `overloaded`. */
  callRoutes(model: CatalogueModel, capability: Capability, requested?: RouteRequest): Route[]
  /** Returns all targets of the model that can be used for the capability, in the order of the
   *  configuration, also those with an open breaker: for work that only certain targets can do.
   *  Throws `capability_unavailable` when no target is usable. */
  usableRoutes(model: CatalogueModel, capability: Capability): Route[]
  /** Returns those of `routes` whose targets accept the request. When all targets refuse it, throws
   *  `invalid_request` with the field that the first of them refuses. */
  accepting(routes: readonly Route[], capability: Capability, requested: RouteRequest): Route[]
  /** Returns the queue in which a task of the model waits (`queueOfRoute`): that of its first
   *  usable target, even if the breaker of this target is open. Throws `invalid_request` and
   *  `capability_unavailable` like `routes`. */
  queueOf(model: CatalogueModel, capability: Capability, requested?: RouteRequest): string
  /** Returns the reason why no target of the model can be used, and the remedy; undefined when a
   *  target can be used, even if its breaker is open. */
  reasonAgainst(model: CatalogueModel): string | undefined
  /** Returns the error for a model whose usable targets all have open breakers: `overloaded`, with
   *  the model and the seconds until the first target may be tried. */
  overloaded(model: CatalogueModel): GatewayError
  /** Returns the target on which an earlier run was started; undefined when it is no longer
   *  configured. */
  pinned(model: CatalogueModel, targetId: string): Route | undefined
}

/** A request and its input files, so that targets can refuse what they do not support. */
export interface RouteRequest extends Pick<JobFacts<JsonObject>, 'request' | 'inputs'> {
  /** Returns the reason why the target must not get the request although its driver accepts it. */
  refusalOf?(route: Route): RouteRefusal | undefined
}

/** The reason why a target does not get a request. `field` is the name of the field at fault,
 *  either in the gateway's neutral request or in the caller's protocol. */
export interface RouteRefusal {
  field?: string
  message: string
}

/** Creates a router. `random` returns numbers in [0, 1) and divides the work among targets of the
 *  same order by their weights. Without `health` the router creates its own, which logs nothing. */
export function createRouter(
  drivers: ReadonlyMap<string, Driver>,
  random: () => number,
  health: TargetHealth = createTargetHealth({ clock: { now: Date.now }, random, log: { info: () => {}, warn: () => {} } }),
): Router {
  const places = new TargetPlaces()
  // The entries never become outdated: a reload creates new model objects, and drivers are never
  // replaced.
  const known = new WeakMap<CatalogueModel, readonly Route[]>()
  const routesOf = (model: CatalogueModel): readonly Route[] => {
    let routes = known.get(model)
    if (!routes) {
      routes = model.targets.flatMap(target => {
        const driver = drivers.get(target.driver)
        return driver ? [{ target, driver }] : []
      })
      known.set(model, routes)
    }
    return routes
  }
  const usable = (model: CatalogueModel, capability: Capability, requested: RouteRequest | undefined): Route[] => {
    const routes: Route[] = []
    for (const route of routesOf(model)) if (reasonAgainst(route, capability) === undefined) routes.push(route)
    if (routes.length === 0) throw unavailable(model, routesOf(model), { drivers, capability })
    return requested ? routesThatAccept(routes, capability, requested) : routes
  }
  const roomFirst = (a: Route, b: Route): number => Number(places.hasRoom(b.target)) - Number(places.hasRoom(a.target))
  /** Returns the targets with a closed breaker, in order; those with a free place come first. */
  const freeOf = (routes: readonly Route[]): Route[] => {
    const free = routes.filter(route => health.waitMs(route.target.id) === 0)
    return free.length > 1 ? inOrder(free, random).sort(roomFirst) : free
  }
  const overloaded = (model: CatalogueModel): GatewayError => {
    const waitMs = Math.min(...routesOf(model).map(route => health.waitMs(route.target.id)))
    return pausedTargets(model, waitMs)
  }
  return {
    ...{ health, places, overloaded, accepting: routesThatAccept },
    routes: (model, capability, requested) => {
      const routes = usable(model, capability, requested)
      const free = freeOf(routes)
      if (free.length > 0) return free
      throw pausedTargets(model, health.waitMs(soonest(routes, health).target.id))
    },
    callRoutes: (model, capability, requested) => {
      const routes = usable(model, capability, requested)
      const free = freeOf(routes)
      return free.length > 0 ? free : [soonest(routes, health)]
    },
    usableRoutes: (model, capability) => usable(model, capability, undefined),
    reasonAgainst: model => {
      const routes = routesOf(model)
      const isUsable = routes.some(route => reasonAgainst(route, model.capability) === undefined)
      return isUsable ? undefined : unavailable(model, routes, { drivers, capability: model.capability }).message
    },
    queueOf: (model, capability, requested) => queueOfRoute(firstOf(usable(model, capability, requested))),
    pinned: (model, targetId) => routesOf(model).find(route => route.target.id === targetId),
  }
}

export function queueOfRoute({ driver: { queue }, target }: { driver: Driver; target: Pick<Target, 'id'> }): string {
  return queue.isPerTarget ? `${queue.name}/${target.id}` : queue.name
}

/** Returns the target with the shortest wait; the first one when several have the same wait. Throws
 *  a `TypeError` for an empty list. */
export function soonest(routes: readonly Route[], health: TargetHealth): Route {
  return routes.reduce((first, each) => (health.waitMs(each.target.id) < health.waitMs(first.target.id) ? each : first))
}

/** Returns the targets that accept the request. When all of them refuse it, throws the refusal of
 *  the first. */
function routesThatAccept(routes: readonly Route[], capability: Capability, requested: RouteRequest): Route[] {
  const { request, inputs } = requested
  let first: RouteRefusal | undefined
  const takers = routes.filter(route => {
    const { driver, target } = route
    // The cast is safe: a family has made the request for this capability, and `offers[capability]`
    // is an offer of the same capability. TypeScript cannot infer this from the look-up.
    const offer = driver.offers[capability] as OfferFacts<JsonObject> | undefined
    const refusal =
      requested.refusalOf?.(route) ??
      (offer &&
        (refusedExtra(capability, { offer, request, who: driver.title }) ??
          offer.refuses?.({ request, inputs, model: target.model, settings: target.settings })))
    first ??= refusal
    return refusal === undefined
  })
  if (takers.length > 0 || first === undefined) return takers
  throw new GatewayError('invalid_request', first.message, first.field === undefined ? {} : { field: first.field })
}

/** True when the next target may be tried after this error of a target that has not sent any output
 *  (docs/interface.md#failover).
 *
 *  For `text` (conversations, embeddings, rankings, search, moderation), any refusal or failure of
 *  the target allows this. A timeout, an error of the gateway, and an error that the request itself
 *  causes do not.
 *
 *  For `paid` (all other work), the error must prove that the upstream has not accepted the work,
 *  or that the work was free (`LostRunError`). A `NotSentError` proves the former. */
export function mayFailOver(error: GatewayError, kind: FailoverKind): boolean {
  if (error instanceof TargetRefusal || error instanceof LostRunError) return true
  switch (error.code) {
    case 'rate_limited':
    case 'engine_busy':
    case 'overloaded':
    case 'upstream_auth_error':
    case 'upstream_quota_exhausted':
    case 'capability_unavailable':
    case 'not_implemented':
    // The operator sets the model name of a target, so the error is not due to a wrong name from
    // the caller.
    case 'model_not_found':
      return true
    case 'upstream_error':
      return kind === 'text' || error instanceof NotSentError
    case 'upstream_unreachable':
      return kind === 'text' || error instanceof NotSentError || wasNeverConnected(error)
    case 'upstream_timeout':
      return kind === 'paid' && error instanceof NotSentError
    default:
      return false
  }
}

/** True when the upstream may have accepted a paid submit that ended with this error. After a
 *  timeout, an error of the gateway itself, and `outcome_unknown` (thrown by a driver that
 *  cannot find out), it is unknown whether the upstream has accepted the submit. An answer of
 *  the upstream with a status below 500 means that it refused the submit. A `NotSentError` means
 *  that there was no submit. */
export function mayHaveBeenAccepted(error: GatewayError): boolean {
  if (error instanceof LostRunError || error instanceof NotSentError) return false
  switch (error.code) {
    case 'outcome_unknown':
    case 'upstream_timeout':
    case 'internal_error':
    case 'disk_full':
    case 'inspection_busy':
    case 'store_unavailable':
    case 'draining':
      return true
    case 'upstream_error':
      return !wasRefusedBelow500(error.cause)
    case 'upstream_unreachable':
      return !wasNeverConnected(error)
    default:
      return false
  }
}

/** Returns true when the upstream has refused the request with a status of 300 to 499. The cause
 *  of the error contains the status. */
function wasRefusedBelow500(cause: unknown): boolean {
  return cause instanceof Error && 'status' in cause && typeof cause.status === 'number' && cause.status >= 300 && cause.status < 500
}

function reasonAgainst({ target, driver }: Route, capability: Capability): string | undefined {
  if (!driver.offers[capability]) return `The driver ${driver.id} does not offer ${capability}.`
  return target.unusable ?? driver.unusable?.(target.settings, target.model)
}

function unavailable(
  model: CatalogueModel,
  routes: readonly Route[],
  { drivers, capability }: { drivers: ReadonlyMap<string, Driver>; capability: Capability },
): NotServedError {
  const reasons = [
    ...model.targets
      .filter(target => !drivers.has(target.driver))
      .map(target => target.unusable ?? `The driver ${target.driver} does not exist.`),
    ...routes.map(route => reasonAgainst(route, capability) ?? ''),
  ]
  const why =
    reasons.length > 0
      ? reasons.join(' ')
      : `No target is configured; add one for ${model.id} under models in the file that GATEWAY_CONFIG names.`
  return new NotServedError('capability_unavailable', `${model.id} cannot be used now. ${why}`)
}

function pausedTargets(model: CatalogueModel, waitMs: number): GatewayError {
  const retryAfterSeconds = Number.isFinite(waitMs) ? Math.min(60, Math.max(1, Math.ceil(waitMs / 1000))) : 1
  const message = `Everything that serves ${model.id} has failed or is at its limit, and is left alone; try again in ${retryAfterSeconds} s.`
  return new GatewayError('overloaded', message, { retryAfterSeconds })
}

function firstOf(routes: readonly Route[]): Route {
  return routes.reduce((first, route) => (route.target.order < first.target.order ? route : first))
}

/** Sorts targets by `order`. Targets of the same order are sorted by a weighted random draw without
 *  replacement (Efraimidis and Spirakis: the largest `random ^ (1 / weight)` comes first). */
function inOrder(routes: readonly Route[], random: () => number): Route[] {
  return routes
    .map(route => ({ route, draw: random() ** (1 / route.target.weight) }))
    .sort((a, b) => a.route.target.order - b.route.target.order || b.draw - a.draw)
    .map(({ route }) => route)
}
