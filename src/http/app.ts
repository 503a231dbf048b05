import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import { hopsHeader, hopsOf } from '@generation-gateway/kit/requests/hops.ts'
import { mostIdCharacters } from '@generation-gateway/kit/requests/kept-id.ts'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify'
import type { FamilyEntry } from '../contract/family.ts'
import type { Condition, Operation, ResponsePlace } from '../contract/operation.ts'
import { atVendorPath, pathsOf } from '../contract/places.ts'
import { serveArtifact } from './artifact-route.ts'
import { discardBody } from './body/discard-body.ts'
import { type Handler, operationHandler } from './call/operation-handler.ts'
import { warningHeader } from './call/warning-header.ts'
import { refuseBrokenHttp } from './connection/client-errors.ts'
import type { HttpDeps } from './deps.ts'
import { cancelTaskHandler, taskEventsHandler } from './events/task-events.ts'
import { sendFailure } from './failures.ts'
import { createFastLane, type LongWay } from './lanes/fast-lane.ts'
import { createPollLane } from './lanes/poll-lane.ts'
import { noteRequest } from './metrics/request-log.ts'
import { nearPath } from './near-path.ts'
import { nearestFailure } from './nearest-failure.ts'
import { paramsOf, queryOf } from './request-parts.ts'
import { takeWake } from './wake.ts'

/** Limits for dripping headers, silent sockets and idle connections of load balancers
 *  (docs/measured.md#time-limits-of-connections). */
const timeouts = { headersMs: 15_000, keepAliveMs: 75_000, checkMs: 5_000 }
/** The longest id of a response with each character percent-encoded. */
const longestParam = 3 * mostIdCharacters
const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export interface AppExtras {
  /** Routes beside the families: health, metrics, docs, admin. */
  register(app: FastifyInstance): void
}

/** The HTTP application: one route per operation of every family, its extensions, and signed files. */
export async function createApp(deps: HttpDeps, extras: AppExtras): Promise<FastifyInstance> {
  const refuse = refusal(deps)
  const app = fastify({
    logger: false,
    trustProxy: deps.settings.trustProxy,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    keepAliveTimeout: timeouts.keepAliveMs,
    requestTimeout: 0,
    rewriteUrl: plainColons(deps.families),
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: longestParam },
    http: {
      connectionsCheckingInterval: timeouts.checkMs,
      headersTimeout: timeouts.headersMs,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
    },
    // While the last answers go out, new work is refused by the operations themselves, in their own words.
    return503OnClosing: false,
    clientErrorHandler: refuseBrokenHttp(deps.connections),
    frameworkErrors: (error, request, reply) => void refuse(request, reply, frameworkError(error)),
  })
  // An expectation nobody knows is no reason to refuse the request.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.removeAllContentTypeParsers()
  // Bodies are read by the operation itself, after authentication.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
  observe(app, deps)
  app.addHook('onRequest', async request => {
    hopsOf(request.headers[hopsHeader])
  })
  const places = notePlaces(app)
  app.setErrorHandler((error, request, reply) => refuse(request, reply, frameworkError(error)))
  const nothingAt = noPlace(deps)
  app.setNotFoundHandler((request, reply) => refuse(request, reply, nothingAt(request)))
  if (deps.settings.corsOrigins.length > 0) await app.register(cors, corsOptions(deps.settings.corsOrigins))
  addOperations(app, deps)
  app.get('/files/:id', serveArtifact(deps))
  app.post('/webhooks/wake/:task/:mac', takeWake(deps))
  extras.register(app)
  refuseOtherMethods(app, { refuse, nothingAt }, places)
  openFastLanes(app, deps)
  return app
}

