/** Compares a price list with the models of the configuration file: finds which prices an import
 *  would change, which models the list lacks, and which prices the ledger cannot count. */
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { CatalogueModel } from '../../core/routing/catalogue-model.ts'
import { type ConfigFile, type ModelEntry, usualCurrency } from '../config-schema.ts'
import { listPrice, wrongFields } from './list-prices.ts'
import { type ListMatch, PriceIndex, type PriceList } from './price-list.ts'
import { type ImportedPrice, importedPrice, type NamedPrice, namesOf, type PricesFile } from './prices-file.ts'
import { providerOf } from './providers.ts'
import { shown } from './shown.ts'

/** A price that changes. `before` is undefined for a new price, `after` for a price that ends. */
export interface PriceChange {
  model: string
  unit: string
  before: number | undefined
  after: number | undefined
  /** Name of the model in the list; empty when the model has no imported price any more. */
  from: string
}

/** The result of an import, before anything is written. All ids are those of models in the
 *  configuration file. */
export interface ImportPlan {
  changes: PriceChange[]
  /** Number of prices that stay as they are. */
  unchanged: number
  /** Models whose price is in the configuration file. An import never replaces such a price. */
  setByHand: string[]
  /** Models that the list does not have. `wanted` is the name that was searched in the list, and
   *  `near` has names in the list that resemble it. `kept` is true when a price of an earlier
   *  import stays in force. */
  unknown: { model: string; wanted: string; near: string[]; kept: boolean }[]
  /** Fields of the list with prices that the ledger cannot express. */
  left: { model: string; from: string; fields: string[] }[]
  /** Other sentences for the operator. */
  notes: string[]
  /** The new prices file. */
  prices: PricesFile
}

export interface ImportOptions {
  file: ConfigFile
  models: readonly CatalogueModel[]
  drivers: readonly DriverSpec[]
  before: PricesFile | undefined
  /** Exchange rate: the amount of the configuration file's currency for 1 USD; undefined when
   *  the currency is USD. */
  rate: number | undefined
  now: number
}

/** A model of the configuration file that was found in the list. */
interface Found {
  match: ListMatch
  imported: ImportedPrice
  left: string[]
}

type Target = ModelEntry['targets'][number]

/** Returns the changes that an import of the list would make. Throws `invalid_request` when prices
 *  of configured models are wrong, with a sentence about each model, and when a rate is missing for
 *  a currency other than USD. */
export function planImport(list: PriceList, options: ImportOptions): ImportPlan {
  const { file, models, before, rate } = options
  const currency = file.currency ?? usualCurrency
  if (currency !== usualCurrency && rate === undefined) {
    const sentence = `The list has prices in ${usualCurrency}, and the configuration file is in ${currency}: add --rate with the ${currency} for 1 ${usualCurrency}.`
    throw new GatewayError('invalid_request', sentence)
  }
  const plan: ImportPlan = { changes: [], unchanged: 0, setByHand: [], unknown: [], left: [], notes: [], prices: newPrices(list, options) }
  const search: Search = { list, index: new PriceIndex(list), rate: rate ?? 1, seen: new Set() }
  const faults: string[] = []
  for (const entry of file.models ?? []) {
    const { capability } = models.find(({ id }) => id === entry.id) ?? {}
    const targets = paidTargets(entry, options.drivers)
    if (entry.price !== undefined) plan.setByHand.push(entry.id)
    if (entry.price !== undefined || targets.length === 0 || capability === undefined) continue
    try {
      addModel(plan, search, { entry, targets, capability, earlier: importedPrice(before, entry.id) })
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      faults.push(error.message)
    }
  }
  if (faults.length > 0) throw new GatewayError('invalid_request', faultsText(list, faults))
  compare(plan, before)
  const wrong = wrongNames(list, search.seen)
  if (wrong !== undefined) plan.notes.push(wrong)
  return plan
}

/** A list that is being searched. */
interface Search {
  list: PriceList
  index: PriceIndex
  rate: number
  /** Names in the list under which configured models were found. */
  seen: Set<string>
}

interface PaidModel {
  entry: ModelEntry
  targets: readonly Target[]
  capability: CatalogueModel['capability']
  earlier: ImportedPrice | undefined
}

/** Adds a model to the plan. Its price is that of the first of its targets whose model is in the
 *  list. When the list has no price, the price of an earlier import is kept. */
function addModel(plan: ImportPlan, { list, index, rate, seen }: Search, { entry, targets, capability, earlier }: PaidModel): void {
  const names = entry.price_list_name === undefined ? targets.map(target => findTarget(index, target, entry)) : [named(list, entry)]
  for (const match of names) if (match) seen.add(match.name)
  const found = names.map(match => match && foundPrice(list, match, { capability, rate }))
  const first = found.find(each => each !== undefined)
  if (first) note(plan, entry.id, found, first)
  else plan.unknown.push(unknownModel(index, entry, { target: targets[0], kept: earlier !== undefined }))
  const imported = first && namesOf(first.imported.price).length > 0 ? first.imported : earlier
  if (imported) plan.prices.models[entry.id] = imported
}

