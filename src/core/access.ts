import { hash, timingSafeEqual } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { AccessKey, AccountStore, Clock, Endpoint, EndpointRoute, KeyScopes } from './ports/store.ts'
import { newId, newSecret } from './records/id.ts'
import { isSignedWith, readToken, timeProblem } from './signed-token.ts'

interface Signer {
  key: AccessKey
  secret: string
}

/** Names that an endpoint must not have, because the URL of such an endpoint could be confused
 *  with other URLs of the gateway (docs/interface.md#all-families). */
export const reservedEndpointNames: ReadonlySet<string> = new Set(
  'ai v1 v2 api docs health healthz readyz metrics files assets admin console webhooks models usage chat responses images audio videos search tasks openapi.json'.split(
    ' ',
  ),
)
const endpointName = /^[a-z0-9][a-z0-9._-]{0,62}$/i
const cachedAtMost = 10_000

/** Finds access keys and endpoints. Reads are cached; the cache is dropped whenever the revision
 *  of the account store has changed. */
export class Access {
  readonly #accounts: AccountStore
  readonly #clock: Clock
  readonly #keys = new Map<string, AccessKey>()
  /** The keys of recent callers, by the text that the caller sent. A look-up by the hash of that
   *  text would be slower: to hash it takes about 2 % of the time of a relayed call. */
  readonly #presentedKeys = new Map<string, AccessKey>()
  /** Access keys with their token secrets, by key id. Filled when a caller first presents a
   *  token that names the key. */
  readonly #signers = new Map<string, Signer>()
  readonly #endpoints = new Map<string, Endpoint>()
  #revision: number

  constructor(accounts: AccountStore, clock: Clock) {
    this.#accounts = accounts
    this.#clock = clock
    this.#revision = accounts.revision()
  }

  /** Returns the access key that has this text. Throws `missing_api_key`, `invalid_api_key`. */
  async authenticate(presented: string | undefined): Promise<AccessKey> {
    this.#refresh()
    if (presented === undefined || presented === '') {
      throw new GatewayError('missing_api_key', 'An access key is required: Authorization: Bearer <access key>.')
    }
    return this.#valid((await this.#keyOf(presented)) ?? (await this.#keyOfToken(presented)))
  }

  /** Returns the access key with this id. Used where the caller has not sent the key itself but
   *  something that names it, such as a signed token. Throws `invalid_api_key` when the key is
   *  unknown, revoked or expired. */
  async keyById(id: string): Promise<AccessKey> {
    return this.#valid(await this.#accounts.key(id))
  }

