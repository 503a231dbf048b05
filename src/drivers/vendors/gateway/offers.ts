/** Agrees with another gateway on a version of the protocol: reads the versions from its `GET
 *  /v1/ai/{endpoint}/gateway`. Also maps those refusals of the other gateway that concern the
 *  target and not the request. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { gatewayVersions } from '@generation-gateway/kit/requests/schemas/gateway-version.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import type { ServiceAddress } from '../../shared/upstream/service-settings.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { settings } from './settings.ts'

/** The settings of the target to which a request is sent, and the signal that cancels the
 *  request. */
export interface TargetCall {
  settings: JsonObject
  signal: AbortSignal
}

export const maxAnswerBytes = 16 * 1024 * 1024
const freshMs = 5 * 60_000
/** Default wait for the first byte, in milliseconds. The other gateway answers submits and polls at
 *  once. */
const usualFirstByteMs = 60_000

/** Chooses the protocol version for requests to other gateways: the newest one, until a gateway
 *  refuses it. */
export class Versions {
  readonly #upstream: ServiceTools['upstream']
  /** Versions that this gateway supports, newest first. */
  readonly #own: readonly [number, ...number[]]
  /** Agreed versions by the settings object of a target; the object stays the same until the
   *  settings change. */
  readonly #known = new WeakMap<JsonObject, { version: number; until: number }>()

  constructor({ upstream }: Pick<ServiceTools, 'upstream'>, own: readonly [number, ...number[]] = gatewayVersions) {
    this.#upstream = upstream
    this.#own = own
  }

  of({ settings: given }: Pick<TargetCall, 'settings'>): number {
    const known = this.#known.get(given)
    return known && known.until > performance.now() ? known.version : this.#own[0]
  }

  /** Called after the other gateway has refused the version `tried`; the refusal costs nothing.
   *  Requests the versions that the other gateway supports and keeps the newest one that both
   *  support. Throws `capability_unavailable` when they have no version in common, `upstream_error`
   *  when the other gateway lists the version that it has just refused, and the errors of the
   *  request. */
  async learn(call: TargetCall, tried: number): Promise<void> {
    const { upstream, waits } = quickAddress(call)
    const limits = { ...waits, timeoutMs: usualFirstByteMs, maxBytes: maxAnswerBytes, signal: call.signal }
    const { body } = await this.#upstream.json(upstream, { method: 'GET', path: '/gateway', ...limits })
    const { versions } = objectOf(body)
    const version = commonVersion(Array.isArray(versions) ? versions : [], this.#own, upstream.origin)
    if (version === tried) throw new GatewayError('upstream_error', 'The other gateway refuses a version that it says it speaks.')
    this.#known.set(call.settings, { version, until: performance.now() + freshMs })
  }
}

/** Returns true for an error with which the other gateway refuses the protocol version of a
 *  request. */
export function isVersionRefused(error: unknown): boolean {
  return error instanceof GatewayError && error.field === 'version' && answerBehind(error)?.status === 400
}

/** Returns the address of the other gateway with a time limit for requests that it answers at once:
 *  `firstByteMs` from the settings, otherwise a minute. */
export function quickAddress({ settings: given }: Pick<TargetCall, 'settings'>): ServiceAddress {
  const { upstream, waits, firstByteMs = usualFirstByteMs } = settings.targetOf(given)
  return { upstream, waits: { ...waits, firstByteMs } }
}

/** Returns `capability_unavailable` for a model, endpoint or path that the other gateway does not
 *  have: the request cost nothing, so another target is tried. */
export function lacking(error: unknown, { settings: given, model }: Pick<TargetCall, 'settings'> & { model?: string }): GatewayError {
  const { upstream, endpoint } = settings.targetOf(given)
  const unavailable = (message: string) => new GatewayError('capability_unavailable', message, { cause: error })
  switch (codeBehind(error)) {
    case 'model_not_found':
      return unavailable(`The other gateway has no model ${model ?? ''} for this key; see model and api_key_env of the target.`)
    case 'endpoint_not_found':
      return unavailable(`The other gateway has no endpoint ${endpoint}; see endpoint of the target.`)
    default:
      return tooOld(upstream.origin, error)
  }
}

/** Returns the error code that the other gateway's answer contained, for an error that this answer
 *  caused. */
export function codeBehind(error: unknown): unknown {
  return objectOf(objectOf(answerBehind(error)?.body).error).code
}

function tooOld(origin: string, cause?: unknown): GatewayError {
  const message = `The gateway at ${origin} is older than this one expects, or is none: upgrade it, or use the driver openai-compatible for its OpenAI paths.`
  return new GatewayError('capability_unavailable', message, { cause })
}

function commonVersion(theirs: readonly unknown[], own: readonly [number, ...number[]], origin: string): number {
  const common = own.find(version => theirs.includes(version))
  if (common !== undefined) return common
  const newest = Math.max(0, ...theirs.filter(version => typeof version === 'number'))
  if (newest < own[0]) throw tooOld(origin)
  const message = `The gateway at ${origin} speaks versions ${theirs.map(Number).join(', ')}; this one speaks ${own.join(', ')}: upgrade this one.`
  throw new GatewayError('capability_unavailable', message)
}
