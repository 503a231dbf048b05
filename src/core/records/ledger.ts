import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import { serviceTiers, tierUnit } from '@generation-gateway/kit/requests/usage/service-tier.ts'
import { dayMs, hourMs, minuteMs } from '@generation-gateway/kit/units.ts'

/** Price of each unit, in millionths of the currency unit. A unit without a price costs nothing. */
export type Price = Readonly<Record<string, number>>

/** An amount of one unit, and its cost in millionths of the currency unit (a whole number). */
export interface PricedUnits extends UsageUnits {
  costMicros: number
}

/** Names of prices in the configuration file: for each, the unit that is counted, and the number
 *  of units that the price covers. The factors of the service tiers are listed here as well. */
export const priceNames = {
  image: { unit: 'images', per: 1 },
  megapixel: { unit: 'pixels', per: 1_000_000 },
  second: { unit: 'seconds', per: 1 },
  slide: { unit: 'slides', per: 1 },
  thousand_characters: { unit: 'characters', per: 1_000 },
  million_input_tokens: { unit: 'input_tokens', per: 1_000_000 },
  million_cached_input_tokens: { unit: 'cached_input_tokens', per: 1_000_000 },
  million_cache_write_tokens: { unit: 'cache_write_tokens', per: 1_000_000 },
  million_long_cache_write_tokens: { unit: 'long_cache_write_tokens', per: 1_000_000 },
  million_output_tokens: { unit: 'output_tokens', per: 1_000_000 },
  million_reasoning_tokens: { unit: 'reasoning_tokens', per: 1_000_000 },
  search: { unit: 'searches', per: 1 },
  thousand_search_units: { unit: 'search_units', per: 1_000 },
  // Price factors of the service tiers: when the upstream answers in a tier, the prices of all its
  // tokens are multiplied by this factor. `per` is 1,000,000 so that a `Price`, which otherwise
  // contains millionths, stores the factor itself.
  flex_factor: { unit: tierUnit('flex'), per: 1_000_000 },
  priority_factor: { unit: tierUnit('priority'), per: 1_000_000 },
  fast_factor: { unit: tierUnit('fast'), per: 1_000_000 },
  ultrafast_factor: { unit: tierUnit('ultrafast'), per: 1_000_000 },
} as const
export type PriceName = keyof typeof priceNames

const microsPerUnit = 1_000_000

/** Units that are part of another unit: tokens that were cached are input tokens as well. A part
 *  that has a price of its own is charged at that price instead of the price of the whole. */
const partsOf: Readonly<Record<string, readonly string[]>> = {
  input_tokens: ['cached_input_tokens', 'cache_write_tokens'],
  cache_write_tokens: ['long_cache_write_tokens'],
  output_tokens: ['reasoning_tokens'],
}
const tokenUnits: ReadonlySet<string> = new Set([...Object.keys(partsOf), ...Object.values(partsOf).flat()])
const tierUnits: ReadonlySet<string> = new Set(serviceTiers.map(tierUnit))

/** Returns a price such as `{ image: 0.04 }` (in currency units) as millionths for each unit. */
export function priceOf(named: Partial<Record<PriceName, number>>): Price {
  const price: Record<string, number> = {}
  for (const name of Object.keys(priceNames) as PriceName[]) {
    const amount = named[name]
    const { unit, per } = priceNames[name]
    if (amount !== undefined) price[unit] = timesPowerOfTen(amount, zeros(microsPerUnit) - zeros(per))
  }
  return price
}

/** Returns the price in the form of the configuration file, for display; the inverse of
 *  `priceOf`. */
export function namedPrice(price: Price): Partial<Record<PriceName, number>> {
  const named: Partial<Record<PriceName, number>> = {}
  for (const name of Object.keys(priceNames) as PriceName[]) {
    const { unit, per } = priceNames[name]
    const micros = price[unit]
    if (micros !== undefined) named[name] = timesPowerOfTen(micros, zeros(per) - zeros(microsPerUnit))
  }
  return named
}

/** Returns the number with its decimal point moved by `places`, without the rounding error that a
 *  multiplication has: 0.07 moved by 6 is 70000, and not 70000.00000000001. */
export function timesPowerOfTen(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}

/** Returns the exponent of a power of ten: 6 for 1,000,000. */
function zeros(powerOfTen: number): number {
  return String(powerOfTen).length - 1
}

