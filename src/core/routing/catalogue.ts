import type { EngineModel } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { aliasesOf, type CatalogueNames, createNames, type NameSettings } from './aliases.ts'
import { type CatalogueModel, type FamilyModels, serves, type Target } from './catalogue-model.ts'

export { type CatalogueModel, serves, type Target } from './catalogue-model.ts'

export interface Catalogue extends CatalogueNames {
  /** Returns the model of the family with exactly this id, without resolving aliases. Used for
   *  ids that were stored. */
  find(family: string, id: string): CatalogueModel | undefined
  /** True when a request that names an unknown model is served like one that names no model
   *  (`unknown_models: default`). */
  takesUnknownModels: boolean
  /** Returns the default model of the family (or of one group in it): the usable model with the
   *  highest rank. When no model with a rank is usable, returns the first model that has a target
   *  other than a missing engine. When there is no such model either, returns the first model of
   *  all. */
  defaultOf(family: string, group: string | undefined, isUsable: (model: CatalogueModel) => boolean): CatalogueModel | undefined
  /** Returns the reason why the family has no model at all, and how to add one. */
  whyNone(family: string): string
  all(): readonly CatalogueModel[]
}

/** An engine that provides models for a capability without any configuration. */
export interface BuiltInEngine {
  id: string
  capabilities: readonly string[]
  models?: readonly EngineModel[]
  /** The reason why the engine provides no models, and what to do about it. Set when the engine
   *  is not installed or cannot be used with these settings. */
  missing?: string
  /** Settings of the targets on this engine. */
  settings?: JsonObject
}

/** Returns the catalogue: the built-in models of all families on the built-in engines, changed and
 *  extended by the configuration file. Throws `invalid_request` for an alias that leads to no
 *  model. */
export function buildCatalogue(
  families: readonly FamilyModels[],
  engines: readonly BuiltInEngine[],
  configured: readonly CatalogueModel[],
  given: NameSettings = {},
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
  const takeAll = new Set(families.flatMap(({ id, takesEveryModel }) => (takesEveryModel ? [id] : [])))
  const absent = new Set(engines.filter(engine => engine.missing !== undefined).map(engine => engine.id))
  const isServed = (model: CatalogueModel): boolean => model.targets.some(target => !absent.has(target.driver))
  const byRank = all.toSorted((a, b) => (ranks.get(b.id) ?? 0) - (ranks.get(a.id) ?? 0))
  const aliases = aliasesOf({ families, models, byRank, given })
  return {
    ...createNames(models, aliases),
    takesUnknownModels: given.unknownModels === 'default',
    find: (family, id) => {
      const model = models.get(id)
      return model && (takeAll.has(family) || serves(model, family)) ? model : undefined
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

/** Returns the usable model with the highest rank, of those that have a rank. */
export function bestOf<Model>(
  models: readonly Model[],
  { rank, isUsable }: { rank: (model: Model) => number | undefined; isUsable: (model: Model) => boolean },
): Model | undefined {
  const ranked = models.filter(model => rank(model) !== undefined)
  return ranked.sort((a, b) => (rank(b) ?? 0) - (rank(a) ?? 0)).find(isUsable)
}

/** Returns the model name that relayed answers contain; undefined when they keep the upstream's
 *  name. */
export function nameInAnswers(model: CatalogueModel | undefined): string | undefined {
  return model?.isNamedInAnswers ? model.id : undefined
}

function builtInTarget(model: string, { id, missing, settings = {} }: BuiltInEngine, name: string): Target {
  const target: Target = { id: `${model}#${id}`, driver: id, model: name, order: 1, weight: 1, settings }
  return missing === undefined ? target : { ...target, unusable: missing }
}
