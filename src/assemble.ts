/** Connects stores, drivers, engines, families and HTTP to one program, without starting it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { watchDiskRoom } from '@generation-gateway/kit/disk-room.ts'
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import { strangersLookups } from '@generation-gateway/kit/outbound/strangers-lookup.ts'
import type { Logger } from 'pino'
import { watchAcceptance } from './acceptance.ts'
import { type DefaultModelsDeps, defaultModelIds } from './config/default-models.ts'
import { ensureDefaultAccount, type FirstStart } from './config/first-start.ts'
import type { GatewayOptions } from './config/gateway-options.ts'
import { joinAdminKeys } from './config/join-admin-keys.ts'
import { LiveConfig } from './config/live-config.ts'
import { adminKeysOf, secretKeysOf } from './config/secrets.ts'
import { type Config, version } from './config/settings.ts'
import { unknownSettings } from './config/unknown-settings.ts'
import { openapiDocument } from './contract/description/openapi.ts'
import { Access } from './core/access.ts'
import { createLinkSigner, type LinkSigner } from './core/artifacts.ts'
import { watchBlobs } from './core/blob-watch.ts'
import { CallLog } from './core/ledger/call-log.ts'
import { createRateLimiter, type RateLimiter } from './core/ledger/limits.ts'
import { SharedRateLimiter } from './core/ledger/shared-limits.ts'
import type { BlobStore } from './core/ports/blobs.ts'
import type { Clock } from './core/ports/store.ts'
import { createResponses } from './core/responses.ts'
import { createCalls } from './core/routing/calls.ts'
import { createRouter } from './core/routing/router.ts'
import { createTargetHealth } from './core/routing/target-health.ts'
import { createStoreAlarm } from './core/store-alarm.ts'
import { createEarlyOutputs } from './core/work/early-outputs.ts'
import { createInlineRuns } from './core/work/inline-runs.ts'
import { createPollScheduler } from './core/work/poll-scheduler.ts'
import type { PrivateRequests } from './core/work/private-requests.ts'
import { Sweeper } from './core/work/sweeper.ts'
import { createTaskFeed, type TaskFeed } from './core/work/task-feed.ts'
import { createTasks } from './core/work/tasks.ts'
import { Webhooks } from './core/work/webhooks.ts'
import { Worker } from './core/work/worker.ts'
import { drivers as upstreamDrivers } from './drivers/index.ts'
import { createLinkDownloads } from './drivers/shared/link-downloads.ts'
import { UrlGuard } from './drivers/shared/upstream/url-guard.ts'
import { knownDrivers, knownEngines } from './engine-runs/known-engines.ts'
import { openEngineLink, openEngineService } from './engine-runs/open.ts'
import { enginePath } from './engine-runs/wire.ts'
import { engineTable } from './engine-table.ts'
import { families as shippedFamilies } from './families/index.ts'
import { registerAdmin } from './http/admin/admin.ts'
import { type App, createApp } from './http/app.ts'
import { taskView } from './http/call/call-context.ts'
import { callRecord } from './http/call/call-record.ts'
import { CallsUnderway } from './http/connection/calls-underway.ts'
import { type ConnectionLimits, Connections } from './http/connection/connections.ts'
import { createWrongKeys } from './http/connection/wrong-keys.ts'
import type { HttpDeps } from './http/deps.ts'
import { createMetrics } from './http/metrics/metrics.ts'
import { createRequestLog } from './http/metrics/request-log.ts'
import { basedPage } from './http/pages/based-page.ts'
import { createInsightCheck } from './http/pages/insight.ts'
import { type OperationsDeps, type ReadinessDetail, registerOperations, registerPages, shownTarget } from './http/pages/operations.ts'
import { escapeHtml } from './http/pages/page.ts'
import { docsPage, homePage, rootOf } from './http/pages/pages.ts'
import { sharedWriteBytes } from './log.ts'
import { createMappedBuckets, warnOfBuckets } from './mapped-buckets.ts'
import { openDrivers, openOutbound } from './open-drivers.ts'
import { manifestOf } from './packs/manifest.ts'
import { openPacks } from './packs/packs.ts'
import { prepareDataFolder } from './stores/files/data-folder.ts'
import { openScratch } from './stores/files/scratch.ts'
import { joinBlobs } from './stores/join-blobs.ts'
import { openStore } from './stores/open.ts'
import { mayBeShared, openBlobs } from './stores/open-blobs.ts'
import type { SqlStore } from './stores/sql/store.ts'
import { ThisNode } from './this-node.ts'

export interface Parts {
  app: App
  underway: CallsUnderway
  log: Logger
  worker: Worker
  webhooks: Webhooks
  sweeper: Sweeper
  feed: TaskFeed
  node: ThisNode
  live: LiveConfig
  callLog: CallLog
  defaults: DefaultModelsDeps
  firstStart: FirstStart
  /** The resources that were opened so far; they are closed in the reverse order. */
  opened: AsyncDisposableStack
}