/** Returns the units with the cost of each, rounded to whole millionths. Input tokens that were
 *  read from a cache or written into one are part of the input tokens, and reasoning tokens are
 *  part of the output tokens. When such a part has its own price, it is charged at that price
 *  instead of the price of the whole. Tokens of a tier cost the usual price times the factor of the
 *  tier. Throws TypeError for units that are negative or not numbers. */
export function priced(price: Price | undefined, units: readonly UsageUnits[]): PricedUnits[] {
  for (const { unit, units: amount } of units) assertAmount(unit, amount)
  if (price === undefined) return units.map(({ unit, units: amount }) => ({ unit, units: amount, costMicros: 0 }))
  const factor = tierFactor(price, units)
  return units.map(({ unit, units: amount }) => {
    const own = tierUnits.has(unit) ? 0 : (price[unit] ?? 0)
    const cost = Math.max(0, amount - pricedApart(price, units, unit)) * own
    return { unit, units: amount, costMicros: Math.round(tokenUnits.has(unit) ? cost * factor : cost) }
  })
}

/** Returns how many units of `whole` are charged at the price of one of its parts. */
function pricedApart(price: Price, units: readonly UsageUnits[], whole: string): number {
  let apart = 0
  for (const part of partsOf[whole] ?? []) {
    const amount = sumOf(units, part)
    if (amount > 0) apart += price[part] === undefined ? Math.min(amount, pricedApart(price, units, part)) : amount
  }
  return apart
}

/** Returns the factor by which the prices of all tokens are multiplied. A call with several answers
 *  may have used a service tier for only some of its tokens. Its factor then lies between 1 and the
 *  factor of the tier, in proportion to these tokens. */
function tierFactor(price: Price, units: readonly UsageUnits[]): number {
  let factor = 1
  for (const { unit, units: amount } of units) {
    const own = tierUnits.has(unit) ? price[unit] : undefined
    if (own === undefined) continue
    factor += (own - 1) * Math.min(1, amount / Math.max(1, allTokens(units)))
  }
  return Math.max(0, factor)
}

function allTokens(units: readonly UsageUnits[]): number {
  return sumOf(units, 'input_tokens') + sumOf(units, 'output_tokens')
}

/** Returns the sum of all lines of a unit. */
function sumOf(units: readonly UsageUnits[], unit: string): number {
  return units.reduce((sum, line) => (line.unit === unit ? sum + line.units : sum), 0)
}

/** Throws TypeError for an amount that is negative, not a number, or too large to be counted
 *  exactly. Such an amount would be a programming error, and would make the totals of the ledger
 *  wrong. */
export function assertAmount(unit: string, amount: number): void {
  if (!(amount >= 0 && amount <= Number.MAX_SAFE_INTEGER))
    throw new TypeError(`an amount of ${unit} is ${amount}; it must be 0 or more and at most 2^53 - 1`)
}

/** Returns the larger of the two amounts for every unit; a unit that is only in one list is
 *  kept. */
export function larger(price: Price | undefined, one: readonly UsageUnits[], other: readonly UsageUnits[]): PricedUnits[] {
  const amounts = new Map(one.map(({ unit, units }) => [unit, units]))
  for (const { unit, units } of other) amounts.set(unit, Math.max(units, amounts.get(unit) ?? 0))
  return priced(
    price,
    [...amounts].map(([unit, units]) => ({ unit, units })),
  )
}

/** Returns the amounts that remain after subtracting `used`; a unit of which nothing remains is
 *  left out. */
export function restOf(lines: readonly PricedUnits[], used: readonly PricedUnits[]): PricedUnits[] {
  const left = lines.map(({ unit, units, costMicros }) => {
    const same = used.find(each => each.unit === unit)
    return { unit, units: units - (same?.units ?? 0), costMicros: Math.max(0, costMicros - (same?.costMicros ?? 0)) }
  })
  return left.filter(({ units }) => units > tolerance)
}

export const quotaUnits = ['requests', 'images', 'pixels', 'seconds', 'characters', 'tokens', 'cost'] as const
/** Unit of a quota. `tokens` are input and output tokens together; `cost` is money, so such a quota
 *  is a budget. */
export type QuotaUnit = (typeof quotaUnits)[number]

export const quotaWindows = ['minute', 'hour', 'day', 'month', 'total'] as const
/** Window of a quota. Windows begin at full UTC minutes, hours, days and months; `total` never
 *  resets. */
export type QuotaWindow = (typeof quotaWindows)[number]

/** The amount of one unit that a key or an account may use in each window; for `cost`, in currency
 *  units. */
export interface Quota {
  unit: QuotaUnit
  window: QuotaWindow
  atMost: number
}

