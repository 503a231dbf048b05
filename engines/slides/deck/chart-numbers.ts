/** The number formats of a chart, for its drawing and for the PPTX alike. */
import type { ChartItem } from '../model/page.ts'
import { type Style, widthOf } from '../type/measure.ts'

const bold: Style = { face: 'sans', weight: 700 }

/** Returns round numbers from 0, or below it, to above the largest value: about five steps. */
export function scaleOf(values: readonly number[]): { low: number; high: number; step: number } {
  const most = Math.max(0, ...values)
  const least = Math.min(0, ...values)
  const rough = (most - least > 1e-9 ? most - least : 1) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find(factor => factor * power >= rough) ?? 10) * power
  return { low: Math.floor(least / step) * step, high: Math.ceil(most / step) * step || step, step }
}

/** Returns the number of decimals for all of the numbers: as few as they need, at most two for
 *  large ones. */
export function decimalsOf(values: readonly number[]): number {
  const largest = Math.max(0, ...values.map(Math.abs))
  const most = largest >= 1000 ? 0 : largest >= 1 ? 2 : 4
  for (let digits = 0; digits < most; digits++)
    if (values.every(value => Math.abs(value - Number(value.toFixed(digits))) < 1e-9)) return digits
  return most
}

export function numberText(value: number, { unit = '', decimals }: { unit?: string; decimals: number }): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const text = new Intl.NumberFormat('en-US', digits).format(value)
  return unit === '' ? text : unit === '%' ? `${text}%` : `${text} ${unit}`
}

/** Returns the same as a format code of the program that shows the chart. */
export function formatOf({ unit = '', decimals }: { unit?: string; decimals: number }): string {
  const digits = decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}`
  return unit === '' ? digits : unit === '%' ? `${digits}"%"` : `${digits} "${unit.replaceAll('"', '')}"`
}

/** True when each bar, or each point of a single line, has room for its value above it; in a pie
 *  the names show the values. `width`: of the whole plot, points. */
export function hasRoomForValues({ chart, series, size, labels }: ChartItem, width: number): boolean {
  // The values of several lines would overlap.
  if (chart === 'pie' || (chart === 'line' && series.length > 1)) return false
  const decimals = decimalsOf(series.flatMap(({ values }) => values))
  const each = ((width / Math.max(1, labels.length)) * 0.66) / series.length
  const widest = Math.max(...series.flatMap(({ values }) => values.map(value => widthOf(numberText(value, { decimals }), bold, size))))
  return widest <= (series.length > 1 ? each * 1.05 : each * 1.4)
}
