import { watchDiskRoom } from '@generation-gateway/kit/disk-room.ts'
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Acceptance, watchAcceptance } from './acceptance.ts'
import { type DefaultModelsDeps, defaultModelIds, holdDefaultModels } from './config/default-models.ts'
import { ensureDefaultAccount, type FirstStart } from './config/first-start.ts'
import type { GatewayOptions } from './config/gateway-options.ts'
import { type LiveConfig, openLiveConfig } from './config/live-config.ts'
import { adminKeyOf, secretKeyOf } from './config/secrets.ts'
import { type Config, version } from './config/settings.ts'
import { consoleToLog } from './console-log.ts'
import { openapiDocument } from './contract/description/openapi.ts'
import { createAccess } from './core/access.ts'
import { createLinkSigner } from './core/artifacts.ts'
import { type CallLog, createCallLog } from './core/ledger/call-log.ts'
import { createRateLimiter } from './core/ledger/limits.ts'
import { createResponses } from './core/responses.ts'
import { createCalls } from './core/routing/calls.ts'
import { createRouter } from './core/routing/router.ts'
import { createTargetHealth } from './core/routing/target-health.ts'
import { createStoreTrouble } from './core/store-alarm.ts'
import { createEarlyOutputs } from './core/work/early-outputs.ts'
import { createInlineRuns } from './core/work/inline-runs.ts'
import { createPollScheduler } from './core/work/poll-scheduler.ts'
import type { PrivateRequests } from './core/work/private-requests.ts'
import { createSweeper, type Sweeper } from './core/work/sweeper.ts'
import { createTaskFeed, type TaskFeed } from './core/work/task-feed.ts'
import { createTasks } from './core/work/tasks.ts'
import { createWebhooks, type Webhooks } from './core/work/webhooks.ts'
import { createWorker, type Worker } from './core/work/worker.ts'
import { drivers as upstreamDrivers } from './drivers/index.ts'
import { createUrlGuard } from './drivers/shared/upstream/url-guard.ts'
import { engineTable } from './engine-table.ts'
import { engines } from './engines.ts'
import { families as shippedFamilies } from './families/index.ts'
import { registerAdmin } from './http/admin/admin.ts'
import { createApp } from './http/app.ts'
import { taskView } from './http/call/call-context.ts'
import { callRecord } from './http/call/call-record.ts'
import { type ConnectionLimits, Connections } from './http/connection/connections.ts'
import { Underway } from './http/connection/underway.ts'
import { createWrongKeys } from './http/connection/wrong-keys.ts'
import type { HttpDeps } from './http/deps.ts'
import { createMetrics } from './http/metrics/metrics.ts'
import { createRequestLog } from './http/metrics/request-log.ts'
import { basedPage } from './http/pages/based-page.ts'
import { insight } from './http/pages/insight.ts'
import { type ReadinessDetail, registerOperations, shownTarget } from './http/pages/operations.ts'
import { escapeHtml } from './http/pages/page.ts'
import { docsPage, homePage, rootOf } from './http/pages/pages.ts'
import { createLog } from './log.ts'
import { openDrivers } from './open-drivers.ts'
import { openPacks, type Packs } from './packs/packs.ts'
import { prepareDataFolder } from './stores/files/data-folder.ts'
import { openFileStore } from './stores/files/open.ts'
import { openSqliteStore, writeOwnerUrl } from './stores/sqlite/open.ts'

export interface Gateway {
  /** Where it listens, like `http://127.0.0.1:8080`. */
  url: string
  firstStart: FirstStart
  /** Reads the configuration file again. Throws when it is not valid; the old one then stays in force. */
  reload(): Promise<string[]>
  /** Refuses new work, lets jobs, deliveries and answers end for up to `graceMs`, hands the rest back, closes everything. Never throws: what goes wrong is logged. */
  stop(graceMs?: number): Promise<void>
}

const stopGraceMs = 30_000
const reapEveryMs = 100
/** For the error events of answers that a stop has cut short. */
const lastWordsMs = 1_000

