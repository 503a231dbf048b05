/** Sends requests for embeddings, rankings and moderations to an upstream, which answers each
 *  with one JSON object. Reads the token counts of the answers. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import { vectorsAnswer } from '../output/vectors-answer.ts'
import { targetFor } from '../upstream/hops.ts'
import { countOf } from '../upstream/read-json.ts'
import type { ServiceTarget } from '../upstream/service-settings.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { judgeAnswer, noAnswer } from './false-answer.ts'
import type { RelayedProtocol } from './protocols.ts'

/** Largest size of an answer in bytes; 2,048 vectors of 3,072 numbers fit in as JSON. */
const maxAnswerBytes = 160 * 2 ** 20

interface Question {
  protocol: RelayedProtocol
  target: ServiceTarget
  job: Job<{ hops?: number }>
  body: JsonObject
  /** The member of the answer that holds a list of numbers, for answers with vectors. The lists are
   *  returned as base64 (`vectorsAnswer`). */
  vectorIn?: string
}

/** Sends one request and returns its answer. Throws the upstream's refusals. */
export async function askModel(upstream: Upstream, { protocol, target, job, body, vectorIn }: Question): Promise<JsonObject> {
  const headers = { 'x-client-request-id': job.id, ...nextHop(job.request.hops) }
  const answer = await upstream.open(targetFor(target.upstream, { headers }), {
    ...{ method: 'POST', path: protocol.path(job.model, false), headers, ...target.waits, signal: job.signal },
    body,
  })
  const json = vectorIn === undefined ? answer.json(maxAnswerBytes) : vectorsAnswer(answer, vectorIn, maxAnswerBytes)
  const whole = objectOf(await json)
  const verdict = judgeAnswer(protocol, whole, target.upstream.secrets)
  if (verdict instanceof GatewayError) throw verdict
  if (verdict === 'nothing') throw noAnswer(protocol)
  return whole
}

/** Returns the number of input tokens in an answer of OpenAI, Jina or Cohere; 0 when the answer
 *  reports none. */
export function inputTokensOf({ usage, meta }: JsonObject): number {
  const { prompt_tokens: prompt, total_tokens: total, input_tokens: input } = objectOf(usage)
  const { tokens, billed_units: billed } = objectOf(meta)
  const said: (Json | undefined)[] = [prompt, input, total, objectOf(tokens).input_tokens, objectOf(billed).input_tokens]
  return said.map(countOf).find(count => count > 0) ?? 0
}

/** Returns the search units that an answer of Cohere reports; undefined when it reports none. */
export function searchUnitsIn({ meta }: JsonObject): number | undefined {
  return countOf(objectOf(objectOf(meta).billed_units).search_units) || undefined
}
