import { access, constants } from 'node:fs/promises'
import { readConfig, version } from '../config.ts'
import { loadConfigFile } from '../config-file.ts'
import { GatewayError } from '../core/errors.ts'
import { drivers } from '../drivers/index.ts'
import { families } from '../families/index.ts'
import { readOwner } from '../stores/sqlite/open.ts'
import { engineTable } from './engines.ts'
import { print, table } from './terminal.ts'

/** Checks what a start needs, without starting. Throws `invalid_request`, after the table, when something would stop one. */
export async function runDoctor(): Promise<void> {
  const rows: string[][] = []
  let isBroken = false
  const check = async (what: string, run: () => Promise<string> | string): Promise<void> => {
    try {
      rows.push([what, 'ok', await run()])
    } catch (error) {
      isBroken = true
      rows.push([what, 'wrong', error instanceof Error ? error.message : String(error)])
    }
  }
  const config = readConfig(process.env)
  await check('program', () => `version ${version} on Node ${process.version}`)
  await check('data folder', async () => {
    const owner = readOwner(config.dataDir)
    if (owner) return `${config.dataDir}, in use by process ${owner.pid ?? '?'}${owner.url ? ` at ${owner.url}` : ''}`
    await access(config.dataDir, constants.W_OK).catch(error => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    })
    return `${config.dataDir}, free`
  })
  const file = config.config
  if (file === undefined)
    rows.push(['configuration file', 'none', 'GATEWAY_CONFIG is not set: the default account on the built-in engines'])
  else {
    await check('configuration file', () => {
      const loaded = loadConfigFile(file, { families, drivers }, process.env)
      return [`${file}: ${loaded.file.accounts?.length ?? 0} accounts, ${loaded.models.length} models`, ...loaded.warnings].join('; ')
    })
  }
  print(table(['check', 'result', 'detail'], rows))
  print(`\n${engineTable()}`)
  if (isBroken) throw new GatewayError('invalid_request', 'What is wrong above would stop a start.')
}
