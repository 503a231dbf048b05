import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startPostgres } from '../../src/stores/postgres/testing/server.ts'
import { median } from '../measure.ts'
import type { Figure } from '../scenarios.ts'
import type { ScaleOptions } from './bench.ts'
import { rateOf } from './load.ts'
import type { NodeCommand } from './node-process.ts'

const module = fileURLToPath(new URL('./node-process.ts', import.meta.url))
const nodes = 3
const submits = 9_600
const settlements = 4_800

/** Measures the rates of submits and settlements by one node, and by three nodes that share the
 *  same amount of work, on one database that flushes to disk. */
export async function nodeFigures({ version, rounds }: ScaleOptions): Promise<Figure[]> {
  const server = await startPostgres({ version, isDurable: true })
  const children = await Promise.all(Array.from({ length: nodes }, (_, index) => startNode(server.url, `node-${index}`)))
  const waits = await watchWaits(server.url)
  const figures: Figure[] = []
  try {
    for (const shape of ['plain', 'limited'] as const) {
      const work = (kind: 'submit' | 'settle', all: number) => (count: number) =>
        rateOf(all, async () => {
          await Promise.all(children.slice(0, count).map(child => ask(child, { kind, count: all / count, shape })))
        })
      const submit = work('submit', submits)
      const settle = work('settle', settlements)
      const ratios: Record<'submit' | 'settle', number[]> = { submit: [], settle: [] }
      for (let round = -1; round < rounds; round++) {
        const order = round % 2 === 0 ? [1, nodes] : [nodes, 1]
        const rates = new Map<number, { submit: number; settle: number }>()
        for (const count of order) rates.set(count, { submit: await submit(count), settle: await settle(count) })
        const [one, all] = [rates.get(1), rates.get(nodes)]
        // The first round only warms up.
        if (round < 0 || !one || !all) continue
        ratios.submit.push(all.submit / one.submit)
        ratios.settle.push(all.settle / one.settle)
      }
      const goal = { bound: 'at least' as const, value: 0.85 }
      figures.push({ name: `submits, ${shape}: ${nodes} nodes / 1`, value: median(ratios.submit), unit: 'x', goal })
      figures.push({ name: `claim 16, settle 16, ${shape}: ${nodes} nodes / 1`, value: median(ratios.settle), unit: 'x', goal })
    }
    figures.push(await waits.figure())
  } finally {
    for (const child of children) {
      await ask(child, { kind: 'close' })
      child.disconnect()
    }
    await waits.end()
    await server.stop()
  }
  return figures
}

async function startNode(url: string, name: string): Promise<ChildProcess> {
  const child = fork(module, [url, name])
  await answerOf(child)
  return child
}

async function ask(child: ChildProcess, command: NodeCommand): Promise<void> {
  child.send(command)
  await answerOf(child)
}

function answerOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('a node of the bench has ended'))
    child.once('exit', onExit)
    child.once('message', (answer: { error?: string }) => {
      child.off('exit', onExit)
      if (answer.error === undefined) resolve()
      else reject(new Error(answer.error))
    })
  })
}

const waiting = `SELECT count(*) FILTER (WHERE wait_event = 'advisory') AS turns,
    count(*) FILTER (WHERE wait_event_type = 'Lock' AND wait_event <> 'advisory') AS others
  FROM pg_stat_activity WHERE application_name LIKE 'node-%'`

/** Counts every 5 ms how many database sessions of the nodes wait for a lock. Sessions are expected
 *  to wait for the advisory lock by which they write one after another. They must not wait for any
 *  other lock, such as that of a row which another transaction has changed. */
async function watchWaits(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let [looks, turns, others] = [0, 0, 0]
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      const [row] = (await client.query(waiting)).rows
      looks += 1
      turns += Number(row.turns)
      others += Number(row.others)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  })()
  return {
    async figure(): Promise<Figure> {
      const note = `in ${looks} looks; ${turns} for the turn to write`
      return { name: 'waits of a node for a row or a transaction', value: others, unit: '', goal: { bound: 'at most', value: 0 }, note }
    },
    async end() {
      isOver = true
      await looking
      await client.end()
    },
  }
}
