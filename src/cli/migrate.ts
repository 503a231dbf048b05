import { parseArgs } from 'node:util'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { prepareDataFolder } from '../stores/files/data-folder.ts'
import { migrateStore, schemaVersions } from '../stores/migrate.ts'
import { assertDatabase } from '../stores/sqlite/database.ts'
import { print } from './terminal.ts'
import { readTrustedConfig } from './trusted-config.ts'

const migrateHelp = `gateway migrate
  Brings the schema of the store that the settings name up to date. A gateway does the same at its start.
    --check             Changes nothing; exit code 1 when migrations are due.`

/** Runs `gateway migrate`. Throws `store_unavailable` when the data folder has no database, and
 *  when the database cannot be migrated; with `--check`, also when migrations are still to be
 *  applied. */
export async function runMigrate(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) return print(migrateHelp)
  const config = readTrustedConfig()
  const store = config.databaseUrl === undefined ? `The data folder ${config.dataDir}` : 'The database'
  if (config.databaseUrl === undefined) assertDatabase(config.dataDir)
  if (values.check) {
    const { from, to } = await schemaVersions(config)
    if (from !== to)
      throw new GatewayError('store_unavailable', `${store} has schema version ${from}; version ${to} is due (gateway migrate).`)
    return print(`${store} has schema version ${from}; no migration is due.`)
  }
  if (config.databaseUrl === undefined) prepareDataFolder(config.dataDir)
  const { from, to } = await migrateStore(config)
  print(from === to ? `${store} has schema version ${from}; nothing to do.` : `${store} went from schema version ${from} to ${to}.`)
}
