/** Converts the prices of one model in LiteLLM's list to prices of units that the ledger counts. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import { type PriceName, priceNames } from '../../core/records/ledger.ts'
import { furtherPrices } from './further-prices.ts'
import { inCurrency } from './in-currency.ts'
import type { ListEntry } from './price-list.ts'
import { type NamedPrice, namesOf } from './prices-file.ts'
import { shown } from './shown.ts'

/** For each unit, the fields of the list that may have its price. The first field whose price is
 *  not 0 is used. */
type Measure = Partial<Record<PriceName, readonly string[]>>

const tokens: Measure = {
  million_input_tokens: ['input_cost_per_token'],
  million_cached_input_tokens: ['cache_read_input_token_cost', 'input_cost_per_token_cache_hit'],
  million_cache_write_tokens: ['cache_creation_input_token_cost'],
  million_long_cache_write_tokens: ['cache_creation_input_token_cost_above_1hr'],
  million_output_tokens: ['output_cost_per_token'],
  million_reasoning_tokens: ['output_cost_per_reasoning_token'],
}
const inputSeconds: Measure = { second: ['input_cost_per_second', 'input_cost_per_audio_per_second', 'output_cost_per_second'] }

/** The ways to charge for a capability, by its name or by the part of its name before the dot. A
 *  model is charged in the first way for which the list has a price above 0: for example, a picture
 *  that has a price is not charged by its tokens as well. */
const measures: Readonly<Record<string, readonly Measure[]>> = {
  audio: [inputSeconds, { ...tokens, million_input_tokens: ['input_cost_per_audio_token', 'input_cost_per_token'] }],
  image: [
    { image: ['output_cost_per_image', 'input_cost_per_image'] },
    { megapixel: ['output_cost_per_pixel', 'input_cost_per_pixel'] },
    { ...tokens, million_output_tokens: ['output_cost_per_image_token', 'output_cost_per_token'] },
  ],
  music: [{ second: ['output_cost_per_second'] }],
  search: [{ search: ['input_cost_per_query'] }],
  slides: [],
  // A query in the list is the same as a search unit, which is a request with up to 100 documents.
  'text.rerank': [{ thousand_search_units: ['input_cost_per_query'] }, tokens],
  speech: [
    { thousand_characters: ['input_cost_per_character'] },
    { second: ['output_cost_per_second'] },
    { ...tokens, million_output_tokens: ['output_cost_per_audio_token', 'output_cost_per_token'] },
  ],
  video: [
    { second: ['output_cost_per_video_per_second', 'output_cost_per_second'] },
    { ...tokens, million_output_tokens: ['output_cost_per_video_token', 'output_cost_per_token'] },
  ],
}
const otherMeasures: readonly Measure[] = [tokens]

/** Matches the names of fields that are prices, or that change prices. */
const isPriceField = /cost|pric|uplift|dbu/

export interface ListPrice {
  /** Amounts in the currency of the configuration file. */
  price: NamedPrice
  /** Fields about prices that the ledger cannot express, such as tiers, batches and other units.
   *  Fields with the value 0 are left out. */
  left: string[]
}

export interface PriceOptions {
  /** Name of the model in the list, for messages. */
  name: string
  capability: Capability
  /** Exchange rate: the amount of the configuration file's currency for 1 USD. */
  rate: number
}

/** Returns the prices of a model for a capability. Throws `invalid_request`, which names the model
 *  and the field, for a price that is not a number from 0 to the largest amount that the
 *  configuration file allows. */
export function listPrice(entry: ListEntry, { name, capability, rate }: PriceOptions): ListPrice {
  const ways = measures[capability] ?? measures[capability.split('.')[0] ?? ''] ?? otherMeasures
  const read = ways.map(measure => readMeasure(entry, measure, { name, rate }))
  const chosen = read.find(({ price }) => Object.values(price).some(amount => amount > 0)) ?? read.find(({ used }) => used.length > 0)
  const { price = {}, used = [] } = chosen ?? {}
  if (price.million_input_tokens !== undefined) {
    const further = furtherPrices(entry, rate)
    Object.assign(price, further.price)
    used.push(...further.used)
  }
  const isLeft = (field: string): boolean =>
    isPriceField.test(field) && !used.includes(field) && entry[field] !== 0 && !isNone(entry[field])
  return { price, left: Object.keys(entry).filter(isLeft) }
}

/** Returns the fields of a model that should be prices but are text, objects or negative
 *  numbers. */
export function wrongFields(entry: ListEntry): string[] {
  return Object.keys(entry).filter(field => fields.has(field) && !isNone(entry[field]) && !isAmount(entry[field]))
}

/** Largest amount that the configuration file allows for a unit, in its currency
 *  (config-schema.ts). */
const mostAmount = 1_000_000

/** All fields of the list that are read as prices. */
const fields: ReadonlySet<string> = new Set(
  [...Object.values(measures), otherMeasures].flat().flatMap(measure => Object.values(measure).flat()),
)
/** Units that are part of another unit, such as cached input tokens. When the list has the price 0
 *  for one of them, the provider does not charge it separately, so it costs the price of the other
 *  unit. */
const parts: ReadonlySet<PriceName> = new Set([
  'million_cached_input_tokens',
  'million_cache_write_tokens',
  'million_long_cache_write_tokens',
  'million_reasoning_tokens',
])

function readMeasure(
  entry: ListEntry,
  measure: Measure,
  { name, rate }: Pick<PriceOptions, 'name' | 'rate'>,
): { price: NamedPrice; used: string[] } {
  const price: NamedPrice = {}
  const used: string[] = []
  for (const unit of namesOf(measure)) {
    const given = (measure[unit] ?? []).filter(each => !isNone(entry[each]))
    const field = given.find(each => entry[each] !== 0) ?? given[0]
    if (field === undefined) continue
    const value = entry[field]
    const amount = isAmount(value) ? inCurrency(value, priceNames[unit].per, rate) : Number.NaN
    if (!(amount <= mostAmount)) throw wrongPrice(`${shown(name)}: ${field} is ${shownValue(value)}`, unit)
    if (amount > 0 || !parts.has(unit)) price[unit] = amount
    used.push(...given.filter(each => entry[each] === value))
  }
  return { price, used }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null
}

function wrongPrice(found: string, unit: PriceName): GatewayError {
  return new GatewayError('invalid_request', `${found}; it must be a number, at least 0, and at most ${mostAmount} as ${unit}.`)
}

function shownValue(value: unknown): string {
  return shown(typeof value === 'number' ? String(value) : JSON.stringify(value))
}
