/** What was spoken by earlier calls of the account, by the ids they were answered with. */
import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ServiceSound } from '@generation-gateway/kit/requests/speech.ts'
import type { CallContext } from '../../contract/context.ts'
import { resultOf, type Task } from '../../core/records/task.ts'

const rememberedMs = 2 * 3_600_000
/** Nobody's tone reaches further. Characters. */
const reach = 2_000

/** What is kept of a text for its neighbours. */
export function edgesOf(text: string): JsonObject {
  return { opening: [...text.slice(0, 2 * reach)].slice(0, reach).join(''), ending: [...text.slice(-2 * reach)].slice(-reach).join('') }
}

export interface Neighbours {
  /** The nearest of what they spoke. */
  text: string
  /** As the service knows them; none unless it has made them all. */
  sounds: ServiceSound[]
}

/** What these calls spoke, in the order of the text. Throws `invalid_request` for an id that is not one of the account's last two hours, or of a private call. */
export async function spokenByCalls(
  context: CallContext<'accountTasks'>,
  { ids, field, edge }: { ids: readonly string[]; field: string; edge: 'opening' | 'ending' },
): Promise<Neighbours> {
  const tasks = await Promise.all(ids.map((id, index) => spokenBy(context, id, `${field}[${index}]`)))
  const sounds = tasks.flatMap(task => (task.state === 'succeeded' ? (resultOf(task, 'speech.synthesize').sound ?? []) : []))
  return {
    text: tasks.map(({ shown }) => String(shown?.[edge] ?? '')).join(' '),
    sounds: sounds.length === ids.length ? sounds : [],
  }
}

async function spokenBy(context: CallContext<'accountTasks'>, id: string, field: string): Promise<Task> {
  const task = await context.accountTasks.get(id).catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'task_not_found') return undefined
    throw error
  })
  if (task?.family === 'T3' && task.shown && context.now() - task.createdAt <= rememberedMs) return task
  throw invalidField(field, `${field} is ${JSON.stringify(id)}; there is no such call of this account in the last two hours.`, 'neighbour')
}
