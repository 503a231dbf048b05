import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { dayToMs, hashKey } from '../core/access.ts'
import { limitsOf } from '../core/ledger/quota-text.ts'
import type { AccessKey, Account, AccountOverlay, AccountStore, Endpoint, StoredAccounts } from '../core/ports/store.ts'
import { newId } from '../core/records/id.ts'
import type { LoadedConfig } from './config-file.ts'
import { type AccountEntry, type ConfigFile, type KeyEntry, shortestKey } from './config-schema.ts'
import { defaultName } from './first-start.ts'

type Env = Record<string, string | undefined>

/** The file's own entries are written to the store; entries made elsewhere are only overlaid
 *  (docs/decisions/0013). */
interface ConfigPlan {
  accounts: Account[]
  keys: AccessKey[]
  endpoints: Endpoint[]
  over: { accounts: AccountOverlay[]; keys: AccessKey[]; endpoints: Endpoint[] }
  warnings: string[]
}

/** Writes the file's accounts, keys and endpoints. An entry that was in an earlier file and is
 *  not in this one is revoked or removed, or returns to its stored values when it was made
 *  elsewhere. Resolves with warnings for the operator.
 *  Throws `invalid_request` before anything is written when a key belongs to another account. */
export async function applyConfigFile(
  accounts: AccountStore,
  { file }: Pick<LoadedConfig, 'file'>,
  { env, now }: { env: Env; now: number },
): Promise<string[]> {
  const plan = await planOf(accounts.stored, file, { env, now })
  for (const account of plan.accounts) await accounts.putAccount(account)
  for (const key of plan.keys) await accounts.putKey(key)
  for (const endpoint of plan.endpoints) await accounts.putEndpoint(endpoint)
  accounts.overlay(plan.over)
  await dropMissing(accounts.stored, plan, now)
  return plan.warnings
}

async function planOf(accounts: StoredAccounts, file: ConfigFile, { env, now }: { env: Env; now: number }): Promise<ConfigPlan> {
  const plan: ConfigPlan = { accounts: [], keys: [], endpoints: [], over: { accounts: [], keys: [], endpoints: [] }, warnings: [] }
  const existing = new Map((await accounts.accounts()).map(account => [account.id, account]))
  for (const entry of file.accounts ?? []) {
    planAccount(plan, entry, { before: existing.get(entry.id), env, now })
    for (const key of entry.keys ?? []) await planKey(accounts, plan, { account: entry.id, key, env, now })
    for (const { name, routes } of entry.endpoints ?? []) {
      const before = await accounts.endpoint(entry.id, name)
      const endpoint: Endpoint = {
        accountId: entry.id,
        name,
        routes: isBuiltIn(entry.id, name) ? { ...before?.routes, ...namedRoutes(routes) } : routesOf(routes),
        source: 'yaml',
        createdAt: before?.createdAt ?? now,
      }
      partOf(plan, before).endpoints.push(endpoint)
    }
  }
  return plan
}

/** Returns the list that an entry of the file goes into, depending on the stored entry with its
 *  name. */
function partOf(plan: ConfigPlan, before: { source: Account['source'] } | undefined): Pick<ConfigPlan, 'keys' | 'endpoints'> {
  return before === undefined || before.source === 'yaml' ? plan : plan.over
}

function planAccount(
  { accounts, over, warnings }: ConfigPlan,
  entry: AccountEntry,
  { before, env, now }: { before: Account | undefined; env: Env; now: number },
): void {
  const variable = entry.webhook_secret_env
  const given = variable === undefined ? undefined : env[variable]
  if (variable !== undefined && !given)
    warnings.push(`Account ${entry.id}: the variable ${variable} is not set; its webhooks are signed as before, or not at all.`)
  const isOthers = before !== undefined && before.source !== 'yaml'
  const secret = given || (isOthers ? undefined : before?.webhookSecret)
  const limits = limitsOf(entry)
  const said: AccountOverlay = {
    id: entry.id,
    ...(entry.name === undefined ? {} : { name: entry.name }),
    ...(secret === undefined ? {} : { webhookSecret: secret }),
    ...(limits === undefined ? {} : { limits }),
  }
  if (isOthers) over.accounts.push(said)
  else accounts.push({ name: before?.name ?? entry.id, ...said, source: 'yaml', createdAt: before?.createdAt ?? now })
}

