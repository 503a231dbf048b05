import { rm } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FamilyEntry, Operation } from '../contract/family.ts'
import { type OperationValidator, operationValidator } from '../contract/validate.ts'
import { assertScope } from '../core/access.ts'
import type { CatalogueModel } from '../core/catalogue.ts'
import { GatewayError, toGatewayError } from '../core/errors.ts'
import type { AccessKey, Endpoint, EndpointRoute } from '../core/ports.ts'
import { type JsonBody, type ReadJsonOptions, readJsonBody } from './body.ts'
import { createCallContext } from './call-context.ts'
import type { HttpDeps } from './deps.ts'
import { sendFailure } from './failures.ts'
import { publicUrlOf } from './public-url.ts'
import { spillFieldsOf } from './spill-fields.ts'

/** One authenticated call: who asks, where, and what was sent. */
export interface Call {
  requestId: string
  key: AccessKey
  endpoint: Endpoint
  route: EndpointRoute
  publicUrl: string
  body: JsonBody
  /** A folder for files of this call, made at the first use and removed after it. */
  scratch(): Promise<string>
  dispose(): Promise<void>
  /** Names of the body's fields as sent, before defaults. */
  presentFields: ReadonlySet<string>
  /** The model, for operations that choose one. */
  model?: CatalogueModel
  idempotencyKey?: string
  traceparent?: string
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const idempotencyKeyLimit = 255
const defaultResidualLimit = 1024 * 1024
const noBody: JsonBody = { value: undefined, spilled: new Map(), exactIntegers: new Map(), discard: async () => {} }

/** The handler of one operation: authenticate, parse, check, run, reply. The only place of a call that catches everything. */
export function operationHandler(deps: HttpDeps, entry: FamilyEntry, name: string): Handler {
  const operation = entry.family.operations[name]
  const run = entry.handlers[name]
  if (!operation || !run) throw new TypeError(`family ${entry.family.id} has no operation ${name}`)
  const steps: Steps = { deps, entry, operation, validator: operationValidator(entry.family, operation), body: bodyLimitsOf(operation) }
  return async (request, reply) => {
    try {
      const key = await authorize(deps, entry, request, reply, operation)
      const call = await readCall(steps, key, request)
      try {
        const context = createCallContext(deps, entry.family, call)
        const input = { params: paramsOf(request), query: steps.validator.query(queryOf(request)), body: bodyOf(steps, call) }
        const answer = await run(context, input)
        return reply.code(operation.reply.status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer))
      } finally {
        await Promise.all([call.body.discard(), call.dispose()])
      }
    } catch (error) {
      return sendFailure(deps, reply, { error: toGatewayError(error), failure: entry.family.failure, request })
    }
  }
}

interface Steps {
  deps: HttpDeps
  entry: FamilyEntry
  operation: Operation
  validator: OperationValidator
  body: Pick<ReadJsonOptions, 'maxBytes' | 'residualLimitBytes' | 'spillFields'>
}

/** The wire limit leaves room for every base64 file of the operation at 4/3 of its size, line breaks in it, and the JSON around. */
function bodyLimitsOf(operation: Operation): Steps['body'] {
  const spillFields = spillFieldsOf(operation)
  const residualLimitBytes = operation.body?.residualLimitBytes ?? defaultResidualLimit
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
  const key = await deps.access.authenticate(presentedKey(request.headers))
  assertScope(key.scopes, 'families', entry.family.id)
  if (key.ratePerMinute === undefined || operation.readsTask) return key
  const rate = deps.limiter.take(key.id, key.ratePerMinute)
  reply
    .header('x-ratelimit-limit', rate.limit)
    .header('x-ratelimit-remaining', rate.remaining)
    .header('x-ratelimit-reset', rate.resetSeconds)
  if (rate.allowed) return key
  throw new GatewayError('rate_limited', `The access key may make ${rate.limit} requests a minute.`, {
    retryAfterSeconds: rate.retryAfterSeconds,
  })
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

async function readCall(steps: Steps, key: AccessKey, request: FastifyRequest): Promise<Call> {
  const { deps, entry, operation } = steps
  const endpointName = paramsOf(request).endpoint ?? 'default'
  const endpoint = await deps.access.endpoint(key, endpointName)
  const route = endpoint.routes[entry.family.id] ?? endpoint.routes['*']
  if (!route)
    throw new GatewayError('endpoint_not_found', `The endpoint ${endpointName} has no route for family ${entry.family.id}.`, {
      field: 'endpoint',
    })
  if (operation.choosesModel) deps.assertAccepting()
  const idempotencyKey = idempotencyKeyOf(request)
  const call: Call = {
    requestId: request.id,
    key,
    endpoint,
    route,
    publicUrl: publicUrlOf(deps.settings.publicUrl, request),
    body: noBody,
    presentFields: new Set(),
    ...callScratch(deps, request.id),
  }
  if (typeof request.headers.traceparent === 'string') call.traceparent = request.headers.traceparent.slice(0, 200)
  if (idempotencyKey !== undefined && operation.choosesModel) call.idempotencyKey = idempotencyKey
  if (operation.body) {
    call.body = await readJsonBody(request.raw, {
      ...steps.body,
      scratch: () => deps.blobs.scratch(`upload-${request.id}`),
      hash: call.idempotencyKey !== undefined,
    })
    call.presentFields = new Set(Object.keys(Object(call.body.value)))
  }
  return call
}

/** Checks the body, chooses the model, and refuses fields the model's group does not take. */
function bodyOf(steps: Steps, call: Call): Record<string, unknown> | undefined {
  if (!steps.operation.body) return undefined
  const body = steps.validator.body(call.body.value)
  if (steps.operation.choosesModel) {
    const model = chooseModel(steps, call)
    assertScope(call.key.scopes, 'models', model.id)
    if (model.group !== undefined) steps.validator.group(call.presentFields, model.group, model.id)
    call.model = model
  }
  return body
}

/** The body's own `model` wins, then the endpoint's route, then the family's default for the fields present (`design.md`, model selection). */
function chooseModel({ deps, entry: { family } }: Steps, call: Call): CatalogueModel {
  const named = namedModel(call.body.value) ?? call.route.model
  const catalogue = deps.catalogue()
  if (named !== undefined) {
    const model = catalogue.find(family.id, named)
    if (model) return model
    throw new GatewayError('model_not_found', `There is no model ${JSON.stringify(named.slice(0, 100))} for family ${family.id}.`, {
      field: 'model',
    })
  }
  const model = catalogue.defaultOf(family.id, family.groupOf?.(call.presentFields))
  if (model) return model
  throw new GatewayError('capability_unavailable', `Family ${family.id} has no model.`)
}

/** The schema of the family has said which of the two it takes, and that it is text. */
function namedModel(body: unknown): string | undefined {
  const { model, model_name } = Object(body)
  const named = model ?? model_name
  return typeof named === 'string' ? named : undefined
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

export function paramsOf(request: FastifyRequest): Record<string, string> {
  // Fastify's own type is unknown; the router always gives an object of strings.
  return request.params as Record<string, string>
}

export function queryOf(request: FastifyRequest): Record<string, string> {
  return request.query as Record<string, string>
}
