import { parseArgs } from 'node:util'
import { givenSecretKeys } from '../config/secrets.ts'
import { progressOn } from '../stores/moving/progress.ts'
import { openStore } from '../stores/open.ts'
import { assertDatabase } from '../stores/sqlite/database.ts'
import { print } from './terminal.ts'
import { readTrustedConfig } from './trusted-config.ts'

const reencryptHelp = `gateway reencrypt
  Encrypts the secrets in the store with GATEWAY_SECRET_KEY, where a key of GATEWAY_SECRET_KEY_FALLBACKS has encrypted
  them. A gateway on a data folder must be stopped; nodes on a database may run, once all of them have the new key as
  GATEWAY_SECRET_KEY. Started again after an interruption, it goes on. The steps: docs/operate/secret-key.md`

/** Runs `gateway reencrypt`. Throws `store_unavailable` when the store cannot be opened, and
 *  `conflict` while nodes still encrypt with another key. */
export async function runReencrypt(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) return print(reencryptHelp)
  const config = readTrustedConfig()
  if (config.databaseUrl === undefined) assertDatabase(config.dataDir)
  const progress = progressOn(process.stderr)
  const store = await openStore(config, givenSecretKeys(config, 'the gateway'))
  try {
    const { secrets, changed, unreadable } = await store.reencrypt((table, rows) => progress.show(`rows of ${table}: ${rows}`))
    progress.clear()
    print(`Encrypted ${changed} of ${secrets} secrets again.`)
    if (unreadable > 0) print(`${unreadable} secrets are damaged: no key decrypts them, and they stay as they are.`)
    print('No row needs GATEWAY_SECRET_KEY_FALLBACKS. Backups that were made before still need the former key.')
  } finally {
    progress.clear()
    await store.close()
  }
}
