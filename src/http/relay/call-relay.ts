import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { capabilities } from '@generation-gateway/kit/requests/capabilities.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import { hasOtherUnits } from '@generation-gateway/kit/requests/expected-tokens.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import { MissingOperationError, type RelayOffer } from '@generation-gateway/kit/requests/relay.ts'
import type { TextUsage } from '@generation-gateway/kit/requests/text.ts'
import type { Operation, StoredReference } from '../../contract/operation.ts'
import type { RelaySpec } from '../../contract/relay.ts'
import type { StoredRecords } from '../../core/responses.ts'
import { type CatalogueModel, nameInAnswers } from '../../core/routing/catalogue.ts'
import { mayFailOver, type Route } from '../../core/routing/router.ts'
import type { Call } from '../call/call.ts'
import { firstRecordAt, type Run } from '../call/call-counts.ts'
import { holdCall, recordReportedUsage } from '../call/quotas.ts'
import { responseOwner } from '../call/response-owner.ts'
import type { HttpDeps } from '../deps.ts'
import type { Exchange } from '../request/exchange.ts'
import { relay } from './relay.ts'
import { relayBody, unchangedBody } from './relay-body.ts'
import type { FailedRelay, RelayCall, RelayEnd, RelayOutcome, RelayTry } from './relay-types.ts'
import { noteReading, originalOf, startRecording } from './response-recording.ts'
import { countOwed, type OwedResponse, owedOf } from './response-usage.ts'
import { locateStored, type StorageLocation } from './storage-location.ts'

/** Time limits in ms for upstreams: until the first byte, and between two pieces. A reasoning
 *  model may think for minutes before the first byte (docs/vendors/README.md#time-limits). */
const firstByteMs = 10 * 60_000
const idleMs = 2 * 60_000

export interface RelayContext {
  deps: HttpDeps
  /** Id of the family to which the operation belongs. */
  family: string
  operation: Operation
  call: Call
  exchange: Exchange
}

type RequestedRelay = Pick<RelayCall, 'method' | 'suffix' | 'query' | 'isCreate' | 'isStreamed'>

const noReferences: readonly StoredReference[] = []
const nothingKept: StorageLocation = { isHere: false, targets: [], tokens: 0 }

/** The usage of one relayed call. The input tokens of the body are estimated only when needed,
 *  because nearly every upstream reports counts. */
class RelayRun implements Run {
  said = 0
  searches = 0
  isSent = false
  usage?: TextUsage
  #others: readonly UsageUnits[] | undefined
  #inputTokens: number | undefined
  #call: Pick<Call, 'expected'> | undefined
  readonly #hasOthers: boolean

  /** `hasOthers` is true when the request is charged in units other than tokens, too. */
  constructor(call: Pick<Call, 'expected'>, hasOthers: boolean) {
    this.#call = call
    this.#hasOthers = hasOthers
  }

  get inputTokens(): number {
    this.count()
    return this.#inputTokens ?? 0
  }

