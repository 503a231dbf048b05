/** Handles extras: request fields that only some targets support. */
import type { JsonObject } from '../json.ts'
import { type Capability, capabilities } from './capabilities.ts'
import type { CapabilityFacts, ExtraPolicy, LeftOutFields } from './capability.ts'
import type { FieldName } from './field-names.ts'
import { type OfferFacts, type Refusal, refusal } from './job.ts'

type AnyOffer = OfferFacts<JsonObject>

/** Returns the refusal for the first field that would change the result and that the offer does not
 *  support; undefined when there is none. `who` is the name of the driver in the message. */
export function refusedExtra(
  capability: Capability,
  { offer, request, who }: { offer: AnyOffer; request: JsonObject; who: string },
): Refusal | undefined {
  const [field] = leftOut(capability, offer, { request, wanted: 'refused' })
  if (field === undefined) return undefined
  const policy = policiesOf(capability)[field]
  return refusal(field, typeof policy === 'function' ? policy(request[field] ?? null, who) : `${who} has no such thing.`)
}

/** Returns the fields that the offer ignores. */
export function extrasNotFollowed(capability: Capability, offer: AnyOffer, request: JsonObject): FieldName[] {
  return leftOut(capability, offer, { request, wanted: 'told' })
}

/** Returns the fields of the caller's own protocol that this offer ignores; undefined when there
 *  are none. */
export function ownFieldsLeftOut(capability: Capability, { follows = [] }: AnyOffer, request: JsonObject): LeftOutFields | undefined {
  // The cast is safe for the reason given in `policiesOf`.
  const facts = capabilities[capability] as CapabilityFacts<JsonObject, unknown, unknown>
  return follows.includes('extras') ? undefined : facts.leftOut?.(request)
}

function leftOut(
  capability: Capability,
  { follows = [] }: AnyOffer,
  { request, wanted }: { request: JsonObject; wanted: 'refused' | 'told' },
): FieldName[] {
  return Object.entries(policiesOf(capability))
    .filter(
      ([field, extra]) => (extra === 'told' ? 'told' : 'refused') === wanted && request[field] !== undefined && !follows.includes(field),
    )
    .map(([field]) => field as FieldName)
}

function policiesOf(capability: Capability): Readonly<Partial<Record<string, ExtraPolicy>>> {
  // The cast is safe: the declaration belongs to this capability, which the union of all entries
  // cannot express.
  return (capabilities[capability] as CapabilityFacts<JsonObject, unknown, unknown>).extras ?? {}
}
