/** Tokens by which a node proves to another one that it may run an engine there. */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { parsedJson } from '@generation-gateway/kit/json.ts'
import type { Clock } from '../core/ports/store.ts'

/** Time in ms for which a token is valid; the nodes use the clock of their database. */
const lifeMs = 30_000
/** Most tokens that are remembered against replays; more valid tokens within their life are
 *  refused. */
const mostRemembered = 200_000
const keyLabel = 'gateway engine runs, version 1'

/** The facts that a token proves. */
export interface RunClaims {
  /** Id of this run, which no other request has. */
  run: string
  engine: string
  account: string
  /** Id of the caller's access key; empty when there is none. */
  key: string
  /** Name of the node that requests the run. */
  from: string
  /** Address of the node that is to run it, as that node reports it. */
  to: string
  /** SHA-256 of the head of the request, in hex digits. */
  head: string
  /** End of the token's life, Unix milliseconds. */
  exp: number
}

/** Returns the key of the tokens, which follows from the secret key of the nodes (32 bytes) and is
 *  of no use for anything else. */
export function runTokenKey(secretKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), keyLabel, 32))
}

/** Returns a token for one request. */
export function signRun(key: Buffer, claims: Omit<RunClaims, 'exp'>, now: number): string {
  const body = Buffer.from(JSON.stringify({ ...claims, exp: now + lifeMs })).toString('base64url')
  return `run1.${body}.${macOf(key, body).toString('base64url')}`
}

export function digestOf(head: Buffer): string {
  return createHash('sha256').update(head).digest('hex')
}

/** Checks the tokens of requests to this node, and remembers each one for its life. */
export class RunTokens {
  readonly #key: Buffer
  readonly #clock: Clock
  readonly #address: () => string | undefined
  /** Ids of runs with the ends of their tokens. */
  readonly #seen = new Map<string, number>()

  /** `address` returns the address of this node, as it reports it. */
  constructor(key: Buffer, clock: Clock, address: () => string | undefined) {
    this.#key = key
    this.#clock = clock
    this.#address = address
  }

  /** Returns what the token proves, and accepts it no second time. Throws `invalid_api_key` for
   *  everything that is not a valid token for this node: also for access keys and admin keys. */
  accept(presented: string | undefined): RunClaims {
    const [version, body = '', mac = '', ...rest] = (presented ?? '').split('.')
    const given = Buffer.from(mac, 'base64url')
    const own = macOf(this.#key, body)
    if (version !== 'run1' || rest.length > 0 || given.length !== own.length || !timingSafeEqual(given, own))
      throw refused('only nodes of the same database may use it, with a token of their own')
    // The cast is safe: only nodes with the same secret key can have made the signature.
    const claims = parsedJson(Buffer.from(body, 'base64url').toString()) as RunClaims
    const now = this.#clock.now()
    if (claims.exp <= now || claims.exp > now + 2 * lifeMs) throw refused('the token has expired')
    if (claims.to !== this.#address()) throw refused('the token is for another node')
    this.#remember(claims, now)
    return claims
  }

  #remember({ run, exp }: RunClaims, now: number): void {
    // The first entries are the oldest ones.
    for (const [id, end] of this.#seen) {
      if (end > now) break
      this.#seen.delete(id)
    }
    if (this.#seen.has(run)) throw refused('the token was used before')
    if (this.#seen.size >= mostRemembered)
      throw new GatewayError('overloaded', 'This node gets too many runs of engines.', { retryAfterSeconds: 5 })
    this.#seen.set(run, exp)
  }
}

function macOf(key: Buffer, body: string): Buffer {
  return createHmac('sha256', key).update(`run1.${body}`).digest()
}

function refused(why: string): GatewayError {
  return new GatewayError('invalid_api_key', `This operation is for other nodes of this gateway: ${why}.`)
}
