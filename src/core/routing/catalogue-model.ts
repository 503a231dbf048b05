/** A model of the catalogue, and which families' requests may name it. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Price } from '../records/ledger.ts'

/** Where a model runs: a driver or engine, and the upstream's own name of the model. */
export interface Target {
  /** `<model>#<n>`: names the target in metrics, stored handles and messages. */
  id: string
  driver: string
  model: string
  /** Lower values are tried first; equal ones share by weight. */
  order: number
  weight: number
  /** Exchanges with it that one node runs at a time: tasks, calls and relays together. Absent: as
   *  many tasks as its driver's `Driver.queue.slots`, and any number of calls and relays. */
  maxConcurrent?: number
  /** Seconds of silence after which a stream starts with a comment; 0: never. Absent: 15. */
  silenceSeconds?: number
  settings: JsonObject
  /** The reason why it cannot be used, independent of its driver: a variable that is not set, an
   *  engine that is not installed. */
  unusable?: string
}

export interface CatalogueModel {
  id: string
  title: string
  /** Families that may name it. */
  families: string[]
  capability: Capability
  /** Parameter set or model group within the family. */
  group?: string
  targets: Target[]
  /** Relayed answers carry the model's id in place of the upstream's name. */
  isNamedInAnswers?: boolean
  /** Price of its units; absent: free. */
  price?: Price
  source: 'built-in' | 'yaml'
}

/** The facts of a family that the catalogue needs. */
export interface FamilyModels {
  id: string
  models: readonly { id: string; title: string; capability: Capability; group?: string }[]
  takesModelsOf?: readonly Capability[]
  takesEveryModel?: true
  aliases?: Readonly<Record<string, string>>
  defaultAliases?: readonly string[]
}

/** Families whose requests are translated into each other: a model of one serves the other as well
 *  (docs/interface.md#configuration-file). */
const translated: Record<string, string> = { chat: 'responses', responses: 'chat' }

/** Families whose requests may name the model. */
export function familiesOf(model: CatalogueModel): string[] {
  return [...new Set(model.families.flatMap(family => [family, translated[family] ?? family]))]
}

/** True when requests of the family may name the model. */
export function serves(model: CatalogueModel, family: string): boolean {
  return model.families.includes(family) || model.families.includes(translated[family] ?? family)
}
