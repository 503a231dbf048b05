import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import type { Needs } from '../../contract/needs/index.ts'
import type { TextRunEvent } from '../../contract/needs/respond.ts'

/** Returns the request for answer `index` of several. When the request has a seed, this answer
 *  gets the seed plus `index`, so that the answers differ from each other but are the same when
 *  the request is repeated. */
export function requestOf(request: TextRequest, index: number): TextRequest {
  return request.seed === undefined || index === 0 ? request : { ...request, seed: request.seed + index }
}

/** An event of one of several answers to a prompt; `index` is the position of this answer, from
 *  0. */
export interface RunEvent {
  index: number
  event: TextRunEvent
}

/** Runs `count` answers in parallel and yields their events as they arrive. Throws the first
 *  failure; when the caller stops reading, all runs stop. */
export async function* runAnswers(context: Pick<Needs, 'respond'>, request: TextRequest, count: number): AsyncGenerator<RunEvent> {
  if (count === 1) {
    for await (const event of context.respond(request)) yield { index: 0, event }
    return
  }
  yield* runRequests(
    context,
    Array.from({ length: count }, (_, index) => requestOf(request, index)),
  )
}

/** Runs several requests in parallel and yields their events as they arrive; `index` is the
 *  position of the request. All runs stop when one of them fails, or when the caller stops reading.
 *  Throws the first failure. */
export async function* runRequests(context: Pick<Needs, 'respond'>, requests: readonly TextRequest[]): AsyncGenerator<RunEvent> {
  const controller = new AbortController()
  const runs = requests.map(request => context.respond(request, controller.signal)[Symbol.asyncIterator]())
  let haveEnded = false
  try {
    yield* merge(runs)
    haveEnded = true
  } finally {
    // The runs are ended without waiting for them: a run may still be waiting for its model, and
    // its result is no longer needed. The abort stops runs that are queued, so that they are never
    // sent to the model.
    if (!haveEnded) controller.abort(new GatewayError('cancelled', 'The other answers of the call are not needed.'))
    for (const run of runs) run.return?.().catch(() => undefined)
  }
}

interface RunStep {
  index: number
  result?: IteratorResult<TextRunEvent>
  error?: unknown
}

/** Yields the events of several runs as they arrive. Requests the next event of a run only after
 *  the reader has taken the previous one. When the reader is slow, at most one event of each run
 *  waits in memory. */
async function* merge(runs: readonly AsyncIterator<TextRunEvent>[]): AsyncGenerator<RunEvent> {
  const ready: RunStep[] = []
  let wake = Promise.withResolvers<void>()
  const ask = (index: number) => {
    const put = (step: Omit<RunStep, 'index'>) => {
      ready.push({ index, ...step })
      wake.resolve()
    }
    runs[index]?.next().then(
      result => put({ result }),
      (error: unknown) => put({ error }),
    )
  }
  for (const index of runs.keys()) ask(index)
  for (let live = runs.length; live > 0; ) {
    const step = ready.shift()
    if (!step) {
      await wake.promise
      wake = Promise.withResolvers()
      continue
    }
    if (!step.result) throw step.error
    if (step.result.done) {
      live -= 1
      continue
    }
    yield { index: step.index, event: step.result.value }
    ask(step.index)
  }
}

/** Returns the error for a model whose answer stopped before its end. */
export function brokenOff(): GatewayError {
  return new GatewayError('upstream_error', 'The model broke off without saying how it ended.')
}

/** Returns the error for a model that sent input for the call with this index before the call
 *  began. */
export function callNotBegun(index: number): GatewayError {
  return new GatewayError('upstream_error', `The model sent input for call ${index}, which had not begun.`)
}

/** Returns the error for a model that sent input for a call after the whole call was sent to the
 *  caller. */
export function callIsOver(): GatewayError {
  return new GatewayError('upstream_error', 'The model went on with a tool call after it had begun something else.')
}
