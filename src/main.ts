import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { type Config, version } from './config.ts'
import { applyConfigFile, type LoadedConfig, loadConfigFile } from './config-file.ts'
import type { DriverSpec } from './contract/driver.ts'
import { openapiDocument } from './contract/openapi.ts'
import { createAccess } from './core/access.ts'
import { createLinkSigner } from './core/artifacts.ts'
import { buildCatalogue, type Catalogue } from './core/catalogue.ts'
import { GatewayError } from './core/errors.ts'
import { createRateLimiter } from './core/limits.ts'
import type { BlobStore, Clock, TaskStore } from './core/ports.ts'
import type { Driver } from './core/requests/job.ts'
import { createRouter } from './core/router.ts'
import { createTasks } from './core/tasks.ts'
import { createWebhooks, type Webhooks } from './core/webhooks.ts'
import { createWorker, type Worker } from './core/worker.ts'
import { drivers as shippedDrivers } from './drivers/index.ts'
import { createUrlGuard, type UrlGuard } from './drivers/url-guard.ts'
import { families } from './families/index.ts'
import { ensureDefaultAccount, type FirstStart } from './first-start.ts'
import { registerAdmin } from './http/admin.ts'
import { createApp } from './http/app.ts'
import { taskView } from './http/call-context.ts'
import type { HttpDeps } from './http/deps.ts'
import { createMetrics } from './http/metrics.ts'
import { type ReadinessDetail, registerOperations } from './http/operations.ts'
import { docsPage, homePage } from './http/pages.ts'
import { createTaskFeed, type TaskFeed } from './http/task-events.ts'
import { adminKeyOf, secretKeyOf } from './secrets.ts'
import { openFileStore } from './stores/files/open.ts'
import { openSqliteStore, writeOwnerUrl } from './stores/sqlite/open.ts'

export interface Gateway {
  /** Where it listens, like `http://127.0.0.1:8080`. */
  url: string
  firstStart: FirstStart
  /** Reads the configuration file again. Throws when it is not valid; the old one then stays in force. */
  reload(): Promise<string[]>
  /** Stops accepting, lets calls and jobs finish for up to `graceMs`, hands the rest back, closes everything. */
  stop(graceMs?: number): Promise<void>
}

export interface GatewayOptions {
  config: Config
  env: Record<string, string | undefined>
  /** Drivers beside the shipped ones; tests add fakes of upstream services here. */
  extraDrivers?: readonly DriverSpec[]
  clock?: Clock
  /** Where log lines go; default stdout. */
  logTo?: NodeJS.WritableStream
}

const stopGraceMs = 30_000
const freeSpaceEveryMs = 5_000

