import type { FastifyInstance } from 'fastify'
import type { TargetState } from '../../core/routing/target-health.ts'
import type { HttpDeps } from '../deps.ts'
import { publicUrlOf, toldPublicUrl } from '../public-url.ts'
import type { AssertInsight } from './insight.ts'

/** One engine pack, as `/readyz`, `setup` and `doctor` show it. */
interface PackRow {
  id: string
  title: string
  state: string
  reason?: string
}

export interface ReadinessDetail {
  /** Reasons not to send traffic here: draining, or a store that cannot be written. Empty when ready. */
  problems: string[]
  engines: { id: string; title: string; usable: boolean; reason?: string }[]
  models: number
  /** What a request without a model goes to, by family. */
  defaults: Record<string, string>
  /** Files of engines that setup adds. */
  packs: PackRow[]
  /** Targets tried so far, and whether they are left alone. */
  targets: (TargetState & { reason?: string })[]
}

/** A target as `/readyz` and `doctor` show it: one that is left alone says why and for how long. */
export function shownTarget(target: TargetState, now: number): ReadinessDetail['targets'][number] {
  const { state, lastError, retryAt } = target
  if (state === 'closed' || lastError === undefined) return target
  const wait = retryAt === undefined || retryAt <= now ? 'the next call tries it' : `tried again in ${Math.ceil((retryAt - now) / 1000)} s`
  return { ...target, reason: `${lastError}; ${wait}` }
}

export interface OperationsDeps {
  http: HttpDeps
  readiness(): Promise<ReadinessDetail>
  /** Throws for callers who may not see `/metrics` and the detail of `/readyz`. */
  assertInsight: AssertInsight
  /** Of a public base without a trailing slash; that of `openapi` (JSON) may be `/`. The texts of `docs` and `openapi` are made when they are first asked for: with 51 operations they are a good part of a start. */
  pages: { home(base: string): string; docs(base: string): Buffer; openapi(base: string): Buffer }
}

/** Health, readiness, metrics, the OpenAPI document, the docs page and the home page. */
export function registerOperations(app: FastifyInstance, deps: OperationsDeps): void {
  const html = 'text/html; charset=utf-8'
  app.get('/healthz', async (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const detail = await deps.readiness()
    const isReady = detail.problems.length === 0
    const status = { status: isReady ? 'ready' : 'not ready' }
    const maySee = await deps.assertInsight(request).then(
      () => true,
      () => false,
    )
    return reply.code(isReady ? 200 : 503).send(maySee ? { ...status, ...detail } : status)
  })
  app.get('/metrics', async (request, reply) => {
    await deps.assertInsight(request)
    return reply.type(deps.http.metrics.contentType).send(await deps.http.metrics.render())
  })
  const { settings } = deps.http
  app.get('/openapi.json', async (request, reply) =>
    reply.type('application/json; charset=utf-8').send(deps.pages.openapi(toldPublicUrl(settings, request))),
  )
  app.get('/docs', async (request, reply) => reply.type(html).send(deps.pages.docs(publicUrlOf(settings, request))))
  app.get('/', async (request, reply) => reply.type(html).send(deps.pages.home(publicUrlOf(settings, request))))
}
