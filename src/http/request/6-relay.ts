/** The sixth step, only for operations that can be relayed: sends the call to an upstream that
 *  speaks the caller's protocol, and passes its answer through. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Link } from '@generation-gateway/kit/outbound/links.ts'
import { expectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import type { CutText } from '@generation-gateway/kit/requests/usage/file-tokens.ts'
import { type Call, noBody } from '../call/call.ts'
import { isFree, relayCreate, relayStored } from '../relay/call-relay.ts'
import { asJson, type CheckedBody } from './5-check.ts'
import type { Exchange } from './exchange.ts'
import { assertOneModel } from './further-models.ts'
import type { OperationPlan } from './plan.ts'

/** Returns true when the answer is being sent or was sent. Returns false when the family's
 *  handler has to create it; `call.routes` then lists the targets that were not tried yet.
 *  Throws `invalid_request` for a body that names a further model or a private address, the
 *  errors of `assertAccepting`, `quota_exceeded`, and the error of the last target when all of
 *  them have failed. */
export async function relayStep(plan: OperationPlan, exchange: Exchange, call: Call, body: CheckedBody): Promise<boolean> {
  const { deps, entry, operation } = plan
  const relaying = { deps, family: entry.family.id, operation, call, exchange }
  const { relays, links } = operation
  for (const link of links?.(asJson(body)) ?? []) checkLink(deps, link)
  if (relays) assertOneModel(operation, asJson(body), call.model)
  // A call that creates a stored response needs the store later, when the upstream has already
  // charged for its work. So the store must be available now.
  if (relays?.stores?.isWanted(asJson(body))) deps.assertAccepting()
  if (relays && !isFree(relays)) call.expect(() => expectedTokens(relays.protocol, asJson(body), cutsOf(call)))
  const outcome = operation.readsResponse ? await relayStored(relaying) : await relayCreate(relaying, asJson(body))
  if (outcome?.state === 'failed') throw outcome.error
  if (outcome?.state === 'not-relayed') call.routes = outcome.routes
  if (outcome?.state !== 'answered') return false
  // Frees the memory of the request body: a stream may take minutes and does not need the body.
  const { discard } = call.body
  call.body = discard === noBody.discard ? noBody : { ...noBody, discard }
  return true
}

/** Throws `invalid_request` for a link that an upstream must not open, with the code of the
 *  caller's protocol. */
function checkLink(deps: OperationPlan['deps'], { url, field, wireCode: code }: Link): void {
  try {
    deps.checkLink(url, field)
  } catch (cause) {
    if (!(cause instanceof GatewayError) || code === undefined) throw cause
    const wire = { code, type: 'invalid_request_error', param: field }
    throw new GatewayError(cause.code, cause.message, { field, cause, wire })
  }
}

/** Returns a function that describes a string that was left out of a large body; undefined when
 *  nothing was left out. */
function cutsOf({ body: { raw } }: Call): ((text: string) => CutText | undefined) | undefined {
  return raw && 'spool' in raw ? text => raw.spool.cutOf(text) : undefined
}
