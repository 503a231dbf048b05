/** Agrees with the other gateway on a version of the protocol, from its report `GET
 *  /v1/ai/{endpoint}/gateway`, and maps its refusals of targets. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { gatewayVersions } from '@generation-gateway/kit/requests/schemas/gateway-version.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import type { ServiceAddress } from '../../shared/upstream/service-settings.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { settings } from './settings.ts'

/** The settings of the target to which a request is sent, and the signal that cancels the
 *  request. */
export interface Asking {
  settings: JsonObject
  signal: AbortSignal
}

export const maxAnswerBytes = 16 * 1024 * 1024
const freshMs = 5 * 60_000
/** Milliseconds to wait for the first byte: submits and polls are answered at once. */
const usualFirstByteMs = 60_000

/** Protocol versions to use with other gateways: the newest one, until a gateway refuses it. */
export class Versions {
  readonly #upstream: ServiceTools['upstream']
  /** Versions that this gateway speaks, newest first. */
  readonly #own: readonly [number, ...number[]]
  /** Agreed versions by the settings of a target, whose object stays the same as long as the
   *  settings do not change. */
  readonly #known = new WeakMap<JsonObject, { version: number; until: number }>()

  constructor({ upstream }: Pick<ServiceTools, 'upstream'>, own: readonly [number, ...number[]] = gatewayVersions) {
    this.#upstream = upstream
    this.#own = own
  }

  of({ settings: given }: Pick<Asking, 'settings'>): number {
    const known = this.#known.get(given)
    return known && known.until > performance.now() ? known.version : this.#own[0]
  }

  /** Called after a gateway has refused the version `tried`: requests the versions that it speaks,
   *  and keeps the newest that both speak. Throws `capability_unavailable` when there is no common
   *  version, and the errors of the request. A refused version costs nothing. */
  async learn(asking: Asking, tried: number): Promise<void> {
    const { upstream, waits } = quickAddress(asking)
    const limits = { ...waits, timeoutMs: usualFirstByteMs, maxBytes: maxAnswerBytes, signal: asking.signal }
    const { body } = await this.#upstream.json(upstream, { method: 'GET', path: '/gateway', ...limits })
    const { versions } = objectOf(body)
    const version = commonVersion(Array.isArray(versions) ? versions : [], this.#own, upstream.origin)
    if (version === tried) throw new GatewayError('upstream_error', 'The other gateway refuses a version that it says it speaks.')
    this.#known.set(asking.settings, { version, until: performance.now() + freshMs })
  }
}

/** Returns true for the error of a gateway that refuses the version of a request. */
export function isVersionRefused(error: unknown): boolean {
  return error instanceof GatewayError && error.field === 'version' && answerBehind(error)?.status === 400
}

/** Returns the address of the other gateway for requests that it answers at once: the wait in the
 *  operator's settings applies, else a minute. */
export function quickAddress({ settings: given }: Pick<Asking, 'settings'>): ServiceAddress {
  const { upstream, waits, firstByteMs = usualFirstByteMs } = settings.targetOf(given)
  return { upstream, waits: { ...waits, firstByteMs } }
}

/** Returns the error for a model, endpoint or path that the other gateway does not have: nothing
 *  was spent, and another target may have it. */
export function lacking(error: unknown, { settings: given, model }: Pick<Asking, 'settings'> & { model?: string }): GatewayError {
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

/** Returns the other gateway's own error code behind an error. */
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
