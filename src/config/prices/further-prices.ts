/** Prices of conversations that LiteLLM's list does not have as an amount for a token: factors of
 *  tiers, and searches of the web. */
import { objectOf } from '@generation-gateway/kit/json.ts'
import { priceNames } from '../../core/records/ledger.ts'
import { inCurrency } from './in-currency.ts'
import type { ListEntry } from './price-list.ts'
import type { NamedPrice } from './prices-file.ts'

/** Fields of the list with the price of a token; `_priority` and `_flex` behind a name is its price
 *  in that tier. */
const tokenFields = ['input_cost_per_token', 'output_cost_per_token', 'cache_read_input_token_cost']
/** Largest difference between the factors of two fields that comes from rounding alone. */
const roundedOff = 0.005
/** Largest factor, and largest price of a search in USD, that is believed. */
const most = 100

/** Returns the factors, and the price of a search in the currency of the configuration file, with
 *  the fields of the list that they are from. A tier whose prices have no common factor has none,
 *  and its fields stay unused. */
export function furtherPrices(entry: ListEntry, rate: number): { price: NamedPrice; used: string[] } {
  const price: NamedPrice = {}
  const used: string[] = []
  for (const tier of ['priority', 'flex'] as const) {
    const found = factorOf(entry, tier)
    if (found === undefined) continue
    price[`${tier}_factor`] = found.factor
    used.push(...found.used)
  }
  // This member of the list, `fast`, is the factor of Anthropic's fast mode.
  const { fast } = objectOf(entry.provider_specific_entry)
  if (isAmount(fast)) price.fast_factor = fast
  const search = searchPrice(entry)
  if (search !== undefined) {
    price.search = inCurrency(search, priceNames.search.per, rate)
    used.push(searchField)
  }
  return { price, used }
}

function factorOf(entry: ListEntry, tier: string): { factor: number; used: string[] } | undefined {
  const used = tokenFields.filter(field => isAmount(entry[field]) && isAmount(entry[`${field}_${tier}`]))
  const factors = used.map(field => Number(entry[`${field}_${tier}`]) / Number(entry[field]))
  const [factor] = factors
  if (factor === undefined || factors.some(each => Math.abs(each / factor - 1) > roundedOff)) return undefined
  return { factor: Number(factor.toPrecision(10)), used: used.map(field => `${field}_${tier}`) }
}

const searchField = 'search_context_cost_per_query'

/** Returns the price of a search. The list has one for each size of the context that a search
 *  returns; the largest one counts, because the gateway does not know the size. */
function searchPrice(entry: ListEntry): number | undefined {
  const amounts = Object.values(objectOf(entry[searchField])).filter(isAmount)
  return amounts.length === 0 ? undefined : Math.max(...amounts)
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= most
}
