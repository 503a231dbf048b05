import { dirname, resolve } from 'node:path'
import { defined } from '@generation-gateway/kit/defined.ts'
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { nearText } from '@generation-gateway/kit/near-names.ts'
import { conversationFamilies, isConversation } from '@generation-gateway/kit/requests/text-protocol.ts'
import Type, { type TSchema } from 'typebox'
import type { Family, FamilyEntry } from '../contract/family.ts'
import type { FamilyModel } from '../contract/model.ts'
import { checkObject } from '../contract/validate.ts'
import { assertEndpointName, dayToMs } from '../core/access.ts'
import { limitsOf } from '../core/ledger/quota-text.ts'
import { priceOf } from '../core/records/ledger.ts'
import type { Catalogue, CatalogueModel, Target } from '../core/routing/catalogue.ts'
import type { MissingEngine } from '../engines.ts'
import { catalogueOf } from './catalogue-of.ts'
import {
  type AccountEntry,
  type ConfigFile,
  type FileText,
  type ModelEntry,
  type ParsedConfig,
  readConfigFile,
  readConfigText,
  usualCurrency,
  type ValuePath,
} from './config-schema.ts'
import { importedPrice, type PricesFile, parsePrices, readPricesText } from './prices/prices-file.ts'

export interface LoadedConfig {
  file: ConfigFile
  models: CatalogueModel[]
  /** Settings from the sections of engines, by the id of the engine; they apply to the targets on
   *  that engine. `missing` says which variable, named in the section, is not set; the engine
   *  cannot be used then. */
  engineSettings: ReadonlyMap<string, { settings: JsonObject; missing?: string }>
  /** The imported prices; absent when the file names no prices file, or it was not to be read. */
  prices?: PricesFile
  /** Warnings for the operator about problems that do not prevent the start, such as variables that
   *  are not set. */
  warnings: string[]
}

interface KnownParts {
  families: readonly FamilyEntry[]
  drivers: readonly DriverSpec[]
  /** Engines that are not installed. */
  missingEngines: readonly MissingEngine[]
}

type Env = Record<string, string | undefined>

interface Loading {
  read: ParsedConfig
  known: KnownParts
  env: Env
  warnings: string[]
  prices: PricesFile | undefined
}

interface LoadOptions {
  /** Text of the configuration file, if it has already been read. */
  text?: FileText
  /** Reads the prices file at this path. */
  readPrices?: (path: string) => FileText
  /** False when the prices file is not to be read; it may then be missing. */
  withPrices?: boolean
}

/** Returns the checked configuration file. Throws `invalid_request` with the file, the line and the
 *  reason. */
export function loadConfigFile(
  path: string,
  known: KnownParts,
  env: Env,
  { text = readConfigText(path), readPrices = readPricesText, withPrices = true }: LoadOptions = {},
): LoadedConfig {
  const read = readConfigFile(path, text, sectionsOf(known))
  const prices = withPrices ? pricesOf(path, read, readPrices) : undefined
  const loading: Loading = { read, known, env, warnings: [], prices }
  const { file } = read
  const entries = file.models ?? []
  refuseRepeated(
    read,
    entries.map(model => model.id),
    index => ['models', index, 'id'],
  )
  const models = entries.map((model, index) => modelOf(loading, model, index))
  refuseRepeated(
    read,
    (file.accounts ?? []).map(account => account.id),
    index => ['accounts', index, 'id'],
  )
  const loaded = { file, models, engineSettings: engineSettingsOf(loading), warnings: loading.warnings, ...defined({ prices }) }
  const catalogue = checkedCatalogue(loading, loaded)
  for (const [index, account] of (file.accounts ?? []).entries()) checkAccount(loading, account, { index, catalogue })
  return loaded
}

/** Returns the path of the file with imported prices, which is relative to the folder of the
 *  configuration file; undefined when the file names none. */
