/** The operator's actions, each declared once. The admin API serves them over HTTP. The command
 *  line runs the same actions, either through a running gateway or directly on the store. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { nearText } from '@generation-gateway/kit/near-names.ts'
import Type, { type Static, type TObject } from 'typebox'
import { optional } from '../../contract/schemas.ts'
import { assertEndpointName, dayToMs, makeKey } from '../../core/access.ts'
import { limitsOf } from '../../core/ledger/quota-text.ts'
import type { AccessKey, AccountChanges, Limits, StoredAccounts, TaskStore } from '../../core/ports/store.ts'
import { taskStates } from '../../core/records/task.ts'
import { type AdminDeps, type AdminOperation, account, action, day, keyOf, limits, list, ofAccount, oneOf } from './admin-action.ts'
import { configOperations } from './admin-config.ts'
import { klingOperations } from './admin-kling.ts'
import { modelOperations } from './admin-models.ts'
import { nodeOperations } from './admin-nodes.ts'
import { usageOperations } from './admin-usage.ts'

export type { AdminDeps, AdminOperation } from './admin-action.ts'

const newKey = {
  account,
  name: Type.String({ minLength: 1, maxLength: 100, default: 'key', description: 'Name to recognise it by.' }),
  ...limits,
  expires: optional.string({ ...day, description: 'Day from which it is no longer valid (UTC).' }),
  endpoints: list('Endpoints it may use; all without any.'),
  families: list('Families it may use; all without any.'),
  models: list('Models it may use; all without any.'),
}

export const adminOperations: readonly AdminOperation[] = [
  action({
    name: 'accounts list',
    method: 'GET',
    path: '/admin/accounts',
    says: 'Lists the accounts.',
    input: {},
    run: async ({ store }) => ({
      accounts: (await store.accounts.accounts()).map(({ webhookSecret, ...rest }) => ({
        ...rest,
        hasWebhookSecret: webhookSecret !== undefined,
      })),
    }),
  }),
  action({
    name: 'accounts create',
    method: 'POST',
    path: '/admin/accounts',
    says: 'Makes an account, or changes what is given: its name, webhook secret or limits, which its keys share.',
    input: {
      id: Type.String({
        pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
        mustBe: '1 to 63 small letters, digits, dashes or underscores',
        description: 'Account id.',
      }),
      name: optional.string({ maxLength: 200, description: 'Name to show.' }),
      webhook_secret: optional.string({
        minLength: 16,
        maxLength: 256,
        secret: true,
        description: 'Key of webhook signatures (whsec_ + base64, or text).',
      }),
      ...limits,
    },
    run: async ({ store, clock }, { id, name, webhook_secret, ...given }) => {
      const limits = givenLimits(given)
      if (limits) assertOurs(await store.accounts.account(id))
      const changes: AccountChanges = {}
      if (name !== undefined) changes.name = name
      if (webhook_secret !== undefined) changes.webhookSecret = webhook_secret
      if (limits) changes.limits = limits
      await store.accounts.changeAccount(id, changes, clock.now())
      return { account: await shownAccount(store.accounts.stored, id) }
    },
  }),
  action({
    name: 'accounts limit',
    method: 'POST',
    path: '/admin/accounts/{id}/limits',
    says: 'Replaces the limits of an account; a limit that is not given does not apply.',
    input: { id: Type.String({ description: 'Account id.' }), ...limits },
    run: async ({ store }, { id, ...given }) => {
      const found = await store.accounts.account(id)
      if (!found) throw new GatewayError('not_found', `There is no account ${id}.`)
      assertOurs(found)
      await store.accounts.limitAccount(id, givenLimits(given))
      return { account: await shownAccount(store.accounts.stored, id) }
    },
  }),
  action({
    name: 'keys list',
    method: 'GET',
    path: '/admin/keys',
    says: 'Lists access keys; the keys themselves are not stored.',
    input: { account: optional.string({ description: 'Only keys of this account.' }) },
    run: async ({ store }, input) => {
      const signers = new Set(await store.accounts.keysWithTokenSecret())
      const keys = await store.accounts.keys(input.account)
      return { keys: keys.map(key => ({ ...shownKey(key), ...(signers.has(key.id) ? { hasKlingSecret: true } : {}) })) }
    },
  }),
  action({
    name: 'keys create',
    method: 'POST',
    path: '/admin/keys',
    says: 'Makes an access key and shows it once.',
    input: newKey,
    run: createKey,
  }),
  action({
    name: 'keys limit',
    method: 'POST',
    path: '/admin/keys/{id}/limits',
    says: 'Replaces the limits of an access key; a limit that is not given does not apply.',
    input: { id: Type.String({ description: 'Key id.' }), ...limits },
    run: async ({ store }, { id, ...given }) => {
      assertOurs(await keyOf(store.accounts, id))
      await store.accounts.limitKey(id, givenLimits(given))
      return { key: shownKey(await keyOf(store.accounts, id)) }
    },
  }),
  action({
    name: 'keys revoke',
    method: 'DELETE',
    path: '/admin/keys/{id}',
    says: 'Revokes an access key at once, and for good.',
    input: { id: Type.String({ description: 'Key id.' }) },
    run: revokeKey,
  }),
  ...klingOperations,
  action({
    name: 'endpoints list',
    method: 'GET',
    path: '/admin/endpoints',
    says: 'Lists endpoints with their routes.',
    input: { account: optional.string({ description: 'Only endpoints of this account.' }) },
    run: async ({ store }, input) => ({ endpoints: await store.accounts.endpoints(input.account) }),
  }),
  action({
    name: 'endpoints create',
    method: 'POST',
    path: '/admin/endpoints',
    says: 'Makes an endpoint, or replaces its routes.',
    input: {
      account,
      name: Type.String({ description: 'The path segment, unique in the account.' }),
      routes: list('FAMILY or FAMILY=MODEL; every family without any.'),
    },
    run: createEndpoint,
  }),
  action({
    name: 'endpoints remove',
    method: 'DELETE',
    path: '/admin/endpoints/{account}/{name}',
    says: 'Removes an endpoint; its tasks stay until they are swept.',
    input: { account, name: Type.String({ description: 'Endpoint name.' }) },
    run: async ({ store }, input) => {
      assertOurs(await store.accounts.endpoint(input.account, input.name))
      if (!(await store.accounts.removeEndpoint(input.account, input.name)))
        throw new GatewayError('not_found', `Account ${input.account} has no endpoint ${input.name}.`)
      return { removed: input.name }
    },
  }),
  ...modelOperations,
  ...configOperations,
  ...nodeOperations,
  action({
    name: 'tasks list',
    method: 'GET',
    path: '/admin/tasks',
    says: 'Lists tasks, newest first.',
    input: {
      account: optional.string({ description: 'Only tasks of this account.' }),
      family: optional.string({ description: 'Only tasks of this family.' }),
      state: Type.Optional(oneOf(taskStates, 'Only tasks in this state.')),
      before: optional.string({ description: 'Only tasks older than this id: the next page.' }),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 20, description: 'Tasks at most.' }),
    },
    run: async ({ store }, { account: accountId, ...filter }) => {
      const tasks = await store.list({ ...filter, ...ofAccount(accountId) })
      return { tasks: tasks.map(({ shown: _shown, webhook, ...task }) => ({ ...task, webhookUrl: webhook?.url ?? null })) }
    },
  }),
  action({
    name: 'tasks show',
    method: 'GET',
    path: '/admin/tasks/{id}',
    says: 'Shows a task with its history and what its engine kept of it.',
    input: { id: Type.String({ description: 'Task id.' }) },
    run: async ({ store, requestOf }, { id }) => {
      const task = await store.get(id)
      if (!task) throw new GatewayError('task_not_found', `There is no task ${id}.`)
      const { webhook, ...shown } = task
      return {
        task: { ...shown, request: await requestOf(id).catch(nullWhenGone), webhookUrl: webhook?.url ?? null },
        events: await store.events(id, 0),
        detail: (await store.detail(id)) ?? null,
      }
    },
  }),
  action({
    name: 'tasks cancel',
    method: 'DELETE',
    path: '/admin/tasks/{id}',
    says: 'Cancels a task.',
    input: { id: Type.String({ description: 'Task id.' }) },
    run: async ({ store, clock }, { id }) => {
      const outcome = await store.cancel(id, clock.now())
      if (outcome === 'missing') throw new GatewayError('task_not_found', `There is no task ${id}.`)
      return { id, outcome }
    },
  }),
  action({
    name: 'webhooks dead',
    method: 'GET',
    path: '/admin/webhooks/dead',
    says: 'Lists webhook deliveries that were given up.',
    input: {
      account: optional.string({ description: 'Only those of this account.' }),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'At most.' }),
    },
    run: async ({ store }, { account: accountId, limit }) => ({
      webhooks: await store.outbox.dead({ ...ofAccount(accountId), limit }),
    }),
  }),
  action({
    name: 'webhooks resend',
    method: 'POST',
    path: '/admin/webhooks/{id}/resend',
    says: 'Sends a given-up webhook again, now.',
    input: { id: Type.String({ description: 'Webhook id (wh_...).' }) },
    run: async ({ store, clock }, { id }) => {
      if (!(await store.outbox.resend(id, clock.now()))) throw new GatewayError('not_found', `There is no dead webhook ${id}.`)
      return { resent: id }
    },
  }),
  ...usageOperations,
]

async function createKey({ store, clock, catalogue, familyIds }: AdminDeps, input: Static<TObject<typeof newKey>>): Promise<object> {
  await assertAccount(store, input.account)
  for (const family of input.families) assertFamily(family, familyIds)
  const fields: Parameters<typeof makeKey>[0] = {
    accountId: input.account,
    name: input.name,
    source: 'admin',
    scopes: { endpoints: input.endpoints, families: input.families, models: [...new Set(input.models.flatMap(catalogue().idsOf))] },
  }
  const allowed = givenLimits(input)
  if (allowed) fields.limits = allowed
  if (input.expires !== undefined) fields.expiresAt = dayToMs(input.expires, 'expires')
  const { secret, key } = makeKey(fields, clock.now())
  await store.accounts.putKey(key)
  return { secret, key: shownKey(key) }
}

async function revokeKey({ store, clock }: AdminDeps, { id }: { id: string }): Promise<object> {
  const key = await keyOf(store.accounts.stored, id)
  // The source changes to `admin`: a configuration file that still lists the key can then no longer
  // restore it.
  await store.accounts.putKey({ ...key, source: 'admin', revokedAt: key.revokedAt ?? clock.now() })
  return { revoked: id }
}

/** Throws `conflict` for an entry whose values come from the configuration file, because the
 *  file would undo or hide the change. */
