/** The vendor's classic authorization: a JSON Web Token, signed with the secret key
 *  (docs/vendors/kling.md#transport). */
import { createHmac } from 'node:crypto'

const lifeSeconds = 1800
/** Seconds by which clocks may differ. */
const backSeconds = 5
/** Age in milliseconds at which a token is renewed: before it expires, because a long upload may
 *  begin with an old one. */
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
