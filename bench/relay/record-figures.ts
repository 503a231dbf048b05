import type { Figure } from '../scenarios.ts'
import { killedInLoad, type RecordsRun, recordedAnswers, syncsPerRequest } from './records.ts'

/** Measures three things: whether every answer has a usage record, how many records are lost
 *  when the gateway is killed, and how many fsyncs the records cost. */
export async function recordFigures(run: RecordsRun & { isQuick: boolean }): Promise<{ figures: Figure[]; skipped: string[] }> {
  const count = run.isQuick ? 5_000 : 100_000
  const { answers, records, seconds } = await recordedAnswers(run, count)
  const killed = await killedInLoad(run, run.isQuick ? 1 : 4)
  const syncs = await syncsPerRequest(run, run.isQuick ? 5_000 : 20_000)
  const figures: Figure[] = [
    {
      name: `answers without a usage record, of ${answers}`,
      // Extra records are as wrong as missing ones, so the absolute difference is reported.
      value: Math.abs(answers - records),
      unit: '',
      goal: { bound: 'at most', value: 0 },
      note: `${records} records, ${Math.round(answers / seconds)} requests/s`,
    },
    {
      name: 'records a SIGKILL in the middle of a load lost',
      value: Math.max(0, killed.answers - killed.records),
      unit: '',
      goal: { bound: 'at most', value: killed.lastAnswers + killed.inFlight },
      note: `${killed.answers} answers, ${killed.records} records; ${killed.lastAnswers} in its last 20 ms, ${killed.inFlight} in flight; the lost ones came in its last ${killed.lostMs.toFixed(0)} ms`,
    },
  ]
  if ('missing' in syncs) return { figures, skipped: [`fsyncs per request: ${syncs.missing}`] }
  figures.push({ name: 'fsyncs per request under load', value: syncs.perRequest, unit: '', goal: { bound: 'at most', value: 0.1 } })
  return { figures, skipped: [] }
}
