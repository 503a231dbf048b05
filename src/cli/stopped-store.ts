import { catalogueOf } from '../config/catalogue-of.ts'
import { loadConfigFile } from '../config/config-file.ts'
import { defaultName, ensureDefaultAccount, type FirstStart } from '../config/first-start.ts'
import { secretKeysOf } from '../config/secrets.ts'
import type { Config } from '../config/settings.ts'
import { requestOfTask } from '../core/work/stored-request.ts'
import { drivers as upstreamDrivers } from '../drivers/index.ts'
import { knownEngines } from '../engine-runs/known-engines.ts'
import { families } from '../families/index.ts'
import type { AdminOperation } from '../http/admin/admin-operations.ts'
import { prepareDataFolder } from '../stores/files/data-folder.ts'
import { openStore } from '../stores/open.ts'
import { openBlobs } from '../stores/open-blobs.ts'
import type { SqlStore } from '../stores/sql/store.ts'
import { assertDatabase } from '../stores/sqlite/database.ts'
import { printFirstKey } from './terminal.ts'

/** Runs an action of an operator directly on the store: in a data folder on which no gateway is
 *  running, or in a database that several nodes share. Throws the errors of the action, and
 *  `store_unavailable` when the folder has no database or another process has it open. */
export async function performOnStore(operation: AdminOperation, input: Record<string, unknown>, config: Config): Promise<object> {
  if (config.databaseUrl === undefined) {
    assertDatabase(config.dataDir)
    prepareDataFolder(config.dataDir)
  }
  const store = await openStore(config, secretKeysOf(config))
  try {
    printFirstKey(await store.membership.exclusively(() => firstAccount(store, config)))
    const { engines, missingEngines } = await knownEngines(config.roles)
    const known = { families, drivers: [...engines, ...upstreamDrivers], missingEngines }
    const loaded = config.config === undefined ? undefined : loadConfigFile(config.config, known, process.env)
    const catalogue = catalogueOf(known, loaded)
    const requestOf = async (taskId: string) =>
      requestOfTask({ store, blobs: await openBlobs(config.blobs, { directory: config.dataDir }) }, taskId)
    const familyIds = families.map(entry => entry.family.id)
    return await operation.run({ store, requestOf, clock: store.clock, catalogue: () => catalogue, familyIds }, input)
  } finally {
    await store.close()
  }
}

/** Creates the default account when the store has none. The keys of an existing default account
 *  stay as they are: GATEWAY_ACCESS_KEY in the environment of this command may differ from the one
 *  that the gateway was started with, and only the start of a gateway may apply it. */
async function firstAccount({ accounts, clock }: SqlStore, { dataDir, accessKey }: Config): Promise<FirstStart> {
  if ((await accounts.account(defaultName)) !== undefined) return {}
  return ensureDefaultAccount(accounts, { dataDir, accessKey, now: clock.now() })
}
