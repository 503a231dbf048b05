import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { UnusedTokens } from '../../core/ports/rates.ts'
import { rateSuite } from '../suite/rates.ts'
import { openPostgresStore } from './open.ts'
import { PostgresRates } from './rates.ts'
import { needPostgres, startPostgres } from './testing/server.ts'
import { usualTimes } from './times.ts'

const secretKey = Buffer.alloc(32, 7)

for (const version of [15, 18] as const) {
  const { skip } = needPostgres(version)
  describe(`rates on postgres ${version}`, { skip }, async () => {
    if (skip !== undefined) return
    const server = await startPostgres({ version })
    after(() => server.stop())
    rateSuite(`postgres ${version}`, async clock => {
      const url = await server.database()
      await (await openPostgresStore({ url, secretKey })).close()
      const tokens = new PostgresRates({ url, times: usualTimes, nodeName: 'one' }, clock)
      return { tokens, dispose: () => tokens.close() }
    })

    test('three nodes that ask for one key at once never get more than the limit', async context => {
      const url = await server.database()
      await (await openPostgresStore({ url, secretKey })).close()
      const nodes = ['one', 'two', 'three'].map(nodeName => new PostgresRates({ url, times: usualTimes, nodeName }))
      context.after(() => Promise.all(nodes.map(node => node.close())))
      const request = { id: 'key-1', perMinute: 1_000, waiting: 1, ahead: 5, uncounted: [] }
      let used = 0
      const askOften = async (node: PostgresRates) => {
        let unused: UnusedTokens[] = []
        for (let count = 0; count < 300; count++) {
          const { granted, ahead } = await node.lease({ ...request, unused })
          const kept = Math.min(ahead.tokens, count % 4)
          used += granted + kept
          unused = kept < ahead.tokens ? [{ lease: ahead.lease, tokens: ahead.tokens - kept }] : []
        }
        await node.lease({ ...request, waiting: 0, ahead: 0, unused })
      }
      await Promise.all([...nodes, ...nodes].map(askOften))
      assert.equal(used, 1_000)
    })
  })
}
