/** Signed links. The holder of a link to an artifact can read that artifact until the link
 *  expires. The wake link of a task is given to an upstream, which calls it to tell the gateway
 *  that the task has changed. */
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
  /** Returns `/files/<id>?exp=<unix seconds>&kid=<key id>&sig=<base64url>`: path and query of a
   *  link that expires at `expiresAtMs` (Unix milliseconds, rounded up to a second). */
  sign(blobId: string, expiresAtMs: number): string
  /** Resolves with the time at which the link expires, in Unix milliseconds. Throws
   *  `invalid_signature` for a link that was forged or changed, or whose signing key no longer
   *  exists, and `gone` for an expired link. Another node may have created the signing key that
   *  the link names. When that key is unknown here, the keys are read again, at most once a
   *  second. */
  verify(blobId: string, query: LinkQuery): Promise<number>
  /** Returns the path with `?exp&kid&sig`: a link to another resource of the gateway, valid until
   *  `expiresAtMs`. */
  signPath(path: string, expiresAtMs: number): string
  /** Verifies a link to another resource in the same way as `verify`. */
  verifyPath(path: string, query: LinkQuery): Promise<number>
  /** Returns `/webhooks/wake/<task id>/<mac>`: the URL path that an upstream calls when the task
   *  has changed there. The path never expires, because such a call only makes the gateway poll
   *  sooner. */
  wakePath(taskId: string): string
  /** Resolves with true when `mac` (the message authentication code in a URL) is the one in the
   *  task's wake path. */
  isWake(taskId: string, mac: string): Promise<boolean>
  /** Creates a new signing key. Links signed with the previous key stay valid; links signed with
   *  older keys become invalid. */
  rotate(): Promise<void>
}

interface SigningKey {
  id: string
  secret: KeyObject
}

/** The last link that was signed for a blob. It is reused, because all links that expire in the
 *  same second are identical. */
interface CachedLink {
  key: SigningKey
  exp: number
  link: string
}

const rememberedLinks = 4_096
const liveKeys = 2
const signatureBytes = 32
const readAgainMs = 1_000

/** The signing keys of the store, as this node last read them. */
class SigningKeys {
  readonly #secrets: SecretStore
  readonly #clock: Clock
  #keys: SigningKey[] = []
  /** Revision of the secret store just before `#keys` were read. When the store has another
   *  revision now, the keys may have changed. */
  #revision = 0
  #lastRead = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  constructor(secrets: SecretStore, clock: Clock) {
    this.#secrets = secrets
    this.#clock = clock
  }

  /** Returns the keys that sign or verify links, newest first. When another node has created a key
   *  since the last read, this call returns the old keys and starts a new read in the
   *  background. */
  live(): readonly SigningKey[] {
    if (this.#isStale()) void this.#readOnce().catch(() => {})
    return this.#keys
  }

  newest(): SigningKey {
    const [key] = this.live()
    if (key === undefined) throw new TypeError('the secret store lost its signing keys')
    return key
  }

  /** Reads the keys from the store. When a read is already in progress, the new read starts
   *  after it has ended, because the earlier read may have begun before the newest key was
   *  written. */
  async read(): Promise<void> {
    await this.#reading?.catch(() => {})
    await this.#readOnce()
  }

  /** Returns the result of `find` for the cached keys. When `find` returns undefined, reads the
   *  keys again, if `#mayRead` allows this, and returns the result for the new ones. */
  async search<Found>(find: (keys: readonly SigningKey[]) => Found | undefined): Promise<Found | undefined> {
    if (this.#isStale()) await this.#readOnce().catch(() => {})
    const found = find(this.#keys)
    if (found !== undefined || !this.#mayRead()) return found
    await this.#readOnce()
    return find(this.#keys)
  }

  /** True when a signing key was written after the last read. */
  #isStale(): boolean {
    return this.#secrets.revision() !== this.#revision
  }

  /** Returns true when the keys may be read again, which is at most once a second. Without the
   *  limit, anyone could cause many reads with links that name unknown keys. */
  #mayRead(): boolean {
    if (this.#reading !== undefined) return true
    const passed = this.#clock.now() - this.#lastRead
    return passed >= readAgainMs || passed < 0
  }

  /** Starts to read the keys, or joins a read in progress. Two reads at the same time are
   *  avoided: the older one could end last and put old keys back. */
  #readOnce(): Promise<void> {
    this.#reading ??= this.#load().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #load(): Promise<void> {
    this.#lastRead = this.#clock.now()
    const revision = this.#secrets.revision()
    const stored = await this.#secrets.signingKeys()
    this.#revision = revision
    this.#keys = stored.slice(0, liveKeys).map(key => ({ id: key.id, secret: createSecretKey(key.secret) }))
  }
}

/** Returns a signer with the signing keys of the store; creates the first key when the store has
 *  none. Throws `store_unavailable`. */
export async function createLinkSigner(secrets: SecretStore, clock: Clock): Promise<LinkSigner> {
  const keys = new SigningKeys(secrets, clock)
  // Links are cached, because a client that polls a task requests the same link again and again.
  const given = new Map<string, CachedLink>()

  const rotate = async (): Promise<void> => {
    await secrets.putSigningKey({ id: randomBytes(4).toString('hex'), secret: randomBytes(32), createdAt: clock.now() })
    await keys.read()
  }
  await keys.read()
  if (keys.live().length === 0) await rotate()

  const verified = async ({ exp, kid, sig }: LinkQuery, mac: (key: SigningKey, exp: string) => Hmac): Promise<number> => {
    if (typeof exp !== 'string' || typeof sig !== 'string' || typeof kid !== 'string') throw invalid()
    const given = Buffer.from(sig, 'base64url')
    if (!/^\d{1,12}$/.test(exp) || !/^[0-9a-f]{8}$/.test(kid) || given.length !== signatureBytes) throw invalid()
    const key = await keys.search(known => known.find(candidate => candidate.id === kid))
    if (key === undefined || !timingSafeEqual(given, mac(key, exp).digest())) throw invalid()
    const endsAt = Number(exp) * 1000
    // The expiry is checked after the signature, so that the answer to a forged link reveals
    // nothing about valid ones.
    if (endsAt <= clock.now()) throw new GatewayError('gone', 'The link has expired; ask for the task again to get a fresh one.')
    return endsAt
  }

  return {
    sign: (blobId, expiresAtMs) => {
      const key = keys.newest()
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
      const key = keys.newest()
      const exp = Math.ceil(expiresAtMs / 1000)
      return `${path}?exp=${exp}&kid=${key.id}&sig=${pathMac(key, path, String(exp)).digest('base64url')}`
    },
    verifyPath: (path, query) => verified(query, (key, exp) => pathMac(key, path, exp)),
    wakePath: taskId => {
      const key = keys.newest()
      return `/webhooks/wake/${taskId}/${wakeMac(key, taskId).digest('base64url')}`
    },
    isWake: async (taskId, mac) => {
      const given = Buffer.from(mac, 'base64url')
      if (given.length !== signatureBytes) return false
      const key = await keys.search(known => known.find(candidate => timingSafeEqual(given, wakeMac(candidate, taskId).digest())))
      return key !== undefined
    },
    rotate,
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
