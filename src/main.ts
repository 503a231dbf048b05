import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { authorityOf, isEveryAddress } from '@generation-gateway/kit/outbound/destination.ts'
import type { Logger } from 'pino'
import { assemble, type Parts } from './assemble.ts'
import { holdDefaultModels } from './config/default-models.ts'
import type { FirstStart } from './config/first-start.ts'
import type { GatewayOptions } from './config/gateway-options.ts'
import { type Config, version } from './config/settings.ts'
import { consoleToLog } from './console-log.ts'
import type { App } from './http/app.ts'
import { createLog } from './log.ts'
import { writeOwnerUrl } from './stores/sqlite/open.ts'

export interface Gateway {
  /** The address on which the gateway listens, such as `http://127.0.0.1:8080`. */
  url: string
  firstStart: FirstStart
  /** Reads the configuration file again and applies it. Throws when the file is not valid; the old
   *  one then continues to apply. */
  reload(): Promise<string[]>
  /** Refuses new work, and waits up to `graceMs` for jobs, deliveries and answers in progress.
   *  Jobs and deliveries that are still running then are handed back to the store. Closes
   *  everything. Never throws; errors are logged. */
  stop(graceMs?: number): Promise<void>
}

const stopGraceMs = 30_000
const reapEveryMs = 100
/** Time in ms that callers get to receive the last event, an error, after a stop has ended their
 *  answer. */
const lastWordsMs = 1_000

/** Starts the whole program: store, engines, worker, webhooks, HTTP. Throws a GatewayError that
 *  says what is wrong with the settings or the data folder; nothing is left running then. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { log, line, end: endLog } = createLog(options.config.logLevel, options.logTo, options.siblings && options.config.nodeName)
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

async function listen(parts: Parts, config: Config, endLog: () => Promise<void>): Promise<Gateway> {
  const { app, worker, webhooks, sweeper, log } = parts
  // Listens on the address instead of the name `localhost`, which may resolve to an IPv6 address.
  // Users who copy the printed URL expect the IPv4 address.
  const host = config.host === 'localhost' ? '127.0.0.1' : config.host
  await app.listen(config.port, host).catch(error => {
    throw cannotListen(config, error)
  })
  const port = portOf(app)
  // 0.0.0.0 and :: include 127.0.0.1. On a machine without IPv6, `listen` replaces :: by all IPv4
  // addresses.
  const url = `http://${authorityOf({ host: isEveryAddress(config.host) ? '127.0.0.1' : config.host, port })}`
  parts.node.listensAt(config.nodeHost, port)
  if (config.databaseUrl === undefined) writeOwnerUrl(config.dataDir, url)
  parts.live.watch()
  worker.start()
  if (config.roles.includes('work')) {
    webhooks.start()
    sweeper.start()
  }
  if (config.enginePreload) {
    const holding = holdDefaultModels(parts.defaults)
    parts.opened.defer(() => holding.close())
  }
  log.info({ url, version, dataDir: config.dataDir, roles: config.roles }, 'listening')
  let stopping: Promise<void> | undefined
  return {
    url,
    firstStart: parts.firstStart,
    reload: () => parts.live.reload(),
    stop: (graceMs = stopGraceMs) => {
      stopping ??= stop(parts, graceMs).then(endLog)
      return stopping
    },
  }
}

/** Returns an error for a failed listen. For the usual causes, its message names the setting
 *  that is wrong. */
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

/** Stops the gateway. While jobs end, clients may still request tasks and files; new work is
 *  refused from the beginning. */
async function stop(parts: Parts, graceMs: number): Promise<void> {
  const { log, worker, webhooks, sweeper, feed, node } = parts
  const endsAt = performance.now() + graceMs
  const attempt = (what: string, work: () => Promise<unknown>): Promise<unknown> =>
    work().catch(error => log.error({ err: error }, `the stop did not go as it should: ${what}`))
  log.info('stopping')
  node.duty.stop()
  await Promise.all([
    attempt('jobs', () => worker.stop(graceMs)),
    attempt('webhooks', () => webhooks.stop(graceMs)),
    attempt('sweep', () => sweeper.stop(graceMs)),
  ])
  feed.close()
  await attempt('connections', () => closeHttp(parts, Math.max(0, endsAt - performance.now())))
  await attempt('leases', () => worker.release())
  await closeAll(parts.opened, log)
  log.info('stopped')
}

/** Stops listening, closes idle connections at once, and waits up to `graceMs` for the answers in
 *  progress. The others are then ended with an error, and their connections are cut if the client
 *  does not read it. */
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

function portOf(app: App): number {
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
