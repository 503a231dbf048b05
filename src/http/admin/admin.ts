import { timingSafeEqual } from 'node:crypto'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkObject } from '../../contract/validate.ts'
import { hashKey } from '../../core/access.ts'
import { readJsonBody } from '../body/body.ts'
import { presentedKey } from '../call/authenticate.ts'
import type { HttpDeps } from '../deps.ts'
import { sendFailure } from '../failures.ts'
import type { ReadinessDetail } from '../pages/operations.ts'
import { paramsOf, queryOf } from '../request-parts.ts'
import { type AdminDeps, type AdminOperation, adminOperations } from './admin-operations.ts'

export interface AdminApiDeps {
  http: HttpDeps
  adminKey: string
  reload(): Promise<string[]>
  readiness(): Promise<ReadinessDetail>
}

const maxBodyBytes = 256 * 1024

/** The admin API: every operator action under /admin, with the admin key as bearer token. Changes are logged with who and when. */
export function registerAdmin(app: FastifyInstance, { http, adminKey, reload, readiness }: AdminApiDeps): void {
  const adminHash = Buffer.from(hashKey(adminKey), 'hex')
  const deps: AdminDeps = {
    store: http.store,
    requestOf: http.tasks.request,
    clock: http.clock,
    catalogue: http.catalogue,
    familyIds: http.families.map(entry => entry.family.id),
  }
  const authorize = async (request: FastifyRequest): Promise<void> => {
    const presented = presentedKey(request.headers)
    if (!presented) throw new GatewayError('missing_api_key', 'The admin key is required: Authorization: Bearer <admin key>.')
    if (!timingSafeEqual(Buffer.from(hashKey(presented), 'hex'), adminHash)) {
      await http.wrongKeys.slow(request.ip)
      throw new GatewayError('invalid_api_key', 'The admin key does not fit.')
    }
    http.connections.claim(request.raw.socket, 'admin')
  }
  const route = (
    method: AdminOperation['method'],
    path: string,
    run: (request: FastifyRequest) => Promise<object>,
    isTold = false,
  ): void => {
    app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation: `admin ${method} ${path}` },
      handler: async (request, reply) => {
        try {
          await authorize(request)
          const answer = await run(request)
          if (method !== 'GET')
            http.log.info(
              {
                requestId: request.id,
                from: request.ip,
                method,
                path: request.url.split('?', 1)[0],
                ...(isTold ? { change: answer } : {}),
              },
              'admin change',
            )
          return await reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
        } catch (error) {
          return sendFailure(http, reply, { error: toGatewayError(error), request })
        }
      },
    })
  }
  for (const operation of adminOperations) {
    const run = async (request: FastifyRequest) => operation.run(deps, await inputOf(operation, request))
    route(operation.method, operation.path, run, operation.isTold)
  }
  route('GET', '/admin/doctor', () => readiness())
  route('POST', '/admin/reload', async () => ({ warnings: await reload() }))
}

async function inputOf(operation: AdminOperation, request: FastifyRequest): Promise<Record<string, unknown>> {
  if (operation.method !== 'POST')
    return checkObject(operation.input, { ...queryOf(request), ...paramsOf(request) }, 'query', { fromText: true })
  const hasBody =
    request.headers['content-length'] !== '0' &&
    (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
  const scratch = () => Promise.reject(new TypeError('admin bodies hold no files'))
  const body = hasBody ? await readJsonBody(request.raw, { maxBytes: maxBodyBytes, scratch }) : { value: {} }
  return checkObject(operation.input, { ...Object(body.value), ...paramsOf(request) }, 'body')
}
