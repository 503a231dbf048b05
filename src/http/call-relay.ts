import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../contract/family.ts'
import { type CatalogueModel, nameInAnswers } from '../core/catalogue.ts'
import { GatewayError } from '../core/errors.ts'
import { nextHop } from '../core/requests/hops.ts'
import type { TextProtocol, TextUsage } from '../core/requests/text.ts'
import { mayFailOver, type Route } from '../core/router.ts'
import type { JsonObject } from '../core/task.ts'
import type { Call } from './call.ts'
import { firstRecordAt, type Run } from './call-counts.ts'
import type { HttpDeps } from './deps.ts'
import { type KeptPlace, placeOf } from './kept-place.ts'
import { holdCall, recordSaid } from './quotas.ts'
import { rawHeaders } from './raw-headers.ts'
import { type RelayCall, type RelayEnd, type RelayOutcome, type RelayTry, relay } from './relay.ts'
import { relayBody } from './relay-body.ts'
import type { Part } from './relay-parts.ts'
import { paramsOf } from './request-parts.ts'
import { responseIdIn } from './response-id.ts'
import { endedIn, noteOf, noteOfReading } from './response-note.ts'
import { countOwed, type OwedResponse, oweCall, owedBy, owedContent, owedOf } from './response-usage.ts'

/** Upstream limits of vendors-text-audio 9: reasoning models may think for minutes before the first byte. */
export const firstByteMs = 10 * 60_000
export const idleMs = 2 * 60_000
const storedMs = 30 * 24 * 3_600_000

export interface Relaying {
  deps: HttpDeps
  operation: Operation
  call: Call
  request: FastifyRequest
  reply: FastifyReply
}

/** Passes the call on when its first target speaks the same protocol. `not-relayed`: a handler has to do it, on `routes`. */
export async function relayCreate(
  relaying: Relaying,
  body: JsonObject,
): Promise<RelayOutcome | { state: 'not-relayed'; routes: readonly Route[] }> {
  const { deps, operation, call } = relaying
  const { model } = call
  const protocol = operation.relays
  const { raw } = call.body
  if (!model || !protocol || !raw) throw new TypeError('this operation is not relayed')
  const routes = deps.router.routes(model, 'text.respond')
  const kept = await placeOf(deps, { account: call.key.accountId, endpoint: call.endpoint.name, model }, operation.references?.(body) ?? [])
  const usable = routesAt(routes, kept, model)
  const tries = usable === 'local' ? [] : triesOf(usable, protocol, body)
  if (tries.length === 0) return { state: 'not-relayed', routes }
  const bodied = tries.map(each => ({
    ...each,
    body: relayBody(raw, body, { model: each.route.target.model, protocol }),
  }))
  if (call.expected) call.expected.inputTokens += kept.tokens
  await holdCall(deps, call)
  const run: Run = { inputTokens: call.expected?.inputTokens ?? 0, said: 0, isSent: false }
  call.runs.push(run)
  const passing = {
    ...relayCall(relaying, { method: 'POST', suffix: '', query: '' }),
    ...counting(relaying, run),
    isSpooled: 'spool' in raw,
  }
  const previous = protocol === 'responses' && typeof body.previous_response_id === 'string' ? body.previous_response_id : undefined
  const wantsRecord = protocol === 'responses' && body.store !== false
  const outcome = await relay(wantsRecord ? { ...passing, ...recording({ relaying, passing, previous, body }) } : passing, bodied)
  if (outcome.state === 'failed') takeLoss(run, outcome)
  // What is left can take the call by translation.
  const rest = routes.slice(tries.length)
  return outcome.state === 'failed' && rest.length > 0 && usable === routes && mayFailOver(outcome.error, 'text')
    ? { state: 'not-relayed', routes: rest }
    : outcome
}

/** Nobody got what was said, and nobody counted it; none at work is none to pay. */
export function takeLoss(run: Run, { said, usage }: { said?: number; usage?: TextUsage }): void {
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
  const { deps, operation, call, request } = relaying
  const { parameter = '', suffix = '' } = operation.readsResponse ?? {}
  const id = paramsOf(request)[parameter] ?? ''
  const stored = deps.responses.at(call.key.accountId, call.endpoint.name)
  const record = await stored.get(id)
  if (record?.target === undefined || record.isDeleted) return undefined
  const model = deps.catalogue().find('responses', record.model)
  const route = model ? deps.router.pinned(model, record.target) : undefined
  const offer = route?.driver.relays?.responses
  if (!route || !offer) throw new GatewayError('capability_unavailable', `The target that keeps ${id} is no longer configured.`)
  const { method } = operation
  const at = request.url.indexOf('?')
  const passing = {
    ...relayCall(relaying, { method, suffix: `/${id}${suffix}`, query: at < 0 ? '' : request.url.slice(at + 1) }),
    modelName: nameInAnswers(model),
  }
  // Its input items hold the caller's own words, and a deletion tells nothing.
  const owed = method !== 'DELETE' && suffix !== '/input_items' ? owedOf(record) : undefined
  const onEnd = (end: RelayEnd) => endStored(relaying, owed, end)
  // Nobody reads it again once the answer is out.
  const forget = async (): Promise<void> => {
    await stored.remove(id)
  }
  const noteRead = (part: Part): Promise<void> | undefined => {
    const note = owed && noteOfReading(part, record)
    return note && stored.note(id, note)
  }
  const outcome = await relay({ ...passing, onEnd, beforePart: method === 'DELETE' ? forget : noteRead }, [
    { route, offer, body: undefined },
  ])
  if (outcome.state === 'answered' || outcome.error.code !== 'response_not_found') return outcome
  // Gone at the upstream: then it is gone here, too, and the family says so in its own words.
  await forget()
  return undefined
}

