import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startedAt } from '../suite/samples.ts'
import { taskStoreSuite } from '../suite/suite.ts'
import { databaseName } from './database.ts'
import { openSqliteStore } from './open.ts'

const secretKey = Buffer.alloc(32, 7)
const clock = { now: () => startedAt }

taskStoreSuite('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-store-'))
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
