import { readFileSync } from 'node:fs'
import Type, { type Static } from 'typebox'
import { LineCounter, parseDocument } from 'yaml'
import type { DriverSpec } from './contract/driver.ts'
import type { FamilyEntry } from './contract/family.ts'
import { checkObject } from './contract/validate.ts'
import { assertEndpointName, hashKey } from './core/access.ts'
import type { CatalogueModel, Target } from './core/catalogue.ts'
import { GatewayError } from './core/errors.ts'
import { newId } from './core/id.ts'
import type { AccessKey, AccountStore, KeyScopes } from './core/ports.ts'
import type { JsonObject } from './core/task.ts'

const strict = { additionalProperties: false } as const
const names = Type.Optional(Type.Array(Type.String({ minLength: 1 })))

const keySchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    secret_env: Type.Optional(Type.String()),
    secret: Type.Optional(Type.String({ minLength: 16 })),
    rate_per_minute: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
    concurrent_tasks: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    expires: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}', mustBe: 'a date like 2027-01-01' })),
    scopes: Type.Optional(Type.Object({ endpoints: names, families: names, models: names }, strict)),
  },
  strict,
)

const fileSchema = Type.Object(
  {
    accounts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.String({
              pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
              mustBe: '1 to 63 small letters, digits, dashes or underscores',
            }),
            name: Type.Optional(Type.String()),
            webhook_secret_env: Type.Optional(Type.String()),
            keys: Type.Optional(Type.Array(keySchema)),
            endpoints: Type.Optional(
              Type.Array(
                Type.Object(
                  {
                    name: Type.String(),
                    routes: Type.Optional(Type.Record(Type.String(), Type.Object({ model: Type.Optional(Type.String()) }))),
                  },
                  strict,
                ),
              ),
            ),
          },
          strict,
        ),
      ),
    ),
    models: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.String({ minLength: 1, maxLength: 200 }),
            title: Type.Optional(Type.String()),
            family: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]),
            group: Type.Optional(Type.String()),
            targets: Type.Array(
              Type.Object({
                driver: Type.String(),
                model: Type.Optional(Type.String()),
                order: Type.Optional(Type.Integer({ minimum: 1 })),
                weight: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
              }),
              { minItems: 1 },
            ),
          },
          strict,
        ),
      ),
    ),
  },
  strict,
)
type ConfigFile = Static<typeof fileSchema>

export interface LoadedConfig {
  file: ConfigFile
  models: CatalogueModel[]
  /** Things to tell the operator that do not stop the start: variables that are not set. */
  warnings: string[]
}

type Env = Record<string, string | undefined>

/** The checked configuration file. Throws `invalid_request` with the file, the line and the reason. */
export function loadConfigFile(
  path: string,
  known: { families: readonly FamilyEntry[]; drivers: readonly DriverSpec[] },
  env: Env,
): LoadedConfig {
  const file = readFile(path)
  const warnings: string[] = []
  const models = (file.models ?? []).map((model, index) => modelOf(model, index, { known, env, warnings }))
  for (const account of file.accounts ?? []) {
    for (const endpoint of account.endpoints ?? []) {
      assertEndpointName(endpoint.name)
      for (const family of Object.keys(endpoint.routes ?? {})) assertFamily(family, known.families, `endpoint ${endpoint.name}`)
    }
  }
  return { file, models, warnings }
}

function readFile(path: string): ConfigFile {
  const lines = new LineCounter()
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new GatewayError(
      'invalid_request',
      `GATEWAY_CONFIG names ${path}, which cannot be read: ${cause instanceof Error ? cause.message : cause}.`,
      { cause },
    )
  }
  const document = parseDocument(text, { lineCounter: lines })
  const problem = document.errors[0]
  if (problem) throw new GatewayError('invalid_request', `${path}: ${problem.message}`)
  try {
    return checkObject<ConfigFile>(fileSchema, document.toJS() ?? {}, path)
  } catch (error) {
    if (!(error instanceof GatewayError) || !error.issues[0]) throw error
    const issue = error.issues[0]
    const steps = issue.path.slice(1)
    // A missing field has no node of its own: its parent tells the line.
    const node = document.getIn(steps, true) ?? document.getIn(steps.slice(0, -1), true)
    const offset = (node as { range?: [number] } | undefined)?.range?.[0]
    const line = offset === undefined ? '' : `, line ${lines.linePos(offset).line}`
    throw new GatewayError('invalid_request', `${path}${line}: ${issue.message}`, { issues: error.issues })
  }
}

type ModelEntry = NonNullable<ConfigFile['models']>[number]
interface ModelContext {
  known: { families: readonly FamilyEntry[]; drivers: readonly DriverSpec[] }
  env: Env
  warnings: string[]
}

function modelOf(entry: ModelEntry, index: number, context: ModelContext): CatalogueModel {
  const families = [entry.family].flat()
  const first = families.map(id => assertFamily(id, context.known.families, `models[${index}]`))[0]
  const like = first?.family.models.find(model => entry.group === undefined || model.group === entry.group)
  if (!like) throw new GatewayError('invalid_request', `models[${index}].group is ${entry.group}; family ${families[0]} has no such group.`)
  const model: CatalogueModel = {
    id: entry.id,
    title: entry.title ?? entry.id,
    families,
    capability: like.capability,
    source: 'yaml',
    targets: entry.targets.map((target, position) => targetOf(entry, target, position, context)),
  }
  const group = entry.group ?? like.group
  return group === undefined ? model : { ...model, group }
}