/** The leading targets that take the body as it is: a later one must not overtake one that has to be translated. */
export function triesOf(routes: readonly Route[], protocol: TextProtocol, body: JsonObject): Omit<RelayTry, 'body'>[] {
  const tries: Omit<RelayTry, 'body'>[] = []
  for (const route of routes) {
    const offer = route.driver.relays?.[protocol]
    if (!offer?.accepts(body, route.target.settings)) break
    tries.push({ route, offer })
  }
  return tries
}

function relayCall(
  { deps, operation, call, reply }: Relaying,
  { method, suffix, query }: Pick<RelayCall, 'method' | 'suffix' | 'query'>,
): RelayCall {
  return {
    response: reply.raw,
    protocol: operation.relays ?? 'responses',
    method,
    suffix,
    query,
    headers: passedOn(call),
    answerHeaders: rawHeaders(reply),
    modelName: nameInAnswers(call.model),
    health: deps.health,
    underway: deps.underway,
    onTakeOver: () => {
      reply.hijack()
    },
    onEnd: end => record(deps, call, end),
    firstByteMs,
    idleMs,
  }
}

/** What an upstream is told of the way the request came. */
function passedOn({ traceparent, hops }: Call): Record<string, string> {
  return traceparent === undefined ? nextHop(hops) : { traceparent, ...nextHop(hops) }
}

/** Counts the relay of a create in its run, also while it goes on, and records the call at its end. */
function counting({ deps, call }: Relaying, run: Run): Pick<RelayCall, 'onEnd' | 'onSaid' | 'saidLimit'> {
  return {
    saidLimit: firstRecordAt(call),
    onSaid: said => recordSaid(deps, call, { run, said }),
    onEnd: end => {
      takeEnd(call.runs, run, end)
      record(deps, call, end)
    },
  }
}

/** The end of a relay in its run; what targets said that broke off before is a run of its own. */
export function takeEnd(runs: Run[], run: Run, { usage, said, lost }: RelayEnd): void {
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

function noteFailed({ log }: HttpDeps, id: string): (error: unknown) => void {
  return error => log.error({ err: error, response: id }, 'what a response owes could not be noted')
}

interface ToRecord {
  relaying: Relaying
  passing: RelayCall
  previous: string | undefined
  body: JsonObject
}

/** Notes where a response is kept before its id reaches the client, and its items before its end does. */
function recording({ relaying, passing, previous, body }: ToRecord): Pick<RelayCall, 'onEnd' | 'beforePart'> {
  const { deps, call } = relaying
  const stored = deps.responses.at(call.key.accountId, call.endpoint.name)
  const owed = owedBy(call)
  let id: string | undefined
  let noted: Route | undefined
  let isEnded = false
  const save = (found: string, route: Route): Promise<void> => {
    const { target } = route
    id = found
    noted = route
    const expiresAt = typeof body.expire_at === 'number' ? body.expire_at * 1000 : deps.clock.now() + storedMs
    const parent = previous === undefined ? {} : { parentId: previous }
    const content = owedContent(owed)
    return stored.save({ id: found, model: call.model?.id ?? '', target: target.id, expiresAt, content, ...parent }).catch(error => {
      if (!(error instanceof GatewayError) || error.code !== 'conflict') throw error
      // An upstream with ids so short that two accounts got the same: its answer is good, and the one who had the id first keeps it.
      id = undefined
      deps.log.warn({ response: found }, 'an upstream has given the same response id twice; the later one cannot be read or continued')
    })
  }
  return {
    beforePart: (part, route) => {
      // The one before may have broken off after its first word.
      const found = id === undefined || noted !== route ? responseIdIn(part.sent) : undefined
      const ended = part.isMarked ? endedIn(part) : undefined
      if (found === undefined && (id === undefined || !ended)) return undefined
      const saved = found === undefined ? Promise.resolve() : save(found, route)
      if (!ended) return saved
      isEnded = true
      return saved.then(() => {
        if (id !== undefined) return stored.note(id, noteOf(ended, { owed, inputTokens: call.expected?.inputTokens ?? 0 }))
      })
    },
    onEnd: end => {
      if (id !== undefined && body.background === true) {
        oweCall(deps, call, { owed: { ...owed, id }, end })
        record(deps, call, end)
        return
      }
      // Whoever reads it later may get more than the record has.
      const held = call.hold?.lines.find(({ unit }) => unit === 'output_tokens')?.units ?? 0
      const counted = { inputTokens: call.expected?.inputTokens ?? 0, outputTokens: Math.max(held, end.said) }
      passing.onEnd(end)
      if (id === undefined || (isEnded && end.usage)) return
      const content = end.usage ? { tokens: end.usage.inputTokens + end.usage.outputTokens } : owedContent({ ...owed, counted })
      stored.note(id, { items: [], content }).catch(noteFailed(deps, id))
    },
  }
}
