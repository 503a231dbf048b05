/** Sends one request to the upstream and reads its answer as neutral events. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import { targetFor } from '../upstream/hops.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { UpstreamAnswer } from '../upstream/upstream-answer.ts'
import { streamFailure } from '../upstream/upstream-failures.ts'
import { failureIn, judgeAnswer, noAnswer } from './false-answer.ts'
import { protocolFor, reportLacking } from './lacking-fields.ts'
import { withPackageSignatures } from './packages/package-signatures.ts'
import { type AnswerReader, textProtocols, type UpstreamProtocol } from './protocols.ts'
import { type UpstreamModel, upstreamModel } from './text-common-request.ts'
import type { TextTarget } from './text-target.ts'
import type { ToolPlan } from './tool-plan.ts'

export interface TextUpstreamCall {
  upstream: Upstream
  facts: TextTarget
  /** The upstream's own name for the model. */
  model: string
  /** The gateway's id of the job. */
  requestId: string
  signal: AbortSignal
  /** Reports a part of the request that the upstream does not get (`Job.warn`). */
  warn?: Job<TextRequest>['warn']
}

const maxWholeBytes = 32 * 2 ** 20

/** Yields the streamed answer; returns its reason for the end and its token usage. Leaving the loop
 *  cuts the connection. Throws the error to which the upstream's refusal is mapped. */
export async function* openTextAnswer(
  asking: TextUpstreamCall,
  request: TextRequest,
  plan: ToolPlan,
): AsyncGenerator<TextEvent, TextResult> {
  const { secrets } = asking.facts.upstream
  const protocol = protocolFor(request, asking.facts.protocols)
  const leftOut: Parameters<UpstreamModel['leaveOut']>[] = []
  const to = upstreamModel({ ...asking, protocol, leaveOut: (...each) => leftOut.push(each) })
  reportLacking(request, to)
  const wire = textProtocols[protocol]
  const answer = await open(asking, request, {
    path: wire.path(asking.model, true),
    body: wire.body(withPackageSignatures(request, to.kind), plan, to),
  })
  // The caller is warned only after the target has accepted the request: another target may be
  // tried after a refusal, and it may lose other fields.
  for (const [field, says] of leftOut) asking.warn?.(field, says)
  const reader = wire.reader(to.kind)
  const judged = { protocol: wire, secrets }
  if (answer.mediaType.endsWith('json')) yield* whole(await answer.json(maxWholeBytes), reader, judged)
  else {
    let hasBegun = false
    for await (const { event: name, data } of answer.events()) {
      if (data === '[DONE]') {
        reader.done?.()
        answer.finish()
        break
      }
      const event = parsed(data)
      const failed = name === 'error' ? (event.error ?? event) : failureIn(event)
      if (failed !== undefined) throw streamFailure(failed, secrets)
      hasBegun ||= isAnswer(event, judged)
      // This loop replaces `yield*`, which would take more time per event than handling the event.
      for (const said of reader.read(event)) yield said
    }
    if (!hasBegun) throw noAnswer(wire)
  }
  const result = reader.result()
  if (result === undefined) throw new GatewayError('upstream_error', 'The upstream service ended its answer in the middle.')
  return result
}

function open(
  { upstream, facts, signal, requestId }: TextUpstreamCall,
  { hops }: TextRequest,
  { path, body }: { path: string; body: JsonObject },
): Promise<UpstreamAnswer> {
  // OpenAI and Ark log this header, so their support can find a request by the gateway's id.
  const headers = { 'x-client-request-id': requestId, ...nextHop(hops) }
  return upstream.open(targetFor(facts.upstream, { headers }), {
    method: 'POST',
    path,
    body,
    headers,
    ...facts.waits,
    signal,
  })
}

/** Yields the events of an answer that arrived as one JSON object; some servers send one although a
 *  stream was requested. Throws the failure when the JSON contains no answer. */
function* whole(value: Json, reader: AnswerReader, { protocol, secrets }: JudgeOptions): Generator<TextEvent, void, undefined> {
  if (!isObject(value)) throw new GatewayError('upstream_error', 'The upstream service sent an answer that is no JSON object.')
  if (!isAnswer(value, { protocol, secrets })) throw noAnswer(protocol)
  yield* reader.whole(value)
}

interface JudgeOptions {
  protocol: UpstreamProtocol
  secrets: readonly string[]
}

/** Returns true for an answer, false for a value that is neither an answer nor an error. Throws the
 *  failure that an error reports. */
function isAnswer(value: JsonObject, { protocol, secrets }: JudgeOptions): boolean {
  const verdict = judgeAnswer(protocol, value, secrets)
  if (verdict instanceof GatewayError) throw verdict
  return verdict === 'answer'
}

function parsed(data: string): JsonObject {
  try {
    const value: unknown = JSON.parse(data)
    if (isObject(value)) return value
  } catch {
    // The received text is not repeated in the error's message, because it may contain anything.
  }
  throw new GatewayError('upstream_error', 'The upstream service sent an event that is no JSON object.')
}