  /** Returns the key and the endpoint without reading the store. Returns undefined unless both
   *  are cached and valid and the key may use the endpoint; the caller then calls
   *  `authenticate`, which reports the reason. */
  recall(presented: string, name: string): { key: AccessKey; endpoint: Endpoint } | undefined {
    this.#refresh()
    const key = this.#presentedKeys.get(presented) ?? this.#recallByHash(presented)
    if (key?.revokedAt !== undefined || (key?.expiresAt ?? Number.POSITIVE_INFINITY) <= this.#clock.now()) return undefined
    const endpoint = key && this.#endpoints.get(`${key.accountId}/${name}`)
    return key && endpoint && allows(key.scopes.endpoints, name) ? { key, endpoint } : undefined
  }

  /** Returns the account's endpoint with this name when the key's scopes allow it. Throws
   *  `endpoint_not_found`, `not_allowed`. */
  async endpoint(key: AccessKey, name: string): Promise<Endpoint> {
    this.#refresh()
    const cacheKey = `${key.accountId}/${name}`
    const readAt = this.#revision
    const endpoint = this.#endpoints.get(cacheKey) ?? (await this.#accounts.endpoint(key.accountId, name))
    if (!endpoint)
      throw new GatewayError('endpoint_not_found', `There is no endpoint ${JSON.stringify(name.slice(0, 64))} in this account.`, {
        field: 'endpoint',
      })
    if (readAt === this.#accounts.revision()) remember(this.#endpoints, cacheKey, endpoint)
    if (!allows(key.scopes.endpoints, name)) throw new GatewayError('not_allowed', `The access key may not use the endpoint ${name}.`)
    return endpoint
  }

  #refresh(): void {
    if (this.#revision === this.#accounts.revision()) return
    this.#revision = this.#accounts.revision()
    this.#keys.clear()
    this.#presentedKeys.clear()
    this.#signers.clear()
    this.#endpoints.clear()
  }

  #recallByHash(presented: string): AccessKey | undefined {
    const key = this.#keys.get(hashKey(presented))
    if (key) remember(this.#presentedKeys, presented, key)
    return key
  }

  async #keyOf(presented: string): Promise<AccessKey | undefined> {
    const sha256 = hashKey(presented)
    const cached = this.#keys.get(sha256)
    if (cached) return cached
    const readAt = this.#revision
    const key = await this.#accounts.keyBySha256(sha256)
    // If a key was revoked during the read, the record that was read may be older than the
    // revocation, so it is not cached.
    if (key && readAt === this.#accounts.revision()) remember(this.#keys, sha256, key)
    return key
  }

  async #signerOf(keyId: string): Promise<Signer | undefined> {
    const known = this.#signers.get(keyId)
    if (known) return known
    const readAt = this.#revision
    const found = await this.#accounts.tokenSecret(keyId)
    const key = found && (await this.#accounts.key(keyId))
    if (!key) return undefined
    const signer = { key, secret: found.secret }
    if (readAt === this.#accounts.revision()) remember(this.#signers, keyId, signer)
    return signer
  }

  /** Returns the key whose secret signed the token; undefined for a text that is not a token of
   *  this gateway. Called only when the text is not an access key itself. */
  async #keyOfToken(presented: string): Promise<AccessKey | undefined> {
    const token = readToken(presented)
    const signer = token && (await this.#signerOf(token.keyId))
    if (!signer || !isSignedWith(token, signer.secret)) return undefined
    const problem = timeProblem(token, this.#clock.now())
    if (problem === undefined) return signer.key
    throw new GatewayError('invalid_api_key', `Incorrect API key provided: ${problem}.`)
  }

  #valid(key: AccessKey | undefined): AccessKey {
    // The message begins like OpenAI's, because LiteLLM recognises a wrong key by these words and
    // not by the HTTP status.
    if (!key) throw new GatewayError('invalid_api_key', 'Incorrect API key provided: the access key is not known.')
    if (key.revokedAt !== undefined) throw new GatewayError('invalid_api_key', 'Incorrect API key provided: the access key was revoked.')
    if (key.expiresAt !== undefined && key.expiresAt <= this.#clock.now())
      throw new GatewayError('invalid_api_key', 'Incorrect API key provided: the access key has expired.')
    return key
  }
}

/** Returns the endpoint's route for the family; undefined when the endpoint does not serve it. */
export function routeAt({ routes }: Pick<Endpoint, 'routes'>, family: string): EndpointRoute | undefined {
  return routes[family] ?? routes['*']
}

/** True when the key's scopes include the family, the endpoint or the model. */
export function isInScope(scopes: KeyScopes, kind: keyof KeyScopes, value: string): boolean {
  return allows(scopes[kind], value)
}

/** Throws `not_allowed` when the scopes of the key do not include the family. */
export function assertFamilyScope(scopes: KeyScopes, family: string): void {
  if (!allows(scopes.families, family)) throw new GatewayError('not_allowed', `The access key may not use family ${family}.`)
}

/** Throws `invalid_request` for an endpoint name that is reserved, has more than 63 characters,
 *  contains a character that is not a letter, digit, dot, dash or underscore, or does not begin
 *  with a letter or digit. */
export function assertEndpointName(name: string): void {
  if (!endpointName.test(name)) {
    throw new GatewayError(
      'invalid_request',
      `name is ${JSON.stringify(name)}; it must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit.`,
      { field: 'name' },
    )
  }
  if (reservedEndpointNames.has(name.toLowerCase()))
    throw new GatewayError('invalid_request', `name is ${name}; that name is reserved.`, { field: 'name' })
}

/** Returns the start of a day written as `2027-01-01` (UTC), in Unix milliseconds. Throws
 *  `invalid_request` with the name of the field when the day does not exist. */
export function dayToMs(day: string, field: string): number {
  const ms = Date.parse(`${day}T00:00:00Z`)
  if (/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)) return ms
  throw new GatewayError('invalid_request', `${field} is ${JSON.stringify(day)}; it must be a date like 2027-01-01.`, { field })
}

/** Returns the SHA-256 of an access key in hex. A slow hash, as for passwords, is not needed:
 *  keys are random and long, so they cannot be guessed. */
export function hashKey(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Returns a function that returns true when a presented key is one of these keys. The function
 *  takes the same time for every key, so that its duration reveals nothing about the keys. */
export function createKeyCheck(keys: readonly string[]): (presented: string) => boolean {
  const hashes = keys.map(key => Buffer.from(hashKey(key), 'hex'))
  return presented => {
    const hash = Buffer.from(hashKey(presented), 'hex')
    return hashes.filter(each => timingSafeEqual(each, hash)).length > 0
  }
}

/** Returns a new access key: its text, which is shown to the caller only once, and the record to
 *  store. */
export function makeKey(
  fields: Pick<AccessKey, 'accountId' | 'name' | 'source'> & Partial<Pick<AccessKey, 'scopes' | 'limits' | 'expiresAt'>>,
  now: number,
  secret: string = `sk-${newSecret(30)}`,
): { secret: string; key: AccessKey } {
  const key: AccessKey = {
    id: `key_${newId(now)}`,
    sha256: hashKey(secret),
    hint: secret.slice(-4),
    createdAt: now,
    ...fields,
    scopes: fields.scopes ?? { endpoints: [], families: [], models: [] },
  }
  return { secret, key }
}

function allows(list: readonly string[], value: string): boolean {
  return list.length === 0 || list.includes(value)
}

function remember<T>(cache: Map<string, T>, key: string, value: T): void {
  if (cache.size >= cachedAtMost) cache.clear()
  cache.set(key, value)
}
