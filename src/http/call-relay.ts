import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../contract/family.ts'
import { GatewayError } from '../core/errors.ts'
import { nextHop } from '../core/requests/hops.ts'
import type { TextProtocol } from '../core/requests/text.ts'
import { mayFailOver, type Route } from '../core/router.ts'
import type { JsonObject } from '../core/task.ts'
import type { Call } from './call.ts'
import type { HttpDeps } from './deps.ts'
import { holdCall } from './quotas.ts'
import { rawHeaders } from './raw-headers.ts'
import { type RelayCall, type RelayEnd, type RelayOutcome, type RelayTry, relay } from './relay.ts'
import { relayBody } from './relay-body.ts'
import { paramsOf } from './request-parts.ts'
import { responseIdIn } from './response-id.ts'
import { countOwed, type OwedResponse, owedContent, owedOf } from './response-usage.ts'

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
  const previous = protocol === 'responses' && typeof body.previous_response_id === 'string' ? body.previous_response_id : undefined
  const continued = operation.continues?.(body) ?? []
  const usable = continued.length === 0 ? routes : await routesAfter(relaying, routes, continued)
  const tries = usable === 'local' ? [] : triesOf(usable, protocol, body)
  if (tries.length === 0) return { state: 'not-relayed', routes }
  const bodied = tries.map(each => ({
    ...each,
    body: relayBody(raw, body, { model: each.route.target.model, protocol }),
  }))
  await holdCall(deps, call, body)
  const passing = { ...relayCall(relaying, { method: 'POST', suffix: '', query: '' }), isSpooled: 'spool' in raw }
  const wantsRecord = protocol === 'responses' && body.store !== false
  const outcome = await relay(wantsRecord ? { ...passing, ...recording(relaying, { passing, previous, body }) } : passing, bodied)
  // What is left can take the call by translation.
  const rest = routes.slice(tries.length)
  return outcome.state === 'failed' && rest.length > 0 && usable === routes && mayFailOver(outcome.error, 'text')
    ? { state: 'not-relayed', routes: rest }
    : outcome
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
  const passing = relayCall(relaying, { method, suffix: `/${id}${suffix}`, query: at < 0 ? '' : request.url.slice(at + 1) })
  const owed = owedOf(record)
  const onEnd = (end: RelayEnd) => endOwed(deps, { passing, owed, end })
  // Nobody reads it again once the answer is out.
  const forget = async (): Promise<void> => {
    await stored.remove(id)
  }
  const outcome = await relay({ ...passing, onEnd, ...(method === 'DELETE' ? { beforeAnswer: forget } : {}) }, [
    { route, offer, body: undefined },
  ])
  if (outcome.state === 'answered' || outcome.error.code !== 'response_not_found') return outcome
  // Gone at the upstream: then it is gone here, too, and the family says so in its own words.
  await forget()
  return undefined
}

/** Targets that may continue these stored responses: the one that keeps them, or none when one is kept here or nowhere. */
async function routesAfter(
  { deps, call }: Relaying,
  routes: readonly Route[],
  continued: ReturnType<NonNullable<Operation['continues']>>,
): Promise<readonly Route[] | 'local'> {
  const stored = deps.responses.at(call.key.accountId, call.endpoint.name)
  let usable = routes
  for (const { id, field, isPossible } of continued) {
    const record = await stored.get(id)
    if (!record && isPossible) continue
    if (record?.target === undefined || record.isDeleted) return 'local'
    usable = usable.filter(route => route.target.id === record.target)
    if (usable.length > 0) continue
    throw new GatewayError('invalid_request', `${field} names a response of ${record.model}; ${call.model?.id} cannot continue it.`, {
      field,
    })
  }
  return usable
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

function relayCall({ deps, call, reply }: Relaying, { method, suffix, query }: Pick<RelayCall, 'method' | 'suffix' | 'query'>): RelayCall {
  return {
    response: reply.raw,
    method,
    suffix,
    query,
    headers: passedOn(call),
    answerHeaders: rawHeaders(reply),
    health: deps.health,
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

function record(deps: HttpDeps, call: Call, { status, route, usage }: RelayEnd): void {
  call.target = route.target.id
  if (usage) call.usage = usage
  deps.recordCall(call, status)
}

/** Ends a relay about a stored response: tokens that are owed are counted under its id, all others came with the answer to its create. */
function endOwed(
  deps: HttpDeps,
  { passing, owed, end }: { passing: Pick<RelayCall, 'onEnd'>; owed: OwedResponse | undefined; end: RelayEnd },
): void {
  if (owed && end.usage) countOwed(deps, owed, end.usage)
  passing.onEnd({ ...end, usage: undefined })
}

interface ToRecord {
  passing: RelayCall
  previous: string | undefined
  body: JsonObject
}

/** Notes where a response is kept before its id reaches the client. */
function recording(relaying: Relaying, { passing, previous, body }: ToRecord): Pick<RelayCall, 'onEnd' | 'beforeAnswer'> {
  const { deps, call } = relaying
  const { accountId, id: keyId } = call.key
  const model = call.model?.id ?? ''
  let owed: OwedResponse | undefined
  return {
    beforeAnswer: (head, route) => {
      const id = responseIdIn(head)
      if (id === undefined) return 'more'
      if (body.background === true) owed = { id, accountId, keyId, model }
      const expiresAt = typeof body.expire_at === 'number' ? body.expire_at * 1000 : deps.clock.now() + storedMs
      return deps.responses.at(accountId, call.endpoint.name).save({
        id,
        model,
        target: route.target.id,
        expiresAt,
        ...(owed ? { content: owedContent(keyId) } : {}),
        ...(previous === undefined ? {} : { parentId: previous }),
      })
    },
    onEnd: end => {
      if (owed) endOwed(deps, { passing, owed, end })
      else passing.onEnd(end)
    },
  }
}
