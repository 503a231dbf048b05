/** What was spoken by earlier calls of the account, by the ids they were answered with. */
import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { CallContext } from '../../contract/context.ts'
import type { Task } from '../../core/task.ts'

const rememberedMs = 2 * 3_600_000
/** Nobody's tone reaches further. Characters. */
const reach = 2_000

/** What is kept of a text for its neighbours. */
export function edgesOf(text: string): JsonObject {
  return { opening: [...text.slice(0, 2 * reach)].slice(0, reach).join(''), ending: [...text.slice(-2 * reach)].slice(-reach).join('') }
}

/** The nearest of what these calls spoke, in the order of the text. Throws `invalid_request` for an id that is not one of the account's last two hours, or of a private call. */
export async function textOf(
  context: CallContext,
  { ids, field, edge }: { ids: readonly string[]; field: string; edge: 'opening' | 'ending' },
): Promise<string> {
  const tasks = await Promise.all(ids.map((id, index) => spokenBy(context, id, `${field}[${index}]`)))
  return tasks.map(({ shown }) => String(shown?.[edge] ?? '')).join(' ')
}

async function spokenBy(context: CallContext, id: string, field: string): Promise<Task> {
  const task = await context.anyTask(id).catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'task_not_found') return undefined
    throw error
  })
  if (task?.family === 'T3' && task.shown && context.now() - task.createdAt <= rememberedMs) return task
  throw invalidField(field, `${field} is ${JSON.stringify(id)}; there is no such call of this account in the last two hours.`, 'neighbour')
}
