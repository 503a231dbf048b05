/** A model of the catalogue, and which families' requests may name it. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Price } from '../records/ledger.ts'

/** Where a model's work is done: a driver or engine, and the upstream's own name of the model. */
export interface Target {
  /** `<model>#<n>`: names the target in metrics, stored handles and messages. */
  id: string
  driver: string
  model: string
  /** Lower ones are tried first; equal ones share by weight. */
  order: number
  weight: number
  /** Exchanges with it that one node has at a time, tasks, calls and relays together. Absent: as many tasks as its driver says (`Driver.queue.slots`), and any number of calls and relays. */
  maxConcurrent?: number
  /** Seconds without a byte after which a stream opens with a comment; 0: never. Absent: 15. */
  silenceSeconds?: number
  settings: JsonObject
  /** Why it cannot be used whatever its driver says: a variable that is not set, an engine that is not installed. */
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
  /** Relayed answers carry its id in place of the upstream's name. */
  isNamedInAnswers?: boolean
  /** What it costs; absent: nothing. */
  price?: Price
  source: 'built-in' | 'yaml'
}

/** What the catalogue needs to know of a family. */
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

/** Whether requests of the family may name the model. */
export function serves(model: CatalogueModel, family: string): boolean {
  return model.families.includes(family) || model.families.includes(translated[family] ?? family)
}