/** Requests that a lane does not take go on to the framework. Browsers always do: CORS is the framework's. */
function openFastLanes(app: FastifyInstance, deps: HttpDeps): void {
  const [framework] = app.server.listeners('request')
  if (typeof framework !== 'function') throw new TypeError('the framework does not listen')
  const longWay: LongWay = (request, response) => void framework.call(app.server, request, response)
  const lanes = deps.families.flatMap(entry =>
    Object.entries(entry.family.operations).flatMap(([name, { relays, readsTask, method, when }]) => {
      if (relays?.hasFastLane) return [createFastLane(deps, { entry, name, longWay })]
      // A lane reads no condition.
      return readsTask?.in === 'query' && method === 'GET' && !when ? [createPollLane(deps, { entry, name, longWay })] : []
    }),
  )
  deps.connections.watch(app.server, (request, response) => {
    if (!lanes.some(lane => lane(request, response))) longWay(request, response)
  })
  app.addHook('preClose', async () => deps.connections.drain())
}

/** One operation at one of its paths, or what stands beside it. */
interface Placed {
  handler: Handler
  label: string
  entry: FamilyEntry
  when: Condition | undefined
  response: ResponsePlace | undefined
  exposeHeadRoute: boolean
}

/** The routes of all families, by method and path: several operations may share one. Extensions give way to what a family has at their place itself. */
function operationRoutes(deps: HttpDeps): Map<string, Placed[]> {
  const routes = new Map<string, Placed[]>()
  const extensions: [key: string, placed: Placed][] = []
  for (const entry of deps.families) {
    for (const [name, operation] of Object.entries(entry.family.operations)) {
      const label = `${entry.family.id}.${name}`
      const placed = { entry, when: operation.when, response: operation.readsResponse, exposeHeadRoute: !operation.getWrites }
      const handler = operationHandler(deps, { entry, name })
      for (const path of [operation.path, ...(operation.aliases ?? [])]) {
        const url = routeOf(path)
        const key = `${operation.method} ${url}`
        routes.set(key, [...(routes.get(key) ?? []), { ...placed, handler, label }])
        if (!operation.readsTask) continue
        const beside = { ...placed, when: undefined, exposeHeadRoute: false }
        extensions.push([`GET ${url}/events`, { ...beside, handler: taskEventsHandler(deps, entry, operation), label: `${label}.events` }])
        extensions.push([
          `DELETE ${url}`,
          { ...beside, handler: cancelHandler(deps, { entry, name, operation }), label: `${label}.cancel` },
        ])
      }
      for (const path of operation.sharedPaths?.paths ?? []) {
        const key = `${operation.method} ${routeOf(path)}`
        const shared = { ...placed, when: { header: operation.sharedPaths?.header ?? '' }, handler, label }
        routes.set(key, [...(routes.get(key) ?? []), shared])
      }
      for (const path of operation.vendorPaths ?? []) {
        const key = `${operation.method} ${routeOf(path)}`
        const there = atVendorPath(entry, { name, path })
        const vendor = { ...placed, entry: there, handler: operationHandler(deps, { entry: there, name }), label }
        routes.set(key, [...(routes.get(key) ?? []), vendor])
      }
    }
  }
  for (const [key, placed] of extensions) if (!routes.has(key)) routes.set(key, [placed])
  return routes
}

/** Asks for the end of the task, then answers as the operation that reads it does. */
function cancelHandler(deps: HttpDeps, { entry, name, operation }: { entry: FamilyEntry; name: string; operation: Operation }): Handler {
  const { readsTask } = operation
  const read = operationHandler(deps, readsTask?.in === 'body' ? { entry, name, idInQuery: readsTask.parameter } : { entry, name })
  const cancel = cancelTaskHandler(deps, entry, name)
  return async (request, reply) => (await cancel(request, reply)) ?? read(request, reply)
}

function addOperations(app: FastifyInstance, deps: HttpDeps): void {
  for (const [key, placed] of operationRoutes(deps)) {
    const [method = '', url = ''] = key.split(' ')
    const [first] = placed
    if (!first) continue
    const handler = placed.length === 1 && !first.when ? first.handler : oneOf(deps, placed)
    const config = first.response === undefined ? { operation: first.label } : { operation: first.label, response: first.response }
    const exposeHeadRoute = placed.every(each => each.exposeHeadRoute)
    app.route({ method: method as HTTPMethods, url, handler, config, exposeHeadRoute })
  }
}

/** Labels of requests at paths with several operations. */
const chosenLabels = new WeakMap<FastifyRequest, string>()

