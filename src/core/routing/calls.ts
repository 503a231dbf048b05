/** Runs models for calls that are answered directly, without a task: conversations, embeddings and
 *  rankings. */
import { rm } from 'node:fs/promises'
import { GatewayError, NotSentError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import {
  capabilities,
  type EventOf,
  type RequestOf,
  type ResultOf,
  type StreamedCapability,
} from '@generation-gateway/kit/requests/capabilities.ts'
import type { OwnFields } from '@generation-gateway/kit/requests/capability.ts'
import { ownFieldsLeftOut } from '@generation-gateway/kit/requests/extras.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { Job, OfferFacts, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import type { BlobStore } from '../ports/blobs.ts'
import type { Route } from './router.ts'
import { type TargetAccess, TargetTries, type TargetUse, tryTargets } from './try-targets.ts'

export interface ModelCall<C extends StreamedCapability> {
  capability: C
  /** Id of the request; upstreams that support idempotency keys get it as the key. */
  id: string
  /** Account of the caller. Engines share their time fairly among accounts. */
  account: string
  /** Id of the caller's access key. */
  key?: string
  request: RequestOf<C>
  /** The usable targets, in the order in which they are tried. */
  routes: readonly Route[]
  signal: AbortSignal
  /** Called with true when a target begins to work on the call, and with false when that target
   *  then refuses it. The call costs nothing if the last value was false. */
  onSent?(isAtWork: boolean): void
  /** Called when the target that answers ignores a field of the request (`Job.warn`). */
  onWarning?(field: FieldName | OwnFields, says: string): void
  /** See `Job.again`. */
  again?: Job<RequestOf<C>>['again']
}

export type ModelCallEvent<C extends StreamedCapability> = EventOf<C> | { type: 'finish'; result: ResultOf<C>; route: Route }

export interface Calls {
  /** Runs a model on the first target that accepts the request, and yields its output; the last
   *  event reports how it ended. After a failure the next target is tried only if nothing has been
   *  yielded yet and the failed target certainly did not do the work (`mayFailOver`). Throws the
   *  error of the last target, the refusal of a target, or the signal's reason. */
  run<C extends StreamedCapability>(call: ModelCall<C>): AsyncGenerator<ModelCallEvent<C>>
}

interface Deps extends TargetAccess {
  blobs: Pick<BlobStore, 'scratch'>
}

export function createCalls(deps: Deps): Calls {
  return { run: call => run(deps, call) }
}

async function* run<C extends StreamedCapability>(deps: Deps, call: ModelCall<C>): AsyncGenerator<ModelCallEvent<C>> {
  const { signal } = call
  using tries = new TargetTries(
    call.routes.map(route => ({ route })),
    { access: deps, failover: capabilities[call.capability].failover },
  )
  try {
    yield* await tryTargets(tries, { signal, run: use => begin(deps, call, { use, attempt: tries.number }) })
  } catch (error) {
    signal.throwIfAborted()
    throw toGatewayError(error)
  }
}

/** Begins the call at one target. Resolves once the target has sent its first event, with an
 *  iterator over all events, the first included; from then on no other target is tried. */
async function begin<C extends StreamedCapability>(
  deps: Deps,
  call: ModelCall<C>,
  { use, attempt }: { use: TargetUse; attempt: number },
): Promise<AsyncGenerator<ModelCallEvent<C>>> {
  const { account, signal, onSent } = call
  const events = runOn(deps, call, use.route, attempt)
  return use.run({ account, signal }, async () => {
    try {
      const first = await events.next()
      use.answers()
      warnOfOwnFields(call, use.route)
      return begun(call, use, { first, rest: events })
    } catch (error) {
      if (!signal.aborted || error instanceof NotSentError) onSent?.(false)
      throw error
    }
  })
}

/** Reports the fields of the caller's own protocol that the target ignores. */
function warnOfOwnFields<C extends StreamedCapability>({ capability, request, onWarning }: ModelCall<C>, { driver }: Route): void {
  // The casts are safe: the offer and the request have the same capability. TypeScript cannot infer
  // this from a look-up in `offers`.
  const offer = driver.offers[capability] as OfferFacts<JsonObject> | undefined
  const found = offer && onWarning && ownFieldsLeftOut(capability, offer, request as JsonObject)
  if (found) onWarning(found.fields, found.says)
}

async function* begun<Event>(
  { signal }: { signal: AbortSignal },
  use: TargetUse,
  { first, rest }: { first: IteratorResult<Event>; rest: AsyncGenerator<Event> },
): AsyncGenerator<Event> {
  try {
    if (!first.done) yield first.value
    yield* rest
  } catch (error) {
    if (!signal.aborted) use.failed(toGatewayError(error))
    throw error
  } finally {
    await rest.return(undefined)
  }
}

async function* runOn<C extends StreamedCapability>(
  { blobs }: { blobs: Pick<BlobStore, 'scratch'> },
  { capability, id, account, key, request, signal, onSent, onWarning, again }: ModelCall<C>,
  route: Route,
  attempt: number,
): AsyncGenerator<ModelCallEvent<C>> {
  // The cast is safe: `offers[capability]` is an offer of this capability, but TypeScript cannot
  // infer this from the look-up.
  const offer = route.driver.offers[capability] as StreamedOffer<RequestOf<C>, EventOf<C>> | undefined
  if (!offer) throw new GatewayError('capability_unavailable', `${route.target.id} does not offer ${capability}.`)
  const scratch = await blobs.scratch(`call-${id}-${route.target.id.replace(/[^\w.-]/g, '_')}`)
  const job: Job<RequestOf<C>> = {
    id,
    account,
    key,
    request,
    inputs: [],
    scratch,
    model: route.target.model,
    settings: route.target.settings,
    attempt,
    signal,
    progress: () => {},
    ...(onWarning && { warn: onWarning }),
    ...(again && { again }),
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
      // The cast is safe: the offer reports a result of the call's capability. TypeScript cannot
      // infer this from the union of all results.
      yield { type: 'finish', result: outcome.report as ResultOf<C>, route }
      return
    }
    throw new GatewayError('upstream_error', 'The answer ended without saying how.')
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
