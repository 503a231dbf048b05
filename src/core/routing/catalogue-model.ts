/** A model of the catalogue, and the families whose requests may name it. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Price } from '../records/ledger.ts'

/** The place where a model runs: a driver or engine, and the name that the upstream has for the
 *  model. */
export interface Target {
  /** Id of the target: `<model>#<n>`. It names the target in metrics, stored handles and
   *  messages. */
  id: string
  driver: string
  model: string
  /** Targets with lower values are tried first; those with equal values share the work by
   *  weight. */
  order: number
  weight: number
  /** Number of exchanges with the target that one node runs at a time: tasks, calls and relays
   *  together. By default, `Driver.queue.slots` of its driver limits the tasks, and calls and
   *  relays are not limited. */
  maxConcurrent?: number
  /** Seconds without output after which the gateway begins a stream with a comment; 0 for never.
   *  Default 15. */
  silenceSeconds?: number
  settings: JsonObject
  /** Set when the target cannot be used, for a reason other than its driver: a variable is not set,
   *  or an engine is not installed. */
  unusable?: string
}

export interface CatalogueModel {
  id: string
  title: string
  /** Families whose requests may name the model. */
  families: string[]
  capability: Capability
  /** Group of the family to which the model belongs, or name of the set of parameters that it
   *  takes. */
  group?: string
  targets: Target[]
  /** True when relayed answers contain the id of the model instead of the upstream's name. */
  isNamedInAnswers?: boolean
  /** Price of the model's units; without a price, the model is free. */
  price?: Price
  source: 'built-in' | 'yaml'
}

/** The facts about a family that the catalogue uses. */
export interface FamilyModels {
  id: string
  models: readonly { id: string; title: string; capability: Capability; group?: string }[]
  takesModelsOf?: readonly Capability[]
  takesEveryModel?: true
  aliases?: Readonly<Record<string, string>>
  defaultAliases?: readonly string[]
}

/** Families between which the gateway translates requests and answers: a model of one of them
 *  also serves the other (docs/interface.md#configuration-file). */
const translated: Record<string, string> = { chat: 'responses', responses: 'chat' }

/** Returns the families whose requests may name the model. */
export function familiesOf(model: CatalogueModel): string[] {
  return [...new Set(model.families.flatMap(family => [family, translated[family] ?? family]))]
}

/** True when requests of the family may name the model. */
export function serves(model: CatalogueModel, family: string): boolean {
  return model.families.includes(family) || model.families.includes(translated[family] ?? family)
}