function assertOurs(entry: { source: AccessKey['source']; name: string } | undefined): void {
  if (entry?.source !== 'yaml') return
  throw new GatewayError('conflict', `${entry.name} is set in the configuration file: change it there.`)
}

/** Returns the limits that the input contains; undefined when it contains none. Throws
 *  `invalid_request` for a malformed quota. */
function givenLimits({ quotas, ...rates }: { rate_per_minute?: number; concurrent_tasks?: number; quotas: string[] }): Limits | undefined {
  const byUnit: Record<string, string[]> = {}
  for (const text of quotas) {
    const [unit = '', amount = ''] = text.split('=', 2)
    byUnit[unit] = [...(byUnit[unit] ?? []), amount]
  }
  return limitsOf({ ...rates, quotas: byUnit })
}

async function createEndpoint(
  { store, clock, catalogue, familyIds }: AdminDeps,
  input: { account: string; name: string; routes: string[] },
): Promise<object> {
  await assertAccount(store, input.account)
  assertEndpointName(input.name)
  assertOurs(await store.accounts.endpoint(input.account, input.name))
  const routes = Object.fromEntries(
    input.routes.map(route => {
      const [family = '', model] = route.split('=', 2)
      assertFamily(family, familyIds)
      if (model === undefined) return [family, {}]
      const named = catalogue().named(family, model, () => true)
      if (named) return [family, { model: named.model.id }]
      const near = nearText(catalogue().near(family, model, () => true))
      throw new GatewayError('model_not_found', `There is no model ${model} for family ${family}${near === undefined ? '' : `; ${near}`}.`)
    }),
  )
  const endpoint = {
    accountId: input.account,
    name: input.name,
    routes: input.routes.length === 0 ? { '*': {} } : routes,
    source: 'admin' as const,
    createdAt: clock.now(),
  }
  await store.accounts.putEndpoint(endpoint)
  return { endpoint }
}

async function assertAccount(store: TaskStore, id: string): Promise<void> {
  if (await store.accounts.account(id)) return
  const accounts = await store.accounts.accounts()
  throw new GatewayError('invalid_request', `There is no account ${id}; there are ${accounts.map(entry => entry.id).join(', ')}.`, {
    field: 'account',
  })
}

function assertFamily(id: string, familyIds: readonly string[]): void {
  if (!familyIds.includes(id))
    throw new GatewayError('invalid_request', `There is no family ${id}; there are ${familyIds.join(', ')}.`, { field: 'families' })
}

/** Returns null for the error `gone` (the task's request was deleted), so that the rest of the
 *  task is still shown. Throws every other error. */
function nullWhenGone(error: unknown): null {
  if (error instanceof GatewayError && error.code === 'gone') return null
  throw error
}

/** Returns what answers show of an account: everything but its webhook secret. */
async function shownAccount(accounts: StoredAccounts, id: string): Promise<object> {
  const { webhookSecret: _secret, ...account } = (await accounts.account(id)) ?? {}
  return account
}

function shownKey({ sha256: _sha256, accountLimits: _shared, ...key }: AccessKey): object {
  return key
}
