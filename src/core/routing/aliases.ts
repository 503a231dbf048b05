/** Resolves aliases, which are other names of models. The configuration file sets some of them.
 *  Others ship with the families: the names of hosted models, which clients send
 *  (docs/decisions/0034). All aliases are resolved when the configuration is loaded; a call only
 *  looks up the name in its request. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { nameList, nearText } from '@generation-gateway/kit/near-names.ts'
import { type CatalogueModel, type FamilyModels, familiesOf, serves } from './catalogue-model.ts'

export interface Alias {
  name: string
  /** The models that the alias may stand for, the best first. Only an alias that stands for the
   *  default model has more than one, because any usable model can be the default. */
  models: readonly CatalogueModel[]
  source: CatalogueModel['source']
}

/** The model for which a name stands, and the alias through which it was found. Without `alias`,
 *  the name is the id of the model. */
export interface NamedModel {
  model: CatalogueModel
  alias?: Alias
}

/** The names that the configuration file sets. */
export interface NameSettings {
  /** For each name, the id of a model or another alias. */
  aliases?: Readonly<Record<string, string>>
  /** True (the default) when the names that ship with the families are used as well. */
  builtInAliases?: boolean
  /** The treatment of a request that names an unknown model: with `refuse` (the default) it is
   *  answered with an error; with `default` the default model serves it. */
  unknownModels?: 'refuse' | 'default'
}

/** Looks models up by the names that callers send. */
export interface CatalogueNames {
  /** Returns the model for which a name stands: the model with this id, or else the model of an
   *  alias. When an alias has several models, returns the first one that `isUsable` accepts, or
   *  else the first of all. */
  named(family: string, name: string, isUsable: (model: CatalogueModel) => boolean): NamedModel | undefined
  /** Returns the families in which the name stands for a model. */
  familiesOf(name: string): string[]
  /** Returns the ids of the models for which this name stands in any family; the name itself
   *  when it stands for none. Used to translate names in the scopes of keys. */
  idsOf(name: string): string[]
  /** Returns up to three names of the family that are most similar to this one, for models that
   *  `isShown` accepts. */
  near(family: string, name: string, isShown: (model: CatalogueModel) => boolean): string[]
  /** Returns the aliases of the configuration file, then those of the families. No alias equals the
   *  id of a model. */
  aliases(): readonly Alias[]
}

interface Sources {
  families: readonly FamilyModels[]
  models: ReadonlyMap<string, CatalogueModel>
  /** All models, sorted by rank, the highest first. */
  byRank: readonly CatalogueModel[]
  given: NameSettings
}

/** Returns the aliases of the configuration file, then those that ship with the families. Throws
 *  `invalid_request` with the path `aliases.<name>` for an alias that leads to no model, leads back
 *  to itself, or equals the id of a model. */
export function aliasesOf({ families, models, byRank, given }: Sources): Alias[] {
  const shipped = given.builtInAliases === false ? [] : shippedAliases({ families, models, byRank })
  const targets = new Map(Object.entries(given.aliases ?? {}))
  const configured = [...targets.keys()].map((name): Alias => {
    const owner = models.get(name)
    if (owner)
      throw aliasProblem(name, `is the id of a ${owner.source === 'yaml' ? '' : 'built-in '}model; an alias has a name of its own.`)
    return { name, models: followed(name, { targets, models, shipped }), source: 'yaml' }
  })
  return [...configured, ...shipped]
}

function shippedAliases({ families, models, byRank }: Omit<Sources, 'given'>): Alias[] {
  return families.flatMap(({ id, aliases = {}, defaultAliases = [] }) => {
    const fixed = Object.entries(aliases).map(([name, target]) => ({ name, models: [models.get(target)].filter(model => !!model) }))
    const own = byRank.filter(model => serves(model, id))
    // A shipped alias of the default model is the name of a well-known hosted model. When the
    // operator has configured models for this family, such a name must not select a built-in model.
    const isOperators = own.some(({ source }) => source === 'yaml')
    const defaults = isOperators ? [] : defaultAliases.map(name => ({ name, models: own }))
    return [...fixed, ...defaults].filter(each => each.models.length > 0).map(each => ({ ...each, source: 'built-in' as const }))
  })
}

/** Follows a chain of aliases and returns the models at its end. */
function followed(
  first: string,
  { targets, models, shipped }: { targets: ReadonlyMap<string, string>; models: Sources['models']; shipped: readonly Alias[] },
): readonly CatalogueModel[] {
  const passed = new Set<string>()
  for (let name = first; ; ) {
    passed.add(name)
    const target = targets.get(name) ?? ''
    if (passed.has(target)) throw aliasProblem(first, `leads back to ${target} and never to a model.`)
    const model = models.get(target)
    if (model) return [model]
    if (targets.has(target)) {
      name = target
      continue
    }
    const alias = shipped.find(each => each.name === target)
    if (alias) return alias.models
    const near = nearText(nameList([...models.keys(), ...targets.keys(), ...shipped.map(each => each.name)]).near(target))
    throw aliasProblem(first, `stands for ${target}, and there is no model ${target}${near === undefined ? '' : `; ${near}`}.`)
  }
}

