/** Translates neutral requests, the form that all interfaces share, into requests to another
 *  gateway. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import { type Job, type JobFacts, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import { runService } from '@generation-gateway/kit/requests/schemas/gateway-version.ts'
import type { ServiceSound, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { targetFor } from '../../shared/upstream/hops.ts'
import { formBody, type SentBody } from '../../shared/upstream/sent-body.ts'
import type { UpstreamTarget } from '../../shared/upstream/upstream-target.ts'
import { settings } from './settings.ts'

export type AnyRequest = JsonObject & { hops?: number }
export type AnyJob = Job<AnyRequest>

export interface RunCall {
  capability: string
  job: AnyJob
}

/** Returns the body of a run: the fields, then the input files. */
export function runBody({ capability, job }: RunCall, { version, isStreamed }: { version: number; isStreamed: boolean }): SentBody {
  const { request, model, inputs, settings: given } = job
  const texts = {
    version: String(version),
    capability,
    model,
    request: JSON.stringify(requestThere(request, given)),
    roles: inputs.map(({ role }) => role),
    ...(isStreamed ? { stream: 'true' } : {}),
  }
  return formBody(texts, ...inputs.map((input, index) => ({ field: 'files', name: `input-${index}`, input })))
}

/** Returns the target, and a header with the hop count: the number of gateways that the request has
 *  passed. */
export function runTarget({ job }: Pick<RunCall, 'job'>): { target: UpstreamTarget; headers: Record<string, string> } {
  const headers = nextHop(job.request.hops)
  return { target: targetFor(settings.targetOf(job.settings).upstream, { headers }), headers }
}

/** Returns a name for the other gateway and its endpoint. The name is stored with the ids of
 *  objects, because such an id is valid only at that endpoint. */
function serviceOf(given: JsonObject): string {
  const { upstream } = settings.targetOf(given)
  return `${upstream.origin}${upstream.path}`
}

/** Returns the refusal of slides that another service wrote and stores: only that service can
 *  render them. Undefined for other slides. */
export function refusesForeignSlides({ request, settings: given }: JobFacts<AnyRequest>): Refusal | undefined {
  const { origin } = request
  if (!origin || Object(origin).service === serviceOf(given)) return undefined
  return refusal('slides', 'another gateway makes files only of what it has written itself, where its service keeps that.')
}

function requestThere({ hops: _hops, ...request }: AnyRequest, given: JsonObject): JsonObject {
  const service = serviceOf(given)
  const { voice } = settings.targetOf(given)
  const there = { ...request }
  if (voice !== undefined && 'speed' in there && there.voice === undefined) there.voice = voice
  if (there.origin) there.origin = { ...Object(there.origin), service: runService }
  for (const field of ['previousSounds', 'nextSounds'] as const) {
    const sounds = (request as Partial<SpeechRequest>)[field]
    if (sounds) there[field] = soundsThere(sounds, service)
  }
  return there
}

/** Returns the sounds that the other gateway created, with their ids there. Sounds of other
 *  services are left out, so the other gateway gets only their text. */
function soundsThere(sounds: readonly ServiceSound[], service: string): ServiceSound[] {
  return sounds.filter(sound => sound.service === service).map(({ id }) => ({ service: runService, id }))
}

/** Returns the result of a run at the other gateway. The `service` in its members `origin` and
 *  `sound` becomes the name of that gateway, where these objects are stored. */
export function resultHere(result: JsonObject, given: JsonObject): JsonObject {
  const here = { ...result }
  for (const field of ['origin', 'sound'] as const) {
    const { id } = Object(result[field])
    if (typeof id === 'string') here[field] = { service: serviceOf(given), id }
  }
  return here
}
