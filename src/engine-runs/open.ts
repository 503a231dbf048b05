/** Opens the two sides of engine runs between nodes: the link of a node without engines, through
 *  which it runs engines elsewhere, and the service of a node with engines, which accepts such
 *  runs. */
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import { capabilityNames, isStreamed } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { Config } from '../config/settings.ts'
import type { BlobStore } from '../core/ports/blobs.ts'
import type { Clock } from '../core/ports/store.ts'
import type { Catalogue } from '../core/routing/catalogue.ts'
import type { Router } from '../core/routing/router.ts'
import type { StoreAlarm } from '../core/store-alarm.ts'
import type { PollScheduler } from '../core/work/poll-scheduler.ts'
import { createSubRequests } from '../core/work/sub-requests.ts'
import type { WorkerLog } from '../core/work/worker-deps.ts'
import type { HttpDeps } from '../http/deps.ts'
import type { Handler } from '../http/request/exchange.ts'
import { everyKey, type SecretKeys } from '../stores/sql/seal.ts'
import type { SqlStore } from '../stores/sql/store.ts'
import type { ThisNode } from '../this-node.ts'
import { createEngineFacts } from './engine-facts.ts'
import { EngineNodes } from './engine-nodes.ts'
import type { EngineLink } from './remote-engine.ts'
import { RunPlaces } from './run-places.ts'
import { RunTokens, runTokenKey } from './run-token.ts'
import { createRunAgent } from './send-run.ts'
import { serveRuns } from './serve-runs.ts'

interface LinkParts {
  store: SqlStore
  secretKeys: SecretKeys
  alarm: StoreAlarm
  opened: AsyncDisposableStack
}

/** Opens the link to nodes with engines; undefined on a node that has engines itself. */
export async function openEngineLink(
  { roles, nodeName }: Pick<Config, 'roles' | 'nodeName'>,
  { store, secretKeys, alarm, opened }: LinkParts,
): Promise<EngineLink | undefined> {
  if (roles.includes('engines')) return undefined
  const { clock } = store
  const nodes = new EngineNodes({ nodes: store.nodes, clock, alarm })
  const agent = createRunAgent()
  opened.defer(async () => {
    nodes.close()
    await agent.destroy()
  })
  await nodes.start()
  return { nodes, sender: { key: runTokenKey(secretKeys.secretKey), from: nodeName, clock, agent } }
}

/** The service through which other nodes use the engines of this node. */
export interface EngineService {
  /** Returns the number of runs for other nodes that occupy a slot of this queue. */
  busy(queue: string): number
  /** Returns, by engine, how many runs for other nodes are running and how many wait. */
  counts(): { engine: string; running: number; waiting: number }[]
  handler(http: HttpDeps): Handler
}

interface ServiceBase {
  config: Pick<Config, 'roles'>
  store: SqlStore
  secretKeys: SecretKeys
  specs: readonly DriverSpec[]
  drivers: ReadonlyMap<string, Driver>
  catalogue(): Catalogue
  router: Router
  blobs: BlobStore
  clock: Clock
  log: WorkerLog
}

/** Opens the service. Undefined on a node without the role engines, and on a node whose store is
 *  not shared with other nodes. */
export function openEngineService(
  { config, store, secretKeys, specs, drivers, catalogue, router, blobs, clock, log }: ServiceBase,
  { node, polls }: { node: ThisNode; polls: PollScheduler },
): EngineService | undefined {
  if (!config.roles.includes('engines') || !store.membership.isShared) return undefined
  const ids = specs.flatMap(({ kind, id }) => (kind === 'engine' ? [id] : []))
  node.offer(createEngineFacts({ engines: ids, drivers, catalogue, log }))
  const engines = new Map([...drivers].filter(([id, { queue }]) => ids.includes(id) && queue.slots > 0))
  const places = new Map([...engines].map(([id, driver]) => [id, new RunPlaces(placesOf(driver))]))
  const byQueue = new Map([...engines].map(([id, { queue }]) => [queue.name, places.get(id)]))
  const tokens = new RunTokens(everyKey(secretKeys).map(runTokenKey), clock, () => node.address)
  const subRequests = (job: Parameters<typeof createSubRequests>[1]) => createSubRequests({ catalogue, router, polls }, job)
  return {
    busy: queue => byQueue.get(queue)?.busy ?? 0,
    counts: () => [...places].map(([engine, { busy, waiting }]) => ({ engine, running: busy, waiting })),
    handler: http => serveRuns({ tokens, engines, places, duty: node.duty, blobs, subRequests, http, log }),
  }
}

/** Largest number of calls, such as conversations, that an engine runs or queues at a time for one
 *  account and other nodes. Calls that callers send to this node itself are not counted, because
 *  the engine divides its time among them. */
const callsOfAccount = 20

function placesOf({ queue, offers }: Driver): Pick<Driver['queue'], 'slots' | 'accountSlots'> {
  return capabilityNames.some(name => isStreamed(name) && offers[name]) ? { slots: queue.slots, accountSlots: callsOfAccount } : queue
}
