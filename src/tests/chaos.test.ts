/** The chaos test on one gateway: checks the guarantees about paid tasks while the vendor fails
 *  in every possible way and the program is killed at random moments. */
import { test } from 'node:test'
import { chaosTasks, kill, runChaos } from '../testing/load/chaos-run.ts'

const tasks = chaosTasks(500)
const kills = 6

test(
  `${tasks} tasks, ${kills} kills and a failing vendor: none lost, none submitted twice, and the ledger agrees with the vendor`,
  {
    timeout: 600_000,
  },
  t => runChaos(t, { tasks, nodes: 1, incidents: Array.from({ length: kills }, () => kill(0)), kills }),
)
