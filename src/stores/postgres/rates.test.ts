import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { SharedRateLimiter } from '../../core/ledger/shared-limits.ts'
import type { UnusedTokens } from '../../core/ports/rates.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { silentLog } from '../../testing/stores/store.ts'
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

    test('three limiters never accept more than the limit in a minute, and nearly all of it', async context => {
      const url = await server.database()
      await (await openPostgresStore({ url, secretKey })).close()
      const clock = createFakeClock()
      const nodes = ['one', 'two', 'three'].map(nodeName => {
        const tokens = new PostgresRates({ url, times: usualTimes, nodeName }, clock)
        return { tokens, limiter: new SharedRateLimiter({ tokens, clock, log: silentLog }) }
      })
      context.after(() => Promise.all(nodes.map(({ tokens }) => tokens.close())))
      for (const perMinute of [2, 90, 600]) {
        const accepted: number[] = []
        for (let step = 0; step < 600; step++) {
          const decisions = nodes.flatMap(({ limiter }, at) =>
            Array.from({ length: (step >> 5) % 3 === at ? 9 : 2 }, () => limiter.take(`key-${perMinute}`, perMinute)),
          )
          for (const { allowed } of await Promise.all(decisions)) if (allowed) accepted.push(clock.now())
          clock.step(250)
          if (step % 2 === 0) await Promise.all(nodes.map(({ limiter }) => limiter.tick()))
        }
        const most = Math.max(...accepted.map((time, at) => at + 1 - accepted.findIndex(other => other > time - 60_000)))
        assert.ok(most <= perMinute, `${most} of ${perMinute} in a minute`)
        // In 150 s, the limit allows two and a half times the number of requests per minute; a
        // little less is accepted as well.
        assert.ok(accepted.length >= 2.45 * perMinute, `${accepted.length} of ${perMinute} a minute in 150 s`)
      }
    })

    test('three nodes that request one key at the same time never get more than the limit', async context => {
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
