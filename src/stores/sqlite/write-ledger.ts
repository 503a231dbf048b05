import { usageLines } from '../../core/ledger.ts'
import type { Handlers } from './operations.ts'
import { text } from './values.ts'
import type { WriteContext } from './write-context.ts'
import { parseHold, prepareCallHolds, prepareQuotas } from './write-quotas.ts'
import { prepareUsageInsert } from './write-usage.ts'

type LedgerOperations = Pick<Handlers, 'reserve' | 'endHolds' | 'releaseAllHolds' | 'settleOpenLine'>

export function ledgerOperations(context: WriteContext): LedgerOperations {
  const quotas = prepareQuotas(context)
  const holds = prepareCallHolds(context, quotas)
  const keep = context.prepare('INSERT INTO call_holds (id, hold, at) VALUES (?, ?, ?)')
  const listHolds = context.prepare('SELECT id FROM call_holds')
  const takeLine = context.prepare('DELETE FROM open_lines WHERE task_id = ? RETURNING account_id, key_id, model, hold')
  const insertUsage = prepareUsageInsert(context)
  return {
    reserve({ id, hold, now }) {
      const refusal = quotas.take(hold)
      if (refusal === undefined) keep.run(id, JSON.stringify(hold), now)
      return refusal
    },
    endHolds({ ends }) {
      for (const { id, used } of ends) holds.end(id, used)
      return undefined
    },
    releaseAllHolds() {
      for (const row of listHolds.all()) holds.end(text(row, 'id'), [])
      return undefined
    },
    settleOpenLine({ taskId, outcome, now }) {
      const row = takeLine.get(taskId)
      if (row === undefined) return false
      const hold = parseHold(text(row, 'hold'))
      const used = outcome === 'charge' ? hold.lines : []
      quotas.settle(hold, used)
      const owner = { id: taskId, accountId: text(row, 'account_id'), keyId: text(row, 'key_id'), model: text(row, 'model') }
      insertUsage(usageLines(owner, used, now))
      return true
    },
  }
}
