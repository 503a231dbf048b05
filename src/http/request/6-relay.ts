/** The sixth step, of operations that are relayed: the answer of an upstream that speaks the
 *  caller's protocol passes through. */
import { expectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import { type Call, noBody } from '../call/call.ts'
import { relayCreate, relayStored } from '../relay/call-relay.ts'
import { asJson, type CheckedBody } from './5-check.ts'
import type { Exchange } from './exchange.ts'
import type { OperationPlan } from './plan.ts'

/** True when the answer goes out, or has. False when the family's handler has to make it, on
 *  `call.routes` where some targets were tried. Throws the error of the last target when none
 *  has answered. */
export async function relayStep(plan: OperationPlan, exchange: Exchange, call: Call, body: CheckedBody): Promise<boolean> {
  const { deps, entry, operation } = plan
  const relaying = { deps, family: entry.family.id, operation, call, exchange }
  const { relays } = operation
  if (relays) call.expect(() => expectedTokens(relays.protocol, asJson(body), cutTokens(call)))
  const outcome = operation.readsResponse ? await relayStored(relaying) : await relayCreate(relaying, asJson(body))
  if (outcome?.state === 'failed') throw outcome.error
  if (outcome?.state === 'not-relayed') call.routes = outcome.routes
  if (outcome?.state !== 'answered') return false
  // A stream may go on for minutes, and what it was asked with is not needed any more.
  const { discard } = call.body
  call.body = discard === noBody.discard ? noBody : { ...noBody, discard }
  return true
}

/** Tokens of strings that were left out of a large body. */
function cutTokens({ body: { raw } }: Call): ((text: string) => number | undefined) | undefined {
  return raw && 'spool' in raw ? text => raw.spool.tokensOf(text) : undefined
}
