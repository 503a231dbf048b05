import { rm } from 'node:fs/promises'
import { GatewayError, NeverSent, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { Job, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import type { BlobStore } from '../ports/blobs.ts'
import { mayFailOver, nextTry, type Route } from './router.ts'
import type { TargetHealth } from './target-health.ts'
import type { TargetPlaces } from './target-places.ts'

export interface TextCall {
  /** Request id: idempotency key at upstreams that know one. */
  id: string
  /** The account that asks: engines share their time between accounts. */
  account: string
  request: TextRequest
  /** Usable targets in the order to try. */
  routes: readonly Route[]
  signal: AbortSignal
  /** Told true when a target begins to work, and false when it has refused: what it has not begun by then costs nothing. */
  onSent?(isAtWork: boolean): void
}

export type TextCallEvent = TextEvent | { type: 'finish'; result: TextResult; route: Route }

export interface Calls {
  /** Runs a conversation on the first target that takes it, and yields what the model says; the last event says how it ended.
   *  The next target is tried only while nothing has been yielded and only when the failed one did not do the work (`mayFailOver`).
   *  Throws what the last target threw, a target's refusal, or the signal's reason. */
  respond(call: TextCall): AsyncGenerator<TextCallEvent>
}

interface Deps {
  blobs: Pick<BlobStore, 'scratch'>
  health: TargetHealth
  places: TargetPlaces
}

export function createCalls(deps: Deps): Calls {
  return { respond: call => respond(deps, call) }
}

async function* respond(deps: Deps, call: TextCall): AsyncGenerator<TextCallEvent> {
  const tries = call.routes.map(route => ({ route }))
  let at = nextTry(tries, 0, deps.health)
  for (;;) {
    const { route } = tries[at]!
    const { id } = route.target
    let next = -1
    let hasBegun = false
    let hasFailed = false
    try {
      using _place = await deps.places.enter(route.target, { account: call.account, signal: call.signal })
      for await (const event of runOn(deps, call, route, at + 1)) {
        if (!hasBegun) deps.health.answers(id)
        hasBegun = true
        yield event
      }
      return
    } catch (error) {
      if (call.signal.aborted) {
        if (error instanceof NeverSent) call.onSent?.(false)
        throw call.signal.reason
      }
      const failure = toGatewayError(error)
      deps.health.failed(id, failure)
      hasFailed = true
      if (!hasBegun) call.onSent?.(false)
      if (!hasBegun && mayFailOver(failure, 'text')) next = nextTry(tries, at + 1, deps.health)
      if (next < 0) throw failure
    } finally {
      // It has answered, to its end or until the caller left; or he left before it did.
      if (hasBegun && !hasFailed) deps.health.succeeded(id)
      else if (!hasFailed) deps.health.released(id)
    }
    at = next
  }
}

async function* runOn(
  { blobs }: { blobs: Pick<BlobStore, 'scratch'> },
  { id, account, request, signal, onSent }: TextCall,
  route: Route,
  attempt: number,
): AsyncGenerator<TextCallEvent> {
  const offer: StreamedOffer<TextRequest, TextEvent> | undefined = route.driver.offers['text.respond']
  if (!offer) throw new GatewayError('capability_unavailable', `${route.target.id} does not offer text.respond.`)
  const scratch = await blobs.scratch(`call-${id}-${route.target.id.replace(/[^\w.-]/g, '_')}`)
  const job: Job<TextRequest> = {
    id,
    account,
    request,
    inputs: [],
    scratch,
    model: route.target.model,
    settings: route.target.settings,
    attempt,
    signal,
    progress: () => {},
  }
  try {
    signal.throwIfAborted()
    onSent?.(true)
    for await (const event of offer.run(job)) {
      signal.throwIfAborted()
      if (event.type === 'event') yield event.event
      if (event.type !== 'outcome') continue
      const { outcome } = event
      if (outcome.state === 'failed') throw new GatewayError(outcome.code, outcome.message, { reasons: outcome.reasons ?? [] })
      // Every text offer reports a TextResult; the neutral type of reports does not know it.
      yield { type: 'finish', result: outcome.report as TextResult, route }
      return
    }
    throw new GatewayError('upstream_error', 'The answer ended without saying how.')
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
