/** Runs work at another gateway for a caller who waits for it: yields the events that the other
 *  gateway streams. Leaving the loop cancels the run. */
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { Failed, Outcome, StreamEvent, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import { submitPaidInParts } from '../../shared/upstream/paid-submit.ts'
import { type Parts, postInParts } from '../../shared/upstream/post-body.ts'
import { upstreamJson } from '../../shared/upstream/read-json.ts'
import type { UpstreamAnswer } from '../../shared/upstream/upstream-answer.ts'
import { withHeaders } from '../../shared/upstream/upstream-target.ts'
import { boundsOf } from './bounds.ts'
import { isVersionRefused } from './offers.ts'
import { refusedRun } from './refused-run.ts'
import { outcomeOf, seenRun } from './run-answer.ts'
import { type AnyJob, type AnyRequest, type RunCall, runBody, runTarget } from './run-request.ts'
import { owner, settings } from './settings.ts'
import type { RunTools } from './task-run.ts'

type Part = StreamEvent<JsonObject>
/** The state of a run at the end of its stream. */
type EndedRun = Failed | { state: 'ready'; output: JsonObject }

/** Returns the offer that streams runs of this capability. When `isPaid` is true, a run is sent
 *  only once. Its outcome is unknown when its answer ends early or its outputs cannot be
 *  fetched. */
export function streamedRun(tools: RunTools, capability: string, isPaid: boolean): StreamedOffer<AnyRequest, JsonObject> {
  return streamed<AnyRequest, JsonObject>(job => runIn(tools, { capability, job }, isPaid))
}

async function* runIn(tools: RunTools, call: RunCall, isPaid: boolean): AsyncGenerator<Part> {
  yield { type: 'outcome', outcome: yield* sent(tools, call, isPaid) }
}

async function* sent(tools: RunTools, call: RunCall, isPaid: boolean): Parts<Part, Outcome> {
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

function sentIn(version: number, { tools, call, isPaid }: { tools: RunTools; call: RunCall; isPaid: boolean }): Parts<Part, Outcome> {
  const { job } = call
  const { target, headers } = runTarget(call)
  const { waits } = settings.targetOf(job.settings)
  const post = { path: '/gateway/runs', body: runBody(call, { version, isStreamed: true }), owner }
  // The outputs are fetched while the answer is read, because an error of their download must not
  // be taken for a refusal of the run.
  const read = async function* (answer: UpstreamAnswer): Parts<Part, Outcome> {
    const run = yield* partsOf(answer, call)
    return run.state === 'failed' ? run : await outcomeOf(tools, call, run.output)
  }
  if (!isPaid) return postInParts({ ...post, upstream: tools.upstream, target, headers, signal: job.signal, ...waits }, read)
  return submitPaidInParts({ ...post, submits: tools.submits, job, target: { upstream: withHeaders(target, headers), waits }, read })
}

/** Yields the events of the stream and returns the run in its final state. */
async function* partsOf(answer: UpstreamAnswer, { capability, job }: RunCall): Parts<Part, EndedRun> {
  const { stream: maxBytes } = boundsOf(capability)
  let bytes = 0
  for await (const { event: name, data } of answer.events()) {
    const frame = objectOf(upstreamJson(data, 'The other gateway sent an event that is no JSON.'))
    if (name === 'error') return endedRun({ state: 'failed', error: objectOf(frame.error), outputs: [] }, job)
    if (frame.type === 'end') return endedRun(objectOf(frame.run), job)
    if (frame.type !== 'event') continue
    const sound = soundOf(objectOf(frame.event))
    bytes += sound?.length ?? data.length
    if (bytes > maxBytes) return failedAfterPay('upstream_error', `The other gateway sent events of more than ${maxBytes} bytes.`)
    yield { type: 'event', event: withSound(objectOf(frame.event), sound) }
  }
  throw new GatewayError('upstream_error', 'The other gateway ended the stream without an end.')
}

function endedRun(run: JsonObject, job: AnyJob): EndedRun {
  const seen = seenRun(run, job)
  if (seen.state !== 'running') return seen
  throw new GatewayError('upstream_error', 'The other gateway ended the stream of a run that still runs.')
}

/** Returns the bytes of an event, which are sent as base64; undefined for an event without
 *  bytes. */
function soundOf({ bytes }: JsonObject): Buffer | undefined {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : undefined
}

function withSound(event: JsonObject, bytes: Buffer | undefined): JsonObject {
  // The cast is needed because events are typed as plain JSON, but the sound in them is bytes.
  return bytes ? ({ ...event, bytes } as unknown as JsonObject) : event
}