function aliasProblem(name: string, says: string): GatewayError {
  const message = `The alias ${name} ${says}`
  return new GatewayError('invalid_request', message, { issues: [{ path: ['aliases', name], message, rule: 'alias' }] })
}

/** Matches a date or build number at the end of a hosted model's name: `-2025-12-16`, `-1106`,
 *  `-250828`. */
const dateSuffix = /-(?:\d{4}-\d{2}-\d{2}|\d{4}|\d{6}|\d{8})$/

/** The models that a name means in one family. */
type Entry = NamedModel & { models: readonly CatalogueModel[] }

/** Creates the look-up tables by name. When a name is the id of a model as well as an alias, the
 *  id takes precedence. An alias of the configuration file takes precedence over a shipped one. */
export function createNames(models: ReadonlyMap<string, CatalogueModel>, aliases: readonly Alias[]): CatalogueNames {
  const byFamily = entriesOf(models, aliases)
  const listed = new Map<string, Alias>()
  for (const alias of aliases) if (!listed.has(alias.name) && !models.has(alias.name)) listed.set(alias.name, alias)
  return {
    named: (family, name, isUsable) => {
      const entry = byFamily.get(family)?.get(name)
      if (!entry) return datedIn(byFamily.get(family), name, isUsable)
      return entry.models.length === 1 ? entry : chosen(entry, isUsable)
    },
    familiesOf: name => {
      const families = [...byFamily]
      const exact = families.filter(([, names]) => names.has(name))
      const found = exact.length > 0 ? exact : families.filter(([, names]) => datedIn(names, name, () => true))
      return found.map(([family]) => family)
    },
    idsOf: name => {
      if (models.has(name)) return [name]
      const bare = name.replace(dateSuffix, '')
      const undated = listed.get(bare)?.source === 'built-in' ? listed.get(bare)?.models : [models.get(bare)]
      const meant = listed.get(name)?.models ?? undated?.filter(model => model?.source === 'built-in')
      const ids = (meant ?? []).flatMap(model => model?.id ?? [])
      // Without this, a name that stands for no model would give an empty list, and an empty list
      // in a scope allows all models.
      return ids.length > 0 ? ids : [name]
    },
    near: (family, name, isShown) => {
      const entries = [...(byFamily.get(family) ?? [])].filter(([, { models: own }]) => own.some(isShown))
      return nameList(entries.map(([each]) => each)).near(name)
    },
    aliases: () => [...listed.values()],
  }
}

function entriesOf(models: ReadonlyMap<string, CatalogueModel>, aliases: readonly Alias[]): Map<string, Map<string, Entry>> {
  const byFamily = new Map<string, Map<string, Entry>>()
  const add = (family: string, name: string, entry: Entry): void => {
    const names = byFamily.get(family) ?? new Map<string, Entry>()
    byFamily.set(family, names)
    if (!names.has(name)) names.set(name, entry)
  }
  for (const model of models.values()) {
    for (const family of familiesOf(model)) add(family, model.id, { model, models: [model] })
  }
  for (const alias of aliases) {
    for (const family of new Set(alias.models.flatMap(familiesOf))) {
      const own = alias.models.filter(model => serves(model, family))
      const [model] = own
      if (model) add(family, alias.name, { model, models: own, alias })
    }
  }
  return byFamily
}

function chosen({ models, model, alias }: Entry, isUsable: (model: CatalogueModel) => boolean): NamedModel {
  const usable = models.find(isUsable) ?? model
  return alias ? { model: usable, alias } : { model: usable }
}

/** Finds the entry for a name to which a date or build number was appended. The name without this
 *  suffix must be a shipped name or the id of a built-in model. Models that the operator has
 *  configured are not found this way: for them, only the names in the configuration file count. */
function datedIn(
  names: ReadonlyMap<string, Entry> | undefined,
  name: string,
  isUsable: (model: CatalogueModel) => boolean,
): NamedModel | undefined {
  const bare = name.replace(dateSuffix, '')
  const entry = bare === name ? undefined : names?.get(bare)
  if (!entry || (entry.alias ?? entry.model).source === 'yaml') return undefined
  return { model: chosen(entry, isUsable).model, alias: { name, models: entry.models, source: 'built-in' } }
}
