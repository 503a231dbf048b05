import type { FastifyReply } from 'fastify'

/** What hooks have set on the reply (request id, CORS, rate), for an answer that is written past the framework. */
export function rawHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
}
