/** Finds texts that earlier calls of the account spoke, by the ids of their answers. */
import { invalidField } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ServiceSound } from '@generation-gateway/kit/requests/speech.ts'
import type { CallContext } from '../../contract/context.ts'
import { resultOf, type Task } from '../../core/records/task.ts'
import { ifFound } from '../shared/task-answers.ts'

const rememberedMs = 2 * 3_600_000
/** Number of characters of the neighbouring text that are used; text at a greater distance does not
 *  change the intonation. */
const reach = 2_000

/** Returns the parts of a text that are stored for its neighbours. */
export function edgesOf(text: string): JsonObject {
  return { opening: [...text.slice(0, 2 * reach)].slice(0, reach).join(''), ending: [...text.slice(-2 * reach)].slice(-reach).join('') }
}

export interface Neighbours {
  /** The end of the neighbouring texts that is nearest to the new text. */
  text: string
  /** The neighbouring sounds under the service's ids; empty unless the service created all of
   *  them. */
  sounds: ServiceSound[]
}

/** Returns the texts that these calls spoke, in the order of the text. Throws `invalid_request` for
 *  an id that is not of this account's last two hours, or that belongs to a private call. */
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
  const task = await ifFound(context.accountTasks.get(id))
  if (task?.family === 'T3' && task.shown && context.now() - task.createdAt <= rememberedMs) return task
  throw invalidField(field, `${field} is ${JSON.stringify(id)}; there is no such call of this account in the last two hours.`, 'neighbour')
}
