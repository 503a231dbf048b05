/** Short-lived tokens with which a client authenticates instead of an access key: JSON Web
 *  Tokens with HS256, signed with the token secret of the key, as Kling's clients create them
 *  (docs/decisions/0039). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { parsedJson } from '@generation-gateway/kit/json.ts'

/** Longest accepted lifetime of a token, from now to its `exp`, in ms; Kling's clients set this
 *  lifetime. */
export const longestLifeMs = 30 * 60_000
/** Number of milliseconds by which a client's clock may be ahead of the gateway's. */
const clockSkewMs = 5_000
/** Longest accepted token in characters; tokens of Kling's clients have about 250. */
const mostCharacters = 2_048
const form = /^(eyJ[\w-]*)\.([\w-]+)\.([\w-]{43})$/

export interface SignedToken {
  /** Id of the access key that the token names as its issuer. The signature has not been checked
   *  yet, so the id may be forged. */
  keyId: string
  notBefore: number | undefined
  expiresAt: number | undefined
  /** The part of the token that the signature covers. */
  signed: string
  signature: Buffer
}

/** Returns the token in a presented key; undefined for a text that is not a token, and for a
 *  token that this gateway never accepts: with another algorithm than HS256, with a critical
 *  extension, without an issuer, or with a time that is not a number. Times are Unix
 *  milliseconds. */
export function readToken(presented: string): SignedToken | undefined {
  const [, head = '', body = '', signature = ''] = presented.length > mostCharacters ? [] : (form.exec(presented) ?? [])
  const { alg, typ = 'JWT', crit } = membersOf(head)
  if (alg !== 'HS256' || crit !== undefined || String(typ).toUpperCase() !== 'JWT') return undefined
  const { iss, exp, nbf } = membersOf(body)
  if (typeof iss !== 'string' || !isTime(exp) || !isTime(nbf)) return undefined
  return {
    keyId: iss,
    notBefore: nbf === undefined ? undefined : nbf * 1000,
    expiresAt: exp === undefined ? undefined : exp * 1000,
    signed: `${head}.${body}`,
    signature: Buffer.from(signature, 'base64url'),
  }
}

/** True when the signature was made with this secret. */
export function isSignedWith({ signed, signature }: SignedToken, secret: string): boolean {
  return timingSafeEqual(createHmac('sha256', secret).update(signed).digest(), signature)
}

/** Returns the reason why the token is not valid at the time `now` (Unix milliseconds), as the
 *  end of a sentence; undefined when it is valid. */
export function timeProblem({ notBefore, expiresAt }: SignedToken, now: number): string | undefined {
  if (expiresAt === undefined) return 'the token has no exp'
  if (expiresAt <= now) return 'the token has expired'
  if (expiresAt > now + longestLifeMs + clockSkewMs) return 'exp of the token is more than 30 minutes ahead'
  if (notBefore !== undefined && notBefore > now + clockSkewMs) return 'the token is not valid yet (nbf)'
  return undefined
}

function isTime(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && Number.isFinite(value))
}

/** Returns the members of the JSON object in this part of a token; empty when it is not a JSON
 *  object. */
function membersOf(part: string): Record<string, unknown> {
  return Object(parsedJson(Buffer.from(part, 'base64url').toString()))
}