export interface Log {
  log: Logger
  line(text: string): void
}

/** Opens the parts that all others use: the data, the configuration and the drivers. */
async function openBase(options: GatewayOptions, log: Logger, opened: AsyncDisposableStack) {
  const { config, env } = options
  const families = [...shippedFamilies, ...(options.extraFamilies ?? [])]
  prepareDataFolder(config.dataDir)
  const secretKeys = secretKeysOf(config)
  const outbound = openOutbound(config, log)
  const store = await openStore(config, secretKeys, options.clock)
  opened.defer(() => store.close())
  const { clock } = store
  const alarm = createStoreAlarm({ log, clock })
  const link = await openEngineLink(config, { store, secretKeys, alarm, opened })
  const { engines, missingEngines } = await knownEngines(config.roles, link)
  const specs = [...engines, ...upstreamDrivers, ...knownDrivers(options.extraDrivers ?? [], config.roles, link)]
  const scratch = await openScratch(config.dataDir, config.nodeName)
  opened.defer(() => scratch.close())
  const blobs = await openBlobs(config.blobs, { directory: config.dataDir, scratchFolder: scratch.folder, clock })
  const disk = opened.use(watchDiskRoom(config.dataDir, config.minFreeBytes, options.freeBytes))
  const { accounts } = store
  const { firstStart, links } = await join(config, { store, blobs, secretKeys, clock })
  for (const warning of [firstStart.warning, ...unknownSettings(options.env)]) if (warning !== undefined) log.warn(warning)
  const health = createTargetHealth({ clock, random: Math.random, log, publish: hint => store.signals.publish(hint) })
  const live = await LiveConfig.open({
    path: config.config,
    families,
    drivers: specs,
    missingEngines,
    accounts,
    node: config.nodeName,
    env,
    clock,
    log,
    health,
    onLoad: file => void warnOfBuckets(file.buckets, { env, log, outbound }),
  })
  opened.defer(() => live.close())
  const packs = openPacks(config.packsDir, manifestOf(engines))
  const { drivers, inspection } = openDrivers(specs, { config, scratchDirectory: scratch.folder, log, opened, packs, outbound })
  return {
    ...{ config, clock, log, specs, families, store, blobs, disk, accounts, firstStart },
    ...{ health, live, packs, drivers, inspection, outbound },
    catalogue: () => live.catalogue(),
    router: createRouter(drivers, Math.random, health),
    ...{ links, alarm, secretKeys, link, missingEngines, buckets: createMappedBuckets({ blobs, env, outbound }) },
  }
}

interface JoinParts {
  store: SqlStore
  blobs: BlobStore
  secretKeys: ReturnType<typeof secretKeysOf>
  clock: Clock
}

/** Checks that this process fits the other nodes of the store, and creates the first entries of a
 *  new store. Only one node does this at a time. */
