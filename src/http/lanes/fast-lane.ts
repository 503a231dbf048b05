/** A short cut for conversations that will simply be relayed: it leaves the framework's request life out, which costs as much as the relay itself.
 *  It only takes what is ordinary in every respect. Whatever is not takes the long way through `call.ts`, with the body if that was read already:
 *  so every refusal and every special case has one place. docs/decisions/0007 has the figures. */
import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { expectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import { hopsHeader, hopsOf, mayPass, nextHop } from '@generation-gateway/kit/requests/hops.ts'
import type { TextUsage } from '@generation-gateway/kit/requests/text.ts'
import type { FamilyEntry } from '../../contract/family.ts'
import { judgedNames } from '../../contract/judged-names.ts'
import { keywordsOf } from '../../contract/keywords.ts'
import { type NullRemover, nullRemover } from '../../contract/nulls.ts'
import type { Operation } from '../../contract/operation.ts'
import type { RelaySpec } from '../../contract/relay.ts'
import { type OperationValidator, operationValidator } from '../../contract/validate.ts'
import { isInScope, routeAt } from '../../core/access.ts'
import type { RateDecision } from '../../core/ledger/limits.ts'
import type { AccessKey, Endpoint, EndpointRoute } from '../../core/ports/store.ts'
import type { Alias, NamedModel } from '../../core/routing/aliases.ts'
import { type Catalogue, type CatalogueModel, nameInAnswers } from '../../core/routing/catalogue.ts'
import type { Route } from '../../core/routing/router.ts'
import { keepEarlyBody } from '../body/early-body.ts'
import { readMembers } from '../body/json-members.ts'
import { splicedMembers } from '../body/raw-spool.ts'
import { firstRecordAt, type Run } from '../call/call-counts.ts'
import { aliasWarning } from '../call/call-model.ts'
import type { RecordedCall } from '../call/call-record.ts'
import { endCall, recordSaid, takeRate } from '../call/quotas.ts'
import { rateHeaders } from '../call/rate-headers.ts'
import { warningHeader, warningText } from '../call/warning-header.ts'
import type { HttpDeps } from '../deps.ts'
import { isOpened } from '../events/silence.ts'
import { endOpened, failureAnswer } from '../failures.ts'
import { noteRequest } from '../metrics/request-log.ts'
import { firstByteMs, idleMs, takeEnd, takeLoss, triesOf } from '../relay/call-relay.ts'
import { startRelay } from '../relay/relay.ts'
import { relayBody } from '../relay/relay-body.ts'
import type { RelayEnd, RelayOutcome, RelayTry } from '../relay/relay-types.ts'

/** True when the lane has taken the request; false leaves it untouched. */
export type FastLane = (request: IncomingMessage, response: ServerResponse) => boolean

export type LongWay = (request: IncomingMessage, response: ServerResponse) => void

interface Lane {
  deps: HttpDeps
  entry: FamilyEntry
  operation: Operation
  relays: RelaySpec
  label: string
  validator: OperationValidator
  removeNulls: NullRemover | undefined
  spliced: ReadonlySet<string>
  judged: ReadonlySet<string>
  longWay: LongWay
}

interface Plan {
  isStreamed: boolean
  model: CatalogueModel
  tries: RelayTry[]
  /** Of the answer: the rate limit, and a word about an alias. */
  headers: Record<string, string> | undefined
}

/** Nearly every answer is counted by its upstream: only for the others is the body looked through, from the bytes that are kept for the next target anyway. */
class LaneRun implements Run {
  said = 0
  isSent = false
  usage?: TextUsage
  #bytes: Buffer | undefined
  #inputTokens = 0
  readonly #lane: Pick<Lane, 'relays' | 'removeNulls'>

  constructor(bytes: Buffer, lane: Pick<Lane, 'relays' | 'removeNulls'>) {
    this.#bytes = bytes
    this.#lane = lane
  }

  get inputTokens(): number {
    this.letGo()
    return this.#inputTokens
  }

  /** It has been counted. */
  forget(): void {
    this.#bytes = undefined
  }

  /** A stream may go on for minutes: the body need not. */
  letGo(): void {
    if (this.#bytes === undefined) return
    const { relays, removeNulls } = this.#lane
    const body = JSON.parse(this.#bytes.toString())
    // The long way counts no field that is null.
    removeNulls?.(body)
    this.#inputTokens = expectedTokens(relays.protocol, body).inputTokens
    this.#bytes = undefined
  }
}

interface Taken {
  call: RecordedCall
  run: LaneRun
  headers: Record<string, string> | undefined
}

/** Bodies this small arrive in one or two pieces. */
const largestBody = 64 * 1024
const bodyWithinMs = 10_000
/** Of the paths that lanes know. */
export const prefix = '/v1/ai/'

/** The lane of one operation whose path is `/v1/ai/{endpoint}` and a fixed rest. */
export function createFastLane(deps: HttpDeps, { entry, name, longWay }: { entry: FamilyEntry; name: string; longWay: LongWay }): FastLane {
  const operation = entry.family.operations[name]
  if (!operation?.relays) throw new TypeError(`family ${entry.family.id} relays no operation ${name}`)
  const { relays } = operation
  const suffix = operation.path.slice(`${prefix}{endpoint}`.length)
  const validator = operationValidator(entry.family, operation)
  const removeNulls = operation.body && nullRemover(keywordsOf(operation.body.schema))
  const judged = operation.body ? judgedNames(operation.body.schema, operation.body.innerNames) : new Set<string>()
  const spliced = splicedMembers(relays)
  const lane: Lane = {
    deps,
    entry,
    operation,
    relays,
    label: `${entry.family.id}.${name}`,
    validator,
    removeNulls,
    spliced,
    judged,
    longWay,
  }
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
    hasPlainHeaders(headers) &&
    mayPass(headers[hopsHeader])
  )
}

/** None of the headers that the long way, whatever the operation, does something about. */
export function hasPlainHeaders(headers: IncomingHttpHeaders): boolean {
  return (
    headers.expect === undefined &&
    headers.origin === undefined &&
    headers.host !== undefined &&
    headers['x-client-request-id'] === undefined &&
    headers['idempotency-key'] === undefined
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
  const { deps, relays, longWay } = lane
  const planned = plan(lane, key, endpoint, bytes)
  if (!planned) {
    keepEarlyBody(request, bytes)
    longWay(request, response)
    return
  }
  const { model, headers, isStreamed } = planned
  const run = new LaneRun(bytes, lane)
  const requestId = randomUUID()
  const call: RecordedCall = { requestId, operation: lane.label, startedAt: performance.now(), key, endpoint, model, runs: [run] }
  const taken: Taken = { call, run, headers }
  startRelay(
    {
      response,
      relays,
      method: 'POST',
      suffix: '',
      query: '',
      isCreate: true,
      isStreamed,
      headers: passedOn(request),
      modelName: nameInAnswers(model),
      answerHeaders: headers ? { 'x-request-id': requestId, ...headers } : { 'x-request-id': requestId },
      health: deps.health,
      places: deps.router.places,
      account: key.accountId,
      underway: deps.underway,
      saidLimit: firstRecordAt(call),
      onSaid: said => recordSaid(deps, call, { run, said }),
      onTakeOver: isStream => {
        if (isStream) run.letGo()
      },
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
  { deps, entry, operation, relays, validator, spliced, judged }: Lane,
  key: AccessKey,
  endpoint: Endpoint,
  bytes: Buffer,
): Plan | undefined {
  const route = routeAt(endpoint, entry.family.id)
  if (!route || key.limits?.quotas || key.accountLimits?.quotas) return undefined
  try {
    deps.assertAccepting()
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    const raw = { buffer: bytes, members: readMembers(bytes, spliced, judged) }
    const { model, alias } = modelOf(deps.catalogue(), entry.family.id, { name: Object(value).model, route }) ?? {}
    if (!model || model.group !== undefined || !isInScope(key.scopes, 'models', model.id)) return undefined
    // Checked as JSON a line above; defaults of the schema do not matter to the bytes.
    const body = validator.body(value) as JsonObject
    if ((operation.references?.(body).length ?? 0) > 0) return undefined
    const routes: readonly Route[] = deps.router.callRoutes(model, relays.capability)
    const tries = triesOf(routes, relays.protocol, body)
    if (tries.length < routes.length || !isUtf8(bytes)) return undefined
    const bodied = tries.map(each => ({
      ...each,
      body: relayBody(raw, body, { model: each.route.target.model, relays }),
    }))
    const rate = takeRate(deps.limiter, key)
    if (rate?.allowed === false) return undefined
    return { model, isStreamed: body.stream === true, tries: bodied, headers: headersOf(rate, model, alias) }
  } catch {
    // The long way says what is wrong.
    return undefined
  }
}

/** The model that is named, by the body or else by the route; undefined for what the long way decides: a shipped alias depends on the route and on what can be used. */
function modelOf(catalogue: Catalogue, family: string, { name, route }: { name: unknown; route: EndpointRoute }): NamedModel | undefined {
  if (typeof name === 'string') {
    const named = catalogue.named(family, name, () => true)
    return named?.alias?.source === 'built-in' ? undefined : named
  }
  const model = name == null && route.model !== undefined ? catalogue.find(family, route.model) : undefined
  return model && { model }
}

function headersOf(rate: RateDecision | undefined, model: CatalogueModel, alias: Alias | undefined): Record<string, string> | undefined {
  if (!alias) return rate && rateHeaders(rate, true)
  return { ...(rate && rateHeaders(rate, true)), [warningHeader]: warningText([aliasWarning('model', alias.name, model)]) }
}

function ended({ deps, label }: Lane, { call, run }: Taken, end: RelayEnd): void {
  observe({ deps, label }, call, end.status)
  takeEnd(call.runs, run, end)
  call.target = end.route.target.id
  deps.recordCall(call, end.status)
  run.forget()
}

function observe({ deps, label }: Pick<Lane, 'deps' | 'label'>, { requestId: id, startedAt }: RecordedCall, status: number): void {
  noteRequest(deps, { id, method: 'POST', operation: label, status, ms: performance.now() - startedAt })
}

/** Nothing has been written yet when no target answered, but for the head of a stream that was silent too long. */
function fail(lane: Lane, { call, run, headers: own }: Taken, outcome: RelayOutcome, response: ServerResponse): void {
  if (outcome.state === 'answered') return
  const { deps, entry } = lane
  const { requestId } = call
  const { family } = entry
  const { status, headers, body } = failureAnswer(deps, { error: outcome.error, failure: family.failure, requestId })
  const shown = response.destroyed ? 499 : status
  observe(lane, call, shown)
  takeLoss(run, outcome)
  endCall(deps, call, shown)
  run.forget()
  if (isOpened(response)) endOpened(response, { error: outcome.error, family, requestId })
  else if (!response.destroyed) response.writeHead(status, { ...headers, ...own, 'content-length': Buffer.byteLength(body) }).end(body)
}
