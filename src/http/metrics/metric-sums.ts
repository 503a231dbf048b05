/** Metrics of one process as data, and their totals over all processes of a machine. */
import { AggregatorRegistry, type Registry } from 'prom-client'

/** A metric as prom-client writes it to JSON. */
export interface Metric {
  name: string
  help: string
  type: string
  /** The operation that combines the values of several processes into one: `sum`, `min`, `max`
   *  or `first`. */
  aggregator: string
  values: { value: number; labels: Partial<Record<string, string | number>>; metricName?: string }[]
}

/** Adds the metrics of the other processes on this machine to those of this process. */
export interface SharedMetrics {
  /** Sets the function that returns the metrics of this process. */
  offer(own: () => Promise<Metric[]>): void
  /** Returns the metrics of all processes as Prometheus text; `own` are the metrics of this
   *  process. */
  sum(own: Metric[]): Promise<string>
}

/** Aggregators that replace those of prom-client. For the delay of the event loop, prom-client
 *  takes the mean, which hides a single busy process; here it is the maximum. Prom-client leaves
 *  out the start time; here it is the earliest. */
const better: Readonly<Record<string, string>> = { average: 'max', omit: 'min' }

export async function metricsOf(registry: Registry): Promise<Metric[]> {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.map(metric => ({ ...metric, type: String(metric.type), aggregator: better[metric.aggregator] ?? metric.aggregator }))
}

/** Returns the combined metrics of several processes. */
export function addMetrics(all: readonly (readonly Metric[])[]): Promise<Metric[]> {
  return metricsOf(AggregatorRegistry.aggregate([...all]))
}

/** Returns the combined metrics of several processes as Prometheus text. */
export function renderSum(all: readonly (readonly Metric[])[]): Promise<string> {
  return AggregatorRegistry.aggregate([...all]).metrics()
}

/** Returns the metrics whose values never fall: counters and histograms. */
export function countsOf(metrics: readonly Metric[]): Metric[] {
  return metrics.filter(({ type }) => type === 'counter' || type === 'histogram')
}
