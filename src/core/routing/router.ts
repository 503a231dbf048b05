import { GatewayError, NotServedError, TargetRefusal } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { wasNeverConnected } from '@generation-gateway/kit/never-connected.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FailoverKind } from '@generation-gateway/kit/requests/capability.ts'
import { refusedExtra } from '@generation-gateway/kit/requests/extras.ts'
import type { Driver, JobFacts, OfferFacts, Refusal } from '@generation-gateway/kit/requests/job.ts'
import type { CatalogueModel, Target } from './catalogue.ts'
import { createTargetHealth, type TargetHealth } from './target-health.ts'
import { TargetPlaces } from './target-places.ts'

export interface Route {
  target: Target
  driver: Driver
}

export interface Router {
  /** Circuit breakers of the targets. Users of a target go through `TargetTries`, which calls
   *  `health.mayTry` just before each use and reports the end. */
  readonly health: TargetHealth
  /** Places at targets with a concurrency limit. Users of a target enter there first
   *  (`TargetUse`). */
  readonly places: TargetPlaces
  /** Returns the usable targets of the model for the capability and the request, in the order to
   *  try.
   *  Throws `invalid_request`, naming the field, when every usable target refuses the request;
   *  `capability_unavailable` (a `NotServedError`) with what would enable one; `overloaded`, with
   *  the time to retry, while the breakers of all usable targets are open. */
  routes(model: CatalogueModel, capability: Capability, requested?: RouteRequest): Route[]
  /** The same for a call, which cannot wait: while all breakers are open, it returns the target
   *  whose breaker closes first. */
  callRoutes(model: CatalogueModel, capability: Capability, requested?: RouteRequest): Route[]
  /** Returns the queue in which a task of the model waits (`queueOfRoute`): that of its first
   *  usable target, with an open breaker or not. Throws `invalid_request` and
   *  `capability_unavailable` like `routes`. */
  queueOf(model: CatalogueModel, capability: Capability, requested?: RouteRequest): string
  /** Returns why no target of the model can be used, with what would enable one; undefined when
   *  one can, with an open breaker or not. */
  reasonAgainst(model: CatalogueModel): string | undefined
  /** Returns the error for a model whose usable targets all have open breakers: `overloaded`,
   *  naming the model, with the seconds until the first may be tried. */
  overloaded(model: CatalogueModel): GatewayError
  /** Returns the target an earlier run was started on, as long as it is still configured. */
  pinned(model: CatalogueModel, targetId: string): Route | undefined
}

/** A request with its input files, as offers check it. */
export type RouteRequest = Pick<JobFacts<JsonObject>, 'request' | 'inputs'>

/** `random` returns numbers in [0, 1): the share of equal targets follows their weights. Without
 *  `health` the router makes its own, which logs nothing. */
export function createRouter(
  drivers: ReadonlyMap<string, Driver>,
  random: () => number,
  health: TargetHealth = createTargetHealth({ clock: { now: Date.now }, random, log: { info: () => {}, warn: () => {} } }),
): Router {
  const places = new TargetPlaces()
  // A reload makes new models, so an entry is never stale; drivers stay for the life of the
  // program.
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
  /** Targets with a closed breaker, in the order to try: those with room first. */
  const freeOf = (routes: readonly Route[]): Route[] => {
    const free = routes.filter(route => health.waitMs(route.target.id) === 0)
    return free.length > 1 ? inOrder(free, random).sort(roomFirst) : free
  }
  const overloaded = (model: CatalogueModel): GatewayError => {
    const waitMs = Math.min(...routesOf(model).map(route => health.waitMs(route.target.id)))
    return pausedTargets(model, waitMs)
  }
  return {
    health,
    places,
    overloaded,
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
    reasonAgainst: model => {
      const routes = routesOf(model)
      const isUsable = routes.some(route => reasonAgainst(route, model.capability) === undefined)
      return isUsable ? undefined : unavailable(model, routes, { drivers, capability: model.capability }).message
    },
    queueOf: (model, capability, requested) => queueOfRoute(firstOf(usable(model, capability, requested))),
    pinned: (model, targetId) => routesOf(model).find(route => route.target.id === targetId),
  }
}

/** Returns the name of the queue of jobs for this target. */
export function queueOfRoute({ driver: { queue }, target }: { driver: Driver; target: Pick<Target, 'id'> }): string {
  return queue.isPerTarget ? `${queue.name}/${target.id}` : queue.name
}

/** Returns the target whose wait is shortest; the first of equals. Throws a `TypeError` for an
 *  empty list. */
export function soonest(routes: readonly Route[], health: TargetHealth): Route {
  return routes.reduce((first, each) => (health.waitMs(each.target.id) < health.waitMs(first.target.id) ? each : first))
}

/** Returns the targets that do not refuse the request. Throws the first one's refusal when all
 *  do. */
function routesThatAccept(routes: readonly Route[], capability: Capability, requested: RouteRequest): Route[] {
  let first: Refusal | undefined
  const takers = routes.filter(({ driver, target }) => {
    // A family made the request for this very capability; the type of all offers together cannot
    // express that.
    const offer = driver.offers[capability] as OfferFacts<JsonObject> | undefined
    const refusal =
      offer &&
      (refusedExtra(capability, { offer, request: requested.request, who: driver.title }) ??
        offer.refuses?.({ ...requested, model: target.model, settings: target.settings }))
    first ??= refusal
    return refusal === undefined
  })
  if (takers.length > 0 || first === undefined) return takers
  throw new GatewayError('invalid_request', first.message, first.field === undefined ? {} : { field: first.field })
}

/** True when the next target may be tried after this error of a target that has sent nothing yet
 *  (docs/interface.md#failover). `text` (chat, responses, search): after all errors except one of
 *  the request itself and a timeout. `paid` (image, music, speech, and every submit): only after
 *  an error that proves that the upstream has not accepted the work. */
export function mayFailOver(error: GatewayError, kind: FailoverKind): boolean {
  if (error instanceof TargetRefusal) return true
  switch (error.code) {
    case 'rate_limited':
    case 'engine_busy':
    case 'overloaded':
    case 'upstream_auth_error':
    case 'upstream_quota_exhausted':
    case 'capability_unavailable':
    case 'not_implemented':
    // The operator chooses a target's model: no caller can cause this error by naming a missing
    // one.
    case 'model_not_found':
      return true
    case 'upstream_error':
      return kind === 'text'
    case 'upstream_unreachable':
      return kind === 'text' || wasNeverConnected(error)
    default:
      return false
  }
}

/** True when a paid submit that ended with this error may have been accepted. Drivers throw
 *  `outcome_unknown` when they cannot tell; any other error below status 500 was a refusal. */
export function mayHaveBeenAccepted(error: GatewayError): boolean {
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

/** The upstream's answer, with its status, is the cause of the error. */
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

/** Sorts by order; equal ones by a weighted draw without replacement (Efraimidis and Spirakis:
 *  the largest of `random ^ (1 / weight)` goes first). */
function inOrder(routes: readonly Route[], random: () => number): Route[] {
  return routes
    .map(route => ({ route, draw: random() ** (1 / route.target.weight) }))
    .sort((a, b) => a.route.target.order - b.route.target.order || b.draw - a.draw)
    .map(({ route }) => route)
}
