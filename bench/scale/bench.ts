/** `npm run bench -- scale [--quick] [--full] [--only=store|nodes|quotas|claims|processes]
 *  [--postgres=15|18]`: compares several nodes on PostgreSQL with one node on SQLite. The
 *  figures are ratios of measurements within the same run. With `--full`, the part `claims`
 *  fills its table with a million waiting jobs and ten million finished tasks, which takes about
 *  10 GB of disk for some minutes. */
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import type { PostgresVersion } from '../../src/stores/postgres/testing/binaries.ts'
import { isMet, lineOf, loadText, machine, print } from '../report.ts'
import type { Figure } from '../scenarios.ts'
import { claimFigures } from './claim-figures.ts'
import { nodeFigures } from './node-figures.ts'
import { severalProcesses } from './processes.ts'
import { quotaFigures } from './quota-figures.ts'
import { storeFigures } from './store-figures.ts'

/** Options that each part of the benchmark gets. */
export interface ScaleOptions {
  version: PostgresVersion
  rounds: number
  /** Length in seconds of a round that is limited by time and not by an amount of work. */
  seconds: number
  /** Number of waiting jobs in the large table; `finishedTasks` is the number of finished tasks. */
  waitingJobs: number
  finishedTasks: number
}

const parts: Readonly<Record<string, (options: ScaleOptions) => Promise<Figure[]>>> = {
  store: storeFigures,
  nodes: nodeFigures,
  quotas: quotaFigures,
  claims: claimFigures,
  processes: severalProcesses,
}
export const scaleParts: readonly string[] = Object.keys(parts)
/** File to which a run of all parts writes its results. */
const results = 'bench/results/scale.json'

/** Runs the parts and prints each figure with its goal. When all parts have run, also writes the
 *  figures to bench/results/scale.json. Sets the exit code when a goal is missed. */
export async function benchScale(args: readonly string[]): Promise<void> {
  const [isQuick, isFull] = [args.includes('--quick'), args.includes('--full')]
  const option = (name: string): string | undefined => args.find(argument => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
  const only = option('only')
  if (only !== undefined && !(only in parts)) throw new Error(`there is no part ${only}`)
  const options: ScaleOptions = {
    version: option('postgres') === '15' ? 15 : 18,
    rounds: isQuick ? 2 : 5,
    seconds: isQuick ? 1 : 3,
    waitingJobs: isFull ? 1_000_000 : isQuick ? 10_000 : 100_000,
    finishedTasks: isFull ? 10_000_000 : isQuick ? 50_000 : 500_000,
  }
  print(`PostgreSQL ${options.version}, ${cpus().length} cores, load ${loadText(loadavg())}; median of ${options.rounds} rounds`)
  const figures: Figure[] = []
  for (const [name, run] of Object.entries(parts)) {
    if (only !== undefined && only !== name) continue
    for (const figure of await run(options)) {
      figures.push(figure)
      print(lineOf(figure))
    }
  }
  const missed = figures.filter(figure => !isMet(figure))
  print(`load ${loadText(loadavg())}. ${missed.length === 0 ? 'All goals met.' : `${missed.length} goals missed.`}`)
  if (missed.length > 0) process.exitCode = 1
  if (isQuick || only !== undefined) return
  writeFileSync(results, `${JSON.stringify({ ...machine(), load: loadavg(), ...options, figures }, null, 2)}\n`)
}
