import { type PricedUnits, restOf } from '../../../core/records/ledger.ts'
import type { TaskState } from '../../../core/records/task.ts'
import { type Steps, sideBySide } from '../steps.ts'
import { type Cell, number, optionalNumber, text } from '../values.ts'
import type { TaskEventCells, WriteContext } from './context.ts'
import { withOutputs } from './outputs.ts'
import { prepareUnpark } from './parking.ts'
import { parseHold, prepareQuotas } from './quotas.ts'

/** The end of a task. `result`, `failure`, `outputs`, `eventData` and `hold` are JSON. */
export interface Ending {
  taskId: string
  keyId: string
  accountId: string
  state: Extract<TaskState, 'succeeded' | 'failed' | 'cancelled' | 'expired'>
  result: string | null
  failure: string | null
  /** Outputs that the end adds to those that the task already has. */
  outputs: string | null
  /** Data of the final event; when null, the event contains the number of outputs. */
  eventData: string | null
  /** Columns of the deleted job: its hold, and the target to which it was sent. */
  hold: string | null
  target: string | null
  used: readonly PricedUnits[]
  /** True when the upstream may have charged for more than `used`. The rest of the held amounts
   *  then stays held, as a row of `open_lines`. */
  isOpen: boolean
  at: number
}

/** Ends several different tasks whose jobs the caller has just deleted: settles their holds,
 *  writes their final states, events and webhook deliveries, and makes the next parked jobs of
 *  their keys and accounts ready. */
export type EndTasks = (endings: readonly Ending[]) => Steps<void>

export function prepareEndTasks(context: WriteContext): EndTasks {
  const unpark = prepareUnpark(context)
  const endHolds = prepareEndHolds(context)
  const finish = prepareFinish(context)
  const insertWebhooks = context.prepareEach(
    ({ text, whole, source }) =>
      `INSERT INTO outbox (id, task_id, account_id, state, run_at) ${source(text(0), text(1), text(2), "'due'", whole(3))}`,
  )
  return function* (endings) {
    if (endings.length === 0) return
    const [finished] = yield* sideBySide([finish(endings), unpark(endings)])
    endHolds(endings, finished)
    const webhooks: Cell[][] = []
    const events = endings.map(({ taskId, accountId, state, at, eventData }): TaskEventCells => {
      const { outputs, wantsWebhook } = factOf(finished, taskId)
      context.signal({ kind: 'task', taskId, state })
      if (wantsWebhook) webhooks.push([`wh_${taskId}`, taskId, accountId, at])
      return [taskId, at, `task.${state}`, eventData ?? JSON.stringify({ outputs })]
    })
    context.appendEvents(events)
    if (webhooks.length > 0) context.signal({ kind: 'webhook' })
    insertWebhooks.send(webhooks)
  }
}

/** Facts from the row of a task that has ended. */
interface TaskFacts {
  model: string
  wantsWebhook: boolean
  /** Number of outputs. */
  outputs: number
}

type Finished = ReadonlyMap<string, TaskFacts>

function factOf(finished: Finished, taskId: string): TaskFacts {
  const facts = finished.get(taskId)
  // A task must end only once, so a finished task with a job must not exist. The write fails, so
  // that nothing is changed and the fault can be examined.
  if (facts === undefined) throw new Error(`task ${taskId} has a job and no unfinished task row`)
  return facts
}

function prepareFinish(context: WriteContext): (endings: readonly Ending[]) => Steps<Finished> {
  const { arrayLength } = context.dialect
  const finish = context.prepareEach(
    ({ text, whole, from }) =>
      `UPDATE tasks SET state = ${text(0)}, progress = CASE ${text(0)} WHEN 'succeeded' THEN 100 ELSE progress END,
         result = ${text(1)}, failure = ${text(2)}, outputs = ${withOutputs(text(3))}, finished_at = ${whole(4)}
       ${from} WHERE id = ${text(5)} AND coalesce(finished_at, 0) = 0
       RETURNING id, model, webhook_url IS NOT NULL AS wants_webhook, ${arrayLength('outputs')} AS outputs`,
  )
  return function* (endings) {
    const rows = yield* finish.get(
      endings.map(({ taskId, state, result, failure, outputs, at }) => [state, result, failure, outputs, at, taskId]),
    )
    return new Map(
      rows.map(row => [
        text(row, 'id'),
        { model: text(row, 'model'), wantsWebhook: number(row, 'wants_webhook') === 1, outputs: optionalNumber(row, 'outputs') ?? 0 },
      ]),
    )
  }
}

function prepareEndHolds(context: WriteContext): (endings: readonly Ending[], finished: Finished) => void {
  const quotas = prepareQuotas(context)
  const insertLines = context.prepareEach(
    ({ text, whole, source }) =>
      `INSERT INTO open_lines (task_id, account_id, key_id, model, target, hold, at)
       ${source(text(0), text(1), text(2), text(3), text(4), text(5), whole(6))}`,
  )
  return (endings, finished) => {
    const changes = quotas.changes()
    const lines: Cell[][] = []
    for (const { taskId, accountId, keyId, hold, target, used, isOpen, at } of endings) {
      if (hold === null) continue
      const held = parseHold(hold)
      const rest = restOf(held.lines, used)
      if (!isOpen || (rest.length === 0 && used.length > 0)) {
        changes.settle(held, used)
        continue
      }
      changes.recount(held.quotas, [], used)
      changes.raise(held, rest)
      lines.push([taskId, accountId, keyId, factOf(finished, taskId).model, target ?? '', JSON.stringify({ ...held, lines: rest }), at])
    }
    changes.write()
    insertLines.send(lines)
  }
}
