import { rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { errorCatalogue, GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { expectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import { hopsHeader, hopsOf } from '@generation-gateway/kit/requests/hops.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FamilyEntry, Operation } from '../../contract/family.ts'
import { judgedNames } from '../../contract/judged-names.ts'
import { type OperationValidator, operationValidator } from '../../contract/validate.ts'
import { assertScope, routeAt } from '../../core/access.ts'
import type { AccessKey, Endpoint } from '../../core/ports/store.ts'
import { type JsonBody, type ReadJsonOptions, readJsonBody } from '../body/body.ts'
import { earlyBody } from '../body/early-body.ts'
import { spillFieldsOf } from '../body/spill-fields.ts'
import type { HttpDeps } from '../deps.ts'
import { sendFailure } from '../failures.ts'
import { publicUrlOf } from '../public-url.ts'
import { relayCreate, relayStored } from '../relay/call-relay.ts'
import { paramsOf, queryOf } from '../request-parts.ts'
import { authenticate } from './authenticate.ts'
import type { Call } from './call.ts'
import { createCallContext } from './call-context.ts'
import { chooseModel } from './call-model.ts'
import { sendReply } from './call-reply.ts'
import { assertRate, endCall, takeRate } from './quotas.ts'
import { rateHeaders } from './rate-headers.ts'
import { warningHeader } from './warning-header.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const idempotencyKeyLimit = 255
const defaultResidualLimit = 1024 * 1024
const noFields: ReadonlySet<string> = new Set()
const noBody: JsonBody = { value: undefined, spilled: new Map(), exactIntegers: new Map(), discard: async () => {} }

/** The handler of one operation: authenticate, parse, check, run, reply. The only place of a call that catches everything. */
export function operationHandler(deps: HttpDeps, entry: FamilyEntry, name: string): Handler {
  const operation = entry.family.operations[name]
  const run = entry.handlers[name]
  if (!operation || !run) throw new TypeError(`family ${entry.family.id} has no operation ${name}`)
  const steps: Steps = {
    deps,
    entry,
    name,
    operation,
    validator: operationValidator(entry.family, operation),
    body: bodyLimitsOf(operation),
  }
  return async (request, reply) => {
    try {
      const key = await authorize(deps, entry, request, reply, operation)
      const call = await readCall(steps, key, request, reply)
      try {
        return await answer(steps, run, call, { request, reply })
      } finally {
        await Promise.all([call.body.discard(), call.dispose()])
      }
    } catch (error) {
      return sendFailure(deps, reply, { error: toGatewayError(error), failure: entry.family.failure, request })
    }
  }
}

/** Relays the call when its target speaks the same protocol, else has the family's handler do it. */
async function answer(
  steps: Steps,
  run: FamilyEntry['handlers'][string],
  call: Call,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { deps, entry, operation } = steps
  const query = steps.validator.query(queryOf(request))
  const body = bodyOf(steps, call)
  const relaying = { deps, operation, call, request, reply }
  if (operation.relays) call.expected = expectedTokens(operation.relays, asJson(body), cutTokens(call))
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
  const context = createCallContext(deps, entry.family, call)
  let status = 0
  try {
    const answer = await run(context, { params: paramsOf(request), query, body: isSpooled(call) ? await restored(call, body) : body })
    if (call.warnings.length > 0) reply.header(warningHeader, call.warnings.join(' '))
    const sent = await sendReply({ deps, family: entry.family, request, reply, status: operation.reply.status }, answer)
    status = statusOf(reply, operation)
    return sent
  } catch (error) {
    status = failureStatus(reply, toGatewayError(error))
    throw error
  } finally {
    endCall(deps, call, status)
  }
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

interface Steps {
  deps: HttpDeps
  entry: FamilyEntry
  name: string
  operation: Operation
  validator: OperationValidator
  body: Pick<ReadJsonOptions, 'maxBytes' | 'residualLimitBytes' | 'spillFields' | 'keepsRaw' | 'judged'>
}

/** The wire limit leaves room for every base64 file of the operation at 4/3 of its size, line breaks in it, and the JSON around. */
function bodyLimitsOf(operation: Operation): Steps['body'] {
  const spillFields = spillFieldsOf(operation)
  const residualLimitBytes = operation.body?.residualLimitBytes ?? defaultResidualLimit
  const rawBytes = operation.body?.rawBytes
  if (operation.body && rawBytes !== undefined) {
    const judged = judgedNames(operation.body.schema, operation.body.innerNames)
    return { keepsRaw: true, judged, residualLimitBytes, maxBytes: rawBytes }
  }
  const files = spillFields.reduce((sum, field) => sum + field.maxBytes, 0)
  return { spillFields, residualLimitBytes, maxBytes: residualLimitBytes + Math.ceil(files * 1.4) }
}

/** The key of the request, with its scope for the family and its rate checked. Reading a task costs no request of the rate. */
export async function authorize(
  deps: HttpDeps,
  entry: FamilyEntry,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
): Promise<AccessKey> {
  const key = await authenticate(deps, request, presentedKey(request.headers))
  if (!entry.family.isOpen) assertScope(key.scopes, 'families', entry.family.id)
  const rate = operation.readsTask ? undefined : takeRate(deps.limiter, key)
  if (rate) {
    reply.headers(rateHeaders(rate, operation.relays !== undefined))
    assertRate(rate)
  }
  return key
}

/** Where keys are looked for, in this order (vendors-text-audio 2.2). Never in the query. */
export function presentedKey(headers: FastifyRequest['headers']): string | undefined {
  const { authorization } = headers
  if (authorization !== undefined) return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
  for (const name of ['xi-api-key', 'x-api-key', 'api-key', 'ocp-apim-subscription-key']) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

async function readCall(steps: Steps, key: AccessKey, request: FastifyRequest, reply: FastifyReply): Promise<Call> {
  const { deps, entry, operation } = steps
  const { endpoint: named } = paramsOf(request)
  const endpointName = named ?? 'default'
  const isAnywhere = named === undefined && entry.family.isOpen === true
  const endpoint = isAnywhere ? anyEndpoint(key) : await deps.access.endpoint(key, endpointName)
  const route = routeAt(endpoint, entry.family.id) ?? (entry.family.isOpen ? {} : undefined)
  if (!route)
    throw new GatewayError('endpoint_not_found', `The endpoint ${endpointName} has no route for family ${entry.family.id}.`, {
      field: 'endpoint',
    })
  if (operation.choosesModel) deps.assertAccepting()
  const idempotencyKey = idempotencyKeyOf(request)
  const call = openCall(deps, reply.raw, {
    requestId: request.id,
    operation: `${entry.family.id}.${steps.name}`,
    key,
    endpoint,
    route,
    publicUrl: publicUrlOf(deps.settings.publicUrl, request),
    hops: hopsOf(request.headers[hopsHeader]),
  })
  if (typeof request.headers.traceparent === 'string') call.traceparent = request.headers.traceparent.slice(0, 200)
  if (idempotencyKey !== undefined && operation.choosesModel) call.idempotencyKey = idempotencyKey
  if (operation.body) {
    call.body = await readJsonBody(request.raw, {
      ...steps.body,
      early: earlyBody(request.raw),
      scratch: () => deps.blobs.scratch(`upload-${request.id}`),
      hash: call.idempotencyKey !== undefined,
    })
    // Now: defaults are filled in later.
    call.presentFields = new Set(Object.keys(Object(call.body.value)))
  }
  return call
}

/** A call as it begins, before anything of its body is read. */
export function openCall(
  deps: HttpDeps,
  response: ServerResponse,
  facts: Pick<Call, 'requestId' | 'operation' | 'key' | 'endpoint' | 'route' | 'publicUrl' | 'hops'>,
): Call {
  return {
    ...facts,
    startedAt: performance.now(),
    body: noBody,
    runs: [],
    warnings: [],
    presentFields: noFields,
    ...callScratch(deps, facts.requestId),
    ...callSignal(deps, response),
  }
}

/** Checks the body, chooses the model, and refuses fields the model's group does not take. */
function bodyOf(steps: Steps, call: Call): Record<string, unknown> | undefined {
  if (!steps.operation.body) return undefined
  const body = steps.validator.body(call.body.value)
  if (steps.operation.choosesModel) {
    const model = chooseModel(steps.deps, steps.entry.family, call)
    assertScope(call.key.scopes, 'models', model.id)
    if (model.group !== undefined) steps.validator.group(call.presentFields, model.group, model.id)
    call.model = model
  }
  return body
}

/** What a list over all endpoints is asked of. */
function anyEndpoint({ accountId }: AccessKey): Endpoint {
  return { accountId, name: '', routes: { '*': {} }, source: 'first-start', createdAt: 0 }
}

/** Made at the first use: an abort controller costs more than a relay can spare. */
function callSignal({ underway }: HttpDeps, response: ServerResponse): Pick<Call, 'signal'> {
  let controller: AbortController | undefined
  return {
    signal: () => {
      if (controller) return controller.signal
      const made = new AbortController()
      controller = made
      const slot = underway.add({ cut: error => made.abort(error) })
      const leave = () => {
        underway.delete(slot)
        if (!response.writableFinished) made.abort(new GatewayError('cancelled', 'The caller left.'))
      }
      if (response.destroyed) leave()
      else response.once('close', leave)
      return made.signal
    },
  }
}

function callScratch(deps: HttpDeps, requestId: string): Pick<Call, 'scratch' | 'dispose'> {
  let folder: Promise<string> | undefined
  return {
    scratch: () => {
      folder ??= deps.blobs.scratch(`call-${requestId}`)
      return folder
    },
    dispose: async () => {
      if (folder) await rm(await folder, { recursive: true, force: true })
    },
  }
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
