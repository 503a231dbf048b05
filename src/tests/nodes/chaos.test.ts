// Own process: this test kills a database server and stops programs, and no other test may measure
// anything meanwhile.
/** Tests the guarantees about a paid task on two nodes, while the vendor fails, the nodes and the
 *  database are killed, and a node is stopped for longer than its lease. */
import { test } from 'node:test'
import { needPostgres } from '../../stores/postgres/testing/server.ts'
import { chaosTasks, kill, pause, runChaos } from '../../testing/load/chaos-run.ts'
import { startTestNodes } from '../../testing/stores/nodes.ts'

/** Milliseconds for which a node is stopped: longer than the 15 s after which a node counts as
 *  dead. */
const pauseMs = 20_000

test(`${chaosTasks} tasks on two nodes, five kills, a stopped node and a failing vendor: none lost, none submitted twice, and the ledger agrees with the vendor`, {
  timeout: 600_000,
  ...needPostgres(18),
}, async t => {
  await using started = await startTestNodes(0)
  const { server, envOf } = started
  const killDatabase = async () => {
    await server.kill()
    await server.restart()
  }
  await runChaos(t, {
    nodes: 2,
    envOf: node => envOf(`node-${node}`),
    incidents: [kill(0), kill(1), killDatabase, pause(0, pauseMs), kill(1), kill(0)],
    kills: 6,
  })
})
