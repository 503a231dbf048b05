import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { textOf } from './xml.ts'

/** A failure that may pass: the same request is sent again. */
export class PassingFault extends Error {
  /** Milliseconds that the service asks to wait; 0 when it names none. */
  readonly waitMs: number

  constructor(reason: string, { cause, waitMs = 0 }: { cause?: unknown; waitMs?: number } = {}) {
    super(reason, { cause })
    this.name = 'PassingFault'
    this.waitMs = waitMs
  }
}

/** An answer that refuses the request. */
export class Refusal extends Error {
  readonly status: number
  /** The error code of the service, such as `AccessDenied`; empty when the answer has none. */
  readonly code: string
  /** Region that the answer names for the bucket. */
  readonly region: string | undefined

  constructor(status: number, code: string, region?: string) {
    super(code === '' ? `status ${status}` : `status ${status}, ${code}`)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.region = region
  }

  get isMissing(): boolean {
    return this.status === 404 && this.code !== 'NoSuchBucket' && this.code !== 'NoSuchUpload'
  }

  /** True when other credentials may be accepted. */
  get isOfCredentials(): boolean {
    // An answer to HEAD has no body, and therefore no code; its status 403 is enough.
    if (this.status === 403 && this.code === '') return true
    return (this.status === 403 || this.status === 400 || this.status === 401) && credentialCodes.has(this.code)
  }
}

const credentialCodes: ReadonlySet<string> = new Set([
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
])
const passingStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504])
/** Error codes after which the request is sent again, whatever the status: the body was damaged or
 *  lost on its way, or the service is in a state that may pass. */
const passingCodes: ReadonlySet<string> = new Set([
  'BadDigest',
  'IncompleteBody',
  'InternalError',
  'NoSuchBucket',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'XAmzContentChecksumMismatch',
  'XAmzContentSHA256Mismatch',
])
const longestWaitMs = 20_000

/** Returns the error of an answer that is not a success. `body`: the text of the answer. */
export function faultOf(status: number, body: string, headers: NodeJS.Dict<string | string[]>): Error {
  const code = /^[A-Za-z0-9.]{1,64}$/.exec(textOf(body, 'Code'))?.[0] ?? ''
  const region = headers['x-amz-bucket-region']
  const refusal = new Refusal(status, code, typeof region === 'string' ? region.slice(0, 40) : undefined)
  if (!passingStatuses.has(status) && !passingCodes.has(code) && !isForeign(refusal, body)) return refusal
  const seconds = Number(headers['retry-after'])
  const waitMs = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, longestWaitMs) : 0
  return new PassingFault(refusal.message, { cause: refusal, waitMs })
}

/** True for a 404 with a text that names no error of S3: it comes from a load balancer that has no
 *  service behind it, and says nothing about the object. An answer to HEAD has no text. */
function isForeign({ status, code }: Refusal, body: string): boolean {
  return status === 404 && code === '' && body.trim() !== ''
}

const retryAfterSeconds = 5

/** Returns the error that callers get: `gone` for a missing blob, `store_unavailable` for other
 *  failures of the bucket; any other error unchanged. */
export function blobFault(error: unknown): Error {
  if (error instanceof GatewayError) return error
  if (error instanceof Refusal && error.isMissing) return new GatewayError('gone', 'The file is no longer there.', { cause: error })
  if (error instanceof PassingFault)
    return unavailable(`The bucket of the files does not answer as it should (${error.message}); nothing was stored or lost.`, error)
  if (error instanceof Refusal) return unavailable(`The bucket of the files refuses the request (${error.message}).${hintOf(error)}`, error)
  return error instanceof Error ? error : new Error(String(error))
}

/** Waits for `work`, which sends requests to the bucket. Throws the errors that callers get. */
export async function faultsAsErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw blobFault(error)
  }
}

function unavailable(sentence: string, cause: Error): GatewayError {
  return new GatewayError('store_unavailable', sentence, { cause, retryAfterSeconds })
}

function hintOf({ code, region, status }: Refusal): string {
  if (code === 'RequestTimeTooSkewed') return ' The clock of this machine is wrong.'
  if (code === 'AccessDenied' || code === 'AllAccessDisabled') return ' The access key lacks a right.'
  if (credentialCodes.has(code)) return ' The access key is wrong or has expired.'
  if (region !== undefined && (status === 301 || status === 307 || status === 400)) return ` The bucket is in the region ${region}.`
  return ''
}
