import type { EngineModel } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Price } from '../ledger/ledger.ts'

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

export interface Catalogue {
  /** The model when it exists and belongs to the family. */
  find(family: string, id: string): CatalogueModel | undefined
  /** What a request of the family (and group) goes to that names no model: of ranked ones that can be used the best, else the first, whose engine is installed if there is such a one. */
  defaultOf(family: string, group: string | undefined, isUsable: (model: CatalogueModel) => boolean): CatalogueModel | undefined
  /** Why the family has no model at all, with what would give it one. */
  whyNone(family: string): string
  all(): readonly CatalogueModel[]
}

interface FamilyModels {
  id: string
  models: readonly { id: string; title: string; capability: Capability; group?: string }[]
  takesModelsOf?: readonly Capability[]
}

/** An engine that serves a capability without any configuration, with the models of its own. */
export interface BuiltInEngine {
  id: string
  capabilities: readonly string[]
  models?: readonly EngineModel[]
  /** Of one that is not installed, or cannot be used as it is set: why it serves nothing, and what would help. */
  missing?: string
  /** Of its built-in targets. */
  settings?: JsonObject
}

/** Families whose requests are translated into each other: a model of one serves the other as well (`decisions.md`, YAML file). */
const translated: Record<string, string> = { chat: 'responses', responses: 'chat' }

/** The built-in models of all families on the built-in engines, overridden and joined by those of the configuration file. */
export function buildCatalogue(
  families: readonly FamilyModels[],
  engines: readonly BuiltInEngine[],
  configured: readonly CatalogueModel[],
): Catalogue {
  const models = new Map<string, CatalogueModel>()
  const ranks = new Map<string, number | undefined>()
  for (const family of families) {
    for (const model of family.models) {
      const targets = engines
        .filter(engine => engine.capabilities.includes(model.capability))
        .map(engine => builtInTarget(model.id, engine, model.id))
      models.set(model.id, { ...model, families: [family.id], targets, source: 'built-in' })
    }
  }
  for (const engine of engines) {
    for (const { id, title, capability, name, rank } of engine.models ?? []) {
      const takers = families.filter(family => family.takesModelsOf?.includes(capability)).map(family => family.id)
      ranks.set(id, rank)
      models.set(id, { id, title, capability, families: takers, targets: [builtInTarget(id, engine, name)], source: 'built-in' })
    }
  }
  for (const model of configured) models.set(model.id, model)
  const all = [...models.values()]
  const absent = new Set(engines.filter(engine => engine.missing !== undefined).map(engine => engine.id))
  const isServed = (model: CatalogueModel): boolean => model.targets.some(target => !absent.has(target.driver))
  return {
    find: (family, id) => {
      const model = models.get(id)
      return model && serves(model, family) ? model : undefined
    },
    defaultOf: (family, group, isUsable) => {
      const own = all.filter(model => serves(model, family) && (group === undefined || model.group === group))
      return bestOf(own, { rank: model => ranks.get(model.id), isUsable }) ?? own.find(isServed) ?? own[0]
    },
    whyNone: id => {
      const capabilities = families.find(family => family.id === id)?.takesModelsOf ?? []
      const lacking = engines.filter(engine => capabilities.some(capability => engine.capabilities.includes(capability)))
      return [`Family ${id} has no model.`, ...lacking.flatMap(engine => engine.missing ?? [])].join(' ')
    },
    all: () => all,
  }
}

/** Of the ranked models that can be used the one with the highest rank. */
export function bestOf<Model>(
  models: readonly Model[],
  { rank, isUsable }: { rank: (model: Model) => number | undefined; isUsable: (model: Model) => boolean },
): Model | undefined {
  const ranked = models.filter(model => rank(model) !== undefined)
  return ranked.sort((a, b) => (rank(b) ?? 0) - (rank(a) ?? 0)).find(isUsable)
}

/** Whether requests of the family may name the model. */
export function serves(model: CatalogueModel, family: string): boolean {
  return model.families.includes(family) || model.families.includes(translated[family] ?? family)
}

/** The name that relayed answers are to carry; undefined when they pass as they are. */
export function nameInAnswers(model: CatalogueModel | undefined): string | undefined {
  return model?.isNamedInAnswers ? model.id : undefined
}

function builtInTarget(model: string, { id, missing, settings = {} }: BuiltInEngine, name: string): Target {
  const target: Target = { id: `${model}#${id}`, driver: id, model: name, order: 1, weight: 1, settings }
  return missing === undefined ? target : { ...target, unusable: missing }
}