function join(config: Config, { store, blobs, secretKeys, clock }: JoinParts): Promise<{ firstStart: FirstStart; links: LinkSigner }> {
  const { membership, accounts, secrets } = store
  const now = clock.now()
  return membership.exclusively(async () => {
    // An embedded store with its blobs in the data folder is used by one process only, so there is
    // no other node to compare with.
    if (membership.isShared || mayBeShared(config.blobs)) await joinBlobs(membership, blobs)
    if (membership.isShared) await joinAdminKeys(membership, { keys: adminKeysOf(config), secretKeys, now })
    const firstStart = await ensureDefaultAccount(accounts, { dataDir: config.dataDir, accessKey: config.accessKey, now })
    return { firstStart, links: await createLinkSigner(secrets, clock) }
  })
}

type Base = Awaited<ReturnType<typeof openBase>>

/** Opens the parts that submit, run, sweep and record tasks and calls. */
async function openWork(base: Base, opened: AsyncDisposableStack) {
  const { config, store, blobs, router, catalogue, drivers, links, clock, log, alarm } = base
  const polls = createPollScheduler(Math.random)
  const { signals } = store
  opened.defer(
    signals.subscribe(signal => {
      if (signal.kind === 'wake') polls.wake(signal.taskId)
      if (signal.kind === 'target' && isUpstream(base, signal.target)) base.health.hint(signal)
    }),
  )
  const privates: PrivateRequests = new Map()
  const early = createEarlyOutputs({ blobs, log })
  const databaseClock = store.membership.isShared ? clock : undefined
  const { nodeName: name, roles, nodeUrl: address } = config
  const node = new ThisNode({ name, schema: store.about.schema, startedAt: clock.now(), databaseClock, roles, address })
  const { duty, facts } = node
  const service = openEngineService(base, { node, polls })
  const blobWatch = await watchBlobs({ blobs, log })
  opened.defer(blobWatch.close)
  const worker = new Worker({
    ...{ store, blobs, router, catalogue, drivers, duty, facts, clock, log, alarm, roles },
    foreignRuns: queue => service?.busy(queue) ?? 0,
    blobProblem: blobWatch.problem,
    early,
    privates,
    polls,
    wakeUrl: task => config.publicUrl && config.publicUrl + links.wakePath(task.id),
    tell: (taskId, part) => runs.tell(taskId, part),
    hears: taskId => runs.hears(taskId),
  })
  const sweeper = new Sweeper({ store, responses: store.responses, blobs, clock, log, alarm })
  const callLog = new CallLog({ store, log, alarm })
  opened.defer(() => callLog.close())
  const areBlobsShared = mayBeShared(config.blobs)
  const acceptance = await watchAcceptance({ blobs, blobWatch, areBlobsShared, store, duty, callLog, log }, config.minFreeBytes)
  opened.defer(acceptance.close)
  const feed = createTaskFeed(store)
  opened.defer(feed.close)
  const tasks = createTasks({ store, blobs, router, clock, privates })
  const runs = createInlineRuns({ store, tasks, feed, nodeId: () => worker.nodeId(), privates, clock })
  const limiter = await openLimiter(base, opened)
  return { signals, limiter, early, node, service, blobWatch, worker, sweeper, acceptance, feed, tasks, runs, callLog }
}

/** Opens the rate limiter: it counts over all nodes of the store, or within this process when no
 *  other node can use the store. */
async function openLimiter({ store, clock, log }: Base, opened: AsyncDisposableStack): Promise<RateLimiter> {
  if (!store.rates) return createRateLimiter(clock)
  const limiter = new SharedRateLimiter({ tokens: store.rates, log })
  await limiter.start()
  opened.defer(() => limiter.close())
  return limiter
}

type Work = Awaited<ReturnType<typeof openWork>>

/** Returns true when the target is an upstream service, not an engine. Only for an upstream does
 *  this node use what other nodes report about failures: an engine that fails on one node may work
 *  on another. */
function isUpstream({ catalogue, specs }: Base, targetId: string): boolean {
  const driver = catalogue()
    .all()
    .flatMap(({ targets }) => targets)
    .find(({ id }) => id === targetId)?.driver
  return specs.some(spec => spec.id === driver && spec.kind === 'upstream')
}

