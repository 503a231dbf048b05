import type { Hold } from '../../core/ledger.ts'
import type { Handlers } from './operations.ts'
import { text } from './values.ts'
import { changed, type WriteContext } from './write-context.ts'
import { parseHold, prepareCallHolds, prepareQuotas } from './write-quotas.ts'
import { prepareUsageInsert, taskUsage } from './write-usage.ts'

/** A quota's counter is of no use once its window is over, but work that was accepted in it may still end. */
const countsKeptMs = 90 * 24 * 3600 * 1000

type LedgerOperations = Pick<Handlers, 'reserve' | 'endHolds' | 'releaseAllHolds' | 'settleOpenLine' | 'sweepCounts'>

export function ledgerOperations(context: WriteContext): LedgerOperations {
  const quotas = prepareQuotas(context)
  const holds = prepareCallHolds(context, quotas)
  const keep = context.prepare('INSERT INTO call_holds (id, hold, at) VALUES (?, ?, ?)')
  const listHolds = context.prepare('SELECT id FROM call_holds')
  const takeLine = context.prepare('DELETE FROM open_lines WHERE task_id = ? RETURNING account_id, key_id, model, hold')
  const insertUsage = prepareUsageInsert(context)
  const deleteCounts = context.prepare('DELETE FROM quota_counts WHERE ends_at <= ?')
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
      const hold: Hold = parseHold(text(row, 'hold')) ?? { lines: [], quotas: [] }
      const used = outcome === 'charge' ? hold.lines : []
      quotas.settle(hold, used)
      const owner = { taskId, accountId: text(row, 'account_id'), keyId: text(row, 'key_id'), model: text(row, 'model') }
      insertUsage(taskUsage(owner, used, now))
      return true
    },
    sweepCounts: ({ now }) => changed(deleteCounts.run(now - countsKeptMs)),
  }
}
