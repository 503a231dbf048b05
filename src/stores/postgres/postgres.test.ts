import { after, describe } from 'node:test'
import { taskStoreSuite } from '../suite/suite.ts'
import { openPostgresStore } from './open.ts'
import { queryOnce } from './testing/query-once.ts'
import { needPostgres, startPostgres } from './testing/server.ts'

/** Creates an empty schema, which is quicker than a new database. Returns an address whose
 *  connections see only this schema. */
async function emptySchema(url: string): Promise<string> {
  const name = `case_${++schemas}`
  await queryOnce(url, `CREATE SCHEMA ${name}`)
  return `${url}?options=${encodeURIComponent(`-c search_path=${name}`)}`
}

const secretKey = Buffer.alloc(32, 7)
let schemas = 0

for (const version of [15, 18] as const) {
  const { skip } = needPostgres(version)
  if (skip !== undefined) {
    describe(`task store: postgres ${version}`, { skip }, () => {})
    continue
  }
  const server = await startPostgres({ version })
  after(() => server.stop())
  taskStoreSuite(`postgres ${version}`, async () => {
    const url = await emptySchema(server.url)
    const store = await openPostgresStore({ url, secretKey })
    let current = store
    return {
      store,
      async reopen() {
        await current.close()
        current = await openPostgresStore({ url, secretKey })
        return current
      },
      async spoil(sql) {
        await queryOnce(url, sql)
      },
      async dispose() {
        await current.close()
      },
    }
  })
}
