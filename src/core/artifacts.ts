/** Signed links: a link to an artifact lets its holder read that blob until it expires; the wake
 *  link of a task lets its holder report that there is news of the task. */
import { createHmac, createSecretKey, type Hmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Clock, SecretStore } from './ports/store.ts'

/** The query of a link as the router parsed it. */
export interface LinkQuery {
  exp?: unknown
  kid?: unknown
  sig?: unknown
}

export interface LinkSigner {
  /** `/files/<id>?exp=<unix seconds>&kid=<key id>&sig=<base64url>`: path and query of a link
   *  that ends at `expiresAtMs` (Unix milliseconds, rounded up to a second). */
  sign(blobId: string, expiresAtMs: number): string
  /** Returns the expiry of the link, Unix milliseconds. Throws `invalid_signature` (forged,
   *  changed, or signed with a key that was rotated away) and `gone` (expired). */
  verify(blobId: string, query: LinkQuery): number
  /** Returns the path with `?exp&kid&sig`: a link to another resource of the gateway, valid until
   *  `expiresAtMs`. */
  signPath(path: string, expiresAtMs: number): string
  /** As `verify`, for a path. */
  verifyPath(path: string, query: LinkQuery): number
  /** `/webhooks/wake/<task id>/<mac>`: the URL path an upstream may call when it has news of the
   *  task. Never expires, because a call only makes the gateway poll sooner. */
  wakePath(taskId: string): string
  /** True when the MAC is that of the task's wake path. */
  isWake(taskId: string, mac: string): boolean
  /** Makes a new signing key. Links signed with the previous key stay valid, older ones do not. */
  rotate(): Promise<void>
  /** Reads the keys again, to pick up those made by another node. */
  reload(): Promise<void>
}

interface SigningKey {
  id: string
  secret: KeyObject
}

/** The last link signed for a path; links signed within the same second are identical. */
interface CachedLink {
  key: SigningKey
  exp: number
  link: string
}

const rememberedLinks = 4_096
const liveKeys = 2
const signatureBytes = 32

/** Reads the signing keys, making the first when there is none. Throws `store_unavailable`. */
export async function createLinkSigner(secrets: SecretStore, clock: Clock): Promise<LinkSigner> {
  let keys: SigningKey[] = []
  // Cached, because a client that polls a task requests the same link again and again.
  const given = new Map<string, CachedLink>()

  const reload = async (): Promise<void> => {
    const stored = await secrets.signingKeys()
    keys = stored.slice(0, liveKeys).map(key => ({ id: key.id, secret: createSecretKey(key.secret) }))
  }
  const rotate = async (): Promise<void> => {
    await secrets.putSigningKey({ id: randomBytes(4).toString('hex'), secret: randomBytes(32), createdAt: clock.now() })
    await reload()
  }
  await reload()
  if (keys.length === 0) await rotate()

  const verified = ({ exp, kid, sig }: LinkQuery, mac: (key: SigningKey, exp: string) => Hmac): number => {
    const key = keys.find(candidate => candidate.id === kid)
    if (key === undefined || typeof exp !== 'string' || typeof sig !== 'string' || !/^\d{1,12}$/.test(exp)) throw invalid()
    const given = Buffer.from(sig, 'base64url')
    if (given.length !== signatureBytes || !timingSafeEqual(given, mac(key, exp).digest())) throw invalid()
    const endsAt = Number(exp) * 1000
    // Checked after the signature, so that a forged link reveals nothing about valid ones.
    if (endsAt <= clock.now()) throw new GatewayError('gone', 'The link has expired; ask for the task again to get a fresh one.')
    return endsAt
  }

  return {
    sign: (blobId, expiresAtMs) => {
      const key = keys[0]
      if (key === undefined) throw new TypeError('the secret store lost its signing keys')
      const exp = Math.ceil(expiresAtMs / 1000)
      const last = given.get(blobId)
      if (last !== undefined && last.exp === exp && last.key === key) return last.link
      const link = `/files/${blobId}?exp=${exp}&kid=${key.id}&sig=${macOf(key, blobId, String(exp)).digest('base64url')}`
      if (given.size >= rememberedLinks) given.clear()
      given.set(blobId, { key, exp, link })
      return link
    },
    verify: (blobId, query) => verified(query, (key, exp) => macOf(key, blobId, exp)),
    signPath: (path, expiresAtMs) => {
      const key = keys[0]
      if (key === undefined) throw new TypeError('the secret store lost its signing keys')
      const exp = Math.ceil(expiresAtMs / 1000)
      return `${path}?exp=${exp}&kid=${key.id}&sig=${pathMac(key, path, String(exp)).digest('base64url')}`
    },
    verifyPath: (path, query) => verified(query, (key, exp) => pathMac(key, path, exp)),
    wakePath: taskId => {
      const key = keys[0]
      if (key === undefined) throw new TypeError('the secret store lost its signing keys')
      return `/webhooks/wake/${taskId}/${wakeMac(key, taskId).digest('base64url')}`
    },
    isWake: (taskId, mac) => {
      const given = Buffer.from(mac, 'base64url')
      return given.length === signatureBytes && keys.some(key => timingSafeEqual(given, wakeMac(key, taskId).digest()))
    },
    rotate,
    reload,
  }
}

function macOf(key: SigningKey, blobId: string, exp: string): Hmac {
  return createHmac('sha256', key.secret).update(`files\n${blobId}\n${exp}`)
}

function pathMac(key: SigningKey, path: string, exp: string): Hmac {
  return createHmac('sha256', key.secret).update(`path\n${path}\n${exp}`)
}

function wakeMac(key: SigningKey, taskId: string): Hmac {
  return createHmac('sha256', key.secret).update(`wake\n${taskId}`)
}

function invalid(): GatewayError {
  return new GatewayError('invalid_signature', 'The signature of the link does not fit.')
}
