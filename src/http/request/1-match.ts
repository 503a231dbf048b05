/** The first step: which handler a request goes to, by its method and path. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { mostIdCharacters } from '@generation-gateway/kit/requests/kept-id.ts'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { FamilyEntry } from '../../contract/family.ts'
import type { Operation, ResponsePlace } from '../../contract/operation.ts'
import { pathsOf } from '../../contract/places.ts'
import type { HttpDeps } from '../deps.ts'
import { sendFailure } from '../failures.ts'
import { nearPath } from '../near-path.ts'
import { nearestFailure } from '../nearest-failure.ts'
import type { Exchange, Handler } from './exchange.ts'

/** The longest id of a response with each character percent-encoded. */
const longestParam = 3 * mostIdCharacters
const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export interface Route {
  method: HTTPMethod
  /** With `{name}` for its parts. */
  path: string
  handler: Handler
  /** Label of metrics and log lines; the path without one. */
  operation?: string
  /** A GET is not answered to HEAD. */
  hasNoHead?: boolean
  /** Of the id of a stored response in the path. */
  response?: ResponsePlace | undefined
}

interface Place {
  methods: Set<HTTPMethod>
  response: ResponsePlace | undefined
}

/** What is stored with a route. */
interface Matched {
  handler: Handler
  operation: string
}

/** All routes of the gateway. A path that exists answers other methods with 405 and `Allow`,
 *  everything else is refused in the shape of the nearest family. */
export class Routes {
  readonly #deps: HttpDeps
  readonly #router = findMyWay({
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: longestParam,
    onBadUrl: () => {
      throw new GatewayError('invalid_request', 'The path is not valid URL encoding.')
    },
    onMaxParamLength: () => {
      throw new GatewayError('not_found', 'There is nothing at a path this long.')
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
    // Preflights stand at every path; `cors.ts` answers them.
    if (deps.settings.corsOrigins.length > 0) this.#store('OPTIONS', '*', { handler: this.#refuseUnknown, operation: '*' })
  }

  add({ method, path, handler, operation, hasNoHead = false, response }: Route): void {
    const pattern = patternOf(path)
    const place = this.#places.get(pattern) ?? { methods: new Set(), response }
    this.#places.set(pattern, place)
    for (const each of method === 'GET' && !hasNoHead ? (['GET', 'HEAD'] as const) : [method]) {
      place.methods.add(each)
      this.#store(each, pattern, { handler, operation: operation ?? pattern })
    }
  }

  /** To be called once, when all routes are there. A path that is hardly a stored response's
   *  (`/responses/compact`) does not exist. */
  refuseOtherMethods(): void {
    for (const [pattern, { methods, response }] of this.#places) {
      const allowed = [...methods].join(', ')
      const refuse: Handler = exchange => {
        if (response && !exchange.params[response.parameter]?.startsWith(response.usualPrefix)) return this.#refuseUnknown(exchange)
        exchange.headers.allow = allowed
        const sentence = `${shownPath(exchange)} takes ${allowed}, not ${exchange.method}.`
        return this.refuse(exchange, new GatewayError('method_not_allowed', sentence))
      }
      for (const method of allMethods) if (!methods.has(method)) this.#store(method, pattern, { handler: refuse, operation: pattern })
    }
  }

  /** The handler of a request, whose exchange learns the parts of its path. Throws
   *  `invalid_request` for a path that is no URL encoding, `not_found` for one that is too long. */
  match(exchange: Exchange): Handler {
    const { request, method } = exchange
    request.url = this.#plainUrl(exchange.url)
    const found = this.#router.find(method as HTTPMethod, request.url)
    if (found === null) return this.#refuseUnknown
    // The router's own handlers are for a path that is none.
    if (found.store === null) return found.handler(request as never, exchange.response as never, {}, null, {})
    const { handler, operation }: Matched = found.store
    exchange.params = found.params as Record<string, string>
    exchange.query = found.searchParams
    exchange.operation = operation
    return handler
  }

  /** Refuses what no operation serves, in the shape of the nearest family. */
  refuse(exchange: Exchange, error: GatewayError): void {
    const failure = this.#failureAt(shownPath(exchange))
    sendFailure(this.#deps, exchange, failure ? { error, failure } : { error })
  }

  /** A path where nothing is, with the one that may be meant. */
  readonly #refuseUnknown = (exchange: Exchange): void => {
    const path = shownPath(exchange)
    const meant = this.#near(exchange.method, path)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    this.refuse(exchange, new GatewayError('not_found', `There is nothing at ${exchange.method} ${path}.${hint}`))
  }

  #store(method: HTTPMethod, pattern: string, matched: Matched): void {
    this.#router.on(method, pattern, noHandler, matched)
  }
}

/** `find` gives what is stored beside it. */
function noHandler(): void {}

/** The router's own way to write a path: a colon of the path itself is doubled, and a parameter
 *  before one ends there. */
function patternOf(path: string): string {
  return path
    .replaceAll(':', '::')
    .replace(/\{(\w+)\}(?=:)/g, ':$1([^:]+)')
    .replace(/\{(\w+)\}/g, ':$1')
}

function shownPath({ path }: Exchange): string {
  return path.slice(0, 200)
}

/** Some clients encode the colon of a path (`transcriptions%3Atranscribe`), which the router
 *  takes for another path. */
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
