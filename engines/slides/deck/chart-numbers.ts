/** Number formats of charts, shared by the drawing of charts and the PPTX file. */
import type { ChartItem } from '../model/page.ts'
import { type Style, widthOf } from '../type/measure.ts'

const bold: Style = { face: 'sans', weight: 700 }

/** Returns the range of a chart's axis, with round numbers as its ends and about five steps between
 *  them. The range includes 0 and all values. */
export function scaleOf(values: readonly number[]): { low: number; high: number; step: number } {
  const most = Math.max(0, ...values)
  const least = Math.min(0, ...values)
  const rough = (most - least > 1e-9 ? most - least : 1) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find(factor => factor * power >= rough) ?? 10) * power
  return { low: Math.floor(least / step) * step, high: Math.ceil(most / step) * step || step, step }
}

/** Returns the number of decimals for a list of numbers: the fewest that show all of them, at
 *  most four, two when the largest one is at least 1, and none when it is at least 1000. */
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

/** Returns the format code with which Excel and PowerPoint show numbers like `numberText` does. */
export function formatOf({ unit = '', decimals }: { unit?: string; decimals: number }): string {
  const digits = decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}`
  return unit === '' ? digits : unit === '%' ? `${digits}"%"` : `${digits} "${unit.replaceAll('"', '')}"`
}

/** True when each bar, or each point of a single line, has room for its value above it. False for a
 *  pie, which shows its values elsewhere. `width` is the width of the plot in points. */
export function hasRoomForValues({ chart, series, size, labels }: ChartItem, width: number): boolean {
  // With several lines, the values would overlap.
  if (chart === 'pie' || (chart === 'line' && series.length > 1)) return false
  const decimals = decimalsOf(series.flatMap(({ values }) => values))
  const each = ((width / Math.max(1, labels.length)) * 0.66) / series.length
  const widest = Math.max(...series.flatMap(({ values }) => values.map(value => widthOf(numberText(value, { decimals }), bold, size))))
  return widest <= (series.length > 1 ? each * 1.05 : each * 1.4)
}
