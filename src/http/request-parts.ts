import type { FastifyRequest } from 'fastify'

export function paramsOf(request: FastifyRequest): Record<string, string> {
  // Fastify's own type is unknown; the router always gives an object of strings.
  return request.params as Record<string, string>
}

export function queryOf(request: FastifyRequest): Record<string, string> {
  return request.query as Record<string, string>
}

/** The path without its query. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
