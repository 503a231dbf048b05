/** Finds the task that a call refers to. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Family } from '../../contract/family.ts'
import { isInScope } from '../../core/access.ts'
import type { AccessKey, KeyScopes } from '../../core/ports/store.ts'
import { isRemoved, type Task } from '../../core/records/task.ts'
import type { HttpDeps } from '../deps.ts'
import type { Call } from './call.ts'

type TaskDeps = Pick<HttpDeps, 'tasks' | 'store' | 'catalogue'>

/** Returns the task with the name `id`, in the family and endpoint of the call. The task must
 *  belong to the account of the call, and its model to the scopes of the key. These two
 *  conditions do not apply when `call.isLinked` is true. Throws `task_not_found` when there is
 *  no such task. */
export function taskOfCall(deps: TaskDeps, { family, call, id }: { family: Family; call: Call; id: string }): Promise<Task> {
  return findOwnTask(deps, { id, key: call.isLinked ? undefined : call.key, endpoint: call.endpoint.name, family })
}

/** The task to look up: `id` is the name as the caller wrote it. Without `key`, tasks of all
 *  accounts and models are searched. */
export interface TaskReference {
  id: string
  key: Pick<AccessKey, 'accountId' | 'scopes'> | undefined
  endpoint: string
  family: Family
}

/** Returns a task of the key's account, of this endpoint and family, and of a model that the key
 *  may use. Throws `task_not_found` for every other task, whether it exists or not, so that the
 *  error reveals nothing. */
export async function findOwnTask(deps: TaskDeps, wanted: TaskReference): Promise<Task> {
  const { id, key, family } = wanted
  const ownId = idIn(family, id)
  const task = ownId === undefined ? undefined : await deps.tasks.get(ownId)
  if (task && isWanted(deps, task, wanted)) return task
  const referenced = key !== undefined && takesReference(family) ? await deps.store.getByReference(key.accountId, id) : undefined
  if (referenced && isWanted(deps, referenced, wanted)) return referenced
  throw noTask(id, ' at this endpoint')
}

/** Returns the id of the task with this name; undefined when the name does not have the family's
 *  format of task names. */
function idIn({ taskNames, taskPrefix = '' }: Family, name: string): string | undefined {
  if (taskNames) return taskNames.idOf(name)
  return name.startsWith(taskPrefix) ? name.slice(taskPrefix.length) : undefined
}

function isWanted(deps: TaskDeps, task: Task, { key, endpoint, family }: TaskReference): boolean {
  if (isRemoved(task) || task.endpoint !== endpoint || task.family !== family.id) return false
  if (key === undefined) return true
  return task.accountId === key.accountId && isModelInScope(deps, key.scopes, { family, model: task.model })
}

/** Returns true when the scopes of a key include the model. For a family that takes the models of
 *  all families, they must also include a family of the model. */
function isModelInScope({ catalogue }: TaskDeps, scopes: KeyScopes, { family, model }: { family: Family; model: string }): boolean {
  if (!isInScope(scopes, 'models', model)) return false
  if (!family.takesEveryModel || scopes.families.length === 0) return true
  const families = catalogue().find(family.id, model)?.families ?? []
  return families.some(each => isInScope(scopes, 'families', each))
}

const referencing = new WeakMap<Family, boolean>()

/** Returns true when some operation of the family finds tasks by a reference that the caller
 *  chose when it created the task. */
function takesReference(family: Family): boolean {
  const known = referencing.get(family)
  if (known !== undefined) return known
  const takes = Object.values(family.operations).some(({ readsTask }) => readsTask?.orReference === true)
  referencing.set(family, takes)
  return takes
}

/** Returns a task of the key's account, if the key's scopes allow it. Throws `task_not_found`
 *  for every other task, whether it exists or not. */
export async function findTaskOfKey(deps: Pick<HttpDeps, 'tasks'>, { accountId, scopes }: AccessKey, id: string): Promise<Task> {
  const task = await deps.tasks.get(id)
  const isSeen =
    task?.accountId === accountId &&
    !isRemoved(task) &&
    isInScope(scopes, 'families', task.family) &&
    isInScope(scopes, 'endpoints', task.endpoint) &&
    isInScope(scopes, 'models', task.model)
  if (isSeen) return task
  throw noTask(id, '')
}

function noTask(id: string, where: string): GatewayError {
  return new GatewayError('task_not_found', `There is no task ${JSON.stringify(id.slice(0, 64))}${where}.`, { subject: id })
}
