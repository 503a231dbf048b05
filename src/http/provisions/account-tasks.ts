import { findTaskOfKey } from '../call/own-task.ts'
import type { Provision } from './provision.ts'

export const accountTasks: Provision<'accountTasks'> = ({ deps: { store, currency, tasks }, call: { key } }) => ({
  get: id => findTaskOfKey({ tasks }, key, id),
  list: filter => store.list({ ...filter, accountId: key.accountId, scopes: key.scopes }),
  usage: async id => ({ currency: currency(), lines: await store.taskUsage(id) }),
  hasOpenLine: id => store.openLines({ taskId: id, limit: 1 }).then(({ length }) => length > 0),
})
