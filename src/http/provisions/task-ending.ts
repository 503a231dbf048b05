import { taskOfCall } from '../call/own-task.ts'
import type { Provision } from './provision.ts'

export const taskEnding: Provision<'taskEnding'> = ({ deps, family, call }) => {
  const find = (id: string) => taskOfCall(deps, { family, call, id })
  return {
    async cancel(id) {
      await deps.tasks.cancel((await find(id)).id)
      return find(id)
    },
    async remove(id) {
      await deps.tasks.remove((await find(id)).id)
    },
  }
}
