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

/** Returns the beginning and the end of a text, which are stored for later calls whose texts
 *  come before or after it. */
export function edgesOf(text: string): JsonObject {
  return { opening: [...text.slice(0, 2 * reach)].slice(0, reach).join(''), ending: [...text.slice(-2 * reach)].slice(-reach).join('') }
}

export interface Neighbours {
  /** The neighbouring text that the caller sent. When the caller named earlier calls instead,
   *  their texts are joined: only their ends when they precede the new text, only their
   *  beginnings when they follow it. */
  text: string
  /** The neighbouring sounds under the service's ids; empty unless the service created all of
   *  them. */
  sounds: ServiceSound[]
}

/** Returns the ends (or beginnings) of the texts that the calls with these ids spoke, in the
 *  order of the ids, and their sounds. Throws `invalid_request` for an id that does not belong
 *  to a call of this account in the last two hours, and for the id of a private call. */
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
