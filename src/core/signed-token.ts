/** Short-lived tokens that the holder of an access key signs with the key's token secret: JSON Web Tokens with HS256, as Kling's clients make them (docs/decisions/0039). */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** From now to `exp`, at most: what Kling's clients ask for. */
export const longestLifeMs = 30 * 60_000
/** How far the clock of a client may be ahead. */
const clockSkewMs = 5_000
/** Those of Kling's clients have about 250 characters. */
const mostCharacters = 2_048
const form = /^(eyJ[\w-]*)\.([\w-]+)\.([\w-]{43})$/

export interface SignedToken {
  /** Id of the access key that is said to have signed it: nothing of it has been proved. */
  keyId: string
  notBefore: number | undefined
  expiresAt: number | undefined
  /** What the signature is of. */
  signed: string
  signature: Buffer
}

/** The token in a presented key; undefined for what is none, and for one that this gateway never accepts: another algorithm than HS256, a critical extension, no issuer. Times are Unix milliseconds. */
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

/** Whether this secret made the signature. */
export function isSignedWith({ signed, signature }: SignedToken, secret: string): boolean {
  return timingSafeEqual(createHmac('sha256', secret).update(signed).digest(), signature)
}

/** Why the token is not valid at this time, as the end of a sentence; undefined when it is. `now` is in Unix milliseconds. */
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

/** Empty for what is no JSON object. */
function membersOf(part: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(Buffer.from(part, 'base64url').toString()))
  } catch {
    return {}
  }
}
