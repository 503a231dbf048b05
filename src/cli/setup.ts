import { parseArgs } from 'node:util'
import { engineTable } from './engines.ts'
import { print } from './terminal.ts'

/** Gets the engine packs and shows what is ready. The engines built so far carry all they need in the repository and the lockfile, so there is nothing to get. */
export async function runSetup(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { offline: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  if (values.help) return print('gateway setup [--offline]\n  --offline  Gets nothing, only shows what is ready.')
  print('No engine pack is needed: everything comes with npm ci.\n')
  print(engineTable())
}
