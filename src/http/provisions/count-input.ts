/** Counts the input tokens of a conversation without running it. */
import { toGatewayError } from '@generation-gateway/kit/errors.ts'
import { expectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { mayFailOver } from '../../core/routing/router.ts'
import type { Call } from '../call/call.ts'
import { inCallersWords } from '../call/callers-words.ts'
import { withHops } from '../call/submission.ts'
import type { HttpDeps } from '../deps.ts'
import type { Provision } from './provision.ts'

export const countInput: Provision<'countInput'> =
  ({ deps, family, call }) =>
  async request => {
    try {
      const tokens = await countedByTarget(deps, call, request)
      if (tokens !== undefined) return tokens
    } catch (error) {
      throw inCallersWords(family, error, call.body.value)
    }
    call.warnings.push(`The number of input tokens is an estimate: ${call.model?.id} has no target that could count them.`)
    return expectedTokens('neutral', request).inputTokens
  }

/** Returns the count of the first target that answers, among those that a relay has not tried.
 *  Returns undefined when that target cannot count, or when no target answers. */
async function countedByTarget({ router }: Pick<HttpDeps, 'router'>, call: Call, request: TextRequest): Promise<number | undefined> {
  if (!call.model) throw new TypeError('this operation does not choose a model')
  const { requestId: id, key } = call
  const signal = call.signal()
  for (const { driver, target } of call.routes ?? router.callRoutes(call.model, 'text.respond')) {
    const { model, settings } = target
    const counting = { id, account: key.accountId, key: key.id, request: withHops(call, request), model, settings, signal }
    try {
      return await driver.countInput?.(counting)
    } catch (error) {
      signal.throwIfAborted()
      if (!mayFailOver(toGatewayError(error), 'text')) throw error
    }
  }
  return undefined
}
