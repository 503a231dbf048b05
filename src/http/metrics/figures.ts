/** The figures of one process as data, and their sums over the processes of a machine. */
import { AggregatorRegistry, type Registry } from 'prom-client'

/** A metric as prom-client writes it to JSON. */
export interface Figure {
  name: string
  help: string
  type: string
  /** How the values of several processes become one: `sum`, `min`, `max`, `first`. */
  aggregator: string
  values: { value: number; labels: Partial<Record<string, string | number>>; metricName?: string }[]
}

/** The figures of a process beside others, and those of all. */
export interface SharedFigures {
  /** Sets the function that returns the figures of this process. */
  offer(own: () => Promise<Figure[]>): void
  /** Returns the figures of all processes as Prometheus text; `own` are those of this one. */
  sum(own: Figure[]): Promise<string>
}

/** The library takes the mean of the event loops' delays, in which a busy process does not show,
 *  and omits the start time. */
const better: Readonly<Record<string, string>> = { average: 'max', omit: 'min' }

export async function figuresOf(registry: Registry): Promise<Figure[]> {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.map(metric => ({ ...metric, type: String(metric.type), aggregator: better[metric.aggregator] ?? metric.aggregator }))
}

/** Returns the figures of several processes as those of one. */
export function addFigures(all: readonly (readonly Figure[])[]): Promise<Figure[]> {
  return figuresOf(AggregatorRegistry.aggregate([...all]))
}

/** Returns the same as Prometheus text. */
export function renderSum(all: readonly (readonly Figure[])[]): Promise<string> {
  return AggregatorRegistry.aggregate([...all]).metrics()
}

/** Returns the figures that only rise. */
export function countsOf(figures: readonly Figure[]): Figure[] {
  return figures.filter(({ type }) => type === 'counter' || type === 'histogram')
}
