import type { IncomingMessage } from 'node:http'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { type Attempt, Connections, type SignedBody, textOfAnswer } from './attempt.ts'
import { objectUrl, type S3Bucket, type S3Credentials } from './bucket.ts'
import { faultOf, Refusal } from './faults.ts'
import { type Patience, retried } from './retry.ts'
import { emptySha256, presignedUrl, signedHeaders } from './sign.ts'

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Key of the object; empty for a request about the bucket. */
  key: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: SignedBody
  /** Set for requests during which the service works without sending a byte. Replaces the usual
   *  limit, in milliseconds, on the time without any byte. */
  stallMs?: number
}

interface TextOptions {
  /** The time limits of this request and of its repeats, in place of the client's own. */
  patience?: Patience
  /** Throws a `PassingFault` for an answer that is not whole; the request is then sent again. */
  accept?(answer: TextAnswer): void
}

export interface TextAnswer {
  headers: NodeJS.Dict<string | string[]>
  text: string
}

/** Largest number of open connections in each of two groups: requests with short bodies, and
 *  requests with long bodies. Downloads are not counted. */
const mostConnections = 64
/** Longer bodies have connections of their own. Short requests, such as the one that shows
 *  whether the bucket answers, would otherwise wait until the long bodies before them have been
 *  sent. */
const shortBodyBytes = 4 * 1024 * 1024

/** Sends requests to one bucket, each until it succeeds, is refused or its deadline has passed.
 *  Every request may safely arrive twice, because the key of an object is used once. */
export class S3Client {
  readonly bucket: S3Bucket
  readonly patience: Patience
  readonly #requests: Connections
  readonly #bodies: Connections
  readonly #downloads: Connections
  readonly #cache = new Map<string, ArrayBuffer>()
  #credentials: S3Credentials | undefined
  #workedAt = Number.NEGATIVE_INFINITY

  constructor(bucket: S3Bucket, patience: Patience) {
    this.bucket = bucket
    this.patience = patience
    const route = bucket.route?.() ?? directOutbound.routeOf()
    this.#requests = new Connections(mostConnections, route)
    this.#bodies = new Connections(mostConnections, route)
    this.#downloads = new Connections(Number.POSITIVE_INFINITY, route)
  }

  /** True when the last request that ended succeeded, at most `ms` milliseconds ago. Requests
   *  for missing objects are left out. */
  workedWithin(ms: number): boolean {
    return performance.now() - this.#workedAt <= ms
  }

  /** Resolves with the whole answer. Throws `Refusal`, and `PassingFault` after the deadline. */
  text(request: S3Request, { patience = this.patience, accept }: TextOptions = {}): Promise<TextAnswer> {
    const work = async (): Promise<TextAnswer> => {
      const stallMs = request.stallMs ?? patience.stallMs
      const isShort = (request.body?.bytes ?? 0) <= shortBodyBytes
      const response = await this.#send(isShort ? this.#requests : this.#bodies, { ...request, stallMs })
      const text = await textOfAnswer(response, stallMs)
      // S3 begins some answers with status 200 before their outcome is known; the body may then
      // report an error.
      if (text.includes('<Error>')) throw errorIn(text, response)
      const answer = { headers: response.headers, text }
      accept?.(answer)
      return answer
    }
    return this.#noted(retried(patience, work))
  }

  /** Resolves with what `accept` returns for the answer, whose body the caller reads or
   *  destroys. When `accept` throws a `PassingFault`, the request is sent again. Throws like
   *  `text`. */
  open<Result>(request: S3Request, accept: (response: IncomingMessage) => Result): Promise<Result> {
    const work = async (): Promise<Result> => {
      const response = await this.#send(this.#downloads, request)
      try {
        return accept(response)
      } catch (error) {
        response.destroy()
        throw error
      }
    }
    return this.#noted(retried(this.patience, work))
  }

  /** Returns a URL that serves the object to everyone for `seconds`. */
  presigned(key: string, query: Readonly<Record<string, string>>, seconds: number): Promise<string> {
    const url = objectUrl(this.bucket, key, query)
    // Credentials that are about to expire would cut the life of the URL, so they are read anew.
    const credentials = this.#readAgain() ?? this.bucket.credentials()
    return presignedUrl({ method: 'GET', url, region: this.bucket.region, credentials }, seconds)
  }

  async #noted<Result>(work: Promise<Result>): Promise<Result> {
    try {
      const result = await work
      this.#workedAt = performance.now()
      return result
    } catch (error) {
      // The answer that an object is missing is no fault of the bucket.
      if (!(error instanceof Refusal && error.isMissing)) this.#workedAt = Number.NEGATIVE_INFINITY
      throw error
    }
  }

  async #send(connections: Connections, request: S3Request): Promise<IncomingMessage> {
    const used = this.#credentials ?? this.bucket.credentials()
    this.#credentials = used
    try {
      return await this.#sendWith(used, connections, request)
    } catch (error) {
      if (!(error instanceof Refusal) || !error.isOfCredentials) throw error
      // The file with the credentials may have been replaced, so they are read again.
      const current = this.#readAgain()
      if (current === undefined || isSame(current, used)) throw error
      return await this.#sendWith(current, connections, request)
    }
  }

  /** Reads the credentials anew; while a file with them is being replaced, returns the earlier
   *  ones. */
  #readAgain(): S3Credentials | undefined {
    try {
      this.#credentials = this.bucket.credentials()
    } catch {
      // The earlier credentials may still be valid.
    }
    return this.#credentials
  }

  async #sendWith(credentials: S3Credentials, connections: Connections, request: S3Request): Promise<IncomingMessage> {
    const { method, key, query, body, stallMs = this.patience.stallMs } = request
    const url = objectUrl(this.bucket, key, query)
    const sha256 = body?.sha256 ?? emptySha256
    const signable = { method, url, region: this.bucket.region, credentials }
    const headers = await signedHeaders(signable, { headers: request.headers ?? {}, sha256, cache: this.#cache })
    // S3 refuses a body without a length.
    if (method === 'PUT' || method === 'POST') headers['content-length'] = String(body?.bytes ?? 0)
    const attempt: Attempt = { method, url, headers, stallMs, ...(body ? { body } : {}) }
    const response = await connections.send(attempt)
    const { statusCode: status = 0 } = response
    if (status >= 200 && status < 300) return response
    throw faultOf(status, await textOfAnswer(response, stallMs), response.headers)
  }
}

function isSame(one: S3Credentials, other: S3Credentials): boolean {
  return one.accessKeyId === other.accessKeyId && one.secretAccessKey === other.secretAccessKey && one.sessionToken === other.sessionToken
}

/** Returns the error within an answer of status 200. */
function errorIn(text: string, { headers }: IncomingMessage): Error {
  return faultOf(/<Code>NoSuch(?:Key|Upload)</.test(text) ? 404 : 400, text, headers)
}
