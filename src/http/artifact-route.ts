import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpDeps } from './deps.ts'
import { sendFailure } from './failures.ts'
import { serveFile } from './files.ts'
import { rawHeaders } from './raw-headers.ts'
import { paramsOf, queryOf } from './request-parts.ts'

/** `GET /files/<id>?exp&kid&sig`: the bytes of an artifact to whoever holds a valid link; no key is asked for. */
export function serveArtifact(deps: HttpDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { id = '' } = paramsOf(request)
    try {
      const linkEnds = deps.links.verify(id, queryOf(request))
      const blob = await deps.store.blob(id)
      if (!blob) throw new GatewayError('gone', 'The file was swept.')
      const expiresAt = Math.min(linkEnds, blob.expiresAt)
      await serveFile(request.raw, reply.raw, { blob, blobs: deps.blobs, expiresAt, now: deps.clock.now(), headers: rawHeaders(reply) })
      return reply.hijack()
    } catch (error) {
      // `serveFile` throws only before it has written anything; what breaks later ends the connection.
      if (!reply.raw.headersSent) return sendFailure(deps, reply, { error: toGatewayError(error), request })
      deps.log.warn({ err: error, requestId: request.id }, 'a file could not be served to the end')
      return reply.hijack()
    }
  }
}