/** Starts the whole program: store, engines, worker, webhooks, HTTP. Throws a GatewayError that says what is wrong with the settings or the data folder; then nothing is left running. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { log, line, end: endLog } = createLog(options.config.logLevel, options.logTo)
  const opened = new AsyncDisposableStack()
  if (options.ownsProcess) opened.use(consoleToLog(log))
  try {
    const parts = await assemble(options, { log, line }, opened)
    return await listen(parts, options.config, endLog)
  } catch (error) {
    await closeAll(opened, log)
    await endLog()
    throw error
  }
}

interface Parts {
  app: FastifyInstance
  underway: Underway
  log: Logger
  worker: Worker
  webhooks: Webhooks
  sweeper: Sweeper
  feed: TaskFeed
  acceptance: Acceptance
  live: LiveConfig
  callLog: CallLog
  defaults: DefaultModelsDeps
  firstStart: FirstStart
  /** What has been opened, to be closed in the reverse order. */
  opened: AsyncDisposableStack
}

/** Store, configuration, drivers, and what runs on them. */
async function assemble(
  options: GatewayOptions,
  { log, line }: { log: Logger; line(text: string): void },
  opened: AsyncDisposableStack,
): Promise<Parts> {
  const { config, env, clock = { now: () => Date.now() } } = options
  const specs = [...engines, ...upstreamDrivers, ...(options.extraDrivers ?? [])]
  const families = [...shippedFamilies, ...(options.extraFamilies ?? [])]
  prepareDataFolder(config.dataDir)
  const store = await openSqliteStore({ directory: config.dataDir, secretKey: secretKeyOf(config.dataDir, config.secretKey), clock })
  opened.defer(() => store.close())
  const blobs = await openFileStore({ directory: config.dataDir, clock })
  const disk = opened.use(watchDiskRoom(config.dataDir, config.minFreeBytes, options.freeBytes))
  const { accounts } = store
  const firstStart = await ensureDefaultAccount(accounts, { dataDir: config.dataDir, accessKey: config.accessKey, now: clock.now() })
  const health = createTargetHealth({ clock, random: Math.random, log })
  const live = await openLiveConfig({ path: config.config, families, drivers: specs, accounts, env, clock, log, health })
  opened.defer(() => live.close())
  const packs = openPacks(config.packsDir)
  const { drivers, inspection } = openDrivers(specs, { config, log, opened, packs })
  const router = createRouter(drivers, Math.random, health)
  const links = await createLinkSigner(store.secrets, clock)
  const polls = createPollScheduler(Math.random)
  const trouble = createStoreTrouble({ log, clock })
  const privates: PrivateRequests = new Map()
  const early = createEarlyOutputs({ blobs, log })
  const worker = createWorker({
    early,
    privates,
    store,
    blobs,
    router,
    catalogue: live.catalogue,
    drivers,
    polls,
    wakeUrl: task => config.publicUrl && config.publicUrl + links.wakePath(task.id),
    tell: (taskId, part) => runs.tell(taskId, part),
    hears: taskId => runs.hears(taskId),
    clock,
    log,
    trouble,
  })
  const sweeper = createSweeper({ store, responses: store.responses, blobs, clock, log, trouble })
  const acceptance = await watchAcceptance({ blobs, store, log }, config.minFreeBytes)
  opened.defer(acceptance.close)
  const feed = createTaskFeed(store)
  opened.defer(feed.close)
  const tasks = createTasks({ store, blobs, router, clock, privates })
  const runs = createInlineRuns({ store, tasks, feed, nodeId: worker.nodeId, privates, clock })
  const callLog = createCallLog({ store, log, trouble })
  opened.defer(() => callLog.close())
  const requestLog = createRequestLog(log, line)
  opened.defer(requestLog.close)
  const underway = new Underway()
  const guard = createUrlGuard({ allowPrivate: config.allowPrivateUrls })
  opened.defer(() => guard.close())
  const connections = new Connections(connectionLimits(options), () => metrics.errors.inc({ code: 'too_many_connections' }))
  const metrics = createMetrics(store, clock, { running: () => worker.running(), health, connections: () => connections.size })
  const http: HttpDeps = {
    families,
    catalogue: live.catalogue,
    voices: specs.flatMap(spec => (spec.kind === 'engine' ? (spec.voices ?? []) : [])),
    templates: new Map(specs.flatMap(spec => (spec.kind === 'engine' && spec.templates ? [[spec.id, spec.templates] as const] : []))),
    currency: live.currency,
    section: live.section,
    store,
    blobs,
    tasks,
    runs,
    early,
    router,
    health,
    calls: createCalls({ blobs, health, places: router.places }),
    files: store.files,
    responses: createResponses({ store: store.responses, blobs, clock }),
    endHold: callLog.endHold,
    raiseHold: callLog.raiseHold,
    underway,
    recordCall: (call, status) => callLog.add(callRecord(call, status, clock.now())),
    access: createAccess(accounts, clock),
    connections,
    wrongKeys: createWrongKeys(clock),
    limiter: createRateLimiter(clock),
    links,
    wake: polls.wake,
    clock,
    startedAt: clock.now(),
    log,
    trouble,
    requestLog,
    metrics,
    feed,
    inspection,
    download: (url, download) => guard.download(url, { ...download, timeoutMs: 30_000, maxRedirects: 3 }),
    checkUrl: (url, field) => guard.checkUrl(url, field),
    settings: { publicUrl: config.publicUrl, trustProxy: config.trustProxy, keepMs: config.keepMs, corsOrigins: config.corsOrigins },
    disk,
    assertAccepting: acceptance.assert,
  }
  const webhooks = createWebhooks({
    store,
    clock,
    log,
    trouble,
    nodeId: () => worker.nodeId(),
    post: (url, message) => guard.post(url, message),
    present: task => families.find(entry => entry.family.id === task.family)?.presenter.webhook?.(taskView(http, task.publicUrl), task),
    accountSecret: async accountId => (await accounts.accounts()).find(account => account.id === accountId)?.webhookSecret,
  })
  const defaults: DefaultModelsDeps = { families, drivers, catalogue: live.catalogue, router, log }
  const app = await openApp({ config, http, live, acceptance, specs, drivers, packs, defaults })
  opened.defer(() => app.close())
  return { app, underway, log, worker, webhooks, sweeper, feed, acceptance, live, callLog, defaults, firstStart, opened }
}

