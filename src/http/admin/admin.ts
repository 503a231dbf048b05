import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import { checkObject } from '../../contract/validate.ts'
import { createKeyCheck } from '../../core/access.ts'
import { readJsonBody } from '../body/body.ts'
import type { HttpDeps } from '../deps.ts'
import { sendFailure } from '../failures.ts'
import type { ReadinessDetail } from '../pages/operations.ts'
import type { Routes } from '../request/1-match.ts'
import { presentedKey } from '../request/2-authenticate.ts'
import type { Exchange } from '../request/exchange.ts'
import { type AdminDeps, type AdminOperation, adminOperations } from './admin-operations.ts'

export interface AdminApiDeps {
  http: HttpDeps
  adminKeys: readonly string[]
  reload(): Promise<string[]>
  readiness(): Promise<ReadinessDetail>
}

const maxBodyBytes = 256 * 1024

/** Adds the admin API, all below /admin: the route of every operator's action, the report of
 *  `doctor`, and the reload of the configuration. A request needs the admin key as bearer token.
 *  Each change is logged with its path and the caller's address. */
export function registerAdmin(routes: Routes, { http, adminKeys, reload, readiness }: AdminApiDeps): void {
  const isAdminKey = createKeyCheck(adminKeys)
  const deps: AdminDeps = {
    store: http.store,
    requestOf: http.tasks.request,
    clock: http.clock,
    catalogue: http.catalogue,
    familyIds: http.families.map(entry => entry.family.id),
  }
  const authorize = async ({ request, requestHeaders, ip }: Exchange): Promise<void> => {
    const presented = presentedKey(requestHeaders)
    if (!presented) throw new GatewayError('missing_api_key', 'The admin key is required: Authorization: Bearer <admin key>.')
    if (!isAdminKey(presented)) {
      await http.wrongKeys.slow(ip)
      throw new GatewayError('invalid_api_key', 'The admin key does not fit.')
    }
    http.connections.claim(request.socket, 'admin')
  }
  const route = (
    method: AdminOperation['method'],
    path: string,
    run: (exchange: Exchange) => Promise<object>,
    isReported = false,
  ): void => {
    routes.add({
      method,
      path,
      operation: `admin ${method} ${path}`,
      handler: async exchange => {
        try {
          await authorize(exchange)
          const answer = await run(exchange)
          if (method !== 'GET')
            http.log.info(
              {
                requestId: exchange.id,
                from: exchange.ip,
                method,
                path: exchange.path,
                ...(isReported ? { change: answer } : {}),
              },
              'admin change',
            )
          exchange.sendJson(answer)
        } catch (error) {
          sendFailure(http, exchange, { error: toGatewayError(error) })
        }
      },
    })
  }
  for (const operation of adminOperations) {
    const run = async (exchange: Exchange) => operation.run(deps, await inputOf(operation, exchange))
    route(operation.method, operation.path, run, operation.isTold)
  }
  route('GET', '/admin/doctor', () => readiness())
  route('POST', '/admin/reload', async () => ({ warnings: await reload() }))
}

async function inputOf(operation: AdminOperation, { request, requestHeaders, query, params }: Exchange): Promise<Record<string, unknown>> {
  if (operation.method !== 'POST') return checkObject(operation.input, { ...query, ...params }, 'query', { fromText: true })
  const hasBody =
    requestHeaders['content-length'] !== '0' &&
    (requestHeaders['content-length'] !== undefined || requestHeaders['transfer-encoding'] !== undefined)
  const scratch = () => Promise.reject(new TypeError('admin bodies hold no files'))
  const body = hasBody ? await readJsonBody(request, { maxBytes: maxBodyBytes, scratch }) : { value: {} }
  return checkObject(operation.input, { ...Object(body.value), ...params }, 'body')
}
