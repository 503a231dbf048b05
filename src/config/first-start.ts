import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { hashKey, makeKey } from '../core/access.ts'
import type { AccessKey, StoredAccounts } from '../core/ports/store.ts'
import { writePrivateFile } from './secrets.ts'

/** Name of the default account and of its endpoint, which always exist. */
export const defaultName = 'default'
const accountId = defaultName
const environmentKeyName = 'GATEWAY_ACCESS_KEY'

/** The results of a start that the operator must know. */
export interface FirstStart {
  /** The access key and its file, when this start has created the key. */
  madeKey?: { secret: string; file: string }
  /** A warning for the operator. */
  warning?: string
}

/** Ensures that the default account, its endpoint and an access key exist. `accessKey` (from the
 *  environment) becomes a key of this account, and the key that an earlier start took from the
 *  environment is revoked. On a shared store, `accessKey` may already be revoked in this way,
 *  because another node has started with a later key. `accessKey` then stays revoked, and a warning
 *  is returned. Throws `invalid_request` when the key belongs to another account. */
export async function ensureDefaultAccount(
  accounts: StoredAccounts,
  options: { dataDir: string; accessKey: string | undefined; now: number },
): Promise<FirstStart> {
  const { now } = options
  const isNew = (await accounts.account(accountId)) === undefined
  if (isNew) await accounts.putAccount({ id: accountId, name: 'Default account', source: 'first-start', createdAt: now })
  const endpoint = await accounts.endpoint(accountId, defaultName)
  // Earlier versions of the gateway changed the source of this endpoint when a configuration file
  // named it, and removed the endpoint when the file no longer named it. Both are corrected here.
  if (!endpoint || endpoint.source === 'yaml') {
    await accounts.putEndpoint({ accountId, name: defaultName, routes: { '*': {} }, source: 'first-start', createdAt: now })
  }
  if (options.accessKey !== undefined) {
    const warning = await useEnvironmentKey(accounts, options.accessKey, now)
    return warning === undefined ? {} : { warning }
  }
  if ((await accounts.keys(accountId)).some(key => key.revokedAt === undefined)) return {}
  const { secret, key } = makeKey({ accountId, name: 'first', source: 'first-start' }, now)
  const file = join(options.dataDir, 'access.key')
  writePrivateFile(file, secret)
  await accounts.putKey(key)
  return { madeKey: { secret, file } }
}

/** Makes this key the account's only key from the environment. Returns a warning when the key
 *  stays revoked. */
async function useEnvironmentKey(accounts: StoredAccounts, secret: string, now: number): Promise<string | undefined> {
  const sha256 = hashKey(secret)
  const existing = await accounts.keyBySha256(sha256)
  if (existing && existing.accountId !== accountId)
    throw new GatewayError('invalid_request', `${environmentKeyName} is a key of account ${existing.accountId} already.`, {
      field: environmentKeyName,
    })
  if (accounts.isShared && existing?.revokedAt !== undefined)
    return `${environmentKeyName} of this node is not valid: it was revoked, or a node of the same store brought a later one. Give all nodes the same.`
  for (const key of await accounts.keys(accountId)) {
    if (key.name === environmentKeyName && key.sha256 !== sha256 && key.revokedAt === undefined) await accounts.revokeKey(key.id, now)
  }
  // Earlier versions of the gateway changed the source of this key when a configuration file named
  // the key, and revoked the key when the file no longer named it. Such a key is written again.
  if (existing && existing.revokedAt === undefined && existing.source !== 'yaml') return undefined
  const { key } = makeKey({ accountId, name: environmentKeyName, source: 'first-start' }, now, secret)
  await putKeyOnce(accounts, existing ? { ...key, id: existing.id } : key)
  return undefined
}

/** Writes a key. Does nothing when the store already has it under another id, because another
 *  node that starts at the same time has written it. */
async function putKeyOnce(accounts: StoredAccounts, key: AccessKey): Promise<void> {
  try {
    await accounts.putKey(key)
  } catch (error) {
    const found = await accounts.keyBySha256(key.sha256)
    if (found?.accountId !== key.accountId) throw error
  }
}
