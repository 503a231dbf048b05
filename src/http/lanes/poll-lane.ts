/** A short cut for polls of a task, which are most of what a client sends: the framework's request life costs more than the answer.
 *  Like the lane of relays it only takes what is ordinary in every respect; a poll that cannot be answered with its task goes the long way, which says why. docs/decisions/0007 has the figures. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hopsHeader } from '@generation-gateway/kit/requests/hops.ts'
import type { FamilyEntry } from '../../contract/family.ts'
import { operationValidator } from '../../contract/validate.ts'
import { isInScope, routeAt } from '../../core/access.ts'
import type { Call } from '../call/call.ts'
import { contextsOf } from '../call/call-context.ts'
import { openCall } from '../call/open-call.ts'
import type { HttpDeps } from '../deps.ts'
import { noteRequest } from '../metrics/request-log.ts'
import { originOf } from '../public-url.ts'
import { type FastLane, hasPlainHeaders, type LongWay, prefix } from './fast-lane.ts'

const bearer = 'Bearer '

/** The lane of one operation that reads the task its query names, at `/v1/ai/{endpoint}` and a fixed rest. */
export function createPollLane(deps: HttpDeps, { entry, name, longWay }: { entry: FamilyEntry; name: string; longWay: LongWay }): FastLane {
  const { family } = entry
  const operation = family.operations[name]
  const run = entry.handlers[name]
  if (!operation || !run) throw new TypeError(`family ${family.id} has no operation ${name}`)
  const validator = operationValidator(family, operation)
  const contextOf = contextsOf(deps, family, operation)
  const label = `${family.id}.${name}`
  const { parameter = '' } = operation.readsTask ?? {}
  const rest = `${operation.path.slice(`${prefix}{endpoint}`.length)}?${parameter}=`

  const open = (request: IncomingMessage, response: ServerResponse): { call: Call; id: string } | undefined => {
    const { url = '', headers } = request
    const at = url.indexOf(rest, prefix.length)
    if (at < 0 || !url.startsWith(prefix) || !isOrdinary(deps, request)) return undefined
    const id = url.slice(at + rest.length)
    const known = deps.access.recall(headers.authorization?.slice(bearer.length) ?? '', url.slice(prefix.length, at))
    const route = known && routeAt(known.endpoint, family.id)
    if (!known || !route || !isPlainWord(id) || !isInScope(known.key.scopes, 'families', family.id)) return undefined
    if (!deps.connections.mayClaim(request.socket, known.key.id)) return undefined
    const publicUrl = deps.settings.publicUrl ?? originOf('http', headers.host ?? '')
    return { id, call: openCall(deps, response, { requestId: randomUUID(), operation: label, ...known, route, publicUrl, hops: 0 }) }
  }

  const send = (response: ServerResponse, { requestId, startedAt }: Call, answer: unknown): void => {
    const body = JSON.stringify(answer)
    const bytes = Buffer.byteLength(body)
    const status = response.destroyed ? 499 : operation.reply.status
    // As Latin-1 a text without other characters is written as it is, with its head.
    if (!response.destroyed) response.writeHead(status, headersOf(requestId, bytes)).end(body, bytes === body.length ? 'latin1' : 'utf8')
    noteRequest(deps, { id: requestId, method: 'GET', operation: label, status, ms: performance.now() - startedAt })
  }

  return (request, response) => {
    if (request.method !== 'GET') return false
    try {
      const opened = open(request, response)
      if (opened === undefined) return false
      const { call, id } = opened
      const query = validator.query({ [parameter]: id })
      run(contextOf(call), { params: { endpoint: call.endpoint.name }, query, body: undefined, files: [] }).then(
        answer => send(response, call, answer),
        () => longWay(request, response),
      )
      return true
    } catch {
      return false
    }
  }
}

/** Nothing that the long way would look at twice. Behind a proxy, who asks and where is in headers that the framework reads. */
function isOrdinary({ settings }: HttpDeps, { headers }: IncomingMessage): boolean {
  return (
    headers.authorization?.startsWith(bearer) === true &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers[hopsHeader] === undefined &&
    hasPlainHeaders(headers) &&
    (settings.publicUrl !== undefined || !settings.trustProxy)
  )
}

/** Letters, digits, dashes and underscores: what an id of ours is made of, and means the same in every encoding. */
function isPlainWord(text: string): boolean {
  return /^[\w-]+$/.test(text)
}

function headersOf(requestId: string, bytes: number): Record<string, string | number> {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes,
  }
}
