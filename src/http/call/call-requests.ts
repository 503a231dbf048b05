/** The requests of one call for several answers. Most of these requests differ from each other only
 *  in their seed. */
import { isObject, type Json } from '@generation-gateway/kit/json.ts'
import { FairQueue } from '@generation-gateway/kit/process/fair-queue.ts'
import { type ExpectedTokens, expectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'

/** Largest total size in bytes of the requests of one kind that one call sends to targets at the
 *  same time; a larger request is sent alone. A request is in memory twice while it is encoded, and
 *  once from then until its target answers. */
const mostBytesAtOnce = 64 * 2 ** 20

/** `first`: the request with which an answer begins. `further`: a request that is sent while its
 *  answer is being read (`Job.again`). Each kind has its own limit. With a common limit there could
 *  be a deadlock: first requests would wait for a target that is occupied by answers, and these
 *  answers would wait until they may send a further request. */
type RequestKind = 'first' | 'further'

/** Collects the requests of one call, estimates their tokens, and limits how many of them are sent
 *  at the same time. */
export class CallRequests {
  /** The requests that differ from the request before them in more than the seed. */
  readonly #different: TextRequest[] = []
  #expected: ExpectedTokens | undefined
  #count = 0
  #places: Record<RequestKind, FairQueue> | undefined

  /** Adds a request. Returns the tokens that it will probably use. */
  add(request: TextRequest): ExpectedTokens {
    this.#count += 1
    const last = this.#different.at(-1)
    if (this.#expected && last && differInSeed(last, request)) return this.#expected
    this.#different.push(request)
    this.#expected = expectedTokens('neutral', request)
    return this.#expected
  }

  /** Resolves with a place in which a request of this kind may be sent; the caller of this method
   *  disposes of the place when the target has begun to answer. Rejects with the signal's reason.
   *  Undefined for a call with one answer. */
  admit(kind: RequestKind, signal: AbortSignal): Promise<Disposable> | undefined {
    if (this.#count < 2) return undefined
    this.#places ??= placesFor(this.#different)
    return this.#places[kind].take({ signal })
  }
}

function placesFor(requests: readonly TextRequest[]): Record<RequestKind, FairQueue> {
  const largest = requests.reduce((most, request) => Math.max(most, bytesIn(request)), 1)
  const places = Math.max(1, Math.floor(mostBytesAtOnce / largest))
  return { first: new FairQueue({ places }), further: new FairQueue({ places }) }
}

/** Returns true when all members but the seed are the same objects and values. */
function differInSeed(one: TextRequest, other: TextRequest): boolean {
  const { seed: _one, ...rest } = one
  const { seed: _other, ...others } = other
  return (
    Object.keys(rest).length === Object.keys(others).length &&
    Object.entries(rest).every(([name, value]) => Reflect.get(others, name) === value)
  )
}

/** Returns the number of bytes of all strings in a value, encoded in UTF-8. */
function bytesIn(value: Json | undefined): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  let bytes = 0
  if (Array.isArray(value)) for (const each of value) bytes += bytesIn(each)
  else if (isObject(value)) for (const name in value) bytes += bytesIn(value[name])
  return bytes
}
