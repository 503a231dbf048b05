import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { dayToMs, hashKey } from '../core/access.ts'
import { limitsOf } from '../core/ledger/quota-text.ts'
import type { AccessKey, Account, AccountOverlay, AccountStore, Endpoint, StoredAccounts } from '../core/ports/store.ts'
import { type FileCandidate, type FileGeneration, shownFile } from '../core/records/file-generation.ts'
import { newId } from '../core/records/id.ts'
import { accessHashOf } from './access-hash.ts'
import type { LoadedConfig } from './config-file.ts'
import { type AccountEntry, type ConfigFile, type KeyEntry, shortestKey } from './config-schema.ts'
import { defaultName } from './first-start.ts'

/** Largest number of attempts to apply a file. An attempt fails only when another node applies
 *  its file at the same time. */
const mostTries = 20

type Env = Record<string, string | undefined>

/** The changes that applying a file makes. New entries, and entries that an earlier file created,
 *  are written to the store. An entry that was created in another way stays unchanged in the store.
 *  The values that the file has for such an entry are in `over`; they are kept in memory and take
 *  precedence over the stored values (docs/decisions/0013). */
interface ConfigPlan {
  accounts: Account[]
  keys: AccessKey[]
  endpoints: Endpoint[]
  over: { accounts: AccountOverlay[]; keys: AccessKey[]; endpoints: Endpoint[] }
  warnings: string[]
}

/** One reading of the file by this node: the environment and the time of the reading, and facts
 *  about the file. */
interface Reading {
  env: Env
  now: number
  node: string
  /** Modification time of the file, Unix milliseconds. */
  modifiedAt: number
  /** Hash of the accounts, keys and endpoints when this process last read the file; undefined
   *  when it reads the file for the first time. */
  earlierHash: string | undefined
}

interface AppliedFile {
  /** Hash of the file's accounts, keys and endpoints. */
  sha256: string
  /** Warnings for the operator. */
  warnings: string[]
}

/** Applies the accounts, keys and endpoints of a file. Entries of an earlier file that this file
 *  lacks are undone: an entry that a file created is revoked or removed, and an entry that was
 *  created in another way gets its stored values again. In a store that other nodes share, a file
 *  that is older than the applied one is not written; a warning is returned instead
 *  (docs/decisions/0047). Throws `invalid_request` before anything is written when a key belongs to
 *  another account or occurs twice. Throws `store_unavailable` after `mostTries` attempts. */
export async function applyConfigFile(
  accounts: AccountStore,
  { file }: Pick<LoadedConfig, 'file'>,
  reading: Reading,
): Promise<AppliedFile> {
  const { node, modifiedAt, earlierHash, now } = reading
  const sha256 = accessHashOf(file, reading.env)
  const isChange = earlierHash !== undefined && earlierHash !== sha256
  const candidate: FileCandidate = { node, sha256, modifiedAt, at: now, isChange, isAlone: !accounts.isShared }
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = await accounts.fileGeneration()
    const plan = await planOf(accounts.stored, file, reading)
    const standing = await accounts.applyFile(plan, candidate, before?.number ?? 0)
    // Another node has applied its file since the plan was made.
    if (standing === 'stale') continue
    accounts.overlay(plan.over)
    const warnings = standing === 'older' ? [...plan.warnings, olderWarning(before, candidate)] : plan.warnings
    return { sha256, warnings }
  }
  throw new GatewayError('store_unavailable', `Other nodes put their configuration files in force ${mostTries} times meanwhile.`)
}

function olderWarning(current: FileGeneration | undefined, { sha256, modifiedAt }: FileCandidate): string {
  const inForce = current && `that of node ${current.node} (${shownFile(current)}, generation ${current.number})`
  return `The accounts, keys and endpoints of this file (${shownFile({ sha256, modifiedAt })}) are not in force: ${inForce} is newer. Give this node the newer file, or touch this one to make it the newest.`
}

async function planOf(accounts: StoredAccounts, file: ConfigFile, { env, now }: Pick<Reading, 'env' | 'now'>): Promise<ConfigPlan> {
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

/** Returns the part of the plan to which an entry of the file is added: the overlay when the store
 *  already has an entry of this name with another origin; otherwise the entries to write. */
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
    ...defined({ name: entry.name, webhookSecret: secret, limits }),
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

/** True for the default endpoint, which exists without a file. A file that lists it replaces
 *  only the routes that the file names. */
function isBuiltIn(accountId: string, name: string): boolean {
  return accountId === defaultName && name === defaultName
}

/** Returns the routes of an endpoint. When the file names no routes, every family has its
 *  automatic route (`'*'`). */
function routesOf(routes: Record<string, JsonObject> | undefined): Endpoint['routes'] {
  const named = namedRoutes(routes)
  return Object.keys(named).length === 0 ? { '*': {} } : named
}

/** Returns the routes that the file names. All members of a route except `model` are settings of
 *  the family. */
function namedRoutes(routes: Record<string, JsonObject> = {}): Endpoint['routes'] {
  return Object.fromEntries(
    Object.entries(routes).map(([family, { model, ...settings }]) => [
      family,
      { ...(typeof model === 'string' ? { model } : {}), settings },
    ]),
  )
}
