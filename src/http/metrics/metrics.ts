import { type Aggregator, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Clock, StoreStats, TaskStore } from '../../core/ports/store.ts'
import type { NodeRole } from '../../core/records/node.ts'
import type { TargetHealth } from '../../core/routing/target-health.ts'
import { isStoreUnavailable } from '../../core/store-alarm.ts'
import { createHistogram } from './histogram.ts'
import { type Metric, metricsOf, type SharedMetrics } from './metric-sums.ts'

export interface Metrics {
  /** Counts one finished request. */
  observe(operation: string, status: number, seconds: number): void
  errors: Counter<'code'>
  /** Prometheus text. */
  render(): Promise<string>
  contentType: string
}

/** Milliseconds for which the store's numbers are cached, because the store counts all live jobs
 *  to compute them. */
const statsCachedMs = 1_000

export interface EngineRunCounts {
  served: readonly { engine: string; running: number; waiting: number }[]
  sent: readonly { node: string; running: number }[]
}

export interface MetricSources {
  running(): number
  health: Pick<TargetHealth, 'states'>
  connections(): number
  /** False while blobs can be neither stored nor read. */
  areBlobsUsable(): boolean
  roles: readonly NodeRole[]
  /** Returns the numbers of engine runs between nodes: by engine, the runs that other nodes have
   *  on this node; by node, the runs that this node has on other nodes. */
  engineRuns(): EngineRunCounts
  /** Gives access to the metrics of the other processes of this machine; undefined when there
   *  are none. */
  shared: SharedMetrics | undefined
}

/** Returns the metrics of this process (or of all processes that serve this port), and numbers
 *  from the store. The values of labels are bounded: declared paths of operations, statuses and
 *  error codes. */
export function createMetrics(
  store: Pick<TaskStore, 'stats'>,
  clock: Clock,
  { running, health, connections, areBlobsUsable, roles, engineRuns, shared }: MetricSources,
): Metrics {
  const registry = new Registry()
  // Metrics that describe the shared store. They are the same in every process, so they are not
  // added up.
  const ofStore = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'gateway_' })
  const duration = createHistogram({
    name: 'gateway_http_request_duration_seconds',
    help: 'Time from the request line to the end of the answer.',
    labels: ['operation', 'status'],
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  })
  const errors = new Counter({
    name: 'gateway_errors_total',
    help: 'Errors answered, by code.',
    labelNames: ['code'],
    registers: [registry],
  })
  addGauge(registry, { name: 'gateway_tasks_running', help: 'Tasks this node runs now.', read: () => [[running()]] })
  storeGauges(ofStore, cachedStats(store, clock))
  targetGauges(registry, health)
  addGauge(registry, { name: 'gateway_connections', help: 'Connections of callers.', read: () => [[connections()]] })
  addGauge(registry, {
    name: 'gateway_blobs_usable',
    help: '0 while the folder or the bucket of the blobs does not work, else 1.',
    aggregator: 'min',
    read: () => [[Number(areBlobsUsable())]],
  })
  roleGauges(registry, { roles, engineRuns })
  const own = async (): Promise<Metric[]> => [...(await metricsOf(registry)), duration.metric()]
  shared?.offer(own)
  const ofProcesses = async () => (shared ? shared.sum(await own()) : `${await registry.metrics()}\n${duration.render()}\n`)
  return {
    observe: duration.observe,
    errors,
    render: async () => `${await ofProcesses()}\n${await ofStore.metrics().catch(nothingWhileAway)}`,
    contentType: registry.contentType,
  }
}

/** Returns '' while the store does not answer, so that the metrics of the process are still
 *  shown. Throws every other error. */
function nothingWhileAway(error: unknown): string {
  if (isStoreUnavailable(error)) return ''
  throw error
}

function cachedStats(store: Pick<TaskStore, 'stats'>, clock: Clock): () => Promise<StoreStats> {
  let kept: Promise<StoreStats> | undefined
  let cachedUntil = 0
  return () => {
    if (!kept || clock.now() >= cachedUntil) {
      kept = store.stats()
      cachedUntil = clock.now() + statsCachedMs
    }
    return kept
  }
}

