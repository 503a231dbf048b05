/** Defines the type of an operator's action (a command such as `keys create`), and the input
 *  fields that several actions share. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type, { type Static, type TObject, type TProperties } from 'typebox'
import { optional } from '../../contract/schemas.ts'
import type { AccessKey, Clock, StoredAccounts, TaskStore } from '../../core/ports/store.ts'
import { quotaUnits } from '../../core/records/ledger.ts'
import type { Catalogue } from '../../core/routing/catalogue.ts'

export interface AdminDeps {
  store: TaskStore
  /** Returns the request with which a task was submitted, in the gateway's neutral form. Throws
   *  `task_not_found`, and `gone` when the request was already deleted. */
  requestOf(taskId: string): Promise<JsonObject>
  clock: Clock
  catalogue(): Catalogue
  familyIds: readonly string[]
}

export interface AdminOperation {
  /** Name of the command for this action, a group and a verb: `keys create`. */
  name: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Path of the action. Names in braces are input fields taken from the path; all other input
   *  fields come from the query (GET, DELETE) or from the JSON body (POST). */
  path: string
  says: string
  /** True when the log line of the action also contains the changed values. Set for actions that
   *  change counted amounts, because the earlier amounts are stored nowhere else. */
  isTold?: boolean
  input: TObject
  run(deps: AdminDeps, input: Record<string, unknown>): Promise<object>
}

interface TypedAction<Fields extends TProperties> extends Omit<AdminOperation, 'input' | 'run'> {
  /** Schemas of the input fields. Input with any other field is refused. */
  input: Fields
  run(deps: AdminDeps, input: Static<TObject<Fields>>): Promise<object>
}

/** Returns the action with its input fields as one schema. `run` gets its input without a further
 *  check, so the caller must validate the input with that schema first. */
export function action<Fields extends TProperties>({ input, run, ...facts }: TypedAction<Fields>): AdminOperation {
  const schema = Type.Object(input, { additionalProperties: false })
  return { ...facts, input: schema, run: (deps, given) => run(deps, given as Static<TObject<Fields>>) }
}

export const account = Type.String({ default: 'default', description: 'Account id.' })
/** Returns a filter for queries of the store: only entries of this account, or all entries when
 *  no account is given. */
export const ofAccount = (accountId: string | undefined) => (accountId === undefined ? {} : { accountId })
export const list = (says: string) => Type.Array(Type.String({ minLength: 1 }), { default: [], description: says })
export const oneOf = <Value extends string>(values: readonly Value[], description: string) =>
  Type.Union(
    values.map(value => Type.Literal(value)),
    { description },
  )
export const day = { pattern: '^\\d{4}-\\d{2}-\\d{2}$', mustBe: 'a date like 2027-01-01' }

export const limits = {
  rate_per_minute: optional.integer({ minimum: 1, maximum: 10_000_000, description: 'Requests a minute; no limit without it.' }),
  concurrent_tasks: optional.integer({ minimum: 1, maximum: 1_000_000, description: 'Unfinished tasks that may run; more wait.' }),
  quotas: Type.Array(Type.String({ pattern: `^(${quotaUnits.join('|')})=.+$`, mustBe: 'a quota like images=1000/day or cost=50/month' }), {
    default: [],
    description: `UNIT=AMOUNT/WINDOW, like images=1000/day or cost=50/month; units are ${quotaUnits.join(', ')}.`,
  }),
}

/** Returns the access key with this id. Throws `not_found` when there is none. */
export async function keyOf(accounts: StoredAccounts, id: string): Promise<AccessKey> {
  const key = await accounts.key(id)
  if (key) return key
  throw new GatewayError('not_found', `There is no access key ${id}.`)
}
