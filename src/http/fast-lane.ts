/** A short cut for conversations that will simply be relayed: it leaves the framework's request life out, which costs as much as the relay itself.
 *  It only takes what is ordinary in every respect. Whatever is not takes the long way through `call.ts`, with the body if that was read already:
 *  so every refusal and every special case has one place. docs/decisions/0007 has the figures. */
import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FamilyEntry, Operation } from '../contract/family.ts'
import { type OperationValidator, operationValidator } from '../contract/validate.ts'
import { isInScope } from '../core/access.ts'
import type { CatalogueModel } from '../core/catalogue.ts'
import type { AccessKey, Endpoint } from '../core/ports.ts'
import { hopsHeader, hopsOf, mayPass, nextHop } from '../core/requests/hops.ts'
import type { Route } from '../core/router.ts'
import type { JsonObject } from '../core/task.ts'
import { firstByteMs, idleMs, triesOf } from './call-relay.ts'
import type { HttpDeps } from './deps.ts'
import { keepEarlyBody } from './early-body.ts'
import { failureAnswer } from './failures.ts'
import { takeRate } from './quotas.ts'
import { rateHeaders } from './rate-headers.ts'
import { type RelayEnd, type RelayOutcome, type RelayTry, startRelay } from './relay.ts'
import { relayBody } from './relay-body.ts'

/** True when the lane has taken the request; false leaves it untouched. */
export type FastLane = (request: IncomingMessage, response: ServerResponse) => boolean

export type LongWay = (request: IncomingMessage, response: ServerResponse) => void

interface Lane {
  deps: HttpDeps
  entry: FamilyEntry
  operation: Operation
  label: string
  validator: OperationValidator
  longWay: LongWay
}

interface Taken {
  id: string
  startedAt: number
  key: AccessKey
  endpoint: Endpoint
  model: CatalogueModel
  rate: Record<string, string> | undefined
}

/** Bodies this small arrive in one or two pieces. */
const largestBody = 64 * 1024
const bodyWithinMs = 10_000
const prefix = '/v1/ai/'

/** The lane of one operation whose path is `/v1/ai/{endpoint}` and a fixed rest. */
export function createFastLane(deps: HttpDeps, { entry, name, longWay }: { entry: FamilyEntry; name: string; longWay: LongWay }): FastLane {
  const operation = entry.family.operations[name]
  if (!operation) throw new TypeError(`family ${entry.family.id} has no operation ${name}`)
  const suffix = operation.path.slice(`${prefix}{endpoint}`.length)
  const validator = operationValidator(entry.family, operation)
  const lane: Lane = { deps, entry, operation, label: `${entry.family.id}.${name}`, validator, longWay }
  return (request, response) => {
    const { url = '', headers } = request
    if (request.method !== 'POST' || !url.endsWith(suffix) || !url.startsWith(prefix)) return false
    const endpointName = url.slice(prefix.length, -suffix.length)
    if (!isOrdinary(request) || !headers.authorization?.startsWith('Bearer ')) return false
    const known = deps.access.recall(headers.authorization.slice('Bearer '.length), endpointName)
    if (!known || !isInScope(known.key.scopes, 'families', entry.family.id)) return false
    if (!deps.connections.mayClaim(request.socket, known.key.id)) return false
    readBody(request, body => take(lane, known, body, { request, response }))
    return true
  }
}

