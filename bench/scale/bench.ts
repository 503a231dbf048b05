/** `npm run bench -- scale [--quick] [--only=processes]`: what several processes cost, as ratios
 *  within one run, on PostgreSQL 18. */
import { lineOf, print } from '../report.ts'
import type { Figure } from '../scenarios.ts'
import { severalProcesses } from './processes.ts'

const scenarios: Readonly<Record<string, (isQuick: boolean) => Promise<Figure[]>>> = {
  processes: isQuick => severalProcesses(isQuick ? { rounds: 2, seconds: 1 } : { rounds: 9, seconds: 2 }),
}

/** Prints the figures of each scenario. */
export async function benchScale(args: readonly string[]): Promise<void> {
  const only = args.find(argument => argument.startsWith('--only='))?.slice('--only='.length)
  for (const [name, run] of Object.entries(scenarios)) {
    if (only !== undefined && only !== name) continue
    for (const figure of await run(args.includes('--quick'))) print(lineOf(figure))
  }
}
