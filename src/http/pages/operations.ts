import type { StoreAbout } from '../../core/ports/store.ts'
import type { NodeRole, NodeState } from '../../core/records/node.ts'
import type { TargetState } from '../../core/routing/target-health.ts'
import type { HttpDeps } from '../deps.ts'
import { learnPublicUrl, publicUrlOf } from '../public-url.ts'
import type { Routes } from '../request/1-match.ts'
import type { Handler } from '../request/exchange.ts'
import type { AssertInsight } from './insight.ts'

/** An engine pack in the form in which `/readyz`, `setup` and `doctor` show it. */
interface PackRow {
  id: string
  title: string
  state: string
  reason?: string
}

export interface ReadinessDetail {
  /** Reasons why no traffic should be sent to this gateway: it is draining, or its store, or the
   *  folder of its blobs, cannot be written. Empty when the gateway is ready. */
  problems: string[]
  /** Parts, such as the blob store, that the gateway cannot use now although it is ready. */
  degraded: { check: string; reason: string }[]
  node: { name: string; state: NodeState; version: string; roles: readonly NodeRole[] }
  /** `nodes` is the number of living nodes; null when the store did not answer in time. */
  store: StoreAbout & { nodes: number | null }
  /** `nodes` are the names of the nodes on which the engine runs; present on a node that runs no
   *  engines itself (without the role engines). */
  engines: { id: string; title: string; usable: boolean; reason?: string; nodes?: string[] }[]
  models: number
  /** The default model of each family. */
  defaults: Record<string, string>
  /** Engine packs that setup installs. */
  packs: PackRow[]
  /** The targets that were tried so far, each with its state: a target is paused after failures. */
  targets: (TargetState & { reason?: string })[]
}

/** Returns a target in the form in which `/readyz` and `doctor` show it. For a paused target,
 *  this includes the reason and the remaining time. */
export function shownTarget(target: TargetState, now: number): ReadinessDetail['targets'][number] {
  const { state, lastError, retryAt } = target
  if (state === 'closed') return target
  const wait = retryAt === undefined || retryAt <= now ? 'the next call tries it' : `tried again in ${Math.ceil((retryAt - now) / 1000)} s`
  return { ...target, reason: `${lastError ?? 'reported by another node'}; ${wait}` }
}

export interface OperationsDeps {
  http: HttpDeps
  /** Returns the same problems as `readiness`, without waiting for the store. */
  problems(): string[]
  /** Returns the same degraded checks as `readiness`, without waiting for the store. */
  degraded(): ReadinessDetail['degraded']
  readiness(): Promise<ReadinessDetail>
  /** Throws an error for a caller who is not allowed to read `/metrics` and the detail of
   *  `/readyz`. */
  assertInsight: AssertInsight
  /** Functions that return each page for the public URL of the gateway (without a trailing
   *  slash; `openapi`, which is JSON, also takes `/`). `docs` and `openapi` create their texts
   *  on first use, because doing so for all operations would slow down the start of the gateway. */
  pages: { home(base: string): string; docs(base: string): Buffer; openapi(base: string): Buffer }
}

/** Registers the OpenAPI document, the docs page and the home page. */
export function registerPages(routes: Routes, { http: { settings }, pages }: Pick<OperationsDeps, 'http' | 'pages'>): void {
  const html = 'text/html; charset=utf-8'
  const get = (path: string, handler: Handler): void => routes.add({ method: 'GET', path, handler })
  get('/openapi.json', exchange => exchange.sendAs('application/json; charset=utf-8', pages.openapi(learnPublicUrl(settings, exchange))))
  get('/docs', exchange => exchange.sendAs(html, pages.docs(publicUrlOf(settings, exchange))))
  get('/', exchange => exchange.sendAs(html, pages.home(publicUrlOf(settings, exchange))))
}

/** Registers health, readiness and metrics. */
export function registerOperations(
  routes: Routes,
  { http: { metrics }, problems, degraded, readiness, assertInsight }: Omit<OperationsDeps, 'pages'>,
): void {
  const get = (path: string, handler: Handler): void => routes.add({ method: 'GET', path, handler })
  get('/healthz', exchange => exchange.sendJson({ status: 'ok' }))
  get('/readyz', async exchange => {
    const isReady = problems().length === 0
    const status = { status: !isReady ? 'not ready' : degraded().length > 0 ? 'degraded' : 'ready' }
    const maySee = await assertInsight(exchange).then(
      () => true,
      () => false,
    )
    exchange.sendJson(maySee ? { ...status, ...(await readiness()) } : status, isReady ? 200 : 503)
  })
  get('/metrics', async exchange => {
    await assertInsight(exchange)
    exchange.sendAs(metrics.contentType, await metrics.render())
  })
}
