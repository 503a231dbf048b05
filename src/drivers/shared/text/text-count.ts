/** Counts input tokens at an upstream, by the operation of the protocol that it speaks: Responses
 *  (docs/vendors/openai-responses.md#input-tokens), Messages
 *  (docs/vendors/anthropic-messages.md#counting) or Gemini's
 *  (docs/vendors/gemini.md#count-of-tokens). */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { objectOf } from '@generation-gateway/kit/json.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { targetFor } from '../upstream/hops.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { answerBehind } from '../upstream/upstream-failures.ts'
import { type CountRequest, textProtocols } from './protocols.ts'
import { upstreamModel } from './text-common-request.ts'
import type { TargetOf, TextTarget } from './text-target.ts'
import { planTools } from './tool-plan.ts'

/** Statuses with which servers answer that do not have the operation. */
const notThere = new Set([404, 405, 501])
/** Protocols that have the operation. For a target that speaks several of them the first is used,
 *  except for callers of Messages: their body says more than the neutral request. */
const preferred = ['responses', 'messages', 'generate-content'] as const
const limits = { firstByteMs: 20_000, idleMs: 20_000, timeoutMs: 30_000, maxBytes: 64 * 1024 }

/** Returns the function of a driver that counts input tokens. It returns undefined for a target
 *  that speaks none of these protocols or does not have the operation. */
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
      const status = answerBehind(error)?.status
      if (status !== undefined && notThere.has(status)) return undefined
      throw error
    }
  }
}

/** Returns path and body of the request; undefined when the target does not have the operation. */
function countRequest(request: TextRequest, facts: TextTarget, model: string): CountRequest | undefined {
  const { protocols, dialect } = facts
  const plan = planTools(request, dialect)
  const isOwn = request.extras.protocol === 'messages' && protocols.includes('messages')
  const protocol = isOwn ? 'messages' : preferred.find(each => protocols.includes(each))
  if (protocol === undefined || (protocol === 'responses' && dialect === 'ark')) return undefined
  return textProtocols[protocol].count?.(request, plan, upstreamModel({ facts, model, protocol }))
}

function countIn(tokens: unknown): number {
  if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0) return tokens
  throw new GatewayError('upstream_error', 'The upstream service sent a count of input tokens that is not a whole number.')
}
