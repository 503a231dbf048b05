// Own process: this test kills a database server and stops programs, and no other test may measure
// anything meanwhile.
/** The chaos test on two nodes: checks the guarantees about paid tasks while the vendor fails,
 *  nodes and the database are killed, and a node is stopped for longer than its lease lasts. */
import { test } from 'node:test'
import { needPostgres } from '../../stores/postgres/testing/server.ts'
import { chaosTasks, kill, pause, runChaos } from '../../testing/load/chaos-run.ts'
import { startTestNodes } from '../../testing/stores/nodes.ts'

/** Time in ms for which a node is stopped. It is longer than 15 s, after which the other node
 *  declares it dead. */
const pauseMs = 20_000
const tasks = chaosTasks(1_000)

test(`${tasks} tasks on two nodes, five kills, a stopped node and a failing vendor: none lost, none submitted twice, and the ledger agrees with the vendor`, {
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
    tasks,
    nodes: 2,
    envOf: node => envOf(`node-${node}`),
    incidents: [kill(0), kill(1), killDatabase, pause(0, pauseMs), kill(1), kill(0)],
    kills: 6,
  })
})
