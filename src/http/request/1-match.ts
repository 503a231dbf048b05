/** The first step: chooses the handler of a request by its method and path. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { mostIdCharacters } from '@generation-gateway/kit/kept-id.ts'
import findMyWay from 'find-my-way'
import type { FamilyEntry } from '../../contract/family.ts'
import type { Operation, ResponsePlace } from '../../contract/operation.ts'
import { pathsOf } from '../../contract/places.ts'
import type { HttpDeps } from '../deps.ts'
import { sendFailure } from '../failures.ts'
import { nearPath } from '../near-path.ts'
import { nearestFailure } from '../nearest-failure.ts'
import { azurePath } from './azure-paths.ts'
import type { Exchange, Handler } from './exchange.ts'

/** Longest value of a path parameter: the longest id of a response, with each character
 *  percent-encoded. */
const longestParam = 3 * mostIdCharacters
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path pattern; `{name}` stands for a path parameter. */
  path: string
  handler: Handler
  /** Label for this route in metrics and log lines; defaults to its path. */
  operation?: string
  /** True for a GET route that does not answer HEAD. */
  hasNoHead?: boolean
  /** For paths with a stored response: the path parameter that holds its id, and the prefix with
   *  which such ids usually begin. */
  response?: ResponsePlace | undefined
}

/** The value that the router stores with a path pattern. */
interface Place {
  routes: Map<string, Matched>
  /** Answers the methods that have no route. */
  otherMethods: Matched
}

interface Matched {
  handler: Handler
  operation: string
}

/** All routes of the gateway. A known path with another method is answered with 405 and `Allow`.
 *  A request for an unknown path is refused in the error format that `nearestFailure` chooses
 *  for the path. */
export class Routes {
  readonly #deps: HttpDeps
  /** Holds each pattern once, as if its method were GET. A tree for each method would hold the same
   *  patterns, because every path answers every method, and take five times as long to build. */
  readonly #router = findMyWay({
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: longestParam,
    onBadUrl: () => {
      throw new GatewayError('invalid_request', 'The path is not valid URL encoding.')
    },
    onMaxParamLength: () => {
      throw new GatewayError('not_found', `There is nothing here: a segment of the path has more than ${longestParam} characters.`)
    },
  })
  readonly #places = new Map<string, Place>()
  readonly #near: ReturnType<typeof nearPath>
  readonly #failureAt: ReturnType<typeof nearestFailure>
  readonly #plainUrl: (url: string) => string

  constructor(deps: HttpDeps) {
    this.#deps = deps
    this.#near = nearPath(deps.families)
    this.#failureAt = nearestFailure(deps.families)
    this.#plainUrl = plainColons(deps.families)
  }

  add({ method, path, handler, operation, hasNoHead = false, response }: Route): void {
    const pattern = patternOf(path)
    const place = this.#places.get(pattern) ?? this.#newPlace(pattern, response)
    for (const each of method === 'GET' && !hasNoHead ? (['GET', 'HEAD'] as const) : [method]) {
      if (place.routes.has(each)) throw new TypeError(`two routes have ${each} ${path}`)
      place.routes.set(each, { handler, operation: operation ?? pattern })
    }
  }

  /** Returns the handler for a request, and sets path parameters, query and operation in the
   *  exchange. Throws `invalid_request` for a path with invalid percent-encoding, and
   *  `not_found` for a segment that is too long. */
  match(exchange: Exchange): Handler {
    const { request, method } = exchange
    request.url = this.#plainUrl(exchange.url)
    const azure = azurePath(request.url)
    const found = this.#router.find('GET', azure?.url ?? request.url)
    if (found === null) return this.#refuseUnknown
    // For a malformed path, the router returns a handler of its own, which throws the error.
    if (found.store === null) return found.handler(request as never, exchange.response as never, {}, null, {})
    const { routes, otherMethods }: Place = found.store
    const { handler, operation } = routes.get(method) ?? otherMethods
    exchange.params = found.params as Record<string, string>
    if (azure) {
      request.url = azure.url
      exchange.params = { ...exchange.params, ...azure.params }
    }
    exchange.query = found.searchParams
    exchange.operation = operation
    return handler
  }

  /** Refuses a request that no operation serves, in the error format that `nearestFailure`
   *  chooses for its path. */
  refuse(exchange: Exchange, error: GatewayError): void {
    const failure = this.#failureAt(shownPath(exchange))
    sendFailure(this.#deps, exchange, failure ? { error, failure } : { error })
  }

  /** Refuses a request for an unknown path, and suggests the known path that is most similar. */
  readonly #refuseUnknown = (exchange: Exchange): void => {
    const path = shownPath(exchange)
    const meant = this.#near(exchange.method, path)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    const sentence = this.#deps.settings.isApi ? `There is nothing at ${exchange.method} ${path}.${hint}` : noApi
    this.refuse(exchange, new GatewayError('not_found', sentence))
  }

  /** Returns a new place without routes. On a path with the id of a stored response, a parameter
   *  that does not look like such an id (`/responses/compact`) is answered with 404 instead of
   *  405. */
  #newPlace(pattern: string, response: ResponsePlace | undefined): Place {
    const routes = new Map<string, Matched>()
    const refuse: Handler = exchange => {
      if (response && !exchange.params[response.parameter]?.startsWith(response.usualPrefix)) return this.#refuseUnknown(exchange)
      const allowed = [...routes.keys()].join(', ')
      exchange.headers.allow = allowed
      const sentence = `${shownPath(exchange)} takes ${allowed}, not ${exchange.method}.`
      return this.refuse(exchange, new GatewayError('method_not_allowed', sentence))
    }
    const place = { routes, otherMethods: { handler: refuse, operation: pattern } }
    this.#places.set(pattern, place)
    this.#router.on('GET', pattern, noHandler, place)
    return place
  }
}

const noApi =
  'This node does not have the role api (GATEWAY_ROLES): it serves /healthz, /readyz and /metrics only. Send requests to a node with the role api.'

/** A placeholder: the router requires a handler, but the gateway calls the one that is stored
 *  with the route. */
function noHandler(): void {}

/** Returns the path in the syntax of the router (find-my-way): a literal colon is doubled, and a
 *  parameter that is followed by a colon ends there. */
function patternOf(path: string): string {
  return path
    .replaceAll(':', '::')
    .replace(/\{(\w+)\}(?=:)/g, ':$1([^:]+)')
    .replace(/\{(\w+)\}/g, ':$1')
}

function shownPath({ path }: Exchange): string {
  return path.slice(0, 200)
}

/** Returns a function that decodes an encoded colon (`transcriptions%3Atranscribe`), which some
 *  clients send. The router would otherwise treat it as another path. */
function plainColons(families: readonly FamilyEntry[]): (url: string) => string {
  const paths = families.flatMap(({ family }) => Object.values<Operation>(family.operations)).flatMap(pathsOf)
  const parts = paths.flatMap(path => path.split('/')).filter(part => part.includes(':'))
  const names = parts.map(part => part.replace(/^\{\w+\}/, ''))
  const encoded = [...new Set(names)].map(name => [name.replaceAll(':', '%3a'), name] as const)
  const plain = (part: string): string => {
    const given = part.replace(/%3A/g, '%3a')
    const found = encoded.find(([text]) => given.endsWith(text))
    return found ? given.slice(0, -found[0].length) + found[1] : part
  }
  return url => {
    if (!url.includes('%') || !/%3a/i.test(url)) return url
    const [path = '', ...query] = url.split('?')
    return [path.split('/').map(plain).join('/'), ...query].join('?')
  }
}
