import { errorCatalogue, GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { expectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import { hopsHeader, hopsOf } from '@generation-gateway/kit/requests/hops.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Asked, FamilyEntry } from '../../contract/family.ts'
import { presentFields } from '../../contract/nulls.ts'
import type { Operation } from '../../contract/operation.ts'
import { type OperationValidator, operationValidator } from '../../contract/validate.ts'
import { routeAt } from '../../core/access.ts'
import type { AccessKey, Endpoint } from '../../core/ports/store.ts'
import { earlyBody } from '../body/early-body.ts'
import { readInputFiles } from '../body/input-files.ts'
import { readBody } from '../body/read-body.ts'
import type { HttpDeps } from '../deps.ts'
import { isOpened, silenceTick, usualSilenceSeconds } from '../events/silence.ts'
import { endOpened, logFailure, sendFailure } from '../failures.ts'
import { publicUrlOf } from '../public-url.ts'
import { relayCreate, relayStored } from '../relay/call-relay.ts'
import { paramsOf, pathOf, queryOf } from '../request-parts.ts'
import { authorize, limitRate } from './authenticate.ts'
import { type BodyLimits, bodyLimitsOf } from './body-limits.ts'
import type { Call } from './call.ts'
import { contextsOf } from './call-context.ts'
import { chooseModel } from './call-model.ts'
import { sendReply } from './call-reply.ts'
import { noBody, openCall } from './open-call.ts'
import { ownTask } from './own-task.ts'
import { endCall } from './quotas.ts'
import { warningHeader, warningText } from './warning-header.ts'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const idempotencyKeyLimit = 255

/** The handler of one operation: authenticate, parse, check, run, reply. The only place of a call that catches everything. */
export function operationHandler(
  deps: HttpDeps,
  { entry, name, idInQuery }: { entry: FamilyEntry; name: string; idInQuery?: string },
): Handler {
  const operation = entry.family.operations[name]
  const run = entry.handlers[name]
  if (!operation || !run) throw new TypeError(`family ${entry.family.id} has no operation ${name}`)
  const steps: Steps = {
    deps,
    entry,
    name,
    operation,
    validator: operationValidator(entry.family, operation),
    idInQuery,
    contextOf: contextsOf(deps, entry.family, operation),
    ...bodyLimitsOf(operation),
  }
  return async (request, reply) => {
    try {
      const { call, query } = await readCall(steps, { request, reply })
      try {
        return await answer(steps, run, call, { request, reply, query })
      } finally {
        await Promise.all([call.body.discard(), call.dispose()])
      }
    } catch (error) {
      return fail(steps, toGatewayError(error), { request, reply })
    }
  }
}

/** Tells the caller of an error: by a status, or by events where a stream was opened for its silence. */
function fail({ deps, entry: { family } }: Steps, error: GatewayError, { request, reply }: Asking): FastifyReply {
  if (!isOpened(reply.raw)) return sendFailure(deps, reply, { error, failure: family.failure, request })
  logFailure(deps, error, request.id)
  endOpened(reply.raw, { error, family, requestId: request.id })
  return reply
}

/** Of the target that is asked first. */
function silenceOf({ routes, model }: Call): number {
  return (routes?.[0]?.target ?? model?.targets[0])?.silenceSeconds ?? usualSilenceSeconds
}

/** Relays the call when its target speaks the same protocol, else has the family's handler do it. */
async function answer(
  steps: Steps,
  run: FamilyEntry['handlers'][string],
  call: Call,
  { request, reply, query }: Asking & { query: Record<string, unknown> },
): Promise<FastifyReply> {
  const { deps, entry, operation } = steps
  const silentSince = silenceTick()
  const params = paramsOf(request)
  const earlier = operation.continuesTask === undefined ? undefined : await modelBefore(steps, call, { query, params })
  const body = bodyOf(steps, call, { query, params, earlier })
  // Those so far, for relays and refusals.
  warn(call, reply)
  const relaying = { deps, family: entry.family.id, operation, call, request, reply }
  if (operation.relays) call.expected = expectedTokens(operation.relays.protocol, asJson(body), cutTokens(call))
  if (operation.relays || operation.readsResponse) {
    const outcome = operation.readsResponse ? await relayStored(relaying) : await relayCreate(relaying, asJson(body))
    if (outcome?.state === 'answered') {
      // A stream may go on for minutes, and what it was asked with is not needed any more.
      call.body = { ...noBody, discard: call.body.discard }
      return reply
    }
    if (outcome?.state === 'failed') {
      endCall(deps, call, failureStatus(reply, outcome.error))
      throw outcome.error
    }
    if (outcome) call.routes = outcome.routes
  }
  const context = steps.contextOf(call)
  let status = 0
  try {
    const files = steps.hasFiles && operation.body ? await readInputFiles(deps, call, { schema: operation.body.schema, body }) : []
    const given = isSpooled(call) ? await restored(call, body) : body
    const answer = await run(context, { params, query, body: given, files })
    warn(call, reply)
    reply.headers(call.headers)
    call.isAnswered = true
    const silence = { silenceSeconds: silenceOf(call), silentSince }
    const sent = await sendReply({ deps, family: entry.family, request, reply, status: operation.reply.status, ...silence }, answer)
    status = statusOf(reply, operation)
    return sent
  } catch (error) {
    status = failureStatus(reply, toGatewayError(error))
    throw error
  } finally {
    endCall(deps, call, status)
  }
}

function warn({ warnings }: Call, reply: FastifyReply): void {
  if (warnings.length > 0) reply.header(warningHeader, warningText(warnings))
}

/** The status of an answer that could not be given, as the caller gets it. */
function failureStatus({ raw }: FastifyReply, error: GatewayError): number {
  return raw.destroyed ? 499 : errorCatalogue[error.code].status
}

/** Strings that were left out of a large body. */
function cutTokens({ body: { raw } }: Call): ((text: string) => number | undefined) | undefined {
  return raw && 'spool' in raw ? text => raw.spool.tokensOf(text) : undefined
}

/** As the caller got it: 499 when he left. */
function statusOf({ raw }: FastifyReply, operation: Operation): number {
  if (raw.destroyed && !raw.writableFinished) return 499
  return raw.headersSent ? raw.statusCode : operation.reply.status
}

function isSpooled({ body: { raw } }: Call): boolean {
  return raw !== undefined && 'spool' in raw
}

/** The body with the long strings that a relay would have left in their file. */
async function restored(call: Call, body: Record<string, unknown> | undefined): Promise<unknown> {
  const { raw } = call.body
  return body && raw && 'spool' in raw ? raw.spool.restore(body) : body
}

function asJson(body: Record<string, unknown> | undefined): JsonObject {
  // It was parsed from JSON a moment ago.
  return (body ?? {}) as JsonObject
}

interface Steps extends BodyLimits {
  deps: HttpDeps
  entry: FamilyEntry
  name: string
  operation: Operation
  validator: OperationValidator
  contextOf: ReturnType<typeof contextsOf>
  /** The body is not sent: its one field stands in the query (the extension that cancels a task). */
  idInQuery: string | undefined
}

/** What a request says beside its body. */
interface Asking {
  request: FastifyRequest
  reply: FastifyReply
}

interface ReadCall {
  call: Call
  /** Checked, with its defaults. */
  query: Record<string, unknown>
}

async function readCall(steps: Steps, { request, reply }: Asking): Promise<ReadCall> {
  const { deps, entry, operation } = steps
  const { key, endpoint, route, isLinked } = await callerOf(steps, { request, reply })
  if (operation.choosesModel) deps.assertAccepting()
  if (operation.getWrites) assertNoPrefetch(request)
  const idempotencyKey = idempotencyKeyOf(request)
  // A wrong query is refused before the body is read.
  const query = steps.validator.query(steps.idInQuery === undefined ? queryOf(request) : {})
  const call = openCall(deps, reply.raw, {
    requestId: request.id,
    operation: `${entry.family.id}.${steps.name}`,
    key,
    endpoint,
    route,
    publicUrl: publicUrlOf(deps.settings, request),
    hops: hopsOf(request.headers[hopsHeader]),
  })
  if (isLinked) call.isLinked = true
  if (typeof request.headers.traceparent === 'string') call.traceparent = request.headers.traceparent.slice(0, 200)
  // A GET makes the same thing once by itself.
  if (idempotencyKey !== undefined && operation.choosesModel && operation.method !== 'GET') {
    call.idempotencyKey = idempotencyKey
    call.beside = askedBeside(request)
  }
  if (operation.body && steps.idInQuery !== undefined) {
    call.body = { ...noBody, value: { [steps.idInQuery]: queryOf(request)[steps.idInQuery] } }
  } else if (operation.body) {
    call.body = await readBody(request.raw, {
      ...steps.body,
      spec: operation.body,
      early: earlyBody(request.raw),
      scratch: () => deps.blobs.scratch(`upload-${request.id}`),
      disk: deps.disk,
      hash: call.idempotencyKey !== undefined,
    })
  }
  // Now: defaults are filled in later.
  call.presentFields = presentFields(call.body.value)
  return { call, query }
}

/** A browser that guesses where its user goes next would make what nobody has asked for. */
function assertNoPrefetch({ headers }: FastifyRequest): void {
  const purposes = [headers.purpose, headers['sec-purpose'], headers['x-moz']].flatMap(each => each ?? [])
  if (purposes.some(each => /\bpre(fetch|render|view)\b/i.test(each)))
    throw new GatewayError('invalid_request', 'What this would make is not made for a prefetch.')
}

/** In the order of their names; the endpoint is compared by itself. */
function askedBeside(request: FastifyRequest): string {
  const { endpoint: _endpoint, ...params } = paramsOf(request)
  const asked = [...Object.entries(params), ...Object.entries(queryOf(request))].sort(([a], [b]) => (a < b ? -1 : 1))
  return asked.length === 0 ? '' : JSON.stringify(asked)
}

type Caller = Pick<Call, 'key' | 'endpoint' | 'route'> & { isLinked?: true }

/** Who asks, and at which endpoint. */
async function callerOf(steps: Steps, { request, reply }: Asking): Promise<Caller> {
  const { deps, entry, operation } = steps
  const { endpoint: named } = paramsOf(request)
  const endpointName = named ?? 'default'
  if (operation.access === 'signed') {
    deps.links.verifyPath(pathOf(request.url), queryOf(request))
    if (operation.actsFor !== undefined) {
      const key = await deps.access.keyById(paramsOf(request)[operation.actsFor] ?? '')
      limitRate(deps, { entry, key, reply, operation })
      return atEndpoint(deps, { entry, key, name: endpointName })
    }
    return { key: nobody, endpoint: anyEndpoint(nobody, endpointName), route: {}, isLinked: true }
  }
  if (operation.access === 'open') return { key: nobody, endpoint: anyEndpoint(nobody, endpointName), route: {} }
  const key = await authorize(deps, entry, request, reply, operation)
  const isAnywhere = named === undefined && entry.family.isOpen === true
  if (isAnywhere) return { key, endpoint: anyEndpoint(key, ''), route: {} }
  return atEndpoint(deps, { entry, key, name: endpointName })
}

async function atEndpoint(
  { access }: Pick<HttpDeps, 'access'>,
  { entry, key, name }: { entry: FamilyEntry; key: AccessKey; name: string },
): Promise<Pick<Call, 'key' | 'endpoint' | 'route'>> {
  const endpoint = await access.endpoint(key, name)
  const route = routeAt(endpoint, entry.family.id) ?? (entry.family.isOpen ? {} : undefined)
  if (route) return { key, endpoint, route }
  throw new GatewayError('endpoint_not_found', `The endpoint ${name} has no route for family ${entry.family.id}.`, {
    field: 'endpoint',
  })
}

/** Whoever has no key: no account is theirs. */
const nobody: AccessKey = {
  id: '',
  accountId: '',
  name: '',
  sha256: '',
  hint: '',
  scopes: { endpoints: [], families: [], models: [] },
  source: 'first-start',
  createdAt: 0,
}

/** Checks the body, chooses the model, and refuses fields the model's group does not take. */
function bodyOf(
  { deps, entry, name, operation, validator }: Steps,
  call: Call,
  { query, params, earlier }: { query: Record<string, unknown>; params: Record<string, string>; earlier: string | undefined },
): Record<string, unknown> | undefined {
  const body = operation.body ? validator.body(call.body.value) : undefined
  if (operation.choosesModel) {
    const asked: Asked = { operation: name, fields: call.presentFields, body: asJson(body), query, params }
    const model = chooseModel(deps, entry.family, { call, asked, place: operation.choosesModel, earlier })
    if (model.group !== undefined) validator.group({ body, presentFields: call.presentFields, group: model.group, model: model.id })
    call.model = model
  }
  return body
}

/** Model of the task that this one goes on with. Throws `invalid_request` for a body that does not hold, `task_not_found`. */
async function modelBefore(
  { deps, entry, operation: { continuesTask }, validator }: Steps,
  { body, key, endpoint }: Call,
  { query, params }: { query: Record<string, unknown>; params: Record<string, string> },
): Promise<string> {
  const place = typeof continuesTask === 'object' ? continuesTask : ({ parameter: continuesTask ?? '', in: 'body' } as const)
  const given = place.in === 'body' ? validator.body(body.value) : { query, path: params }[place.in]
  const id = String(given[place.parameter])
  return (await ownTask(deps, { id, accountId: key.accountId, endpoint: endpoint.name, family: entry.family })).model
}

/** What a list over all endpoints is asked of. */
function anyEndpoint({ accountId }: AccessKey, name: string): Endpoint {
  return { accountId, name, routes: { '*': {} }, source: 'first-start', createdAt: 0 }
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const value = request.headers['idempotency-key']
  if (value === undefined) return undefined
  const key = String(value)
  if (key.length >= 1 && key.length <= idempotencyKeyLimit) return key
  throw new GatewayError('invalid_request', `Idempotency-Key has ${key.length} characters; from 1 to ${idempotencyKeyLimit}.`, {
    field: 'Idempotency-Key',
  })
}
