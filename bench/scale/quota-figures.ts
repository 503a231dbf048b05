import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openPostgresStore } from '../../src/stores/postgres/open.ts'
import { queryOnce } from '../../src/stores/postgres/testing/query-once.ts'
import { startPostgres } from '../../src/stores/postgres/testing/server.ts'
import type { Figure } from '../scenarios.ts'
import type { ScaleOptions } from './bench.ts'
import { secretKey } from './load.ts'
import { allQuotas, type QuotaReport, quotaRoom } from './quotas.ts'

const module = fileURLToPath(new URL('./quota-process.ts', import.meta.url))
const nodes = 3
const submitsAtOnce = 64

/** Lets three nodes submit tasks that use 50 shared quotas, 64 at the same time in all. Then
 *  checks two things: that the store's counters equal what the nodes had accepted, and that each
 *  refused submit really exceeded its quota. */
export async function quotaFigures({ version, seconds }: ScaleOptions): Promise<Figure[]> {
  const server = await startPostgres({ version, isDurable: true })
  try {
    const store = await openPostgresStore({ url: server.url, secretKey })
    const runSeconds = seconds * 20
    const reports = await Promise.all(
      Array.from({ length: nodes }, async (_, index) => {
        const lanes = Math.ceil((submitsAtOnce - index) / nodes)
        const child = fork(module, [server.url, `quota-${index}`, String(runSeconds), String(lanes)])
        const [report]: QuotaReport[] = await once(child, 'message')
        child.disconnect()
        return report
      }),
    )
    const whole = reports.filter(report => report !== undefined)
    const counts = await store.quotaCounts([...allQuotas])
    await store.close()
    return [...judge(whole, counts), await deadlocks(server.url)]
  } finally {
    await server.stop()
  }
}

function judge(reports: readonly QuotaReport[], counts: readonly { used: number; held: number }[]): Figure[] {
  const sum = (of: (report: QuotaReport) => number): number => reports.reduce((total, report) => total + of(report), 0)
  const wrongCounts = counts.filter(
    ({ used, held }, index) => used + held !== sum(report => report.accepted[index] ?? 0) || used + held > quotaRoom,
  )
  // In this run, quotas are used up and never released. So a refusal was right only if the refused
  // amount would still exceed the quota at the end of the run.
  const refusals = reports.flatMap(report => report.refusals)
  const notOwed = refusals.filter(({ index, refusal }) => {
    const count = counts[index]
    return count === undefined || count.used + count.held + refusal.wanted <= quotaRoom
  })
  const errors = reports.flatMap(report => report.errors)
  const none = { bound: 'at most' as const, value: 0 }
  const submits = sum(report => report.submits)
  return [
    {
      name: 'quotas whose count differs from what was accepted',
      value: wrongCounts.length,
      unit: '',
      goal: none,
      note: `${submits} submits`,
    },
    { name: 'refusals that were not owed', value: notOwed.length, unit: '', goal: none, note: `of ${refusals.length}` },
    {
      name: 'submits over quotas that ended with an error',
      value: errors.length,
      unit: '',
      goal: none,
      ...(errors[0] ? { note: errors[0] } : {}),
    },
  ]
}

async function deadlocks(url: string): Promise<Figure> {
  const [row] = await queryOnce(url, 'SELECT sum(deadlocks)::int AS deadlocks FROM pg_stat_database')
  return { name: 'deadlocks that the server counted', value: row?.deadlocks ?? 0, unit: '', goal: { bound: 'at most', value: 0 } }
}