/** The operation whose condition holds; the one without a condition where none does. */
function oneOf(deps: HttpDeps, placed: readonly Placed[]): Handler {
  const [first] = placed
  const names = [...new Set(placed.flatMap(({ when }) => Object.keys(when?.query ?? {})))]
  return async (request, reply) => {
    const chosen = placed.find(({ when }) => when && holds(when, request)) ?? placed.find(({ when }) => !when)
    if (chosen) {
      chosenLabels.set(request, chosen.label)
      return chosen.handler(request, reply)
    }
    const field = names[0] ?? 'Accept'
    const known = placed.map(({ when }) => when?.query?.[field] ?? when?.accept).join(', ')
    const given = names.length > 0 ? queryOf(request)[field] : request.headers.accept
    const error = new GatewayError('invalid_request', `${field} is ${JSON.stringify(given ?? null)}; it must be one of ${known}.`, {
      field,
    })
    return sendFailure(deps, reply, first ? { error, failure: first.entry.family.failure, request } : { error, request })
  }
}

function holds({ query = {}, accept, header }: Condition, request: FastifyRequest): boolean {
  if (header !== undefined && request.headers[header] === undefined) return false
  const given = queryOf(request)
  if (!Object.entries(query).every(([name, value]) => given[name] === value)) return false
  if (accept === undefined) return true
  return (request.headers.accept ?? '').split(',').some(each => each.split(';', 1)[0]?.trim().toLowerCase() === accept)
}

/** The framework's own way to write a path: a colon of the path itself is doubled, and a parameter before one ends there. */
function routeOf(path: string): string {
  return path
    .replaceAll(':', '::')
    .replace(/\{(\w+)\}(?=:)/g, ':$1([^:]+)')
    .replace(/\{(\w+)\}/g, ':$1')
}

/** Some clients encode the colon of a path (`transcriptions%3Atranscribe`), which the framework's router then takes for another one. */
function plainColons(families: readonly FamilyEntry[]): (request: Pick<IncomingMessage, 'url'>) => string {
  const paths = families.flatMap(({ family }) => Object.values<Operation>(family.operations)).flatMap(pathsOf)
  const parts = paths.flatMap(path => path.split('/')).filter(part => part.includes(':'))
  const names = parts.map(part => part.replace(/^\{\w+\}/, ''))
  const encoded = [...new Set(names)].map(name => [name.replaceAll(':', '%3a'), name] as const)
  const plain = (part: string): string => {
    const given = part.replace(/%3A/g, '%3a')
    const found = encoded.find(([text]) => given.endsWith(text))
    return found ? given.slice(0, -found[0].length) + found[1] : part
  }
  return ({ url = '/' }) => {
    if (!/%3a/i.test(url)) return url
    const [path = '', ...query] = url.split('?')
    return [path.split('/').map(plain).join('/'), ...query].join('?')
  }
}

type Refuse = (request: FastifyRequest, reply: FastifyReply, error: GatewayError) => FastifyReply

/** Refuses what no operation serves, in the shape of the nearest family. */
function refusal(deps: HttpDeps): Refuse {
  const failureAt = nearestFailure(deps.families)
  return (request, reply, error) => {
    const failure = failureAt(pathOf(request.url))
    return sendFailure(deps, reply, failure ? { error, request, failure } : { error, request })
  }
}

type NothingAt = (request: FastifyRequest) => GatewayError

/** A path where nothing is, with the one that may be meant. */
function noPlace(deps: HttpDeps): NothingAt {
  const near = nearPath(deps.families)
  return request => {
    const path = pathOf(request.url)
    const meant = near(request.method, path)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    return new GatewayError('not_found', `There is nothing at ${request.method} ${path}.${hint}`)
  }
}

interface Place {
  methods: Set<string>
  /** Of the id of a stored response. */
  response: ResponsePlace | undefined
}