export function pricesPath(path: string, { prices_file: name }: ConfigFile): string | undefined {
  return name === undefined ? undefined : resolve(dirname(path), name)
}

/** Returns the imported prices. Throws `invalid_request` when they cannot be read, or are not in
 *  the currency of the configuration file. */
function pricesOf(path: string, read: ParsedConfig, readPrices: (path: string) => FileText): PricesFile | undefined {
  const { file } = read
  const place = pricesPath(path, file)
  if (place === undefined) return undefined
  return within(read, ['prices_file'], () => {
    const prices = parsePrices(place, readPrices(place))
    const currency = file.currency ?? usualCurrency
    if (prices.currency === currency) return prices
    const sentence = `${place} has prices in ${prices.currency}, and the configuration file is in ${currency}: import them again.`
    throw new GatewayError('invalid_request', sentence)
  })
}

/** Returns the catalogue. When an alias in the file is wrong, adds the line of the file to the
 *  error. */
function checkedCatalogue({ read, known }: Loading, loaded: Pick<LoadedConfig, 'file' | 'models' | 'engineSettings'>): Catalogue {
  try {
    return catalogueOf(known, loaded)
  } catch (error) {
    const issue = error instanceof GatewayError ? error.issues[0] : undefined
    if (!issue) throw error
    throw read.problem(issue.path, issue.message)
  }
}

function engineSettingsOf({ read, known, env, warnings }: Loading): LoadedConfig['engineSettings'] {
  const found = new Map<string, { settings: JsonObject; missing?: string }>()
  for (const spec of known.drivers) {
    if (spec.kind !== 'engine' || spec.section === undefined || read.file[spec.section] === undefined) continue
    const { section } = spec
    const { settings, unset } = sectionSettingsOf(Object(read.file[section]), env)
    const missing = unset.length > 0 ? `The variable ${unset.join(', ')} is not set.` : undefined
    if (missing !== undefined) warnings.push(`Section ${section}: the engine ${spec.id} cannot be used. ${missing}`)
    const checked = missing === undefined ? within(read, [section], () => checkObject<JsonObject>(spec.settings, settings, section)) : {}
    found.set(spec.id, { settings: checked, ...defined({ missing }) })
  }
  return found
}

/** Schema for the section of an engine, which accepts any members. The members are checked later:
 *  first, a member such as `token_env` has to be replaced by the value of the variable that it
 *  names. */
const engineSection = Type.Object({})

/** Schema for the options of families that declare none: no option is allowed. */
const noOptions = Type.Object({}, { additionalProperties: false })

/** Returns the schemas of the file's sections that families and engines declare, by name. Throws
 *  TypeError when two of them declare the same name with different schemas. */
function sectionsOf({ families, drivers }: KnownParts): Record<string, TSchema> {
  const sections: Record<string, TSchema> = {}
  const ofFamilies = families.flatMap(({ family }) => Object.entries(family.sections ?? {}))
  const ofEngines = drivers.flatMap(spec =>
    spec.kind === 'engine' && spec.section !== undefined ? [[spec.section, engineSection] as const] : [],
  )
  for (const [name, schema] of [...ofFamilies, ...ofEngines]) {
    if (sections[name] && sections[name] !== schema) throw new TypeError(`two of the families and engines have the section ${name}`)
    sections[name] = schema
  }
  return sections
}