function targetOf(
  entry: ModelEntry,
  target: ModelEntry['targets'][number],
  position: number,
  { known, env, warnings }: ModelContext,
): Target {
  const { driver: driverId, model, order, weight, ...rest } = target as ModelEntry['targets'][number] & JsonObject
  const driver = known.drivers.find(candidate => candidate.id === driverId)
  if (!driver) {
    const ids = known.drivers.map(candidate => candidate.id).join(', ')
    throw new GatewayError(
      'invalid_request',
      `The target ${position + 1} of model ${entry.id} names the driver ${driverId}; known are ${ids}.`,
    )
  }
  const settings: JsonObject = {}
  for (const [key, value] of Object.entries(rest)) {
    if (!key.endsWith('_env')) settings[key] = value
    else if (env[String(value)] !== undefined) settings[key.slice(0, -4)] = env[String(value)]
    else warnings.push(`Model ${entry.id}: the variable ${value} is not set; its target ${driverId} cannot be used.`)
  }
  return {
    id: `${entry.id}#${position + 1}`,
    driver: driverId,
    model: model ?? entry.id,
    order: order ?? 1,
    weight: weight ?? 1,
    settings: checkObject<JsonObject>(driver.settings, settings, `target ${position + 1} of model ${entry.id}`),
  }
}

function assertFamily(id: string, families: readonly FamilyEntry[], where: string): FamilyEntry {
  const found = families.find(entry => entry.family.id === id)
  if (found) return found
  throw new GatewayError(
    'invalid_request',
    `${where} names the family ${id}; known are ${families.map(entry => entry.family.id).join(', ')}.`,
  )
}

/** Writes the file's accounts, keys and endpoints; what an earlier file had and this one has not is revoked or removed. */
export async function applyConfigFile(
  accounts: AccountStore,
  { file }: LoadedConfig,
  { env, now }: { env: Env; now: number },
): Promise<string[]> {
  const warnings: string[] = []
  const keptKeys = new Set<string>()
  const keptEndpoints = new Set<string>()
  const existing = new Map((await accounts.accounts()).map(account => [account.id, account]))
  for (const entry of file.accounts ?? []) {
    const before = existing.get(entry.id)
    const secret = entry.webhook_secret_env === undefined ? before?.webhookSecret : env[entry.webhook_secret_env]
    await accounts.putAccount({
      id: entry.id,
      name: entry.name ?? before?.name ?? entry.id,
      source: before?.source ?? 'yaml',
      createdAt: before?.createdAt ?? now,
      ...(secret === undefined ? {} : { webhookSecret: secret }),
    })
    for (const key of entry.keys ?? []) {
      const secretText = key.secret ?? (key.secret_env === undefined ? undefined : env[key.secret_env])
      if (secretText === undefined) {
        warnings.push(
          `Account ${entry.id}: the variable ${key.secret_env ?? '(none)'} of key ${key.name} is not set; the key does not exist.`,
        )
        continue
      }
      const record = await keyRecord(accounts, { accountId: entry.id, key, secretText, now })
      keptKeys.add(record.id)
      await accounts.putKey(record)
    }
    for (const endpoint of entry.endpoints ?? []) {
      keptEndpoints.add(`${entry.id}/${endpoint.name}`)
      const routes = endpoint.routes && Object.keys(endpoint.routes).length > 0 ? routesOf(endpoint.routes) : { '*': {} }
      await accounts.putEndpoint({ accountId: entry.id, name: endpoint.name, routes, source: 'yaml', createdAt: now })
    }
  }
  await dropMissing(accounts, { keptKeys, keptEndpoints, now })
  return warnings
}

type KeyEntry = Static<typeof keySchema>

async function keyRecord(
  accounts: AccountStore,
  { accountId, key, secretText, now }: { accountId: string; key: KeyEntry; secretText: string; now: number },
): Promise<AccessKey> {
  const sha256 = hashKey(secretText)
  const before = await accounts.keyBySha256(sha256)
  if (before && before.accountId !== accountId)
    throw new GatewayError('invalid_request', `The key ${key.name} of account ${accountId} is already a key of another account.`)
  const scopes: KeyScopes = {
    endpoints: key.scopes?.endpoints ?? [],
    families: key.scopes?.families ?? [],
    models: key.scopes?.models ?? [],
  }
  const record: AccessKey = {
    id: before?.id ?? `key_${newId(now)}`,
    accountId,
    name: key.name,
    sha256,
    hint: secretText.slice(-4),
    scopes,
    source: 'yaml',
    createdAt: before?.createdAt ?? now,
  }
  if (key.rate_per_minute !== undefined) record.ratePerMinute = key.rate_per_minute
  if (key.concurrent_tasks !== undefined) record.concurrentTasks = key.concurrent_tasks
  if (key.expires !== undefined) record.expiresAt = Date.parse(key.expires)
  return record
}

function routesOf(routes: Record<string, JsonObject | { model?: string }>): Record<string, { model?: string; settings?: JsonObject }> {
  return Object.fromEntries(
    Object.entries(routes).map(([family, { model, ...settings }]) => [
      family,
      { ...(typeof model === 'string' ? { model } : {}), settings: settings as JsonObject },
    ]),
  )
}

async function dropMissing(
  accounts: AccountStore,
  { keptKeys, keptEndpoints, now }: { keptKeys: Set<string>; keptEndpoints: Set<string>; now: number },
): Promise<void> {
  for (const key of await accounts.keys()) {
    if (key.source === 'yaml' && key.revokedAt === undefined && !keptKeys.has(key.id)) await accounts.revokeKey(key.id, now)
  }
  for (const endpoint of await accounts.endpoints()) {
    if (endpoint.source === 'yaml' && !keptEndpoints.has(`${endpoint.accountId}/${endpoint.name}`))
      await accounts.removeEndpoint(endpoint.accountId, endpoint.name)
  }
}
