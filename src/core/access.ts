import { hash } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { AccessKey, AccountStore, Clock, Endpoint, EndpointRoute, KeyScopes } from './ports/store.ts'
import { newId, newSecret } from './records/id.ts'
import { isSignedWith, readToken, timeProblem } from './signed-token.ts'

export interface Access {
  /** The key record of a presented key. Throws `missing_api_key`, `invalid_api_key`. */
  authenticate(presented: string | undefined): Promise<AccessKey>
  /** The key of this id, for who holds something that it made. Throws `invalid_api_key` when it is gone, revoked or past its end. */
  keyById(id: string): Promise<AccessKey>
  /** Key and endpoint when both are known, valid and allowed without a look into the store; else undefined, and `authenticate` says why. */
  recall(presented: string, endpoint: string): { key: AccessKey; endpoint: Endpoint } | undefined
  /** The account's endpoint of this name, when the key's scopes allow it. Throws `endpoint_not_found`, `not_allowed`. */
  endpoint(key: AccessKey, name: string): Promise<Endpoint>
}

interface Signer {
  key: AccessKey
  secret: string
}

/** Names that no endpoint may take, because they would read like other paths
 *  (docs/interface.md#all-families). */
export const reservedEndpointNames: ReadonlySet<string> = new Set(
  'ai v1 v2 api docs health healthz readyz metrics files assets admin console webhooks models usage chat responses images audio videos search tasks openapi.json'.split(
    ' ',
  ),
)
const endpointName = /^[a-z0-9][a-z0-9._-]{0,62}$/i
const cachedAtMost = 10_000

/** Keys and endpoints with a cache in front that is dropped whenever the store's revision moves. */
export function createAccess(accounts: AccountStore, clock: Clock): Access {
  const keys = new Map<string, AccessKey>()
  /** By the presented text itself, for the callers of this moment: hashing is a fiftieth of what a relay costs. */
  const presentedKeys = new Map<string, AccessKey>()
  /** Access keys with their token secrets, by their ids: of those who have presented a token. */
  const signers = new Map<string, Signer>()
  const endpoints = new Map<string, Endpoint>()
  let revision = accounts.revision()

  const refresh = () => {
    if (revision === accounts.revision()) return
    revision = accounts.revision()
    keys.clear()
    presentedKeys.clear()
    signers.clear()
    endpoints.clear()
  }
  const recallByHash = (presented: string): AccessKey | undefined => {
    const key = keys.get(hashKey(presented))
    if (key) remember(presentedKeys, presented, key)
    return key
  }
  const keyOf = async (presented: string): Promise<AccessKey | undefined> => {
    const sha256 = hashKey(presented)
    const cached = keys.get(sha256)
    if (cached) return cached
    const readAt = revision
    const key = await accounts.keyBySha256(sha256)
    // Revoked while it was read: what was read may be old.
    if (key && readAt === accounts.revision()) remember(keys, sha256, key)
    return key
  }

  const signerOf = async (keyId: string): Promise<Signer | undefined> => {
    const known = signers.get(keyId)
    if (known) return known
    const readAt = revision
    const found = await accounts.tokenSecret(keyId)
    const key = found && (await accounts.keys()).find(each => each.id === keyId)
    if (!key) return undefined
    const signer = { key, secret: found.secret }
    if (readAt === accounts.revision()) remember(signers, keyId, signer)
    return signer
  }
  /** The key that has signed the token; undefined for what is no token of ours. Looked at only where it is no access key itself. */
  const keyOfToken = async (presented: string): Promise<AccessKey | undefined> => {
    const token = readToken(presented)
    const signer = token && (await signerOf(token.keyId))
    if (!signer || !isSignedWith(token, signer.secret)) return undefined
    const problem = timeProblem(token, clock.now())
    if (problem === undefined) return signer.key
    throw new GatewayError('invalid_api_key', `Incorrect API key provided: ${problem}.`)
  }

  const valid = (key: AccessKey | undefined): AccessKey => {
    // OpenAI's first words: LiteLLM knows a wrong key by them, not by the status.
    if (!key) throw new GatewayError('invalid_api_key', 'Incorrect API key provided: the access key is not known.')
    if (key.revokedAt !== undefined) throw new GatewayError('invalid_api_key', 'Incorrect API key provided: the access key was revoked.')
    if (key.expiresAt !== undefined && key.expiresAt <= clock.now())
      throw new GatewayError('invalid_api_key', 'Incorrect API key provided: the access key has expired.')
    return key
  }

  return {
    authenticate: async presented => {
      refresh()
      if (presented === undefined || presented === '') {
        throw new GatewayError('missing_api_key', 'An access key is required: Authorization: Bearer <access key>.')
      }
      return valid((await keyOf(presented)) ?? (await keyOfToken(presented)))
    },
    keyById: async id => valid((await accounts.keys()).find(key => key.id === id)),
    recall: (presented, name) => {
      refresh()
      const key = presentedKeys.get(presented) ?? recallByHash(presented)
      if (key?.revokedAt !== undefined || (key?.expiresAt ?? Number.POSITIVE_INFINITY) <= clock.now()) return undefined
      const endpoint = key && endpoints.get(`${key.accountId}/${name}`)
      return key && endpoint && allows(key.scopes.endpoints, name) ? { key, endpoint } : undefined
    },
    endpoint: async (key, name) => {
      refresh()
      const cacheKey = `${key.accountId}/${name}`
      const readAt = revision
      const endpoint = endpoints.get(cacheKey) ?? (await accounts.endpoint(key.accountId, name))
      if (!endpoint)
        throw new GatewayError('endpoint_not_found', `There is no endpoint ${JSON.stringify(name.slice(0, 64))} in this account.`, {
          field: 'endpoint',
        })
      if (readAt === accounts.revision()) remember(endpoints, cacheKey, endpoint)
      if (!allows(key.scopes.endpoints, name)) throw new GatewayError('not_allowed', `The access key may not use the endpoint ${name}.`)
      return endpoint
    },
  }
}

/** The endpoint's route for the family; undefined when it serves it not. */
export function routeAt({ routes }: Pick<Endpoint, 'routes'>, family: string): EndpointRoute | undefined {
  return routes[family] ?? routes['*']
}

/** Whether the key's scopes include the family, the endpoint or the model. */
export function isInScope(scopes: KeyScopes, kind: keyof KeyScopes, value: string): boolean {
  return allows(scopes[kind], value)
}

/** Throws `not_allowed` when the key's scopes leave the family out. */
export function assertFamilyScope(scopes: KeyScopes, family: string): void {
  if (!allows(scopes.families, family)) throw new GatewayError('not_allowed', `The access key may not use family ${family}.`)
}

/** Throws `invalid_request` for a name that is reserved or could not stand in a path. */
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

/** Start of a day written as `2027-01-01` (UTC), Unix milliseconds. Throws `invalid_request` naming the field for a day that does not exist. */
export function dayToMs(day: string, field: string): number {
  const ms = Date.parse(`${day}T00:00:00Z`)
  if (/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)) return ms
  throw new GatewayError('invalid_request', `${field} is ${JSON.stringify(day)}; it must be a date like 2027-01-01.`, { field })
}

/** SHA-256 in hex; keys are random and long, so a plain hash is enough. */
export function hashKey(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** A new access key: the text for the caller (told once) and the record to store. */
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
