/** `npm run bench -- scale [--quick] [--full] [--only=store|nodes|quotas|claims|processes] [--postgres=15|18]`:
 *  measures what many nodes on PostgreSQL do beside one on SQLite, as ratios within one run.
 *  `--full` fills the table of the part `claims` with a million waiting jobs and ten million
 *  finished tasks, which takes about 10 GB of disk for some minutes. */
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

/** Options that every part of the benchmark receives. */
export interface ScaleOptions {
  version: PostgresVersion
  rounds: number
  /** Length of a round whose work is not counted. */
  seconds: number
  /** Rows of the large table. */
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
/** Written by a whole run. */
const results = 'bench/results/scale.json'

/** Runs the parts, prints each figure with its goal and writes them to bench/results/scale.json
 *  when all ran. Sets the exit code when a goal is missed. */
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
