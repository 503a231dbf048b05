import { newTask } from '../../suite/samples.ts'
import { openSqliteStore } from '../open.ts'

// A program that a test kills. It submits tasks in an endless loop, and prints the id of each task
// after its submit was acknowledged.
const [directory = '', prefix = ''] = process.argv.slice(2)
const store = await openSqliteStore({ directory, secretKey: Buffer.alloc(32, 7) })
const concurrency = 32

async function submitForever(lane: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const id = `${prefix}-${lane}-${count}`
    await store.submit(newTask(id))
    process.stdout.write(`${id}\n`)
  }
}

await Promise.all(Array.from({ length: concurrency }, (_, lane) => submitForever(lane)))
