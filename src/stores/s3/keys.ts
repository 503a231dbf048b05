/** Keys of blobs in a bucket. Every uploaded file gets a new key, even when its content is stored
 *  already. */
import { randomBytes } from 'node:crypto'

/** Matches a key: 12 hex digits of the time, 20 random hex digits, a dash and the SHA-256. */
const own = /^([0-9a-f]{12})[0-9a-f]{20}-[0-9a-f]{64}$/
const hash = /^[0-9a-f]{64}$/

/** Returns a key that was never used before: the time, random bits, and the SHA-256 (hex) of the
 *  content. Keys sort in the order of their times. `now`: Unix milliseconds. */
export function newKey(now: number, sha256: string): string {
  return `${Math.floor(now).toString(16).padStart(12, '0')}${randomBytes(10).toString('hex')}-${sha256}`
}

/** True for a key of `newKey`, and for the SHA-256 of a blob that an import has brought from a
 *  folder. No other text may become part of the URL of a blob. */
export function isKey(key: string): boolean {
  return own.test(key) || hash.test(key)
}

/** Returns the SHA-256 (hex) of the content of a valid key, of a bucket or of a folder. */
export function sha256Of(key: string): string {
  return key.slice(-64)
}

/** Returns the time (Unix milliseconds) at which the upload of a blob began; undefined for a blob
 *  that an import has copied from a folder. */
export function adoptedAt(key: string): number | undefined {
  const [, time] = own.exec(key) ?? []
  return time === undefined ? undefined : Number.parseInt(time, 16)
}
