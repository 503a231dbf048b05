/** Tokens by which a node proves that it belongs to the same gateway, so that it may run an
 *  engine on another node. */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { parsedJson } from '@generation-gateway/kit/json.ts'
import type { Clock } from '../core/ports/store.ts'

/** Time in ms for which a token is valid, by the clock of the database that the nodes share. */
const lifeMs = 30_000
/** Largest number of tokens that are remembered, so that none can be used twice. When that many
 *  tokens are still valid, further runs are refused. */
const mostRemembered = 200_000
const keyLabel = 'gateway engine runs, version 1'

/** The contents of a token. The signature proves that a node of this gateway wrote them. */
export interface RunClaims {
  /** Id of the run; each request has a new one. */
  run: string
  engine: string
  account: string
  /** Id of the caller's access key; empty when there is none. */
  key: string
  /** Name of the node that requests the run. */
  from: string
  /** Address of the node that is to run the engine, in the form in which that node reports it. */
  to: string
  /** SHA-256, in hex, of the first frame of the request. */
  head: string
  /** End of the token's validity, Unix milliseconds. */
  exp: number
}

/** Thrown for a token that was issued before the start of the node to which it was sent. The clocks
 *  of two nodes may differ by up to a second, so it may take a second until a new token for this
 *  node is valid. */
export class StaleTokenError extends GatewayError {}

/** Returns the key with which tokens are signed. It is derived from the secret key of the nodes
 *  (32 bytes), for this purpose alone. */
export function runTokenKey(secretKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), keyLabel, 32))
}

/** Returns a token for one request, signed with `key`. */
export function signRun(key: Buffer, claims: Omit<RunClaims, 'exp'>, now: number): string {
  const body = Buffer.from(JSON.stringify({ ...claims, exp: now + lifeMs })).toString('base64url')
  return `run1.${body}.${macOf(key, body).toString('base64url')}`
}

export function digestOf(head: Buffer): string {
  return createHash('sha256').update(head).digest('hex')
}

/** Checks the tokens of requests to this node. Each token is remembered while it is valid, so
 *  that it cannot be used twice. Tokens that were issued before the start of this node are refused,
 *  because an earlier process at the same address may have accepted them. */
export class RunTokens {
  readonly #keys: readonly Buffer[]
  readonly #clock: Clock
  readonly #address: () => string | undefined
  readonly #startedAt: number
  /** Tokens that were used: run id -> end of the token's validity. */
  readonly #seen = new Map<string, number>()

  /** A token may be signed with any of the keys. `address` returns the address that this node
   *  reports to the other nodes. */
  constructor(keys: readonly Buffer[], clock: Clock, address: () => string | undefined) {
    this.#keys = keys
    this.#clock = clock
    this.#address = address
    this.#startedAt = clock.now()
  }

  /** Returns the contents of a token, which cannot be used again. Throws `invalid_api_key` for
   *  everything that is not a valid token for this node, including access keys and admin keys.
   *  Throws `StaleTokenError` for a token that was issued before the start of this node, and
   *  `overloaded` when too many tokens are remembered; the requesting node then tries further
   *  nodes. */
  accept(presented: string | undefined): RunClaims {
    const [version, body = '', mac = '', ...rest] = (presented ?? '').split('.')
    const given = Buffer.from(mac, 'base64url')
    const isOurs = this.#keys.some(key => isMac(given, macOf(key, body)))
    if (version !== 'run1' || rest.length > 0 || !isOurs)
      throw refused('only nodes of the same database may use it, with a token of their own')
    // The cast is safe: the signature is right, so a node with the same secret key has written
    // these members.
    const claims = parsedJson(Buffer.from(body, 'base64url').toString()) as RunClaims
    const now = this.#clock.now()
    if (claims.exp <= now || claims.exp > now + 2 * lifeMs) throw refused('the token has expired')
    if (claims.to !== this.#address()) throw refused('the token is for another node')
    if (claims.exp - lifeMs < this.#startedAt)
      throw new StaleTokenError('overloaded', 'This node has started after the token was issued.', { retryAfterSeconds: 1 })
    this.#remember(claims, now)
    return claims
  }

  #remember({ run, exp }: RunClaims, now: number): void {
    // The map is in order of insertion, so expired entries come first.
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

function isMac(given: Buffer, own: Buffer): boolean {
  return given.length === own.length && timingSafeEqual(given, own)
}

function refused(why: string): GatewayError {
  return new GatewayError('invalid_api_key', `This operation is for other nodes of this gateway: ${why}.`)
}
