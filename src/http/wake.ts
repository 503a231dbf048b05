import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { discardBody } from './body/discard-body.ts'
import type { HttpDeps } from './deps.ts'
import { paramsOf } from './request-parts.ts'

/** Challenges are a few dozen bytes. */
const mostChallengeBytes = 4 * 1024

/** Takes a callback of an upstream about a task. Callbacks are not signed, so their contents are not read:
 *  they only make the next poll due (docs/vendors/README.md#callbacks). Some upstreams send `{"challenge"}`
 *  first and want the same value back (docs/vendors/minimax.md#callback). */
export function takeWake({ links, wake }: HttpDeps): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    const { task = '', mac = '' } = paramsOf(request)
    const isOurs = links.isWake(task, mac)
    const challenge = isOurs ? await challengeIn(request.raw) : undefined
    discardBody(request.raw)
    if (challenge !== undefined) return reply.code(200).send({ challenge })
    if (isOurs) wake(task)
    return reply.code(204).send()
  }
}

/** Of a short body that has one. */
async function challengeIn(body: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > mostChallengeBytes) return undefined
    }
    const told: unknown = JSON.parse(Buffer.concat(chunks).toString())
    return typeof told === 'object' && told !== null && 'challenge' in told && typeof told.challenge === 'string'
      ? told.challenge
      : undefined
  } catch {
    // It is no JSON, or broke off: a hint all the same.
    return undefined
  }
}
