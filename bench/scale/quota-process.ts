/** A node of the scale benchmark that submits tasks which use shared quotas. Its last message
 *  says what was accepted and what was refused. */
import { openPostgresStore } from '../../src/stores/postgres/open.ts'
import { secretKey, taskMaker } from './load.ts'
import { allQuotas, type QuotaReport, quotaCount } from './quotas.ts'

const [url = '', name = '', seconds = '60', lanes = '22'] = process.argv.slice(2)
process.send?.(await submitFor(Number(seconds) * 1_000, Number(lanes)))

/** Submits tasks for `ms` milliseconds. Each holds 1 to 3 images in up to three quotas, in
 *  random order. */
async function submitFor(ms: number, atOnce: number): Promise<QuotaReport> {
  const store = await openPostgresStore({ url, secretKey, nodeName: name })
  const make = taskMaker(name, 'plain')
  const report: QuotaReport = { accepted: Array(quotaCount).fill(0), refusals: [], errors: [], submits: 0 }
  const end = performance.now() + ms
  const lane = async () => {
    while (performance.now() < end) {
      const drawn = new Set(Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => Math.floor(Math.random() * quotaCount)))
      const quotas = [...drawn].flatMap(index => allQuotas[index] ?? [])
      const units = 1 + Math.floor(Math.random() * 3)
      report.submits += 1
      try {
        const outcome = await store.submit({ ...make(), hold: { lines: [{ unit: 'images', units, costMicros: 0 }], quotas } })
        if (outcome.outcome === 'created') for (const index of drawn) report.accepted[index] = (report.accepted[index] ?? 0) + units
        else if (outcome.outcome === 'over-quota')
          report.refusals.push({ index: allQuotas.findIndex(({ id }) => id === outcome.refusal.quota.id), refusal: outcome.refusal })
        else report.errors.push(outcome.outcome)
      } catch (error) {
        report.errors.push(String(error))
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  await store.close()
  return report
}
