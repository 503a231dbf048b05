/** The vendor's older way of authorization: a JSON Web Token, signed with the secret key
 *  (docs/vendors/kling.md#transport). */
import { createHmac } from 'node:crypto'

const lifeSeconds = 1800
/** The validity of a token begins this many seconds before the present time, because the
 *  vendor's clock may be behind. */
const backSeconds = 5
/** Age in milliseconds from which a token is replaced. It is below the token's life, so that the
 *  token stays valid during a long upload. */
export const renewAfterMs = 25 * 60_000

/** Returns a token that is valid for half an hour from `now`, in Unix milliseconds. */
export function signedToken({ accessKey, secretKey }: { accessKey: string; secretKey: string }, now: number): string {
  const seconds = Math.floor(now / 1000)
  const signed = [
    { alg: 'HS256', typ: 'JWT' },
    { iss: accessKey, exp: seconds + lifeSeconds, nbf: seconds - backSeconds },
  ]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signed}.${createHmac('sha256', secretKey).update(signed).digest('base64url')}`
}
