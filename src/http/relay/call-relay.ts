import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { capabilities } from '@generation-gateway/kit/requests/capabilities.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import type { TextUsage } from '@generation-gateway/kit/requests/text.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { KeptReference, Operation } from '../../contract/operation.ts'
import type { RelaySpec } from '../../contract/relay.ts'
import { type CatalogueModel, nameInAnswers } from '../../core/routing/catalogue.ts'
import { mayFailOver, type Route } from '../../core/routing/router.ts'
import type { Call } from '../call/call.ts'
import { firstRecordAt, type Run } from '../call/call-counts.ts'
import { holdCall, recordSaid } from '../call/quotas.ts'
import type { HttpDeps } from '../deps.ts'
import type { Exchange } from '../request/exchange.ts'
import { type KeptPlace, placeOf } from './kept-place.ts'
import { relay } from './relay.ts'
import { relayBody } from './relay-body.ts'
import type { RelayCall, RelayEnd, RelayOutcome, RelayTry } from './relay-types.ts'
import { noteReading, originalOf, recording } from './response-recording.ts'
import { countOwed, type OwedResponse, owedOf } from './response-usage.ts'

/** Time limits of upstreams: reasoning models may think for minutes before the first byte
 *  (docs/vendors/README.md#time-limits). */
const firstByteMs = 10 * 60_000
const idleMs = 2 * 60_000

export interface Relaying {
  deps: HttpDeps
  /** Id of the operation's. */
  family: string
  operation: Operation
  call: Call
  exchange: Exchange
}

const noReferences: readonly KeptReference[] = []
const nothingKept: KeptPlace = { isHere: false, targets: [], tokens: 0 }

/** A relay as it is counted. Nearly every answer is counted by its upstream: only for the others is the body counted, when its count is asked for. */
class RelayRun implements Run {
  said = 0
  isSent = false
  usage?: TextUsage
  #inputTokens: number | undefined
  #call: Pick<Call, 'expected'> | undefined

  constructor(call: Pick<Call, 'expected'>) {
    this.#call = call
  }

  get inputTokens(): number {
    this.count()
    return this.#inputTokens ?? 0
  }

  /** Counts the body and lets go of it. */
  count(): void {
    this.#inputTokens ??= this.#call?.expected?.inputTokens ?? 0
    this.#call = undefined
  }
}

/** Passes the call on when its first target speaks the same protocol. `not-relayed`: a handler has to do it, on `routes`. */
export async function relayCreate(
  relaying: Relaying,
  body: JsonObject,
): Promise<RelayOutcome | { state: 'not-relayed'; routes: readonly Route[] }> {
  const { deps, operation, call } = relaying
  const { model } = call
  const { relays } = operation
  const { raw } = call.body
  if (!model || !relays || !raw) throw new TypeError('this operation is not relayed')
  const routes = deps.router.callRoutes(model, relays.capability)
  const references = operation.references?.(body) ?? noReferences
  const at = { account: call.key.accountId, endpoint: call.endpoint.name, model }
  const kept = references.length === 0 ? nothingKept : await placeOf(deps, at, references)
  const usable = routesAt(routes, kept, model)
  const stores = relays.stores?.isWanted(body) ? relays.stores : undefined
  const relayed = usable === 'local' ? [] : triesOf(usable, relays.protocol, body)
  // What is kept at a target already can only go on there.
  const tries = stores && kept.targets.length === 0 ? await thatKeep(relayed) : relayed
  if (tries.length === 0) return { state: 'not-relayed', routes }
  const bodied = tries.map(each => ({
    ...each,
    body: relayBody(raw, body, { model: each.route.target.model, relays }),
  }))
  if (kept.tokens > 0 && call.expected) call.expected.inputTokens += kept.tokens
  const held = holdCall(deps, call)
  if (held) await held
  const run = new RelayRun(call)
  call.runs.push(run)
  const passing: RelayCall = {
    ...relayCall(relaying, relays, { method: 'POST', suffix: '', query: '', isCreate: true, isStreamed: body.stream === true }),
    saidLimit: firstRecordAt(call),
    onSaid: said => recordSaid(deps, call, { run, said }),
    // A stream may go on for minutes: the body need not.
    onTakeOver: isStream => {
      if (isStream) run.count()
    },
    onEnd: end => {
      takeEnd(call.runs, run, end)
      record(deps, call, end)
    },
    isSpooled: 'spool' in raw,
  }
  const { onEnd } = passing
  const noted = stores
    ? { ...passing, ...recording({ deps, call, scan: relays.scan, stores, body, onEnd, record: end => record(deps, call, end) }) }
    : passing
  const outcome = await relay(noted, bodied)
  if (outcome.state === 'failed') {
    run.count()
    takeLoss(run, outcome)
  }
  // What is left can take the call by translation.
  const rest = routes.slice(tries.length)
  return outcome.state === 'failed' &&
    rest.length > 0 &&
    usable === routes &&
    mayFailOver(outcome.error, capabilities[relays.capability].failover)
    ? { state: 'not-relayed', routes: rest }
    : outcome
}