function connectionLimits({ config, lookMs }: GatewayOptions): ConnectionLimits {
  return {
    most: config.maxConnections,
    mostPerKey: config.maxConnectionsPerKey,
    // Behind a proxy all have its address.
    mostPerAddress: config.trustProxy ? undefined : config.maxConnectionsPerAddress,
    ...(lookMs === undefined ? {} : { lookMs }),
  }
}

interface AppParts {
  config: Config
  http: HttpDeps
  live: LiveConfig
  acceptance: Acceptance
  specs: readonly DriverSpec[]
  drivers: ReadonlyMap<string, Driver>
  packs: Packs
  defaults: DefaultModelsDeps
}

function openApp({ config, http, live, acceptance, specs, drivers, packs, defaults }: AppParts): Promise<FastifyInstance> {
  const readiness = async (): Promise<ReadinessDetail> => ({
    problems: acceptance.problems(),
    engines: engineTable(specs, drivers, live.catalogue()),
    models: live.catalogue().all().length,
    defaults: defaultModelIds(defaults),
    packs: packs.table(),
    targets: http.health.states().map(target => shownTarget(target, http.clock.now())),
  })
  const families = http.families.map(entry => entry.family)
  const pages = {
    home: (base: string) => homePage({ base, version, families: http.families }),
    docs: basedPage(() => docsPage(http.families, specs, { base: '{{base}}', root: '{{root}}' }), {
      '{{base}}': escapeHtml,
      '{{root}}': base => escapeHtml(rootOf(base)),
    }),
    openapi: basedPage(() => JSON.stringify(openapiDocument(families, { version, engines: specs, server: '{{base}}' })), {
      '{{base}}': base => JSON.stringify(base).slice(1, -1),
    }),
  }
  return createApp(http, {
    register: app => {
      const adminKey = adminKeyOf(config.dataDir, config.adminKey)
      const assertInsight = insight(http, { adminKey, metricsKey: config.metricsKey, isOpen: config.openMetrics })
      registerOperations(app, { http, readiness, pages, assertInsight })
      registerAdmin(app, { http, adminKey, reload: live.reload, readiness })
    },
  })
}