function checkAccount(
  { read, known }: Loading,
  account: AccountEntry,
  { index, catalogue }: { index: number; catalogue: Catalogue },
): void {
  within(read, ['accounts', index, 'quotas'], () => limitsOf(account))
  for (const [position, key] of (account.keys ?? []).entries()) {
    const at: ValuePath = ['accounts', index, 'keys', position]
    within(read, [...at, 'quotas'], () => limitsOf(key))
    // A scope may list models by id or by alias. Aliases are replaced by ids here.
    if (key.scopes?.models) key.scopes.models = [...new Set(key.scopes.models.flatMap(catalogue.idsOf))]
    if ((key.secret === undefined) === (key.secret_env === undefined))
      throw read.problem(at, `the key ${key.name} needs either secret_env or secret.`)
    const { expires } = key
    if (expires !== undefined) within(read, [...at, 'expires'], () => dayToMs(expires, 'expires'))
  }
  const endpoints = account.endpoints ?? []
  refuseRepeated(
    read,
    endpoints.map(endpoint => endpoint.name),
    position => ['accounts', index, 'endpoints', position, 'name'],
  )
  for (const [position, endpoint] of endpoints.entries()) {
    const at: ValuePath = ['accounts', index, 'endpoints', position]
    within(read, [...at, 'name'], () => assertEndpointName(endpoint.name))
    const routes = endpoint.routes ?? {}
    for (const [family, { model, ...options }] of Object.entries(routes)) {
      const route = [...at, 'routes', family]
      const { family: declared } = familyOf(read, known, { id: family, at: route })
      const checked = within(read, route, () => checkObject<JsonObject>(declared.routeOptions ?? noOptions, options, family))
      routes[family] = model === undefined ? checked : { model: routeModel(read, catalogue, { model, family, at: route }), ...checked }
    }
  }
}

/** Returns the id of the model that a route names. */
function routeModel(
  read: ParsedConfig,
  catalogue: Catalogue,
  { model, family, at }: { model: string; family: string; at: ValuePath },
): string {
  const named = catalogue.named(family, model, () => true)
  if (named) return named.model.id
  const near = nearText(catalogue.near(family, model, () => true))
  throw read.problem([...at, 'model'], `there is no model ${model} for family ${family}${near === undefined ? '' : `; ${near}`}.`)
}

function modelOf(loading: Loading, entry: ModelEntry, index: number): CatalogueModel {
  const { read, known } = loading
  const families = [entry.family].flat()
  const [first] = families.map(id => familyOf(read, known, { id, at: ['models', index, 'family'] }))
  const like = kindOf(first?.family, entry)
  if (!like) throw read.problem(['models', index, 'group'], `group is ${entry.group}; family ${families[0]} has no such group.`)
  const model: CatalogueModel = {
    id: entry.id,
    title: entry.title ?? entry.id,
    families,
    capability: like.capability,
    source: 'yaml',
    targets: entry.targets.map((_, position) => targetOf(loading, entry, { index, position })),
  }
  const group = entry.group ?? like.group
  if (group !== undefined) model.group = group
  if (entry.model_in_answers !== undefined && !families.some(isConversation)) {
    throw read.problem(
      ['models', index, 'model_in_answers'],
      `model_in_answers is for models of ${conversationFamilies.join(', ')}, whose answers are relayed.`,
    )
  }
  if (entry.model_in_answers === 'ours') model.isNamedInAnswers = true
  if (entry.further_models) model.takesFurtherModels = true
  if (entry.price !== undefined && entry.price_list_name !== undefined)
    throw read.problem(['models', index, 'price_list_name'], 'price_list_name is for models without a price in this file.')
  const price = entry.price ?? importedPrice(loading.prices, entry.id)?.price
  if (price !== undefined) model.price = priceOf(price)
  return model
}

/** Returns the capability and group of a model in the file, from the first source that has them.
 *  With a group: the first model of the group. Without a group: the built-in model with the same
 *  id, then the first model of the family, then the first capability for which the family
 *  accepts models. */
function kindOf(family: Family | undefined, { id, group }: ModelEntry): Pick<FamilyModel, 'capability' | 'group'> | undefined {
  const { models = [] } = family ?? {}
  const named =
    models.find(model => (group === undefined ? model.id === id : model.group === group)) ?? (group === undefined ? models[0] : undefined)
  const [taken] = group === undefined ? (family?.takesModelsOf ?? []) : []
  return named ?? (taken && { capability: taken })
}

