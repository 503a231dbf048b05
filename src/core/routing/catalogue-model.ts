/** A model of the catalogue, and the families whose requests may name it. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import { familiesServedBy } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { Price } from '../records/ledger.ts'

/** The place where a model runs: a driver or engine, and the name that the upstream has for the
 *  model. */
export interface Target {
  /** Id of the target: `<model>#<n>`, or `<model>#<engine>` for a built-in one. It names the
   *  target in metrics, stored handles and messages. */
  id: string
  driver: string
  model: string
  /** Targets with a lower `order` are tried first. Targets with the same `order` share the work
   *  in proportion to their `weight`. */
  order: number
  weight: number
  /** Largest number of exchanges with the target that one node runs at a time, counting tasks,
   *  calls and relays together. When absent, only tasks are limited, by `Driver.queue.slots` of
   *  the target's driver. */
  maxConcurrent?: number
  /** Seconds without output after which the gateway opens the event stream and sends an SSE comment
   *  in it; 0 for never. Default 15. */
  silenceSeconds?: number
  settings: JsonObject
  /** The reason why the target cannot be used: an environment variable is not set, or the engine
   *  of the target is not installed. Drivers report further reasons themselves. */
  unusable?: string
}

export interface CatalogueModel {
  id: string
  title: string
  /** Families whose requests may name the model. */
  families: string[]
  capability: Capability
  /** The group of models within the family that take the same request fields. */
  group?: string
  targets: Target[]
  /** True when relayed answers contain the id of the model instead of the upstream's name. */
  isNamedInAnswers?: boolean
  /** True when requests may name further models of the upstream, as fallbacks or advisers. Their
   *  work costs the price of this model. */
  takesFurtherModels?: boolean
  /** Price of the units that the model uses; a model without a price costs nothing. */
  price?: Price
  source: 'built-in' | 'yaml'
}

/** The parts of a family's declaration from which the catalogue is built. */
export interface FamilyModels {
  id: string
  models: readonly { id: string; title: string; capability: Capability; group?: string }[]
  takesModelsOf?: readonly Capability[]
  takesEveryModel?: true
  aliases?: Readonly<Record<string, string>>
  defaultAliases?: readonly string[]
}

/** Returns the families whose requests may name the model
 *  (docs/interface.md#configuration-file). */
export function familiesOf({ families }: CatalogueModel): string[] {
  return [...new Set([...families, ...families.flatMap(familiesServedBy)])]
}

/** True when requests of the family may name the model. */
export function serves({ families }: CatalogueModel, family: string): boolean {
  return families.some(each => familiesServedBy(each).includes(family))
}