async function planKey(
  accounts: StoredAccounts,
  plan: ConfigPlan,
  { account, key, env, now }: { account: string; key: KeyEntry; env: Env; now: number },
): Promise<void> {
  const { warnings } = plan
  const where = `Account ${account}: `
  const secret = key.secret ?? env[key.secret_env ?? ''] ?? ''
  if (secret === '') {
    warnings.push(`${where}the variable ${key.secret_env} of key ${key.name} is not set; the key does not exist.`)
    return
  }
  if (secret.length < shortestKey) {
    warnings.push(`${where}the key ${key.name} in ${key.secret_env} has fewer than ${shortestKey} characters; the key does not exist.`)
    return
  }
  const sha256 = hashKey(secret)
  const before = await accounts.keyBySha256(sha256)
  const planned = [...plan.keys, ...plan.over.keys].find(each => each.sha256 === sha256)
  const owner = before?.accountId ?? planned?.accountId
  if (owner !== undefined && (owner !== account || planned !== undefined))
    throw new GatewayError('invalid_request', `The key ${key.name} of account ${account} is already a key of account ${owner}.`)
  if (before?.source === 'admin' && before.revokedAt !== undefined) {
    warnings.push(`${where}the key ${key.name} was revoked by the operator and stays so; take it out of the file.`)
    return
  }
  partOf(plan, before).keys.push(
    keyOf(key, {
      id: before?.id ?? `key_${newId(now)}`,
      accountId: account,
      sha256,
      hint: secret.slice(-4),
      createdAt: before?.createdAt ?? now,
    }),
  )
}

function keyOf(key: KeyEntry, facts: Pick<AccessKey, 'id' | 'accountId' | 'sha256' | 'hint' | 'createdAt'>): AccessKey {
  const { endpoints = [], families = [], models = [] } = key.scopes ?? {}
  const record: AccessKey = { ...facts, name: key.name, scopes: { endpoints, families, models }, source: 'yaml' }
  const limits = limitsOf(key)
  if (limits) record.limits = limits
  if (key.expires !== undefined) record.expiresAt = dayToMs(key.expires, 'expires')
  return record
}

/** True for the endpoint that exists without a file: a file replaces only those of its routes
 *  that it names. */
function isBuiltIn(accountId: string, name: string): boolean {
  return accountId === defaultName && name === defaultName
}

/** Without routes, every family has its automatic one. */
function routesOf(routes: Record<string, JsonObject> | undefined): Endpoint['routes'] {
  const named = namedRoutes(routes)
  return Object.keys(named).length === 0 ? { '*': {} } : named
}

/** Members of a route beside `model` are settings of the family. */
function namedRoutes(routes: Record<string, JsonObject> = {}): Endpoint['routes'] {
  return Object.fromEntries(
    Object.entries(routes).map(([family, { model, ...settings }]) => [
      family,
      { ...(typeof model === 'string' ? { model } : {}), settings },
    ]),
  )
}

async function dropMissing(accounts: StoredAccounts, plan: ConfigPlan, now: number): Promise<void> {
  const keptKeys = new Set(plan.keys.map(key => key.id))
  const keptEndpoints = new Set(plan.endpoints.map(endpoint => `${endpoint.accountId}/${endpoint.name}`))
  for (const key of await accounts.keys()) {
    if (key.source === 'yaml' && key.revokedAt === undefined && !keptKeys.has(key.id)) await accounts.revokeKey(key.id, now)
  }
  for (const endpoint of await accounts.endpoints()) {
    if (endpoint.source === 'yaml' && !keptEndpoints.has(`${endpoint.accountId}/${endpoint.name}`))
      await accounts.removeEndpoint(endpoint.accountId, endpoint.name)
  }
}
