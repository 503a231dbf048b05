/** The sixth step, for relayed operations only: passes through the answer of an upstream that
 *  speaks the caller's protocol. */
import { expectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import { type Call, noBody } from '../call/call.ts'
import { relayCreate, relayStored } from '../relay/call-relay.ts'
import { asJson, type CheckedBody } from './5-check.ts'
import type { Exchange } from './exchange.ts'
import type { OperationPlan } from './plan.ts'

/** Returns true when the answer is being sent or was sent. Returns false when the family's handler
 *  has to create it; `call.routes` then lists the targets that were not tried yet. Throws the error
 *  of the last target when all of them failed; `store_unavailable`. */
export async function relayStep(plan: OperationPlan, exchange: Exchange, call: Call, body: CheckedBody): Promise<boolean> {
  const { deps, entry, operation } = plan
  const relaying = { deps, family: entry.family.id, operation, call, exchange }
  const { relays } = operation
  // A stored response needs the store after the upstream was paid.
  if (relays?.stores?.isWanted(asJson(body))) deps.assertAccepting()
  if (relays) call.expect(() => expectedTokens(relays.protocol, asJson(body), cutTokens(call)))
  const outcome = operation.readsResponse ? await relayStored(relaying) : await relayCreate(relaying, asJson(body))
  if (outcome?.state === 'failed') throw outcome.error
  if (outcome?.state === 'not-relayed') call.routes = outcome.routes
  if (outcome?.state !== 'answered') return false
  // Frees the request body: a stream may take minutes and no longer needs it.
  const { discard } = call.body
  call.body = discard === noBody.discard ? noBody : { ...noBody, discard }
  return true
}

/** Returns a function that counts the tokens of strings that were left out of a large body. */
function cutTokens({ body: { raw } }: Call): ((text: string) => number | undefined) | undefined {
  return raw && 'spool' in raw ? text => raw.spool.tokensOf(text) : undefined
}