/** Nothing that the long way would look at twice. */
function isOrdinary({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'])
  return (
    length > 0 &&
    length <= largestBody &&
    headers['content-type'] === 'application/json' &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    headers.origin === undefined &&
    headers.host !== undefined &&
    headers['x-client-request-id'] === undefined &&
    headers['idempotency-key'] === undefined &&
    mayPass(headers[hopsHeader])
  )
}

function readBody(request: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  // One clock for all of them; a body that small and that slow is no client.
  reading.set(request, performance.now() + bodyWithinMs)
  sweepReading()
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('close', () => reading.delete(request))
  request.on('end', () => {
    reading.delete(request)
    const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
    // The listeners live as long as the answer: they must not keep the body.
    chunks.length = 0
    done(body)
  })
}

const reading = new Map<IncomingMessage, number>()
let isSwept = false

function sweepReading(): void {
  if (isSwept) return
  isSwept = true
  const sweep = () => {
    const now = performance.now()
    for (const [request, until] of reading) if (until < now) request.destroy()
  }
  setInterval(sweep, 1_000).unref()
}

function take(
  lane: Lane,
  { key, endpoint }: { key: AccessKey; endpoint: Endpoint },
  bytes: Buffer,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): void {
  const { deps, longWay } = lane
  const planned = plan(lane, key, endpoint, bytes)
  if (!planned) {
    keepEarlyBody(request, bytes)
    longWay(request, response)
    return
  }
  const taken: Taken = { id: randomUUID(), startedAt: performance.now(), key, endpoint, model: planned.model, rate: planned.rate }
  startRelay(
    {
      response,
      method: 'POST',
      suffix: '',
      query: '',
      headers: passedOn(request),
      answerHeaders: planned.rate ? { 'x-request-id': taken.id, ...planned.rate } : { 'x-request-id': taken.id },
      health: deps.health,
      onTakeOver: () => {},
      onEnd: end => ended(lane, taken, end),
      firstByteMs,
      idleMs,
    },
    planned.tries,
    outcome => fail(lane, taken, outcome, response),
  )
}

/** Headers of the caller that go on to the upstream. */
function passedOn({ headers }: IncomingMessage): Record<string, string> {
  const { traceparent } = headers
  // It was checked before: what is no count, and one too high, has taken the long way.
  const passed = nextHop(hopsOf(headers[hopsHeader]))
  if (typeof traceparent === 'string') passed.traceparent = traceparent.slice(0, 200)
  return passed
}

/** What the request will be relayed as; undefined for anything that is not plainly in order. Takes from the rate limit as its last step. */
function plan(
  { deps, entry, operation, validator }: Lane,
  key: AccessKey,
  endpoint: Endpoint,
  bytes: Buffer,
): { model: CatalogueModel; tries: RelayTry[]; rate: Record<string, string> | undefined } | undefined {
  const protocol = operation.relays
  const route = endpoint.routes[entry.family.id] ?? endpoint.routes['*']
  if (!protocol || !route || key.limits?.quotas || key.accountLimits?.quotas) return undefined
  try {
    deps.assertAccepting()
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    const named = Object(value).model ?? route.model
    const model = typeof named === 'string' ? deps.catalogue().find(entry.family.id, named) : undefined
    if (!model || model.group !== undefined || !isInScope(key.scopes, 'models', model.id)) return undefined
    // Checked as JSON a line above; defaults of the schema do not matter to the bytes.
    const body = validator.body(value) as JsonObject
    const routes: readonly Route[] = deps.router.routes(model, 'text.respond')
    const tries = triesOf(routes, protocol, body)
    if (tries.length < routes.length || !isUtf8(bytes)) return undefined
    const bodied = tries.map(each => ({ ...each, body: relayBody({ buffer: bytes }, body, { model: each.route.target.model, protocol }) }))
    const rate = takeRate(deps.limiter, key)
    if (rate?.allowed === false) return undefined
    return { model, tries: bodied, rate: rate && rateHeaders(rate, true) }
  } catch {
    // The long way says what is wrong.
    return undefined
  }
}

function ended({ deps, label }: Lane, taken: Taken, { status, route, usage }: RelayEnd): void {
  const ms = performance.now() - taken.startedAt
  deps.metrics.observe(label, status, ms / 1000)
  deps.requestLog.write({ id: taken.id, method: 'POST', operation: label, status, ms })
  const { key, endpoint, model, id, startedAt } = taken
  const call = { requestId: id, operation: label, startedAt, key, endpoint, model, target: route.target.id }
  deps.recordCall(usage ? { ...call, usage } : call, status)
}

/** Nothing has been written yet when no target answered. */
function fail({ deps, entry, label }: Lane, taken: Taken, outcome: RelayOutcome, response: ServerResponse): void {
  if (outcome.state === 'answered') return
  const ms = performance.now() - taken.startedAt
  const { status, headers, body } = failureAnswer(deps, { error: outcome.error, failure: entry.family.failure, requestId: taken.id })
  const shown = response.destroyed ? 499 : status
  deps.metrics.observe(label, shown, ms / 1000)
  deps.requestLog.write({ id: taken.id, method: 'POST', operation: label, status: shown, ms })
  if (!response.destroyed) response.writeHead(status, { ...headers, ...taken.rate, 'content-length': Buffer.byteLength(body) }).end(body)
}
