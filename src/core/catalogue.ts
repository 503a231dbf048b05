import type { Capability } from './requests/job.ts'
import type { JsonObject } from './task.ts'

/** Where a model's work is done: a driver or engine, and the upstream's own name of the model. */
export interface Target {
  /** `<model>#<n>`: names the target in metrics, stored handles and messages. */
  id: string
  driver: string
  model: string
  /** Lower ones are tried first; equal ones share by weight. */
  order: number
  weight: number
  settings: JsonObject
  /** Why it cannot be used whatever its driver says: a variable that is not set. */
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
  source: 'built-in' | 'yaml'
}

export interface Catalogue {
  /** The model when it exists and belongs to the family. */
  find(family: string, id: string): CatalogueModel | undefined
  /** The family's own model for a group; the first one when there is no group. */
  defaultOf(family: string, group: string | undefined): CatalogueModel | undefined
  all(): readonly CatalogueModel[]
}

interface FamilyModels {
  id: string
  models: readonly { id: string; title: string; capability: Capability; group?: string }[]
}

/** An engine that serves a capability without any configuration. */
export interface BuiltInEngine {
  id: string
  capabilities: readonly string[]
}

/** The built-in models of all families on the built-in engines, overridden and joined by those of the configuration file. */
export function buildCatalogue(
  families: readonly FamilyModels[],
  engines: readonly BuiltInEngine[],
  configured: readonly CatalogueModel[],
): Catalogue {
  const models = new Map<string, CatalogueModel>()
  for (const family of families) {
    for (const model of family.models) {
      const targets = engines
        .filter(engine => engine.capabilities.includes(model.capability))
        .map(engine => builtInTarget(model.id, engine.id))
      models.set(model.id, { ...model, families: [family.id], targets, source: 'built-in' })
    }
  }
  for (const model of configured) models.set(model.id, model)
  const all = [...models.values()]
  return {
    find: (family, id) => {
      const model = models.get(id)
      return model?.families.includes(family) ? model : undefined
    },
    defaultOf: (family, group) => all.find(model => model.families.includes(family) && (group === undefined || model.group === group)),
    all: () => all,
  }
}

function builtInTarget(model: string, engine: string): Target {
  return { id: `${model}#${engine}`, driver: engine, model: engine, order: 1, weight: 1, settings: {} }
}