/** A value with its labels. */
type Sample = [value: number, labels?: Record<string, string>]

interface GaugeSpec {
  name: string
  help: string
  labelNames?: string[]
  /** The operation that combines the values of several processes into one; by default their sum. */
  aggregator?: Aggregator
  read(): readonly Sample[] | Promise<readonly Sample[]>
}

function addGauge(registry: Registry, { name, help, labelNames = [], aggregator = 'sum', read }: GaugeSpec): void {
  new Gauge({
    name,
    help,
    labelNames,
    aggregator,
    registers: [registry],
    async collect() {
      const samples = await read()
      this.reset()
      for (const [value, labels = {}] of samples) this.set(labels, value)
    },
  })
}

function roleGauges(registry: Registry, { roles, engineRuns }: Pick<MetricSources, 'roles' | 'engineRuns'>): void {
  addGauge(registry, {
    name: 'gateway_node_role',
    help: '1 for each role of this node.',
    labelNames: ['role'],
    aggregator: 'max',
    read: () => roles.map((role): Sample => [1, { role }]),
  })
  addGauge(registry, {
    name: 'gateway_engine_runs',
    help: 'Runs of engines for other nodes that run here or wait for a place.',
    labelNames: ['engine', 'state'],
    read: () =>
      engineRuns().served.flatMap(({ engine, running, waiting }): Sample[] => [
        [running, { engine, state: 'running' }],
        [waiting, { engine, state: 'waiting' }],
      ]),
  })
  addGauge(registry, {
    name: 'gateway_engine_runs_sent',
    help: 'Runs of engines that this node has at other nodes, by their names.',
    labelNames: ['node'],
    read: () => engineRuns().sent.map(({ node, running }): Sample => [running, { node }]),
  })
}

function storeGauges(registry: Registry, stats: () => Promise<StoreStats>): void {
  addGauge(registry, {
    name: 'gateway_jobs',
    help: 'Live jobs by queue and state.',
    labelNames: ['queue', 'state'],
    read: async () =>
      (await stats()).queues.flatMap(({ queue, ready, leased, parked }): Sample[] => [
        [ready, { queue, state: 'ready' }],
        [leased, { queue, state: 'leased' }],
        [parked, { queue, state: 'parked' }],
      ]),
  })
  addGauge(registry, {
    name: 'gateway_webhooks',
    help: 'Webhook deliveries due or dead.',
    labelNames: ['state'],
    read: async () => {
      const { webhooksDue, webhooksDead } = await stats()
      return [
        [webhooksDue, { state: 'due' }],
        [webhooksDead, { state: 'dead' }],
      ]
    },
  })
  addGauge(registry, {
    name: 'gateway_open_lines',
    help: 'Tasks of unknown fate whose cost the operator has not settled.',
    read: async () => [[(await stats()).openLines]],
  })
}

/** Registers gauges for the health of the targets that were tried. The label `target` has few
 *  values, because only configured targets occur. */
function targetGauges(registry: Registry, health: Pick<TargetHealth, 'states'>): void {
  const levels = { closed: 1, 'half-open': 0.5, open: 0 }
  addGauge(registry, {
    name: 'gateway_target_up',
    help: '1 for a target that is used, 0 for one that is left alone after failures, 0.5 while one call finds out.',
    labelNames: ['target'],
    // Each process decides by itself whether a target is healthy. The lowest value of all processes
    // is shown.
    aggregator: 'min',
    read: () => health.states().map(({ target, state }) => [levels[state], { target }]),
  })
  addGauge(registry, {
    name: 'gateway_target_calls',
    help: 'Calls of a target since it was first tried, by how they ended; refusals of the caller’s own making are in neither.',
    labelNames: ['target', 'outcome'],
    read: () =>
      health.states().flatMap(({ target, failures, successes }): Sample[] => [
        [failures, { target, outcome: 'failed' }],
        [successes, { target, outcome: 'succeeded' }],
      ]),
  })
}