function newPrices({ name, sha256 }: PriceList, { file, rate, now }: ImportOptions): PricesFile {
  const list = { name, sha256, ...(rate === undefined ? {} : { rate }) }
  const importedAt = new Date(now).toISOString()
  return { format: 'gateway-prices-1', currency: file.currency ?? usualCurrency, imported_at: importedAt, list, models: {} }
}

/** Returns the targets that are services, in the order in which they are tried. Engines are left
 *  out, because they cost nothing. */
export function paidTargets({ targets }: ModelEntry, drivers: readonly DriverSpec[]): Target[] {
  const isPaid = (target: Target): boolean => drivers.find(({ id }) => id === target.driver)?.kind === 'upstream'
  return targets.filter(isPaid).sort((one, other) => (one.order ?? 1) - (other.order ?? 1))
}

function findTarget(index: PriceIndex, target: Target, { id }: ModelEntry): ListMatch | undefined {
  return index.find(target.model ?? id, providerOf(target))
}

function named({ entries }: PriceList, { price_list_name: name = '' }: ModelEntry): ListMatch | undefined {
  return entries.has(name) ? { name, variants: [] } : undefined
}

function foundPrice(list: PriceList, match: ListMatch, options: { capability: CatalogueModel['capability']; rate: number }): Found {
  const { price, left } = listPrice(list.entries.get(match.name) ?? {}, { name: match.name, ...options })
  return { match, imported: { from: match.name, price }, left }
}

function unknownModel(
  index: PriceIndex,
  { id, price_list_name: name }: ModelEntry,
  { target, kept }: { target: Target | undefined; kept: boolean },
): ImportPlan['unknown'][number] {
  const wanted = name ?? target?.model ?? id
  return { model: id, wanted, near: index.near(wanted), kept }
}

/** Adds the sentences that the operator should read about a model that the list has. */
function note(plan: ImportPlan, model: string, found: readonly (Found | undefined)[], first: Found): void {
  const { match, imported, left } = first
  if (left.length > 0) plan.left.push({ model, from: match.name, fields: left })
  if (namesOf(imported.price).length === 0)
    plan.notes.push(`${model}: the list has ${shown(match.name)}, but no price for it that the ledger can count.`)
  if (match.variants.length > 0) plan.notes.push(`${model}: the list also has ${someNames(match.variants)}, with prices of their own.`)
  const others = found.filter(each => each !== undefined && !isSamePrice(each.imported.price, imported.price))
  const names = new Set(others.flatMap(each => (each ? [each.match.name] : [])))
  if (names.size > 0)
    plan.notes.push(
      `${model}: its other targets ${someNames([...names])} have other prices in the list; all count as ${shown(match.name)}.`,
    )
}

function someNames(names: readonly string[]): string {
  const most = 5
  const rest = names.length > most ? ` and ${names.length - most} more` : ''
  return names.slice(0, most).map(shown).join(', ') + rest
}

function isSamePrice(one: NamedPrice, other: NamedPrice): boolean {
  return namesOf({ ...one, ...other }).every(name => one[name] === other[name])
}

/** Adds the changes to the plan; those of models that are no longer imported come last. */
function compare(plan: ImportPlan, before: PricesFile | undefined): void {
  for (const model of new Set([...Object.keys(plan.prices.models), ...Object.keys(before?.models ?? {})])) {
    const old = importedPrice(before, model)
    const next = importedPrice(plan.prices, model)
    for (const unit of namesOf({ ...old?.price, ...next?.price })) {
      const change = { model, unit, before: old?.price[unit], after: next?.price[unit], from: next?.from ?? '' }
      if (change.before === change.after) plan.unchanged += 1
      else plan.changes.push(change)
    }
  }
}

function faultsText({ name }: PriceList, faults: readonly string[]): string {
  const most = 20
  const rest = faults.length > most ? [`... and ${faults.length - most} more`] : []
  return [`The list ${name} has wrong prices; nothing was changed.`, ...faults.slice(0, most), ...rest].join('\n')
}

/** Returns a sentence about wrong prices of models that are not configured; undefined when there
 *  are none. */
function wrongNames({ entries }: PriceList, seen: ReadonlySet<string>): string | undefined {
  const wrong = [...entries]
    .filter(([name]) => !seen.has(name))
    .flatMap(([name, entry]) => wrongFields(entry).map(field => `${name}: ${field}`))
  return wrong.length === 0 ? undefined : `Wrong prices of models that are not configured here, which are passed over: ${someNames(wrong)}.`
}
