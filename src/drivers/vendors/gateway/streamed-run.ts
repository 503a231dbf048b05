/** Work of another gateway whose caller waits: neutral events as they are made there. Leaving it
 *  ends the run. */
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { Failed, StreamEvent, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import { failed } from '../../shared/failed.ts'
import { submitPaidInParts } from '../../shared/upstream/paid-submit.ts'
import { type Parts, postInParts } from '../../shared/upstream/post-body.ts'
import { parsedJson } from '../../shared/upstream/read-json.ts'
import type { UpstreamAnswer } from '../../shared/upstream/upstream-answer.ts'
import { withHeaders } from '../../shared/upstream/upstream-target.ts'
import { isVersionRefused } from './offers.ts'
import { refusedRun } from './refused-run.ts'
import { outcomeOf, seenRun } from './run-answer.ts'
import { type AnyJob, type AnyRequest, type RunCall, runBody, runTarget } from './run-request.ts'
import { owner, settings } from './settings.ts'
import type { RunTools } from './task-run.ts'

type Part = StreamEvent<JsonObject>

/** `isPaid`: it is sent once, and what becomes of one whose answer breaks off is not known. */
export function streamedRun(tools: RunTools, capability: string, isPaid: boolean): StreamedOffer<AnyRequest, JsonObject> {
  return streamed<AnyRequest, JsonObject>(job => runIn(tools, { capability, job }, isPaid))
}

async function* runIn(tools: RunTools, call: RunCall, isPaid: boolean): AsyncGenerator<Part> {
  const run = yield* sent(tools, call, isPaid)
  yield { type: 'outcome', outcome: isFailed(run) ? run : await outcomeOf(tools, call.job, run) }
}

async function* sent(tools: RunTools, call: RunCall, isPaid: boolean): Parts<Part, JsonObject | Failed> {
  for (;;) {
    const version = tools.versions.of(call.job)
    try {
      return yield* sentIn(version, { tools, call, isPaid })
    } catch (error) {
      if (!isVersionRefused(error)) throw refusedRun(error, call)
      await tools.versions.learn(call.job, version)
    }
  }
}

function sentIn(
  version: number,
  { tools, call, isPaid }: { tools: RunTools; call: RunCall; isPaid: boolean },
): Parts<Part, JsonObject | Failed> {
  const { job } = call
  const { target, headers } = runTarget(call)
  const { waits } = settings.targetOf(job.settings)
  const post = { path: '/gateway/runs', body: runBody(call, { version, isStreamed: true }), owner }
  const read = (answer: UpstreamAnswer) => partsOf(answer, job)
  if (!isPaid) return postInParts({ ...post, upstream: tools.upstream, target, headers, signal: job.signal, ...waits }, read)
  return submitPaidInParts({ ...post, submits: tools.submits, job, target: { upstream: withHeaders(target, headers), waits }, read })
}

function isFailed(run: JsonObject | Failed): run is Failed {
  return run.state === 'failed' && 'code' in run
}

/** Yields the events, and gives the run at its end. */
async function* partsOf(answer: UpstreamAnswer, job: AnyJob): Parts<Part, JsonObject | Failed> {
  for await (const { event: name, data } of answer.events()) {
    const frame = objectOf(parsedJson(data, 'The other gateway sent an event that is no JSON.'))
    if (name === 'error') return failureOf(objectOf(frame.error), job)
    if (frame.type === 'event') yield { type: 'event', event: withBytes(objectOf(frame.event)) }
    if (frame.type === 'end') return objectOf(frame.run)
  }
  throw new GatewayError('upstream_error', 'The other gateway ended the stream without an end.')
}

function failureOf(error: JsonObject, job: AnyJob): Failed {
  const seen = seenRun({ state: 'failed', error, outputs: [] }, job)
  return seen.state === 'failed' ? seen : failed('upstream_error', 'The other gateway failed on the run.')
}

/** The bytes of an event came in base64. */
function withBytes(event: JsonObject): JsonObject {
  // Events are plain JSON but for these bytes.
  return typeof event.bytes === 'string' ? ({ ...event, bytes: Buffer.from(event.bytes, 'base64') } as unknown as JsonObject) : event
}
