import type { IncomingMessage } from 'node:http'
import { discardBody } from './body/discard-body.ts'
import type { HttpDeps } from './deps.ts'
import type { Handler } from './request/exchange.ts'

/** Longest body that is read, in bytes; a challenge has a few dozen. */
const mostChallengeBytes = 4 * 1024

/** Returns the handler for callbacks that upstreams send about a task. The upstream does not
 *  sign a callback, so what it says about the task is not read. A callback with a valid URL only
 *  makes the node that polls for the task poll at once (docs/vendors/README.md#callbacks). Some
 *  upstreams first send `{"challenge"}`; they get the same value back
 *  (docs/vendors/minimax.md#callback). */
export function takeWake({ links, signals }: HttpDeps): Handler {
  return async exchange => {
    const { task = '', mac = '' } = exchange.params
    const isOurs = await links.isWake(task, mac)
    const challenge = isOurs ? await challengeIn(exchange.request) : undefined
    discardBody(exchange.request)
    if (challenge !== undefined) return exchange.sendJson({ challenge })
    if (isOurs) signals.publish({ kind: 'wake', taskId: task })
    exchange.send(204)
  }
}

/** Returns the value of `challenge` in a short JSON body; undefined when the body has no such
 *  member. */
async function challengeIn(body: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > mostChallengeBytes) return undefined
    }
    const reported: unknown = JSON.parse(Buffer.concat(chunks).toString())
    return typeof reported === 'object' && reported !== null && 'challenge' in reported && typeof reported.challenge === 'string'
      ? reported.challenge
      : undefined
  } catch {
    // The body is not JSON or is truncated. The callback still makes the next poll due.
    return undefined
  }
}