function targetOf(
  { read, known, env, warnings }: Loading,
  entry: ModelEntry,
  { index, position }: { index: number; position: number },
): Target {
  const at: ValuePath = ['models', index, 'targets', position]
  const { driver: driverId = '', model, order, weight, ...further } = { ...entry.targets[position] }
  const { max_concurrent: maxConcurrent, silence_seconds: silenceSeconds, ...rest } = further
  const driver = known.drivers.find(candidate => candidate.id === driverId)
  if (!driver) {
    const ids = known.drivers.map(candidate => candidate.id).join(', ')
    const missing = known.missingEngines.find(engine => engine.id === driverId)
    throw read.problem([...at, 'driver'], missing?.howToGet ?? `the target names the driver ${driverId}; known are ${ids}.`)
  }
  const target: Target = {
    id: `${entry.id}#${position + 1}`,
    driver: driverId,
    model: model ?? entry.id,
    order: order ?? 1,
    weight: weight ?? 1,
    ...defined({ maxConcurrent, silenceSeconds }),
    settings: {},
  }
  const { settings, unset } = settingsOf(rest, env)
  if (unset.length > 0) {
    const says = `The variable ${unset.join(', ')} is not set.`
    warnings.push(`Model ${entry.id}: its target ${driverId} cannot be used. ${says}`)
    return { ...target, unusable: says }
  }
  if ('protocols' in driver.settings.properties && settings.protocols === undefined) settings.protocols = protocolsOf(driver, entry)
  return { ...target, settings: within(read, at, () => checkObject<JsonObject>(driver.settings, settings, 'target')) }
}

/** Returns the names of the protocols that a target may speak: those of the model's families that
 *  the driver speaks (docs/interface.md#configuration-file). */
function protocolsOf({ settings }: Pick<DriverSpec, 'settings'>, { family }: ModelEntry): string[] {
  // The cast is safe: drivers declare this setting as a list of words.
  const { items } = settings.properties.protocols as unknown as { items: { enum: readonly string[] } }
  return [family].flat().filter(each => items.enum.includes(each))
}

/** Returns the settings of a driver. A member such as `token_env` names a variable, and is
 *  replaced by `token` with its value. `unset` lists variables that are empty or not set. */
function settingsOf(entries: JsonObject, env: Env): { settings: JsonObject; unset: string[] } {
  const settings: JsonObject = {}
  const unset: string[] = []
  for (const [key, value] of Object.entries(entries)) {
    if (!key.endsWith('_env')) settings[key] = value
    else if (env[String(value)]) settings[key.slice(0, -'_env'.length)] = env[String(value)]
    else unset.push(String(value))
  }
  return { settings, unset }
}

/** Returns the settings of a section, like `settingsOf`. In a section, lists may also contain
 *  members that name variables. */
function sectionSettingsOf(section: object, env: Env): { settings: JsonObject; unset: string[] } {
  const { settings, unset } = settingsOf({ ...section }, env)
  for (const [key, value] of Object.entries(settings)) {
    if (!Array.isArray(value)) continue
    settings[key] = value.map(entry => {
      if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry
      const inner = settingsOf(entry, env)
      unset.push(...inner.unset)
      return inner.settings
    })
  }
  return { settings, unset }
}

function familyOf(read: ParsedConfig, known: KnownParts, { id, at }: { id: string; at: ValuePath }): FamilyEntry {
  const found = known.families.find(entry => entry.family.id === id)
  if (found) return found
  throw read.problem(at, `there is no family ${id}; known are ${known.families.map(entry => entry.family.id).join(', ')}.`)
}

function refuseRepeated(read: ParsedConfig, values: readonly string[], at: (index: number) => ValuePath): void {
  const index = values.findIndex((value, position) => values.indexOf(value) < position)
  if (index >= 0) throw read.problem(at(index), `${values[index]} stands here a second time.`)
}

/** Runs `work`; when it throws, adds the file and line of the value to the error. */
function within<Result>(read: ParsedConfig, at: ValuePath, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof GatewayError) throw read.problem(at, error.message)
    throw error
  }
}