/** A quota together with the window (such as a certain day) in which a task or a call is
 *  counted. */
export interface QuotaShare {
  /** Id of the counter: owner, unit, window and start of the window. */
  id: string
  subject: { kind: 'key' | 'account'; id: string }
  unit: QuotaUnit
  window: QuotaWindow
  /** Start of the window, Unix milliseconds. */
  startsAt: number
  endsAt: number
  /** Largest amount in the window; for `cost`, in millionths of the currency unit. */
  atMost: number
}

/** Amounts that a task or a call may use: held when it is accepted, and replaced by the real usage
 *  when it has ended. */
export interface Hold {
  /** Price of the model at the time of acceptance; the settlement uses this price as well. */
  price?: Price
  lines: PricedUnits[]
  quotas: QuotaShare[]
}

/** A quota that has too little left, with the used and held amounts in its window. */
export interface QuotaRefusal {
  quota: QuotaShare
  used: number
  held: number
  wanted: number
}

/** Amount by which the sum may exceed a quota. It allows for rounding errors, because units may
 *  be fractions. */
const tolerance = 1e-6

/** Returns the refusal when the quota has too little left for this amount; undefined when it has
 *  enough. */
export function refusalOf(quota: QuotaShare, { used, held }: { used: number; held: number }, wanted: number): QuotaRefusal | undefined {
  return wanted > 0 && used + held + wanted > quota.atMost + tolerance ? { quota, used, held, wanted } : undefined
}

/** Returns the hold for a task or a call that is expected to use these units. */
export function holdOf(price: Price | undefined, units: readonly UsageUnits[], quotas: QuotaShare[]): Hold {
  const lines = priced(price, units)
  return price === undefined ? { lines, quotas } : { price, lines, quotas }
}

/** Returns the amount that these lines use of a quota with this unit. Each task or call counts as
 *  one request. */
export function amountOf(unit: QuotaUnit, lines: readonly PricedUnits[]): number {
  if (unit === 'requests') return 1
  let amount = 0
  for (const line of lines) {
    if (unit === 'cost') amount += line.costMicros
    else if (unit === line.unit || (unit === 'tokens' && (line.unit === 'input_tokens' || line.unit === 'output_tokens')))
      amount += line.units
  }
  return amount
}

/** Returns the quotas of a key or an account for the windows that contain `now`, each with the id,
 *  start and end of its window. */
export function sharesOf(quotas: readonly Quota[], subject: QuotaShare['subject'], now: number): QuotaShare[] {
  return quotas.map(({ unit, window, atMost }) => {
    const { startsAt, endsAt } = windowAt(window, now)
    const id = `${subject.kind}/${subject.id}/${unit}/${window}/${startsAt}`
    return { id, subject, unit, window, startsAt, endsAt, atMost: unit === 'cost' ? Math.round(atMost * microsPerUnit) : atMost }
  })
}

/** End of a window that never resets: far in the future, yet exactly representable in every
 *  store. */
const never = Date.UTC(9999, 0)

function windowAt(window: QuotaWindow, now: number): { startsAt: number; endsAt: number } {
  const every = (ms: number) => {
    const startsAt = Math.floor(now / ms) * ms
    return { startsAt, endsAt: startsAt + ms }
  }
  switch (window) {
    case 'minute':
      return every(minuteMs)
    case 'hour':
      return every(hourMs)
    case 'day':
      return every(dayMs)
    case 'month': {
      const date = new Date(now)
      const year = date.getUTCFullYear()
      const month = date.getUTCMonth()
      return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) }
    }
    case 'total':
      return { startsAt: 0, endsAt: never }
  }
}

const quotaText = /^(\d{1,15}(?:\.\d{1,6})?)(?:\/(minute|hour|day|month|total))?$/

/** Returns the quota for a text such as `1000/day`, or `50` (in total); undefined for any other
 *  text. Only `cost` may have decimals. */
export function parseQuota(unit: QuotaUnit, text: string | number): Quota | undefined {
  const [, amount, window = 'total'] = quotaText.exec(String(text)) ?? []
  const known = quotaWindows.find(each => each === window)
  if (amount === undefined || known === undefined) return undefined
  const atMost = Number(amount)
  return unit === 'cost' || Number.isInteger(atMost) ? { unit, window: known, atMost } : undefined
}

/** Converts an amount of the currency unit to whole millionths. */
export function inMicros(amount: number): number {
  return Math.round(amount * microsPerUnit)
}

/** Converts millionths to the currency unit, for display. */
export function inCurrency(micros: number): number {
  return micros / microsPerUnit
}
