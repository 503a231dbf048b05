/** GBNF for JSON numbers within bounds, without exponents. Every number that matches the grammar is
 *  valid under the schema. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { choice, literal } from './gbnf.ts'

export interface NumberBounds {
  min?: { value: number; isExclusive: boolean }
  max?: { value: number; isExclusive: boolean }
}

/** Largest number that can be written under a schema with bounds, even if the bounds allow more.
 *  64-bit floating point can tell apart all numbers of these 12 digits and 3 decimals; with more
 *  decimals, the largest numbers are rounded. */
const bounded = 999_999_999_999
const finestDigits = 6

export const anyInteger = '"-"? ("0" | [1-9] [0-9]{0,14})'
export const anyNumber = `${anyInteger} ("." [0-9]{1,10})?`

/** Returns the GBNF for an integer within bounds. Throws `invalid_request` when no integer lies
 *  between the bounds, or when they have too many digits; `where` is the start of the message. */
export function integerWithin(bounds: NumberBounds, where: string): string {
  const min = lowestInteger(bounds.min, where)
  const max = -lowestInteger(bounds.max && { ...bounds.max, value: -bounds.max.value }, where)
  if (min > max) throw nothingFits(where)
  const options: string[] = []
  if (min < 0) options.push(`"-" ${choice(digitRuns(Math.max(0, -max), -min).map(run => run.join(' ')))}`)
  if (max >= 0) options.push(choice(digitRuns(Math.max(0, min), max).map(run => run.join(' '))))
  return choice(options)
}

/** Returns the GBNF for a number. Throws like `integerWithin`. */
export function numberWithin({ min, max }: NumberBounds, where: string): string {
  const low = min && min.value > -bounded ? min : { value: -bounded, isExclusive: false }
  const high = max && max.value < bounded ? max : { value: bounded, isExclusive: false }
  const decimals = Math.max(decimalsOf(low.value, where), decimalsOf(high.value, where))
  const isEmpty = low.isExclusive || high.isExclusive ? low.value >= high.value : low.value > high.value
  if (isEmpty) throw nothingFits(where)
  const options: string[] = []
  const zero = { value: 0, isExclusive: false }
  if (low.value < 0) {
    const nearest = high.value < 0 || (high.value === 0 && high.isExclusive) ? { ...high, value: -high.value } : zero
    options.push(...positive(nearest, { ...low, value: -low.value }, decimals).map(option => `"-" ${option}`))
  }
  if (high.value > 0 || (high.value === 0 && !high.isExclusive)) options.push(...positive(low.value < 0 ? zero : low, high, decimals))
  return choice(options)
}

type Bound = NonNullable<NumberBounds['min']>

/** Returns alternatives in GBNF that together match the decimal numbers from `low` to `high`, both
 *  at least 0. The numbers have at least `decimals` digits after the point. */
function positive(low: Bound, high: Bound, decimals: number): string[] {
  const from = Math.round(low.value * 10 ** decimals)
  const to = Math.round(high.value * 10 ** decimals)
  const more = decimals === 0 ? '("." [0-9]{1,6})?' : '[0-9]{0,4}'
  const moreThanNothing = `${decimals === 0 ? '"." ' : ''}[0-9]{0,4} [1-9]`
  const write = (first: number, last: number, tail: string): string[] =>
    first > last ? [] : digitRuns(first, last, decimals + 1).map(run => `${withPoint(run, decimals)} ${tail}`.trim())
  return [
    ...(low.isExclusive && from < to ? write(from, from, moreThanNothing) : []),
    ...write(low.isExclusive ? from + 1 : from, to - 1, more),
    ...(high.isExclusive || (low.isExclusive && from === to) ? [] : write(to, to, '')),
  ]
}

function withPoint(run: string[], decimals: number): string {
  if (decimals === 0) return run.join(' ')
  return [...run.slice(0, -decimals), literal('.'), ...run.slice(-decimals)].join(' ')
}

/** Returns alternatives, each a sequence of digit classes, that together match the whole numbers
 *  from `from` to `to`. Shorter numbers have leading zeros up to `width` digits. */
function digitRuns(from: number, to: number, width = 1): string[][] {
  const runs: string[][] = []
  for (let length = width; length <= String(to).length || length === width; length += 1) {
    const low = Math.max(from, length === width ? 0 : 10 ** (length - 1))
    const high = Math.min(to, 10 ** length - 1)
    if (low <= high) runs.push(...sameLength(String(low).padStart(length, '0'), String(high).padStart(length, '0')))
  }
  return runs
}

function sameLength(low: string, high: string): string[][] {
  if (low === '') return [[]]
  const [first, last] = [Number(low[0]), Number(high[0])]
  const [lowRest, highRest] = [low.slice(1), high.slice(1)]
  if (first === last) return sameLength(lowRest, highRest).map(run => [digitClass(first, first), ...run])
  const isLowWhole = /^0*$/.test(lowRest)
  const isHighWhole = /^9*$/.test(highRest)
  const runs: string[][] = []
  if (!isLowWhole) runs.push(...sameLength(lowRest, '9'.repeat(lowRest.length)).map(run => [digitClass(first, first), ...run]))
  const [from, to] = [isLowWhole ? first : first + 1, isHighWhole ? last : last - 1]
  if (from <= to) runs.push([digitClass(from, to), ...[...lowRest].map(() => digitClass(0, 9))])
  if (!isHighWhole) runs.push(...sameLength('0'.repeat(highRest.length), highRest).map(run => [digitClass(last, last), ...run]))
  return runs
}

function digitClass(from: number, to: number): string {
  return from === to ? `[${from}]` : `[${from}-${to}]`
}

function lowestInteger(bound: Bound | undefined, where: string): number {
  if (!bound || bound.value < -bounded) return -bounded
  if (bound.value > bounded) throw tooFine(where)
  const lowest = Math.ceil(bound.value)
  return bound.isExclusive && lowest === bound.value ? lowest + 1 : lowest
}

function decimalsOf(value: number, where: string): number {
  if (Math.abs(value) > bounded) throw tooFine(where)
  for (let decimals = 0; decimals <= finestDigits; decimals += 1) if (Number(value.toFixed(decimals)) === value) return decimals
  throw tooFine(where)
}

function tooFine(where: string): GatewayError {
  return new GatewayError(
    'invalid_request',
    `${where} has a bound beyond ${bounded} or with more than ${finestDigits} decimals, which is not supported here.`,
  )
}

function nothingFits(where: string): GatewayError {
  return new GatewayError('invalid_request', `${where} has bounds that no number fits.`)
}

/** Returns the tighter one of an inclusive and an exclusive limit of a schema; an empty object when
 *  there is none. */
export function tightest(inclusive: number | undefined, exclusive: number | undefined, side: 'min' | 'max'): NumberBounds {
  if (inclusive === undefined && exclusive === undefined) return {}
  const isExclusiveTighter =
    inclusive === undefined || (exclusive !== undefined && (side === 'min' ? exclusive >= inclusive : exclusive <= inclusive))
  const value = isExclusiveTighter ? exclusive : inclusive
  return value === undefined ? {} : { [side]: { value, isExclusive: isExclusiveTighter } }
}
