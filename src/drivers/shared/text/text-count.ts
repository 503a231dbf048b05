/** Counts input tokens at an upstream, by the operation of the protocol that it speaks: Responses
 *  (docs/vendors/openai-responses.md#input-tokens), Messages
 *  (docs/vendors/anthropic-messages.md#counting) or Gemini's
 *  (docs/vendors/gemini.md#count-of-tokens). */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { targetFor } from '../upstream/hops.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { answerBehind } from '../upstream/upstream-failures.ts'
import { withPackageSignatures } from './packages/package-signatures.ts'
import { isTokenCount, textProtocols } from './protocols.ts'
import { upstreamModel } from './text-common-request.ts'
import type { TargetOf, TextTarget } from './text-target.ts'
import { planTools } from './tool-plan.ts'

/** Statuses of servers that do not have the path of an operation. */
const notThere = new Set([404, 405, 501])
/** Protocols with an operation that counts tokens. For a target that speaks several of them, the
 *  first in this list is used. A count that a caller requests in a protocol of the target is
 *  relayed instead, where possible (`text-relay.ts`). */
const preferred = ['responses', 'messages', 'generate-content'] as const
/** Time limits of a count in milliseconds; they are short, because nothing is generated. */
export const countWaits = { firstByteMs: 20_000, idleMs: 20_000 }
const limits = { ...countWaits, timeoutMs: 30_000, maxBytes: 64 * 1024 }

/** Returns true for the error of an upstream that does not have the path of an operation. */
export function isPathMissing(error: unknown): boolean {
  const status = answerBehind(error)?.status
  return status !== undefined && notThere.has(status)
}

/** Returns the function with which a driver counts input tokens at the upstream. That function
 *  returns undefined when the target has no operation for counts. */
export function inputCount(upstream: Upstream, targetOf: TargetOf): NonNullable<Driver['countInput']> {
  return async ({ id, request, model, settings, signal }) => {
    const facts = targetOf(settings)
    if (facts.problem !== undefined) return undefined
    const counting = countRequest(request, facts, model)
    if (counting === undefined) return undefined
    const headers = { 'x-client-request-id': id, ...nextHop(request.hops) }
    const call = { method: 'POST', ...counting, headers, signal, isStored: true, ...limits } as const
    try {
      const answer = await upstream.json(targetFor(facts.upstream, { headers }), call)
      const { input_tokens: tokens, totalTokens } = objectOf(answer.body)
      return countIn(tokens ?? totalTokens)
    } catch (error) {
      if (isPathMissing(error)) return undefined
      throw error
    }
  }
}

/** Returns path and body of the request for a count; undefined when the target has no operation
 *  for it. */
function countRequest(request: TextRequest, facts: TextTarget, model: string): { path: string; body: JsonObject } | undefined {
  const { protocols, dialect } = facts
  const plan = planTools(request, dialect)
  const protocol = preferred.find(each => protocols.includes(each))
  if (protocol === undefined || (protocol === 'responses' && dialect === 'ark')) return undefined
  const { minor, countBody } = textProtocols[protocol]
  if (minor?.count === undefined || countBody === undefined) return undefined
  const to = upstreamModel({ facts, model, protocol })
  return { path: minor.count.path(model, false), body: countBody(withPackageSignatures(request, to.kind), plan, to) }
}

function countIn(tokens: unknown): number {
  if (isTokenCount(tokens)) return tokens
  throw new GatewayError('upstream_error', 'The upstream service sent a count of input tokens that is not a whole number.')
}
