import type { OpenLine, QuotaCount } from '../../core/ports/store.ts'
import type { QuotaShare } from '../../core/records/ledger.ts'
import type { Connection } from './statements.ts'
import { number, type Row, text } from './values.ts'
import { parseHold } from './write/quotas.ts'

export interface LedgerReader {
  counts(quotas: readonly QuotaShare[]): Promise<QuotaCount[]>
  /** Returns the open lines, newest first: amounts that stay reserved for tasks of unknown outcome
   *  until an operator charges or releases them. */
  openLines(filter: { accountId?: string; taskId?: string; limit: number }): Promise<OpenLine[]>
}

export function createLedgerReader(connection: Connection): LedgerReader {
  const findCount = connection.prepare('SELECT used, held FROM quota_counts WHERE id = ?')
  const columns = 'SELECT task_id, account_id, key_id, model, target, hold, at FROM open_lines'
  const isOfAccount = '(CAST(?1 AS TEXT) IS NULL OR account_id = ?1)'
  const listLines = connection.prepare(`${columns} WHERE ${isOfAccount} ORDER BY at DESC, task_id DESC LIMIT ?2`)
  // This is a separate statement, so that the database finds the line of a task by the primary key.
  const findLine = connection.prepare(`${columns} WHERE ${isOfAccount} AND task_id = ?3 LIMIT ?2`)
  return {
    counts: quotas =>
      Promise.all(
        quotas.map(async ({ id }) => {
          const row = await findCount.get(id)
          return row === undefined ? { used: 0, held: 0 } : { used: number(row, 'used'), held: number(row, 'held') }
        }),
      ),
    openLines: async ({ accountId = null, taskId, limit }) => {
      const rows = taskId === undefined ? listLines.all(accountId, limit) : findLine.all(accountId, limit, taskId)
      return (await rows).map(toOpenLine)
    },
  }
}

function toOpenLine(row: Row): OpenLine {
  return {
    taskId: text(row, 'task_id'),
    accountId: text(row, 'account_id'),
    keyId: text(row, 'key_id'),
    model: text(row, 'model'),
    target: text(row, 'target'),
    units: parseHold(text(row, 'hold')).lines,
    at: number(row, 'at'),
  }
}
