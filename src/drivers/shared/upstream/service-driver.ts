/** The parts that all drivers of services share: reading the settings, the HTTP clients,
 *  refusals before anything is sent, and closing. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { DriverTools, UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Driver, Job, JobFacts, Offer, Offers, Refusal } from '@generation-gateway/kit/requests/job.ts'
import { RefusedError } from '../refusal.ts'
import type { ServiceSettings, ServiceTarget } from './service-settings.ts'
import { createUpstream, type Upstream } from './upstream.ts'
import { UrlGuard } from './url-guard.ts'

export interface ServiceTools extends DriverTools {
  /** The HTTP client for everything except paid submits. It sends only to the target's own
   *  origin. */
  upstream: Upstream
  /** The HTTP client for `submitPaid` alone; each of its connections is used once. */
  submits: Upstream
  /** Downloads files that answers link to. */
  guard: UrlGuard
}

/** The parts of a driver that differ from service to service. No offer starts work for a target
 *  that is unusable, or for a request that the offer's `refuses` function refuses. */
interface ServiceParts {
  offers: Offers
  relays?: NonNullable<Driver['relays']>
  /** Counts input tokens; for services that answer conversations. */
  countInput?: NonNullable<Driver['countInput']>
  /** Templates, for services that render slides. */
  templates?: NonNullable<Driver['templates']>
  /** Voices, for services that synthesize speech. */
  voices?: NonNullable<Driver['voices']>
  /** Returns the reason why a target with valid settings still cannot be used; undefined when it
   *  can. */
  unusable?(settings: JsonObject, model: string): string | undefined
  /** Closes the resources that the driver holds in addition to the tools. */
  close?(): Promise<void>
}

interface ServiceSpec<Target extends ServiceTarget> {
  id: string
  title: string
  settings: ServiceSettings<Target>
  /** Jobs that one node runs at a time at each target whose settings lack `max_concurrent`; default
   *  64. */
  slots?: number
  open(tools: ServiceTools): ServiceParts
}

const usualSlots = 64

/** Declares a driver of a service. */
export function serviceDriver<Target extends ServiceTarget>(service: ServiceSpec<Target>): UpstreamSpec {
  const { id, title, settings } = service
  const problemOf = (given: JsonObject) => settings.targetOf(given).problem
  return {
    id,
    title,
    kind: 'upstream',
    settings: settings.schema,
    addressOf: given => {
      const { problem, upstream } = settings.targetOf(given)
      return problem === undefined ? { origin: upstream.origin, route: upstream.route } : undefined
    },
    open: tools => {
      const { outbound } = tools
      const upstream = createUpstream(outbound)
      const submits = createUpstream(outbound)
      const guard = new UrlGuard({ allowPrivate: tools.allowPrivateUrls, outbound })
      const parts = service.open({ ...tools, upstream, submits, guard })
      const { relays, countInput, templates, voices } = parts
      const unusable = (given: JsonObject, model: string) => problemOf(given) ?? parts.unusable?.(given, model)
      return {
        id,
        title,
        queue: { name: `upstream:${id}`, slots: service.slots ?? usualSlots, isPerTarget: true },
        offers: guarded(parts.offers, { problemOf, unusable }),
        ...defined({ relays, countInput, templates, voices }),
        unusable,
        close: async () => {
          await Promise.all([upstream.close(), submits.close(), guard.close(), parts.close?.()])
        },
      }
    },
  }
}

interface Checks {
  /** Returns the fault in the settings that prevents every request to the target; undefined when
   *  there is none. */
  problemOf(settings: JsonObject): string | undefined
  /** Returns the reason why the target accepts no new work; undefined when it does. */
  unusable(settings: JsonObject, model: string): string | undefined
}

function guarded(offers: Offers, checks: Checks): Offers {
  // The cast is safe: each offer keeps its name and type.
  return Object.fromEntries(Object.entries(offers).map(([name, offer]) => [name, guardedOffer(offer as Offer<unknown>, checks)])) as Offers
}

/** Returns the offer with a check of the target and the request before each run. The check throws
 *  `capability_unavailable` or `not_implemented` before anything is sent. */
function guardedOffer(given: Offer<unknown>, { problemOf, unusable }: Checks): Offer<unknown> {
  const refuses = (jobFacts: JobFacts<unknown>): Refusal | undefined => {
    const message = unusable(jobFacts.settings, jobFacts.model)
    return message === undefined ? given.refuses?.(jobFacts) : { message }
  }
  const offer: Offer<unknown> = { ...given, refuses }
  const taken = (job: Job<unknown>): void => {
    assertUsable(unusable(job.settings, job.model))
    const refusal = given.refuses?.(job)
    if (refusal !== undefined) throw new RefusedError(refusal)
  }
  /** Checks only that the settings allow requests to the target. A started task is polled even when
   *  the target accepts no new tasks. */
  const reachable = ({ settings }: Job<unknown>): void => assertUsable(problemOf(settings))
  switch (offer.kind) {
    case 'once':
      return { ...offer, run: behind(taken, offer.run) }
    case 'streamed':
      return {
        ...offer,
        run: job => {
          taken(job)
          return offer.run(job)
        },
      }
    case 'polled': {
      const { start, check, find, cancel } = offer
      const optional = { ...(find && { find: behind(reachable, find) }), ...(cancel && { cancel: behind(reachable, cancel) }) }
      return { ...offer, start: behind(taken, start), check: behind(reachable, check), ...optional }
    }
  }
}

function behind<Rest extends unknown[], Result>(
  check: (job: Job<unknown>) => void,
  work: (job: Job<unknown>, ...rest: Rest) => Promise<Result>,
): (job: Job<unknown>, ...rest: Rest) => Promise<Result> {
  return async (job, ...rest) => {
    check(job)
    return work(job, ...rest)
  }
}

function assertUsable(problem: string | undefined): void {
  if (problem !== undefined) throw new GatewayError('capability_unavailable', problem)
}
