import type { FastifyReply, FastifyRequest } from 'fastify'
import { discardBody } from './body/discard-body.ts'
import type { HttpDeps } from './deps.ts'
import { paramsOf } from './request-parts.ts'

/** An upstream has news of a task. Callbacks of providers are not signed, so what it says is not read: the look that follows asks for itself (vendors-media, section 1). */
export function takeWake({ links, wake }: HttpDeps): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    discardBody(request.raw)
    const { task = '', mac = '' } = paramsOf(request)
    if (links.isWake(task, mac)) wake(task)
    return reply.code(204).send()
  }
}