/** Nobody got what was said, and nobody counted it; none at work is none to pay. */
function takeLoss(run: Run, { said, usage }: { said?: number; usage?: TextUsage }): void {
  if (said === undefined) return
  run.isSent = true
  run.said = said
  if (usage) run.usage = usage
}

/** The targets that may take the call, when something it names is kept. `local`: a response of our own is continued, so the family's handler has to do it. */
function routesAt(routes: readonly Route[], { targets, isHere }: KeptPlace, model: CatalogueModel): readonly Route[] | 'local' {
  if (isHere) return 'local'
  let usable = routes
  for (const { target, of, field } of targets) {
    usable = usable.filter(route => route.target.id === target)
    if (usable.length > 0) continue
    throw new GatewayError('invalid_request', `${field} names a response of ${of}; ${model.id} cannot continue it.`, { field })
  }
  return usable
}

/** Serves an operation on a stored response at the upstream that keeps it; undefined when it is kept here, or nowhere. */
export async function relayStored(relaying: Relaying): Promise<RelayOutcome | undefined> {
  const { deps, family, operation, call, exchange } = relaying
  if (!operation.readsResponse) throw new TypeError('this operation reads no response')
  const { parameter, suffix, relays, isShown } = operation.readsResponse
  const id = exchange.params[parameter] ?? ''
  const stored = deps.responses.at(call.key.accountId, call.endpoint.name)
  const record = await stored.get(id)
  if (record?.target === undefined || record.isDeleted) return undefined
  const model = deps.catalogue().find(family, record.model)
  const route = model ? deps.router.pinned(model, record.target) : undefined
  const offer = route?.driver.relays?.[relays.protocol]
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
  // Its input items hold the caller's own words, and a deletion tells nothing.
  const owed = isShown ? owedOf(original) : undefined
  const onEnd = (end: RelayEnd) => endStored(relaying, owed, end)
  // Nobody reads it again once the answer is out.
  const forget = async (): Promise<void> => {
    await Promise.all([...new Set([id, original.id])].map(each => stored.remove(each)))
  }
  const beforePart = method === 'DELETE' ? forget : noteReading({ deps, scan: relays.scan, stored, record, original, owed })
  const outcome = await relay({ ...passing, onEnd, beforePart }, [{ route, offer, body: undefined }])
  if (outcome.state === 'answered' || outcome.error.code !== 'response_not_found') return outcome
  // Gone at the upstream: then it is gone here, too, and the family says so in its own words.
  await forget()
  return undefined
}

/** The leading targets that take the body as it is: a later one must not overtake one that has to be translated. */
function triesOf(routes: readonly Route[], protocol: TextProtocol, body: JsonObject): Omit<RelayTry, 'body'>[] {
  const tries: Omit<RelayTry, 'body'>[] = []
  for (const route of routes) {
    const offer = route.driver.relays?.[protocol]
    if (!offer?.accepts(body, route.target.settings)) break
    tries.push({ route, offer })
  }
  return tries
}

/** The leading ones whose upstreams keep what is to be stored; all others are translated to, and what they say is kept here. Only the first is worth waiting for: nobody knows whether the next ones are needed. */
async function thatKeep<Try extends Pick<RelayTry, 'route' | 'offer'>>(tries: readonly Try[]): Promise<readonly Try[]> {
  for (const [index, { route, offer }] of tries.entries()) {
    const keeps = offer.keeps?.(route.target.settings)
    if (keeps === false || (keeps instanceof Promise && (index > 0 || (await keeps) === false))) return tries.slice(0, index)
  }
  return tries
}

function relayCall(
  { deps, call, exchange }: Relaying,
  relays: RelaySpec,
  asked: Pick<RelayCall, 'method' | 'suffix' | 'query' | 'isCreate' | 'isStreamed'>,
): RelayCall {
  return {
    response: exchange.response,
    relays,
    ...asked,
    headers: passedOn(call),
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

/** What an upstream is told of the way the request came. */
function passedOn({ traceparent, hops }: Call): Record<string, string> {
  return traceparent === undefined ? nextHop(hops) : { traceparent, ...nextHop(hops) }
}

/** The end of a relay in its run; what targets said that broke off before is a run of its own. */
function takeEnd(runs: Run[], run: Run, { usage, said, lost }: RelayEnd): void {
  run.isSent = true
  run.said = said
  if (usage) run.usage = usage
  if (lost !== undefined) runs.push({ inputTokens: run.inputTokens, said: lost, isSent: true })
}

function record(deps: HttpDeps, call: Call, { status, route }: Pick<RelayEnd, 'status' | 'route'>): void {
  call.target = route.target.id
  deps.recordCall(call, status)
}

/** Ends a relay about a stored response: tokens that are owed are counted under its id, all others came with the answer to its create. */
function endStored(relaying: Relaying, owed: OwedResponse | undefined, end: RelayEnd): void {
  const { deps, call } = relaying
  if (owed && (end.usage || end.said > 0)) countOwed(deps, owed, end)
  record(deps, call, end)
}
