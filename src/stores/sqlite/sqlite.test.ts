import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before } from 'node:test'
import { startedAt } from '../suite/samples.ts'
import { taskStoreSuite } from '../suite/suite.ts'
import { databaseName } from './database.ts'
import { openSqliteStore } from './open.ts'

const secretKey = Buffer.alloc(32, 7)
const clock = { now: () => startedAt }

/** Folder of an empty store. Each case gets a copy, because the migrations of a new store would
 *  take a seventh of the time of all cases. */
let empty: string
before(async () => {
  empty = await mkdtemp(join(tmpdir(), 'gateway-store-'))
  await (await openSqliteStore({ directory: empty, secretKey, clock })).close()
})
after(() => rm(empty, { recursive: true }))

taskStoreSuite('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-store-'))
  await copyFile(join(empty, databaseName), join(directory, databaseName))
  const store = await openSqliteStore({ directory, secretKey, clock })
  let current = store
  return {
    store,
    async reopen() {
      await current.close()
      current = await openSqliteStore({ directory, secretKey, clock })
      return current
    },
    async spoil(sql) {
      using database = new DatabaseSync(join(directory, databaseName))
      database.exec(sql)
    },
    async dispose() {
      await current.close()
      await rm(directory, { recursive: true })
    },
  }
})
