import { timesPowerOfTen } from '../../core/records/ledger.ts'

/** Number of digits to which prices are rounded. The list has amounts such as
 *  3.6000000000000003e-06, whose last digits are rounding errors. */
const digits = 12

/** Returns the price of `per` units (a power of ten) in the currency of the configuration file.
 *  `dollars` is the price of one unit in USD. */
export function inCurrency(dollars: number, per: number, rate: number): number {
  const places = String(per).length - 1
  return Number((timesPowerOfTen(dollars, places) * rate).toPrecision(digits))
}
