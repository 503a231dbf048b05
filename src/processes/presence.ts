import type { Figure } from '../http/metrics/figures.ts'

/** Returns a metric with a value for each process: 1 when the sum contains its current metrics,
 *  0 when the process did not answer. */
export function presence(processes: readonly (readonly [node: string, isPresent: boolean])[]): Figure[] {
  const values = processes.map(([node, isPresent]) => ({ value: isPresent ? 1 : 0, labels: { node } }))
  const help =
    '1 for a process of this machine whose figures are in these; 0 for one that does not run or did not answer in time: its counters are those of its last answer, its gauges are missing.'
  return [{ name: 'gateway_process_up', help, type: 'gauge', aggregator: 'max', values }]
}