async function listen(parts: Parts, config: Config, endLog: () => Promise<void>): Promise<Gateway> {
  const { app, worker, webhooks, sweeper, log } = parts
  // At `localhost` the framework would listen with a second server that nothing of ours is on.
  const host = config.host === 'localhost' ? '127.0.0.1' : config.host
  await app.listen({ port: config.port, host, backlog: 4096 }).catch(error => {
    throw cannotListen(config, error)
  })
  const url = addressOf(app, config.host)
  writeOwnerUrl(config.dataDir, url)
  parts.live.watch()
  worker.start()
  webhooks.start()
  sweeper.start()
  if (config.enginePreload) {
    const holding = holdDefaultModels(parts.defaults)
    parts.opened.defer(() => holding.close())
  }
  log.info({ url, version, dataDir: config.dataDir }, 'listening')
  let stopping: Promise<void> | undefined
  return {
    url,
    firstStart: parts.firstStart,
    reload: parts.live.reload,
    stop: (graceMs = stopGraceMs) => {
      stopping ??= stop(parts, graceMs).then(endLog)
      return stopping
    },
  }
}

/** The settings at fault in words, for the reasons an operator meets. */
function cannotListen({ host, port }: Config, error: NodeJS.ErrnoException): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: 'another program listens there',
    EACCES: 'this user may not listen there',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'this machine has no such address',
  }
  const reason = reasons[error.code ?? '']
  if (reason === undefined) return error
  return new GatewayError('invalid_request', `HOST is ${host} and PORT is ${port}; ${reason}.`, { field: 'PORT', cause: error })
}

/** Clients may still ask for tasks and files while jobs end; new work is refused from the first moment. */
async function stop(parts: Parts, graceMs: number): Promise<void> {
  const { log, worker, webhooks, sweeper, feed, acceptance } = parts
  const endsAt = performance.now() + graceMs
  const attempt = (what: string, work: () => Promise<unknown>): Promise<unknown> =>
    work().catch(error => log.error({ err: error }, `the stop did not go as it should: ${what}`))
  log.info('stopping')
  acceptance.drain()
  await Promise.all([
    attempt('jobs', () => worker.stop(graceMs)),
    attempt('webhooks', () => webhooks.stop(graceMs)),
    attempt('sweep', () => sweeper.stop()),
  ])
  feed.close()
  await attempt('connections', () => closeHttp(parts, Math.max(0, endsAt - performance.now())))
  await attempt('leases', () => worker.release())
  await closeAll(parts.opened, log)
  log.info('stopped')
}

/** Stops listening and lets answers under way end for `graceMs`; then each is ended with an error, and its connection cut if that does not get through. Connections between two requests are closed at once. */
async function closeHttp({ app, underway }: Parts, graceMs: number): Promise<void> {
  const reaper = setInterval(() => app.server.closeIdleConnections(), reapEveryMs)
  let cut = setTimeout(() => {
    underway.cut(new GatewayError('draining', 'The gateway is stopping.'))
    cut = setTimeout(() => app.server.closeAllConnections(), lastWordsMs)
  }, graceMs)
  try {
    await app.close()
  } finally {
    clearInterval(reaper)
    clearTimeout(cut)
  }
}

async function closeAll(opened: AsyncDisposableStack, log: Logger): Promise<void> {
  try {
    await opened.disposeAsync()
  } catch (error) {
    log.error({ err: error }, 'not everything could be closed')
  }
}

function addressOf(app: FastifyInstance, host: string): string {
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${port}`
}