/** Every path, as routes are added. */
function notePlaces(app: FastifyInstance): Map<string, Place> {
  const places = new Map<string, Place>()
  app.addHook('onRoute', ({ url, method, config }) => {
    // The preflight of CORS stands at every path.
    if (url === '*') return
    const place = places.get(url) ?? { methods: new Set(), response: config?.response }
    for (const each of [method].flat()) place.methods.add(each)
    places.set(url, place)
  })
  return places
}

/** A path that exists answers other methods with 405 and `Allow`. One that is hardly a stored response's (`/responses/compact`) does not exist. */
function refuseOtherMethods(
  app: FastifyInstance,
  { refuse, nothingAt }: { refuse: Refuse; nothingAt: NothingAt },
  places: ReadonlyMap<string, Place>,
): void {
  // Adding a route adds to the places.
  for (const [url, { methods, response }] of [...places]) {
    const allowed = [...methods]
    app.route({
      method: allMethods.filter(method => !methods.has(method)),
      url,
      handler: (request, reply) => {
        if (response && !paramsOf(request)[response.parameter]?.startsWith(response.usualPrefix))
          return refuse(request, reply, nothingAt(request))
        reply.header('allow', allowed.join(', '))
        const error = new GatewayError('method_not_allowed', `${pathOf(request.url)} takes ${allowed.join(', ')}, not ${request.method}.`)
        return refuse(request, reply, error)
      },
    })
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `<family>.<operation>`, the label of metrics and log lines. */
    operation?: string
    /** Of the id of a stored response. */
    response?: ResponsePlace
  }
}

/** Request ids on every answer, one log line and one observation per request. */
function observe(app: FastifyInstance, deps: HttpDeps): void {
  const ended = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    const operation = chosenLabels.get(request) ?? request.routeOptions.config.operation ?? request.routeOptions.url ?? 'unknown'
    noteRequest(deps, { id: request.id, method: request.method, operation, status, ms: reply.elapsedTime })
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.setHeader('x-request-id', request.id)
    reply.raw.setHeader('x-content-type-options', 'nosniff')
    // A caller who leaves an answer of our own writing is not told of by the framework.
    reply.raw.on('close', () => {
      if (!reply.raw.writableFinished) ended(request, reply, 499)
    })
    const clientId = request.headers['x-client-request-id']
    // Node's own check of this answers without a body.
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      done(new GatewayError('invalid_request', 'HTTP 1.1 needs a Host header.', { field: 'Host' }))
      return
    }
    if (typeof clientId === 'string' && /^[\x21-\x7e]{1,128}$/.test(clientId)) reply.raw.setHeader('x-client-request-id', clientId)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // Whatever was not read of the body may come for a while, and not for ever.
    discardBody(request.raw)
    if (reply.raw.writableFinished) ended(request, reply, reply.statusCode)
    done()
  })
}

/** Errors of the framework itself (bad URL encoding and the like), as ours. */
function frameworkError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  const { statusCode, code } = Object(error)
  if (code === 'FST_ERR_BAD_URL') return new GatewayError('invalid_request', 'The path is not valid URL encoding.', { cause: error })
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new GatewayError('not_found', 'There is nothing at a path this long.', { cause: error })
  if (statusCode === 415) return new GatewayError('unsupported_media_type', 'The content type is not valid.', { cause: error })
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new GatewayError('invalid_request', error instanceof Error ? error.message : 'The request is not valid.', { cause: error })
  }
  return toGatewayError(error)
}

function pathOf(url: string): string {
  return url.split('?', 1)[0]?.slice(0, 200) ?? ''
}

/** Exposes the headers that the official clients read (docs/interface.md#headers). */
function corsOptions(origins: readonly string[]) {
  return {
    origin: origins.includes('*') ? true : [...origins],
    methods: ['GET', 'POST', 'DELETE', 'OPTIONS'],
    // Clients of some families send headers of their own (x-stainless-*, openai-*): what the preflight asks for is allowed.
    exposedHeaders: [
      'x-request-id',
      'request-id',
      'character-cost',
      'x-duration-seconds',
      'retry-after',
      warningHeader,
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'x-ratelimit-limit-requests',
      'x-ratelimit-remaining-requests',
      'x-ratelimit-reset-requests',
    ],
    maxAge: 600,
  }
}
