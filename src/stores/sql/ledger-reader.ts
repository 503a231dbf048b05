import type { DatabaseSync } from 'node:sqlite'
import type { OpenLine, QuotaCount } from '../../core/ports/store.ts'
import type { QuotaShare } from '../../core/records/ledger.ts'
import { number, type Row, text } from './values.ts'
import { parseHold } from './write/quotas.ts'

export interface LedgerReader {
  counts(quotas: readonly QuotaShare[]): QuotaCount[]
  /** Newest first. */
  openLines(filter: { accountId?: string; limit: number }): OpenLine[]
}

export function createLedgerReader(database: DatabaseSync): LedgerReader {
  const findCount = database.prepare('SELECT used, held FROM quota_counts WHERE id = ?')
  const listLines = database.prepare('SELECT * FROM open_lines WHERE ?1 IS NULL OR account_id = ?1 ORDER BY at DESC, task_id DESC LIMIT ?2')
  return {
    counts: quotas =>
      quotas.map(({ id }) => {
        const row = findCount.get(id)
        return row === undefined ? { used: 0, held: 0 } : { used: number(row, 'used'), held: number(row, 'held') }
      }),
    openLines: ({ accountId, limit }) => listLines.all(accountId ?? null, limit).map(toOpenLine),
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
