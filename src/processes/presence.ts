import type { Metric } from '../http/metrics/metric-sums.ts'

/** Returns a metric with one value per process: 1 when the current metrics of the process are
 *  included, 0 when it did not answer. */
export function presence(processes: readonly (readonly [node: string, isPresent: boolean])[]): Metric[] {
  const values = processes.map(([node, isPresent]) => ({ value: isPresent ? 1 : 0, labels: { node } }))
  const help =
    '1 for a process of this machine whose metrics are included; 0 for one that does not run or did not answer in time: its counters are those of its last answer, its gauges are missing.'
  return [{ name: 'gateway_process_up', help, type: 'gauge', aggregator: 'max', values }]
}