/** Returns everything that the HTTP routes use. */
function httpDeps(
  base: Base,
  work: Work,
  { guard, ...made }: Pick<HttpDeps, 'connections' | 'wrongKeys' | 'requestLog' | 'metrics'> & { guard: UrlGuard },
): HttpDeps {
  const { config, specs, families, catalogue, store, blobs, router, health, links, clock, log, alarm, inspection, disk, live, accounts } =
    base
  const { tasks, runs, early, feed, signals, limiter, callLog, acceptance } = work
  return {
    ...{ families, catalogue, store, blobs, router, health, links, clock, log, alarm, inspection, disk },
    ...{ tasks, runs, early, feed, limiter, signals, buckets: base.buckets },
    voices: specs.flatMap(spec => (spec.kind === 'engine' ? (spec.voices ?? []) : [])),
    templates: new Map(specs.flatMap(spec => (spec.kind === 'engine' && spec.templates ? [[spec.id, spec.templates] as const] : []))),
    currency: () => live.currency(),
    section: name => live.section(name),
    calls: createCalls({ blobs, health, places: router.places }),
    files: store.files,
    responses: createResponses({ store: store.responses, blobs, clock }),
    endHold: end => callLog.endHold(end),
    raiseHold: raise => callLog.raiseHold(raise),
    underway: new CallsUnderway(),
    recordCall: (call, status) => callLog.add(callRecord(call, status, clock.now())),
    access: new Access(accounts, clock),
    ...made,
    startedAt: clock.now(),
    download: createLinkDownloads((url, download) => guard.download(url, { ...download, timeoutMs: 30_000, maxRedirects: 3 })),
    checkUrl: (url, field) => guard.checkUrl(url, field),
    checkLink: (url, field) => guard.checkLink(url, field),
    settings: {
      ...{ publicUrl: config.publicUrl, trustProxy: config.trustProxy, keepMs: config.keepMs, corsOrigins: config.corsOrigins },
      isApi: config.roles.includes('api'),
    },
    assertAccepting: acceptance.assert,
    assertAcceptingCall: acceptance.assertCall,
  }
}

/** Opens the delivery of webhooks. The family of a task creates the body of the webhook. */
function openWebhooks(
  { store, clock, log, alarm, families, accounts }: Base,
  work: Work,
  { http, guard }: { http: HttpDeps; guard: UrlGuard },
): Webhooks {
  return new Webhooks({
    store,
    clock,
    log,
    alarm,
    duty: work.node.duty,
    nodeId: () => work.worker.nodeId(),
    post: (url, message) => guard.post(url, message),
    present: task => families.find(entry => entry.family.id === task.family)?.presenter.webhook?.(taskView(http, task.publicUrl), task),
    accountSecret: async accountId => (await accounts.account(accountId))?.webhookSecret,
  })
}

/** Returns the number of engine runs for other nodes, including those that wait for a place. */
function runsForOthers(counts: readonly { running: number; waiting: number }[] = []): number {
  return counts.reduce((sum, { running, waiting }) => sum + running + waiting, 0)
}

/** Opens the store, the configuration and the drivers, and the parts that use them. */
export async function assemble(options: GatewayOptions, { log, line }: Log, opened: AsyncDisposableStack): Promise<Parts> {
  const base = await openBase(options, log, opened)
  const work = await openWork(base, opened)
  const { config, families, drivers, outbound, catalogue, router, store, clock, health, live, firstStart } = base
  const { worker, node } = work
  const { siblings } = options
  const requestLog = createRequestLog(log, line, siblings && { node: config.nodeName, heldBytes: sharedWriteBytes })
  opened.defer(requestLog.close)
  const guard = new UrlGuard({ allowPrivate: config.allowPrivateUrls, outbound, lookup: strangersLookups.callers })
  opened.defer(() => guard.close())
  const connections = new Connections(connectionLimits(options), () => metrics.errors.inc({ code: 'too_many_connections' }))
  const metrics = createMetrics(store, clock, {
    running: () => worker.running(),
    health,
    connections: () => connections.size,
    areBlobsUsable: () => work.blobWatch.problem() === undefined,
    roles: config.roles,
    engineRuns: () => ({ served: work.service?.counts() ?? [], sent: base.link?.nodes.runs() ?? [] }),
    shared: siblings?.metrics,
  })
  const wrongKeys = createWrongKeys(clock, { processes: siblings?.count })
  const http = httpDeps(base, work, { guard, connections, wrongKeys, requestLog, metrics })
  const webhooks = openWebhooks(base, work, { http, guard })
  node.count({ running: () => worker.running() + runsForOthers(work.service?.counts()), deliveries: () => webhooks.underWay() })
  const defaults: DefaultModelsDeps = { families, drivers, catalogue, router, log }
  const reload = async (): Promise<string[]> => {
    const warnings = await live.reload()
    siblings?.reload()
    return warnings
  }
  const app = openApp({ base, work, http, reload, defaults })
  opened.defer(() => app.close())
  return { ...work, app, underway: http.underway, log, webhooks, live, defaults, firstStart, opened }
}

