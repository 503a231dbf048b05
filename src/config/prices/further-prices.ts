/** Derives the prices that LiteLLM's list does not state as an amount for a token: the price of a
 *  web search, and the factor by which each service tier (`priority`, `flex`, `fast`) multiplies
 *  the usual prices. */
import { objectOf } from '@generation-gateway/kit/json.ts'
import { priceNames } from '../../core/records/ledger.ts'
import { inCurrency } from './in-currency.ts'
import type { ListEntry } from './price-list.ts'
import type { NamedPrice } from './prices-file.ts'

/** Fields of the list with the price of a token. The same name followed by `_priority` or
 *  `_flex` is the field with the price in that tier. */
const tokenFields = ['input_cost_per_token', 'output_cost_per_token', 'cache_read_input_token_cost']
/** The factor of a tier is computed from each price field. The factors may differ by this relative
 *  difference, because the prices in the list are rounded. */
const roundedOff = 0.005
/** Largest plausible amount: a price of a token or a search in USD, or a factor. Larger ones in
 *  the list are ignored. */
const most = 100

/** Returns the factors of the service tiers, the price of a search in the currency of the
 *  configuration file, and the fields of the list from which both were derived (`used`). A tier has
 *  no factor when the ratio of its prices to the usual prices is not the same for all fields;
 *  `used` does not contain its fields then. */
export function furtherPrices(entry: ListEntry, rate: number): { price: NamedPrice; used: string[] } {
  const price: NamedPrice = {}
  const used: string[] = []
  for (const tier of ['priority', 'flex'] as const) {
    const found = factorOf(entry, tier)
    if (found === undefined) continue
    price[`${tier}_factor`] = found.factor
    used.push(...found.used)
  }
  // `fast` is the factor of Anthropic's fast mode.
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

/** Returns the price of a search in USD. The list has a price for each size of the context that a
 *  search returns. The largest one is taken, because the gateway does not know the size. */
function searchPrice(entry: ListEntry): number | undefined {
  const amounts = Object.values(objectOf(entry[searchField])).filter(isAmount)
  return amounts.length === 0 ? undefined : Math.max(...amounts)
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= most
}
