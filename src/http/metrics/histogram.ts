import type { Metric } from './metric-sums.ts'

/** A Prometheus histogram with two labels, which observes every request. It stores its counts in
 *  typed arrays, which costs a hundredth of the time of prom-client's labels
 *  (docs/measured.md#cost-of-a-feature). */
export interface Histogram {
  /** Adds one observation; `value` has the unit in the metric's name. Label values must come
   *  from bounded sets, because each pair of labels takes memory. */
  observe(first: string, second: number, value: number): void
  /** Returns the histogram as Prometheus text, without a blank line at the end. */
  render(): string
  /** Returns the histogram as data. */
  metric(): Metric
}

interface HistogramOptions {
  name: string
  help: string
  labels: readonly [string, string]
  /** Upper bounds of the buckets, ascending. One more bucket, without a bound, follows them. */
  bounds: readonly number[]
}

interface Series {
  first: string
  second: number
  /** Number of observations in each bucket; the last one is the bucket without a bound. */
  counts: Float64Array
  sum: number
}

export function createHistogram({ name, help, labels, bounds }: HistogramOptions): Histogram {
  const series = new Map<string, Map<number, Series>>()
  const seriesOf = (first: string, second: number): Series => {
    const inner = series.get(first) ?? new Map<number, Series>()
    series.set(first, inner)
    const found = inner.get(second) ?? { first, second, counts: new Float64Array(bounds.length + 1), sum: 0 }
    inner.set(second, found)
    return found
  }
  const all = (): Series[] => [...series.values()].flatMap(inner => [...inner.values()])
  return {
    observe: (first, second, value) => {
      const found = series.get(first)?.get(second) ?? seriesOf(first, second)
      let bucket = 0
      while (bucket < bounds.length && value > bounds[bucket]!) bucket += 1
      found.counts[bucket]! += 1
      found.sum += value
    },
    render: () => {
      const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
      for (const each of all()) lines.push(...linesOf(name, labels, bounds, each))
      return lines.join('\n')
    },
    metric: () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: all().flatMap(each => valuesOf({ name, labels, bounds }, each)),
    }),
  }
}

function valuesOf(
  { name, labels: [a, b], bounds }: Pick<HistogramOptions, 'name' | 'labels' | 'bounds'>,
  { first, second, counts, sum }: Series,
): Metric['values'] {
  const labels = { [a]: first, [b]: second }
  let total = 0
  const buckets = [...counts].map((count, index) => {
    total += count
    return { value: total, labels: { le: bounds[index] ?? '+Inf', ...labels }, metricName: `${name}_bucket` }
  })
  return [...buckets, { value: sum, labels, metricName: `${name}_sum` }, { value: total, labels, metricName: `${name}_count` }]
}

function linesOf(
  name: string,
  [a, b]: readonly [string, string],
  bounds: readonly number[],
  { first, second, counts, sum }: Series,
): string[] {
  const labels = `${a}="${first.replace(/[\\"\n]/g, '_')}",${b}="${second}"`
  let total = 0
  const buckets = [...counts].map((count, index) => {
    total += count
    return `${name}_bucket{le="${bounds[index] ?? '+Inf'}",${labels}} ${total}`
  })
  return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`]
}