function connectionLimits({ config, checkEveryMs, siblings }: GatewayOptions): ConnectionLimits {
  // The primary distributes connections evenly, so each process gets its share of a limit.
  const share = (limit: number): number => Math.ceil(limit / (siblings?.count ?? 1))
  return {
    most: share(config.maxConnections),
    mostPerKey: share(config.maxConnectionsPerKey),
    // Behind a proxy, all connections come from its address, so there is no limit per address.
    mostPerAddress: config.trustProxy ? undefined : share(config.maxConnectionsPerAddress),
    ...(checkEveryMs === undefined ? {} : { checkEveryMs }),
  }
}

interface AppParts {
  base: Base
  work: Work
  http: HttpDeps
  /** Reads the configuration file again, in every process of this machine. */
  reload(): Promise<string[]>
  defaults: DefaultModelsDeps
}

function openApp({ base, work, http, reload, defaults }: AppParts): App {
  const { config, live, store, specs, drivers, packs, link, missingEngines } = base
  const { node, acceptance, service } = work
  const nodesOf = link && ((engine: string) => link.nodes.namesOf(engine))
  const readiness = async (): Promise<ReadinessDetail> => ({
    problems: acceptance.problems(),
    degraded: acceptance.degraded(),
    node: { name: node.name, state: node.duty.state, version, roles: node.roles },
    store: { ...store.about, nodes: await liveNodes(store, http.clock) },
    engines: engineTable(specs, drivers, live.catalogue(), { missingEngines, nodesOf }),
    models: live.catalogue().all().length,
    defaults: defaultModelIds(defaults),
    packs: packs.table(),
    targets: http.health.states().map(target => shownTarget(target, http.clock.now())),
  })
  return createApp(http, routes => {
    const adminKeys = adminKeysOf(config)
    const assertInsight = createInsightCheck(http, { adminKeys, metricsKey: config.metricsKey, isOpen: config.openMetrics })
    registerOperations(routes, { http, ...acceptance, readiness, assertInsight })
    if (service) routes.add({ method: 'POST', path: enginePath, handler: service.handler(http) })
    if (!http.settings.isApi) return
    registerPages(routes, { http, pages: pagesOf(http.families, specs) })
    registerAdmin(routes, { http, adminKeys, reload, readiness })
  })
}

function pagesOf(entries: HttpDeps['families'], specs: readonly DriverSpec[]): OperationsDeps['pages'] {
  const families = entries.map(entry => entry.family)
  return {
    home: (base: string) => homePage({ base, version, families: entries }),
    docs: basedPage(() => docsPage(entries, specs, { base: '{{base}}', root: '{{root}}' }), {
      '{{base}}': escapeHtml,
      '{{root}}': base => escapeHtml(rootOf(base)),
    }),
    openapi: basedPage(() => JSON.stringify(openapiDocument(families, { version, engines: specs, server: '{{base}}' })), {
      '{{base}}': base => JSON.stringify(base).slice(1, -1),
    }),
  }
}

/** Returns the number of living nodes; null when the store fails or does not answer within a
 *  second. */
async function liveNodes({ membership }: SqlStore, clock: Clock): Promise<number | null> {
  const counted = membership.liveNodes(clock.now()).catch(() => null)
  return Promise.race([counted, sleep(1_000, null, { ref: false })])
}
