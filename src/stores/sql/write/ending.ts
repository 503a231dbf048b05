import { type PricedUnits, restOf } from '../../../core/records/ledger.ts'
import type { TaskState } from '../../../core/records/task.ts'
import type { Steps } from '../steps.ts'
import { number, optionalNumber, text } from '../values.ts'
import type { WriteContext } from './context.ts'
import { withOutputs } from './outputs.ts'
import { prepareUnpark } from './parking.ts'
import { parseHold, prepareQuotas } from './quotas.ts'

/** The end of a task. Texts are JSON. */
export interface Ending {
  taskId: string
  keyId: string
  accountId: string
  state: Extract<TaskState, 'succeeded' | 'failed' | 'cancelled' | 'expired'>
  result: string | null
  failure: string | null
  /** Outputs added at the end; those delivered earlier stay. */
  outputs: string | null
  /** Null: the event gets the number of outputs. */
  eventData: string | null
  /** Columns of the deleted job: its hold, and where it was sent. */
  hold: string | null
  target: string | null
  used: readonly PricedUnits[]
  /** True when the held amounts may have been spent: then the unused part stays held as an open
   *  line. */
  isOpen: boolean
  at: number
}

/** Writes the end of a task whose job the caller has just deleted: its hold, final state, event,
 *  webhook row, and the key's next parked job. */
export type EndTask = (ending: Ending) => Steps<void>

export function prepareEndTask(context: WriteContext): EndTask {
  const unpark = prepareUnpark(context)
  const endHold = prepareEndHold(context)
  const finish = context.prepare(
    `UPDATE tasks SET state = ?1, progress = CASE ?1 WHEN 'succeeded' THEN 100 ELSE progress END, result = ?2, failure = ?3,
       outputs = ${withOutputs('?4')}, finished_at = ?5 WHERE id = ?6 AND finished_at IS NULL
     RETURNING model, webhook_url IS NOT NULL AS wants_webhook, ${context.dialect.arrayLength('outputs')} AS outputs`,
  )
  const insertWebhook = context.prepare(`INSERT INTO outbox (id, task_id, state, run_at) VALUES (?, ?, 'due', ?)`)
  return function* (ending) {
    const { taskId, state, at } = ending
    const finished = yield* finish.get(state, ending.result, ending.failure, ending.outputs, at, taskId)
    // A live job of a finished task would break the promise of one end per task: fail the write
    // and keep the evidence.
    if (finished === undefined) throw new Error(`task ${taskId} has a job and no unfinished task row`)
    endHold(ending, text(finished, 'model'))
    const counted = () => JSON.stringify({ outputs: optionalNumber(finished, 'outputs') ?? 0 })
    context.appendEvent(taskId, at, `task.${state}`, ending.eventData ?? counted())
    context.signal({ kind: 'task', taskId, state })
    if (number(finished, 'wants_webhook') === 1) {
      insertWebhook.send(`wh_${taskId}`, taskId, at)
      context.signal({ kind: 'webhook' })
    }
    yield* unpark(ending)
  }
}

function prepareEndHold(context: WriteContext): (ending: Ending, model: string) => void {
  const quotas = prepareQuotas(context)
  const insertLine = context.prepare(
    'INSERT INTO open_lines (task_id, account_id, key_id, model, target, hold, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  return ({ taskId, accountId, keyId, hold, target, used, isOpen, at }, model) => {
    if (hold === null) return
    const held = parseHold(hold)
    const rest = restOf(held.lines, used)
    if (!isOpen || (rest.length === 0 && used.length > 0)) return quotas.settle(held, used)
    quotas.recount(held.quotas, [], used)
    quotas.raise(held, rest)
    insertLine.send(taskId, accountId, keyId, model, target ?? '', JSON.stringify({ ...held, lines: rest }), at)
  }
}
