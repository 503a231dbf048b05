import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { BlobStore } from '../core/ports/blobs.ts'
import type { HttpDeps } from './deps.ts'
import { sendFailure } from './failures.ts'
import { serveFile } from './files.ts'
import type { Handler } from './request/exchange.ts'

/** Returns the handler of `GET /files/<id>?exp&kid&sig`. It sends the bytes of an artifact to
 *  every caller with a valid link; no key is needed. */
export function serveArtifact(deps: HttpDeps): Handler {
  return async exchange => {
    const { request, response, headers } = exchange
    const { id = '' } = exchange.params
    try {
      const linkEnds = await deps.links.verify(id, exchange.query)
      const blob = await deps.store.blob(id)
      if (!blob) throw new GatewayError('gone', 'The file was swept.')
      const expiresAt = Math.min(linkEnds, blob.expiresAt)
      const directLink: BlobStore['directLink'] = (key, link) => deps.blobs.directLink(key, link)
      await serveFile(request, response, { blob, blobs: deps.blobs, directLink, expiresAt, now: deps.clock.now(), headers })
    } catch (error) {
      // If an error comes before anything was written, it is sent as an answer. `serveFile` itself
      // ends the connection for an error that comes later.
      if (!response.headersSent) return sendFailure(deps, exchange, { error: toGatewayError(error) })
      deps.log.warn({ err: error, requestId: exchange.id }, 'a file could not be served to the end')
    }
  }
}
