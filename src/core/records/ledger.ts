import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import { dayMs, hourMs, minuteMs } from '@generation-gateway/kit/units.ts'

/** Unit -> millionths of the currency unit for one of it. A missing unit costs nothing. */
export type Price = Readonly<Record<string, number>>

/** An amount of one unit with its cost in whole millionths of the currency unit. */
export interface PricedUnits extends UsageUnits {
  costMicros: number
}

/** Names of prices in the configuration file: the unit that is counted, and how many of it the
 *  price covers. */
export const priceNames = {
  image: { unit: 'images', per: 1 },
  megapixel: { unit: 'pixels', per: 1_000_000 },
  second: { unit: 'seconds', per: 1 },
  slide: { unit: 'slides', per: 1 },
  thousand_characters: { unit: 'characters', per: 1_000 },
  million_input_tokens: { unit: 'input_tokens', per: 1_000_000 },
  million_cached_input_tokens: { unit: 'cached_input_tokens', per: 1_000_000 },
  million_output_tokens: { unit: 'output_tokens', per: 1_000_000 },
} as const
export type PriceName = keyof typeof priceNames

const microsPerUnit = 1_000_000

/** The price of `{ image: 0.04 }`, in currency units, as millionths for one unit. */
export function priceOf(named: Partial<Record<PriceName, number>>): Price {
  const price: Record<string, number> = {}
  for (const name of Object.keys(priceNames) as PriceName[]) {
    const amount = named[name]
    const { unit, per } = priceNames[name]
    if (amount !== undefined) price[unit] = (amount * microsPerUnit) / per
  }
  return price
}

/** The inverse of `priceOf`, for display. */
export function namedPrice(price: Price): Partial<Record<PriceName, number>> {
  const named: Partial<Record<PriceName, number>> = {}
  for (const name of Object.keys(priceNames) as PriceName[]) {
    const { unit, per } = priceNames[name]
    const micros = price[unit]
    if (micros !== undefined) named[name] = Number(((micros * per) / microsPerUnit).toPrecision(12))
  }
  return named
}

/** Returns the units with the cost of each, rounded to whole millionths. Cached input tokens are
 *  part of the input tokens: when they have a price of their own, they are charged at that price
 *  instead.
 *  Throws TypeError for units that are negative or not a number, because such a count could lower
 *  another one. */
export function priced(price: Price | undefined, units: readonly UsageUnits[]): PricedUnits[] {
  const cached = units.find(each => each.unit === 'cached_input_tokens')?.units ?? 0
  for (const { unit, units: amount } of units) assertAmount(unit, amount)
  return units.map(({ unit, units: amount }) => ({ unit, units: amount, costMicros: costOf(price, { unit, amount, cached }) }))
}

/** Ledger amounts only ever add up. Throws TypeError for an amount that is negative, not a
 *  number, or too large to be counted exactly; no caller should be able to cause that. */
export function assertAmount(unit: string, amount: number): void {
  if (!(amount >= 0 && amount <= Number.MAX_SAFE_INTEGER))
    throw new TypeError(`an amount of ${unit} is ${amount}; it must be 0 or more and at most 2^53 - 1`)
}

/** Returns the larger amount of every unit, so that nothing in either list is lost. */
export function larger(price: Price | undefined, one: readonly UsageUnits[], other: readonly UsageUnits[]): PricedUnits[] {
  const amounts = new Map(one.map(({ unit, units }) => [unit, units]))
  for (const { unit, units } of other) amounts.set(unit, Math.max(units, amounts.get(unit) ?? 0))
  return priced(
    price,
    [...amounts].map(([unit, units]) => ({ unit, units })),
  )
}

/** Returns the lines minus `used`; a unit that is used up is left out. */
export function restOf(lines: readonly PricedUnits[], used: readonly PricedUnits[]): PricedUnits[] {
  const left = lines.map(({ unit, units, costMicros }) => {
    const same = used.find(each => each.unit === unit)
    return { unit, units: units - (same?.units ?? 0), costMicros: Math.max(0, costMicros - (same?.costMicros ?? 0)) }
  })
  return left.filter(({ units }) => units > tolerance)
}

function costOf(price: Price | undefined, { unit, amount, cached }: { unit: string; amount: number; cached: number }): number {
  if (price === undefined) return 0
  const full = unit === 'input_tokens' && price.cached_input_tokens !== undefined ? Math.max(0, amount - cached) : amount
  return Math.round(full * (price[unit] ?? 0))
}

export const quotaUnits = ['requests', 'images', 'pixels', 'seconds', 'characters', 'tokens', 'cost'] as const
/** `tokens` are input and output tokens together; `cost` is money, which makes the quota a
 *  budget. */
export type QuotaUnit = (typeof quotaUnits)[number]

export const quotaWindows = ['minute', 'hour', 'day', 'month', 'total'] as const
/** Windows begin at full UTC minutes, hours, days and months; `total` never resets. */
export type QuotaWindow = (typeof quotaWindows)[number]

/** The amount of a unit that a key or an account may use in each window; `cost` in currency
 *  units. */
export interface Quota {
  unit: QuotaUnit
  window: QuotaWindow
  atMost: number
}

/** A quota as it applies to one piece of work. */
export interface QuotaShare {
  /** Names the counter: owner, unit, window and start of the window. */
  id: string
  subject: { kind: 'key' | 'account'; id: string }
  unit: QuotaUnit
  window: QuotaWindow
  /** Unix milliseconds. */
  startsAt: number
  endsAt: number
  /** For `cost`, in millionths of the currency unit. */
  atMost: number
}

/** Amounts a task or a call may use: held when it is accepted, settled when it has ended. */
export interface Hold {
  /** Price of the model when it was accepted; the settlement uses it as well. */
  price?: Price
  lines: PricedUnits[]
  quotas: QuotaShare[]
}

/** A quota without room, with the used and held amounts in its window. */
export interface QuotaRefusal {
  quota: QuotaShare
  used: number
  held: number
  wanted: number
}

/** Units may be fractions, and sums of fractions are inexact. */
const tolerance = 1e-6

/** Returns why a quota has no room for this amount; undefined when it has room. */
export function refusalOf(quota: QuotaShare, { used, held }: { used: number; held: number }, wanted: number): QuotaRefusal | undefined {
  return wanted > 0 && used + held + wanted > quota.atMost + tolerance ? { quota, used, held, wanted } : undefined
}

/** Returns the hold of work that is expected to use these units. */
export function holdOf(price: Price | undefined, units: readonly UsageUnits[], quotas: QuotaShare[]): Hold {
  const lines = priced(price, units)
  return price === undefined ? { lines, quotas } : { price, lines, quotas }
}

/** Returns how much the lines take from a quota of the unit. Each piece of work is one request. */
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

/** Returns the quotas of a subject, each with its id and the start and end of the window that
 *  `now` is in. */
export function sharesOf(quotas: readonly Quota[], subject: QuotaShare['subject'], now: number): QuotaShare[] {
  return quotas.map(({ unit, window, atMost }) => {
    const { startsAt, endsAt } = windowAt(window, now)
    const id = `${subject.kind}/${subject.id}/${unit}/${window}/${startsAt}`
    return { id, subject, unit, window, startsAt, endsAt, atMost: unit === 'cost' ? Math.round(atMost * microsPerUnit) : atMost }
  })
}

/** The end of a window that never resets: far in the future, and still an exact number
 *  everywhere. */
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

/** Parses a quota of the unit from `1000/day` or `50` (in total); undefined for any other text.
 *  Only `cost` may have decimals. */
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