  /** The expected units other than tokens, such as search units; undefined when there are none. */
  get others(): readonly UsageUnits[] | undefined {
    if (this.#hasOthers) this.count()
    return this.#others
  }

  /** Estimates the input tokens of the body now, and drops the reference to the body so that its
   *  memory can be freed. */
  count(): void {
    if (this.#inputTokens !== undefined) return
    const expected = this.#call?.expected
    this.#inputTokens = expected?.inputTokens ?? 0
    this.#others = expected?.others
    this.#call = undefined
  }
}

/** Relays the call to the first targets of the list, as far as they speak the caller's protocol.
 *  Returns `not-relayed` when the family's handler has to serve the call, with the targets in
 *  `routes`. There are three such cases: the first target cannot take the relay (it speaks
 *  another protocol, or does not store responses); the gateway itself stores a response to which
 *  the body refers; or the tried targets have failed, but the work can be done in another way. */
export async function relayCreate(
  relaying: RelayContext,
  body: JsonObject,
): Promise<RelayOutcome | { state: 'not-relayed'; routes: readonly Route[] }> {
  const { deps, operation, call } = relaying
  const { model } = call
  const { relays } = operation
  const { raw } = call.body
  if (!model || !relays || !raw) throw new TypeError('this operation is not relayed')
  const routes = deps.router.callRoutes(model, relays.capability)
  const references = operation.references?.(body) ?? noReferences
  const kept = references.length === 0 ? nothingKept : await locateStored(deps, responseOwner(call), references)
  // A response can be continued only at the target that stores it, so that target is used even
  // while its circuit breaker is open.
  const reachable = kept.targets.length === 0 ? routes : deps.router.usableRoutes(model, relays.capability)
  const usable = routesAt(reachable, kept, model)
  const stores = relays.stores?.isWanted(body) ? relays.stores : undefined
  const relayed = usable === 'local' ? [] : triesOf(usable, relays, body)
  const tries = stores && kept.targets.length === 0 ? await targetsThatStore(relayed) : relayed
  if (tries.length === 0) return { state: 'not-relayed', routes }
  const bodied = tries.map(each => ({
    ...each,
    body: relayBody(raw, body, { model: each.route.target.model, relays }),
  }))
  if (kept.tokens > 0 && call.expected) call.expected.inputTokens += kept.tokens
  const held = holdCall(deps, call)
  if (held) await held
  const run = new RelayRun(call, hasOtherUnits(relays.protocol))
  const passing: RelayCall = {
    ...relayCall(relaying, relays, creation(relays, body)),
    ...(isFree(relays) ? { onEnd: () => {} } : usageReports(deps, call, run)),
    isSpooled: 'spool' in raw,
  }
  const { onEnd } = passing
  const noted = stores
    ? { ...passing, ...startRecording({ deps, call, scan: relays.scan, stores, body, onEnd, record: end => record(deps, call, end) }) }
    : passing
  const outcome = await relay(noted, bodied)
  if (outcome.state !== 'failed') return outcome
  run.count()
  recordLoss(run, outcome)
  // Only the upstream that stores a response can continue it, and only a relay can send a body that
  // the handler refuses.
  const isBound = usable !== routes || (!isFree(relays) && relays.needsRelay?.(body) === true)
  const rest = isBound ? undefined : routesAfter(outcome, routes, { relays, tried: tries.length })
  return rest === undefined ? outcome : { state: 'not-relayed', routes: rest }
}

/** Returns true for an operation that is not charged (it only counts tokens), so that its calls are
 *  neither held in quotas nor recorded. */
export function isFree({ minor }: RelaySpec): boolean {
  return minor === 'count'
}

/** Adds the run of the relay to the call. Returns the callbacks with which the relay reports its
 *  usage. */
function usageReports(deps: HttpDeps, call: Call, run: RelayRun): Pick<RelayCall, 'saidLimit' | 'onSaid' | 'onTakeOver' | 'onEnd'> {
  call.runs.push(run)
  return {
    saidLimit: firstRecordAt(call),
    onSaid: said => recordReportedUsage(deps, call, { run, said }),
    // A stream may take minutes. Estimating the tokens now frees the body for that time.
    onTakeOver: isStream => {
      if (isStream) run.count()
    },
    onEnd: end => {
      recordEnd(call.runs, run, end)
      record(deps, call, end)
    },
  }
}

/** Returns the targets with which the family's handler can serve the call after the relay has
 *  failed; undefined when the failure is final. The handler translates the call, or, for an
 *  operation that only counts tokens, estimates their number. */
function routesAfter(
  { error, number }: FailedRelay,
  routes: readonly Route[],
  { relays, tried }: { relays: RelaySpec; tried: number },
): readonly Route[] | undefined {
  // When the upstream cannot count tokens, no target is left and the handler estimates the number.
  // A later target must not be asked, because it would count the tokens of another model.
  if (error instanceof MissingOperationError) return isFree(relays) ? [] : routes.slice(number - 1)
  const rest = routes.slice(tried)
  const isOver = (rest.length === 0 && !isFree(relays)) || !mayFailOver(error, capabilities[relays.capability].failover)
  return isOver ? undefined : rest
}

function creation({ isStreamed }: RelaySpec, body: JsonObject): RequestedRelay {
  return { method: 'POST', suffix: '', query: '', isCreate: true, isStreamed: isStreamed?.(body) ?? body.stream === true }
}

/** Records the usage of a relay that failed after upstreams had produced output that the caller
 *  did not get. When no upstream worked on the call, `said` is undefined and nothing is
 *  recorded. */
function recordLoss(run: Run, { said, usage }: { said?: number; usage?: TextUsage }): void {
  if (said === undefined) return
  run.isSent = true
  run.said = said
  if (usage) run.usage = usage
}

/** Returns the targets that store all responses to which the body refers, or `local` when the
 *  gateway itself stores one of them, so that the family's handler has to serve the request.
 *  Throws `invalid_request` when no target of the model stores all of them. */
function routesAt(routes: readonly Route[], { targets, isHere }: StorageLocation, model: CatalogueModel): readonly Route[] | 'local' {
  if (isHere) return 'local'
  let usable = routes
  for (const { target, of, field } of targets) {
    usable = usable.filter(route => route.target.id === target)
    if (usable.length > 0) continue
    throw new GatewayError('invalid_request', `${field} names a response of ${of}; ${model.id} cannot continue it.`, { field })
  }
  return usable
}

/** Serves an operation on a stored response by a relay to the upstream that stores it. Returns
 *  undefined when the gateway itself stores the response, and when the response is unknown,
 *  deleted, or no longer at the upstream. */
export async function relayStored(relaying: RelayContext): Promise<RelayOutcome | undefined> {
  const { deps, family, operation, call, exchange } = relaying
  if (!operation.readsResponse) throw new TypeError('this operation reads no response')
  const { parameter, suffix, relays, isShown } = operation.readsResponse
  const id = exchange.params[parameter] ?? ''
  const stored = deps.responses.recordsAt(relays.stores?.kind ?? 'response', responseOwner(call))
  const record = await stored.find(id)
  if (record?.target === undefined || record.isDeleted) return undefined
  const model = deps.catalogue().find(family, record.model)
  const route = model ? deps.router.pinned(model, record.target) : undefined
  const offer = route && offerOf(route, relays)
  if (!route || !offer) throw new GatewayError('capability_unavailable', `The target that keeps ${id} is no longer configured.`)
  const { method } = operation
  const query = exchange.url.slice(exchange.path.length + 1)
  const path = `/${encodeURIComponent(id)}${suffix}`
  const isStreamed = /(^|&)stream=true(&|$)/.test(query)
  const passing = {
    ...relayCall(relaying, relays, { method, suffix: path, query, isCreate: false, isStreamed }),
    modelName: nameInAnswers(model),
  }
  const original = await originalOf(stored, record)
  // The tokens can be counted only by an operation that returns the response itself. A list of
  // input items contains only the caller's text, and the answer to a deletion has no token counts.
  const owed = isShown ? owedOf(original) : undefined
  const onEnd = async (end: RelayEnd): Promise<void> => {
    // The call that creates the response may have ended while the response was being read here.
    const owedNow = owed?.isOpen ? await owedAtEnd(stored, owed) : owed
    endStored(relaying, owedNow, end)
  }
  // When the upstream has deleted the response, its records are removed before the answer is sent.
  const forget = async (): Promise<void> => {
    await Promise.all([...new Set([id, original.id])].map(each => stored.remove(each)))
  }
  const beforePart = method === 'DELETE' ? forget : noteReading({ deps, scan: relays.scan, stored, record, original, owed })
  const outcome = await relay({ ...passing, onEnd, beforePart }, [{ route, offer, body: call.body.raw && unchangedBody(call.body.raw) }])
  if (outcome.state === 'answered' || outcome.error.code !== 'response_not_found') return outcome
  // The upstream no longer has the response. Its records are removed, and the family's handler
  // answers that it was not found.
  await forget()
  return undefined
}

/** Reads from the record of a response the usage that still has to be counted. Returns the given
 *  value when the record cannot be read. */
async function owedAtEnd(stored: StoredRecords, owed: OwedResponse): Promise<OwedResponse | undefined> {
  const record = await stored.find(owed.id).catch(() => undefined)
  return record ? owedOf(record) : owed
}

/** Returns the relay of the operation at a target; undefined when its driver has none. */
function offerOf({ driver }: Route, { protocol, minor }: RelaySpec): RelayOffer | undefined {
  const offer = driver.relays?.[protocol]
  return minor === undefined ? offer : offer?.minor?.[minor]
}

/** Returns the first targets of the list that can take the body unchanged. The list ends before
 *  the first target that needs a translation: a later target must not be tried before an earlier
 *  one. For a body that cannot be translated, returns all targets that can take it. */
function triesOf(routes: readonly Route[], relays: RelaySpec, body: JsonObject): Omit<RelayTry, 'body'>[] {
  const tries: Omit<RelayTry, 'body'>[] = []
  let isAll: boolean | undefined
  for (const route of routes) {
    const offer = offerOf(route, relays)
    if (offer?.accepts(body, route.target.settings)) tries.push({ route, offer })
    else {
      isAll ??= relays.needsRelay?.(body) ?? false
      if (!isAll) break
    }
  }
  return tries
}

/** Returns the first targets of the list whose upstreams store responses. For all other targets
 *  the gateway translates the request and stores the responses itself. When it is not known yet
 *  whether an upstream stores responses, only the first target is waited for, because the others
 *  may never be needed. */
async function targetsThatStore<Try extends Pick<RelayTry, 'route' | 'offer'>>(tries: readonly Try[]): Promise<readonly Try[]> {
  for (const [index, { route, offer }] of tries.entries()) {
    const keeps = offer.keeps?.(route.target.settings)
    if (keeps === false || (keeps instanceof Promise && (index > 0 || (await keeps) === false))) return tries.slice(0, index)
  }
  return tries
}

function relayCall({ deps, call, exchange }: RelayContext, relays: RelaySpec, requested: RequestedRelay): RelayCall {
  return {
    response: exchange.response,
    requestId: call.requestId,
    relays,
    ...requested,
    headers: forwardedHeaders(call, exchange, relays),
    answerHeaders: exchange.headers,
    modelName: nameInAnswers(call.model),
    health: deps.health,
    places: deps.router.places,
    account: call.key.accountId,
    underway: deps.underway,
    onTakeOver: () => {},
    onEnd: end => record(deps, call, end),
    firstByteMs,
    idleMs,
  }
}

/** Returns the headers for the upstream: the tracing header, the header with the number of gateways
 *  that the request has passed, and those of the caller's headers that the protocol forwards. */
function forwardedHeaders(
  { traceparent, hops }: Call,
  { requestHeaders }: Pick<Exchange, 'requestHeaders'>,
  { headers }: RelaySpec,
): Record<string, string> {
  const forwarded: Record<string, string> = traceparent === undefined ? nextHop(hops) : { traceparent, ...nextHop(hops) }
  if (headers === undefined) return forwarded
  for (const name of headers) {
    const value = requestHeaders[name]
    if (typeof value === 'string') forwarded[name] = value
  }
  return forwarded
}

/** Records the end of a relay in its run. The output of earlier targets that broke off becomes a
 *  run of its own. */
function recordEnd(runs: Run[], run: Run, { usage, said, searches, lost }: RelayEnd): void {
  run.isSent = true
  run.said = said
  run.searches = searches
  if (usage) run.usage = usage
  if (lost !== undefined) runs.push({ inputTokens: run.inputTokens, said: lost, isSent: true })
}

function record(deps: HttpDeps, call: Call, { status, route }: Pick<RelayEnd, 'status' | 'route'>): void {
  call.target = route.target.id
  deps.recordCall(call, status)
}

/** Ends the relay of a request for a stored response. The tokens of a background response are
 *  perhaps not counted yet; they are counted here, under the id of the response. The tokens of
 *  any other response were counted by the call that created the response. */
function endStored(relaying: RelayContext, owed: OwedResponse | undefined, end: RelayEnd): void {
  const { deps, call } = relaying
  if (owed && (end.usage || end.said > 0)) countOwed(deps, owed, end)
  record(deps, call, end)
}
