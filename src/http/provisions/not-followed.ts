/** Finds the request fields that every target of the model would ignore, before the task runs. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import { extrasNotFollowed } from '@generation-gateway/kit/requests/extras.ts'
import type { OfferFacts } from '@generation-gateway/kit/requests/job.ts'
import type { Call } from '../call/call.ts'
import type { HttpDeps } from '../deps.ts'
import type { Provision } from './provision.ts'

/** Returns the fields that every usable target of the model would ignore. Returns an empty list
 *  when no target is usable; the later submit then reports this. */
export const fieldsNotFollowed: Provision<'notFollowed'> =
  ({ deps: { router }, call: { model } }) =>
  (capability, request) => {
    if (!model) throw new TypeError('this operation does not choose a model')
    const offers = routesOf(router, model, capability).flatMap(({ driver }) => driver.offers[capability] ?? [])
    // The casts are safe: the family has built the request for this capability, and
    // `offers[capability]` is an offer of the same capability. TypeScript cannot infer this from
    // the look-up.
    const leftOut = offers.map(offer => extrasNotFollowed(capability, offer as OfferFacts<JsonObject>, request as JsonObject))
    const [first = [], ...others] = leftOut
    return first.filter(field => others.every(fields => fields.includes(field)))
  }

function routesOf(router: HttpDeps['router'], model: NonNullable<Call['model']>, capability: Capability) {
  try {
    return router.callRoutes(model, capability)
  } catch (error) {
    if (error instanceof GatewayError) return []
    throw error
  }
}
