/** What every driver of a service is made of: settings, the guarded client, what is refused before anything is sent, and the end. */
import type { DriverTools, UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { AskedJob, Driver, Job, Offer, Offers, Refusal } from '@generation-gateway/kit/requests/job.ts'
import { RefusedError } from '../refusal.ts'
import type { ServiceSettings, ServiceTarget } from './service-settings.ts'
import { createUpstream, type Upstream } from './upstream.ts'
import { UrlGuard } from './url-guard.ts'

export interface ServiceTools extends DriverTools {
  /** The client for everything but `submits`. It sends to the target's own origin and nowhere else. */
  upstream: Upstream
  /** The client for `submitPaid` alone: its connections are used once. */
  submits: Upstream
  /** The way to files that answers link to. */
  guard: UrlGuard
}

/** What a service can do; of a target that cannot be used, and of what an offer `refuses`, its offers never hear. */
export interface ServiceParts {
  offers: Offers
  relays?: NonNullable<Driver['relays']>
  /** Of a service that renders slides. */
  templates?: NonNullable<Driver['templates']>
  /** Of a service that speaks. */
  voices?: NonNullable<Driver['voices']>
  /** Why a target whose settings are in order cannot be used all the same. */
  unusable?(settings: JsonObject, model: string): string | undefined
  /** Ends what it has beside the tools. */
  close?(): Promise<void>
}

interface ServiceSpec<Target extends ServiceTarget> {
  id: string
  title: string
  settings: ServiceSettings<Target>
  /** Jobs that one node runs at a time at each target that does not set `max_concurrent`; default 64. */
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
    open: tools => {
      const upstream = createUpstream()
      const submits = createUpstream()
      const guard = new UrlGuard({ allowPrivate: tools.allowPrivateUrls })
      const parts = service.open({ ...tools, upstream, submits, guard })
      const unusable = (given: JsonObject, model: string) => problemOf(given) ?? parts.unusable?.(given, model)
      return {
        id,
        title,
        queue: { name: `upstream:${id}`, slots: service.slots ?? usualSlots, isPerTarget: true },
        offers: guarded(parts.offers, { problemOf, unusable }),
        ...(parts.relays === undefined ? {} : { relays: parts.relays }),
        ...(parts.templates === undefined ? {} : { templates: parts.templates }),
        ...(parts.voices === undefined ? {} : { voices: parts.voices }),
        unusable,
        close: async () => {
          await Promise.all([upstream.close(), submits.close(), guard.close(), parts.close?.()])
        },
      }
    },
  }
}

interface Checks {
  /** What is wrong with the settings: nothing can be sent there. */
  problemOf(settings: JsonObject): string | undefined
  /** Why nothing new can be asked of it. */
  unusable(settings: JsonObject, model: string): string | undefined
}

function guarded(offers: Offers, checks: Checks): Offers {
  // Each stays what it was, under its own name.
  return Object.fromEntries(Object.entries(offers).map(([name, offer]) => [name, guardedOffer(offer as Offer<unknown>, checks)])) as Offers
}

/** The offer behind a check of the target and of what is asked: it throws `capability_unavailable` or `not_implemented` before anything is sent. */
function guardedOffer(given: Offer<unknown>, { problemOf, unusable }: Checks): Offer<unknown> {
  const refuses = (asked: AskedJob<unknown>): Refusal | undefined => {
    const message = unusable(asked.settings, asked.model)
    return message === undefined ? given.refuses?.(asked) : { message }
  }
  const offer: Offer<unknown> = { ...given, refuses }
  const taken = (job: Job<unknown>): void => {
    assertUsable(unusable(job.settings, job.model))
    const refusal = given.refuses?.(job)
    if (refusal !== undefined) throw new RefusedError(refusal)
  }
  /** What was started is looked at also where nothing new can be. */
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