/** Starts the whole program: store, engines, worker, webhooks, HTTP. Throws a GatewayError that says what is wrong with the settings or the data folder. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config } = options
  const clock = options.clock ?? { now: () => Date.now() }
  const log = createLog(config.logLevel, options.logTo)
  const specs = [...shippedDrivers, ...(options.extraDrivers ?? [])]
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const store = await openSqliteStore({ directory: config.dataDir, secretKey: secretKeyOf(config.dataDir, config.secretKey), clock })
  try {
    const blobs = await openFileStore({ directory: config.dataDir, clock })
    const parts = await assemble({ options, clock, log, specs, store, blobs })
    return await listen(parts, options)
  } catch (error) {
    await store.close()
    throw error
  }
}

interface Assembling {
  options: GatewayOptions
  clock: Clock
  log: pino.Logger
  specs: readonly DriverSpec[]
  store: TaskStore
  blobs: BlobStore
}

interface Parts {
  app: FastifyInstance
  store: TaskStore
  log: pino.Logger
  drivers: ReadonlyMap<string, Driver>
  worker: Worker
  webhooks: Webhooks
  feed: TaskFeed
  guard: UrlGuard
  firstStart: FirstStart
  reload(): Promise<string[]>
  startDraining(): void
  dispose(): void
}

async function assemble({ options, clock, log, specs, store, blobs }: Assembling): Promise<Parts> {
  const { config, env } = options
  const firstStart = await ensureDefaultAccount(store.accounts, { dataDir: config.dataDir, accessKey: config.accessKey, now: clock.now() })
  const tools = { scratchDirectory: join(config.dataDir, 'tmp'), cores: config.engineWorkers, log }
  const drivers = new Map(specs.map(spec => [spec.id, spec.open(tools)]))
  let catalogue = catalogueOf(specs, undefined)
  const reload = async (): Promise<string[]> => {
    if (config.config === undefined) return []
    const next = loadConfigFile(config.config, { families, drivers: specs }, env)
    const warnings = [...next.warnings, ...(await applyConfigFile(store.accounts, next, { env, now: clock.now() }))]
    catalogue = catalogueOf(specs, next)
    for (const warning of warnings) log.warn(warning)
    log.info({ file: config.config }, 'configuration file in force')
    return warnings
  }
  await reload()

  const router = createRouter(drivers, Math.random)
  const links = await createLinkSigner(store.secrets, clock)
  const guard = createUrlGuard({ allowPrivate: config.allowPrivateUrls })
  const worker = createWorker({ store, blobs, router, catalogue: () => catalogue, drivers, clock, log })
  const acceptance = watchAcceptance(blobs, store, config.minFreeBytes, log)
  const feed = createTaskFeed(store)
  const http: HttpDeps = {
    families,
    catalogue: () => catalogue,
    store,
    blobs,
    tasks: createTasks({ store, blobs, router, clock }),
    access: createAccess(store.accounts, clock),
    limiter: createRateLimiter(clock),
    links,
    clock,
    log,
    metrics: createMetrics(store, () => worker.running()),
    feed,
    download: (url, download) => guard.download(url, { ...download, timeoutMs: 30_000, maxRedirects: 3 }),
    checkUrl: (url, field) => guard.checkUrl(url, field),
    settings: { publicUrl: config.publicUrl, trustProxy: config.trustProxy, keepMs: config.keepMs, corsOrigins: config.corsOrigins },
    assertAccepting: acceptance.assert,
  }
  const webhooks = createWebhooks({
    store,
    clock,
    log,
    nodeId: () => worker.nodeId(),
    post: (url, message) => guard.post(url, message),
    present: task => families.find(entry => entry.family.id === task.family)?.presenter.webhook?.(taskView(http, task.publicUrl), task),
    accountSecret: async accountId => (await store.accounts.accounts()).find(account => account.id === accountId)?.webhookSecret,
  })
  const readiness = async (): Promise<ReadinessDetail> => ({
    problems: acceptance.problems(),
    engines: engineTable(specs, drivers),
    models: catalogue.all().length,
  })
  const openapi = JSON.stringify(
    openapiDocument(
      families.map(entry => entry.family),
      { version },
    ),
  )
  const app = await createApp(http, {
    register: instance => {
      registerOperations(instance, {
        http,
        readiness,
        openapi,
        pages: { home: origin => homePage({ origin, version, families }), docs: docsPage(families) },
      })
      registerAdmin(instance, { http, adminKey: adminKeyOf(config.dataDir, config.adminKey), reload, readiness })
    },
  })
  return {
    app,
    store,
    log,
    drivers,
    worker,
    webhooks,
    feed,
    guard,
    firstStart,
    reload,
    startDraining: acceptance.drain,
    dispose: acceptance.dispose,
  }
}

async function listen(parts: Parts, { config }: GatewayOptions): Promise<Gateway> {
  const { app, worker, webhooks, log } = parts
  await app.listen({ port: config.port, host: config.host, backlog: 4096 })
  const url = addressOf(app, config.host)
  writeOwnerUrl(config.dataDir, url)
  worker.start()
  webhooks.start()
  log.info({ url, version, dataDir: config.dataDir }, 'listening')
  let stopping: Promise<void> | undefined
  const stop = async (graceMs: number): Promise<void> => {
    log.info('stopping')
    parts.startDraining()
    const closed = app.close()
    await worker.stop(graceMs)
    await webhooks.stop()
    app.server.closeAllConnections()
    await closed
    parts.feed.close()
    parts.dispose()
    for (const driver of parts.drivers.values()) await driver.close?.()
    await parts.guard.close()
    await parts.store.close()
    log.info('stopped')
  }
  return {
    url,
    firstStart: parts.firstStart,
    reload: parts.reload,
    stop: (graceMs = stopGraceMs) => {
      stopping ??= stop(graceMs)
      return stopping
    },
  }
}

function createLog(level: string, destination: NodeJS.WritableStream | undefined): pino.Logger {
  // Lines are written in batches: a request's line costs no system call of its own.
  return pino({ level, base: null }, destination ?? pino.destination({ dest: 1, sync: false, minLength: 8192, periodicFlush: 100 }))
}

function catalogueOf(specs: readonly DriverSpec[], loaded: LoadedConfig | undefined): Catalogue {
  const engines = specs.filter(spec => spec.kind === 'engine').map(({ id, capabilities }) => ({ id, capabilities }))
  return buildCatalogue(
    families.map(entry => entry.family),
    engines,
    loaded?.models ?? [],
  )
}

function engineTable(specs: readonly DriverSpec[], drivers: ReadonlyMap<string, Driver>): ReadinessDetail['engines'] {
  return specs
    .filter(spec => spec.kind === 'engine')
    .map(({ id, title }) => {
      const reason = drivers.get(id)?.unusable?.({})
      return reason === undefined ? { id, title, usable: true } : { id, title, usable: false, reason }
    })
}

/** Whether new work is accepted: not while draining, below the floor of free space, or once the store has failed. */
function watchAcceptance(blobs: BlobStore, store: TaskStore, minFreeBytes: number, log: pino.Logger) {
  let isDraining = false
  let isFull = false
  const look = async (): Promise<void> => {
    const free = await blobs.freeBytes()
    if (free < minFreeBytes !== isFull)
      log.warn({ freeBytes: free, minFreeBytes }, isFull ? 'disk space is back' : 'disk space is below the floor: nothing new is accepted')
    isFull = free < minFreeBytes
  }
  const watch = () => void look().catch(error => log.error({ err: error }, 'free disk space could not be read'))
  watch()
  const timer = setInterval(watch, freeSpaceEveryMs)
  timer.unref()
  const assert = (): void => {
    if (isDraining) throw new GatewayError('draining', 'The gateway is stopping.', { retryAfterSeconds: 5 })
    if (isFull)
      throw new GatewayError('disk_full', 'Free disk space is below the floor; nothing new is accepted.', { retryAfterSeconds: 60 })
    store.assertWritable()
  }
  return {
    assert,
    problems: (): string[] => {
      if (isDraining) return ['The gateway is stopping.']
      try {
        store.assertWritable()
        return []
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)]
      }
    },
    drain: () => {
      isDraining = true
    },
    dispose: () => clearInterval(timer),
  }
}

function addressOf(app: FastifyInstance, host: string): string {
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${port}`
}
